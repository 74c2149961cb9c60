//! Snapshots and what each changed.

use headwater_metadata::{FileKind, Snapshot};
use headwater_table::Table;
use serde_json::{Value, json};

use crate::error::Result;
use crate::live::{Live, unsigned};
use crate::output::{Out, bytes_text};

const HEADERS: [&str; 9] = ["snapshot", "schema", "kind", "time", "user", "rows", "change", "files", "bytes added"];

/// The newest snapshots last.
pub(super) async fn print(table: &Table, limit: usize, out: &mut Out) -> Result<()> {
    let store = table.snapshots();
    let ids = store.list().await?;
    let live = Live::new(table)?;
    let mut rows = Vec::new();
    for id in ids.iter().skip(ids.len().saturating_sub(limit)) {
        let snapshot = store.get(*id).await?;
        rows.push(row(&live, &snapshot, out.is_json()).await?);
    }
    if ids.len() > limit {
        out.say(&format!("the last {limit} of {} (--limit 0 shows all)", ids.len()))?;
    }
    if rows.is_empty() && !out.is_json() {
        return Ok(());
    }
    out.table(&HEADERS, &rows)
}

async fn row(live: &Live, snapshot: &Snapshot, as_json: bool) -> Result<Vec<Value>> {
    let delta = live.delta(snapshot).await?;
    let (mut added, mut removed, mut bytes) = (0_u64, 0_u64, 0_u64);
    for entry in &delta {
        match entry.kind {
            FileKind::Add => {
                added += 1;
                bytes += unsigned(entry.file.file_size);
            }
            FileKind::Delete => removed += 1,
        }
    }
    let (time, files, bytes): (Value, Value, Value) = if as_json {
        (snapshot.time_millis.into(), json!({"added": added, "removed": removed}), bytes.into())
    } else {
        (time_text(snapshot.time_millis).into(), format!("+{added} -{removed}").into(), bytes_text(bytes).into())
    };
    Ok(vec![
        snapshot.id.into(),
        snapshot.schema_id.into(),
        format!("{:?}", snapshot.commit_kind).to_uppercase().into(),
        time,
        snapshot.commit_user.clone().into(),
        snapshot.total_record_count.into(),
        snapshot.delta_record_count.into(),
        files,
        bytes,
    ])
}

/// Milliseconds since 1970 as UTC text.
pub(crate) fn time_text(millis: i64) -> String {
    chrono::DateTime::from_timestamp_millis(millis)
        .map_or_else(|| millis.to_string(), |time| time.format("%Y-%m-%d %H:%M:%S%.3fZ").to_string())
}
