//! What a scan would read and merge.

use headwater_table::Table;
use serde_json::json;

use crate::error::Result;
use crate::live::unsigned;
use crate::output::{Out, bytes_text, counted};
use crate::where_clause;

pub(super) async fn print(table: &Table, snapshot: Option<i64>, filter: Option<&str>, out: &mut Out) -> Result<()> {
    let mut scan = table.scan();
    if let Some(id) = snapshot {
        scan = scan.snapshot(id);
    }
    if let Some(filter) = filter {
        scan = scan.filter(where_clause::parse(filter, &table.schema().fields)?);
    }
    let plan = scan.plan().await?;
    let (mut raw, mut raw_bytes, mut merged, mut merged_bytes, mut files) = (0_u64, 0_u64, 0_u64, 0_u64, 0_u64);
    for split in &plan.splits {
        let bytes: u64 = split.files.iter().map(|file| unsigned(file.file_size)).sum();
        files += split.files.len() as u64;
        if split.raw_convertible {
            raw += 1;
            raw_bytes += bytes;
        } else {
            merged += 1;
            merged_bytes += bytes;
        }
    }
    let rows: u64 = plan.splits.iter().map(|split| split.row_count_estimate()).sum();
    out.object(&json!({"scan": {
        "snapshot": plan.snapshot.as_ref().map(|s| s.id), "splits": plan.splits.len(), "files": files,
        "rawSplits": raw, "rawBytes": raw_bytes, "mergedSplits": merged, "mergedBytes": merged_bytes,
        "rowsStored": rows, "pruning": plan.funnel.to_string(),
    }}))?;
    let (splits, files, rows) =
        (counted(plan.splits.len() as u64, "split"), counted(files, "file"), counted(rows, "row"));
    out.say(&format!("  {splits}, {files}, {rows} stored"))?;
    out.say(&format!(
        "  read as they are: {} of {}; merged: {} of {}",
        counted(raw, "split"),
        bytes_text(raw_bytes),
        counted(merged, "split"),
        bytes_text(merged_bytes)
    ))?;
    out.say(&format!("  {}", plan.funnel))
}
