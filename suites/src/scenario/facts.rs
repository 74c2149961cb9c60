//! What a snapshot did, as lines both sides print alike.

use std::collections::BTreeSet;
use std::fmt::Write as _;

use headwater_metadata::{FileKind, FileSource, ManifestEntry, ManifestStore, SimpleStats, Snapshot};
use headwater_types::BinaryRow;

use crate::Result;

/// The snapshot's line and one line a file it adds or removes.
pub(super) async fn lines(store: &ManifestStore, snapshot: &Snapshot) -> Result<Vec<String>> {
    let mut entries = Vec::new();
    for meta in store.read_list(&snapshot.delta_manifest_list, snapshot.delta_manifest_list_size).await? {
        entries.extend(store.read_manifest(&meta.file_name, meta.file_size).await?.iter().cloned());
    }
    let removed = |entry: &&ManifestEntry| entry.kind == FileKind::Delete;
    let gone: BTreeSet<&str> = entries.iter().filter(removed).map(|entry| entry.file.file_name.as_str()).collect();
    let moved = |entry: &ManifestEntry| entry.kind == FileKind::Add && gone.contains(entry.file.file_name.as_str());
    let mut files: Vec<String> = entries.iter().map(|entry| file(entry, moved(entry))).collect();
    files.sort();
    let changelog = snapshot.changelog_record_count.map_or_else(|| "null".to_owned(), |count| count.to_string());
    let head = format!(
        "snapshot {} {} schema={} total={} delta={} changelog={changelog}",
        snapshot.id,
        snapshot.commit_kind.as_str(),
        snapshot.schema_id,
        snapshot.total_record_count,
        snapshot.delta_record_count,
    );
    Ok(std::iter::once(head).chain(files).collect())
}

fn file(entry: &ManifestEntry, moved: bool) -> String {
    let file = &entry.file;
    let kind = if entry.kind == FileKind::Add { "ADD" } else { "DELETE" };
    let source = match file.file_source {
        Some(FileSource::Append) => "APPEND",
        Some(FileSource::Compact) => "COMPACT",
        None => "?",
    };
    let deletes = file.delete_row_count.map_or_else(|| "?".to_owned(), |count| count.to_string());
    let columns =
        file.value_stats_cols.as_ref().map_or_else(|| "all".to_owned(), |names| format!("[{}]", names.join(",")));
    format!(
        "  {kind}{} p={} b{}/{} L{} rows={} deletes={deletes} seq={}..{} key={}..{} schema={} source={source} \
         keystats={} stats={} cols={columns}",
        if moved { " moved" } else { "" },
        hex(&entry.partition),
        entry.bucket,
        entry.total_buckets,
        file.level,
        file.row_count,
        file.min_sequence_number,
        file.max_sequence_number,
        hex(&file.min_key),
        hex(&file.max_key),
        file.schema_id,
        stats(&file.key_stats),
        stats(&file.value_stats),
    )
}

fn stats(stats: &SimpleStats) -> String {
    let count = |count: &Option<i64>| count.map_or_else(|| "?".to_owned(), |count| count.to_string());
    let counts: Vec<String> = stats.null_counts.iter().map(count).collect();
    format!("{}/{}/{}", hex(&stats.min_values), hex(&stats.max_values), counts.join(","))
}

fn hex(row: &BinaryRow) -> String {
    row.bytes().iter().fold(String::new(), |mut text, byte| {
        let _ = write!(text, "{byte:02x}");
        text
    })
}
