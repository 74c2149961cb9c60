//! The merge tree of every bucket, drawn as bars.

use serde_json::json;

use crate::error::Result;
use crate::live::Bucket;
use crate::output::{Out, bar, bytes_text, counted};

const BAR_WIDTH: usize = 32;

/// Draws the levels of at most `limit` buckets to one scale.
pub(crate) fn print(buckets: &[Bucket], limit: usize, out: &mut Out) -> Result<()> {
    let largest =
        buckets.iter().take(limit).flat_map(|b| b.levels().into_values()).map(|sum| sum.bytes).max().unwrap_or(0);
    for bucket in buckets.iter().take(limit) {
        for line in lines(bucket, largest) {
            out.say(&line)?;
        }
        let levels: Vec<_> = bucket
            .levels()
            .into_iter()
            .map(|(level, sum)| json!({"level": level, "files": sum.files, "bytes": sum.bytes, "rows": sum.rows}))
            .collect();
        out.object(
            &json!({"partition": bucket.partition, "bucket": bucket.bucket, "runs": bucket.runs(), "levels": levels}),
        )?;
    }
    if buckets.len() > limit {
        out.say(&format!("… and {} more buckets (--limit 0 shows all)", buckets.len() - limit))?;
    }
    Ok(())
}

/// One bucket: a heading and a line a level.
pub(crate) fn lines(bucket: &Bucket, largest: u64) -> Vec<String> {
    let place = if bucket.partition.is_empty() { String::new() } else { format!("{}/", bucket.partition) };
    let runs = counted(bucket.runs(), "sorted run");
    let mut lines = vec![format!("{place}bucket-{}  {runs}  {}", bucket.bucket, bytes_text(bucket.bytes()))];
    for (level, sum) in bucket.levels() {
        lines.push(format!(
            "  L{level} {:<BAR_WIDTH$} {:>10}  {}  {}",
            bar(sum.bytes, largest, BAR_WIDTH),
            bytes_text(sum.bytes),
            counted(sum.files, "file"),
            counted(sum.rows, "row"),
        ));
    }
    lines
}
