//! Live files, one by one and by size.

use serde_json::{Value, json};

use crate::error::Result;
use crate::live::{Bucket, unsigned};
use crate::output::{Out, bar, bytes_text};

const HEADERS: [&str; 11] = [
    "partition",
    "bucket",
    "level",
    "file",
    "bytes",
    "rows",
    "deletes",
    "minSequence",
    "maxSequence",
    "schema",
    "source",
];

pub(super) fn print(buckets: &[Bucket], limit: usize, out: &mut Out) -> Result<()> {
    let all = buckets.iter().flat_map(|bucket| bucket.files.iter().map(move |entry| (bucket, entry)));
    let rows: Vec<Vec<Value>> = all
        .clone()
        .take(limit)
        .map(|(bucket, entry)| {
            let file = &entry.file;
            vec![
                bucket.partition.clone().into(),
                bucket.bucket.into(),
                file.level.into(),
                file.file_name.clone().into(),
                file.file_size.into(),
                file.row_count.into(),
                file.delete_row_count.into(),
                file.min_sequence_number.into(),
                file.max_sequence_number.into(),
                file.schema_id.into(),
                file.file_source.map(|source| format!("{source:?}").to_uppercase()).into(),
            ]
        })
        .collect();
    out.table(&HEADERS, &rows)?;
    let count = all.count();
    if count > limit { out.say(&format!("… and {} more files (--limit 0 shows all)", count - limit)) } else { Ok(()) }
}

/// How many files there are of which size, each range four times the one before.
pub(super) fn sizes(buckets: &[Bucket], out: &mut Out) -> Result<()> {
    let mut counts: std::collections::BTreeMap<u64, u64> = std::collections::BTreeMap::new();
    for entry in buckets.iter().flat_map(|bucket| &bucket.files) {
        *counts.entry(ceiling(unsigned(entry.file.file_size))).or_default() += 1;
    }
    let most = counts.values().copied().max().unwrap_or(0);
    for (ceiling, count) in &counts {
        out.say(&format!("  up to {:>9} {:<32} {count}", bytes_text(*ceiling), bar(*count, most, 32)))?;
        out.object(&json!({"fileSizeUpTo": ceiling, "files": count}))?;
    }
    Ok(())
}

/// The smallest of 4 KiB, 16 KiB, 64 KiB, … that is not below a size.
fn ceiling(bytes: u64) -> u64 {
    let mut ceiling = 4096_u64;
    while ceiling < bytes {
        ceiling = ceiling.saturating_mul(4);
    }
    ceiling
}
