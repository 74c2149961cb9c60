//! The closing table.

use std::time::Duration;

use headwater_io::Env;
use headwater_table::Table;
use serde_json::json;

use super::to_i64;
use crate::error::Result;
use crate::live::{Live, Written};
use crate::output::{Out, aligned, bytes_text, grouped};

pub(super) struct Report {
    started: Duration,
    writing: Duration,
    compacting: Duration,
    events: u64,
    before_full: Written,
}

impl Report {
    pub(super) fn new(env: &Env) -> Self {
        Self {
            started: env.monotonic(),
            writing: Duration::ZERO,
            compacting: Duration::ZERO,
            events: 0,
            before_full: Written::default(),
        }
    }

    pub(super) fn writing_done(&mut self, env: &Env, events: u64) {
        self.writing = env.monotonic() - self.started;
        self.events = events;
    }

    pub(super) async fn before_compaction(&mut self, table: &Table) -> Result<()> {
        self.before_full = written(table).await?;
        Ok(())
    }

    pub(super) fn compaction_done(&mut self, took: Duration) {
        self.compacting = took;
    }

    #[expect(clippy::cast_precision_loss, reason = "a rate is shown in whole rows")]
    pub(super) async fn print(&self, table: &Table, out: &mut Out) -> Result<()> {
        let all = written(table).await?;
        let files = table.io().list_recursive("").await?;
        let (stored, stored_bytes) = (files.len() as u64, files.iter().map(|file| file.size).sum::<u64>());
        let (mut live_files, mut live_bytes, mut snapshots) = (0_u64, 0_u64, 0_u64);
        if let Some(snapshot) = table.snapshots().latest().await? {
            for bucket in Live::new(table)?.buckets(&snapshot).await? {
                live_files += bucket.files.len() as u64;
                live_bytes += bucket.bytes();
            }
            snapshots = table.snapshots().list().await?.len() as u64;
        }
        let rate = self.events as f64 / self.writing.as_secs_f64().max(1e-9);
        out.object(&json!({"report": {
            "rows": self.events, "writeSeconds": self.writing.as_secs_f64(), "rowsPerSecond": rate.round(),
            "writeAmplification": self.before_full.amplification(),
            "writeAmplificationWithFullCompaction": all.amplification(),
            "fullCompactionSeconds": self.compacting.as_secs_f64(),
            "snapshots": snapshots, "appends": all.appends, "compactions": all.compactions,
            "liveFiles": live_files, "liveBytes": live_bytes, "storedFiles": stored, "storedBytes": stored_bytes,
        }}))?;
        let count = |value: u64| grouped(to_i64(value));
        #[expect(clippy::cast_possible_truncation, reason = "a rate of rows")]
        let rate = rate.round() as i64;
        let rows: Vec<Vec<String>> = [
            ("rows written", count(self.events)),
            ("rows a second, by two writers with compaction and a reader", grouped(rate)),
            ("write amplification, automatic compaction", format!("{:.2}", self.before_full.amplification())),
            ("write amplification, full compaction included", format!("{:.2}", all.amplification())),
            ("full compaction", format!("{:.1} s", self.compacting.as_secs_f64())),
            (
                "snapshots kept",
                format!("{} ({} writes, {} compactions)", count(snapshots), all.appends, all.compactions),
            ),
            ("data files of the latest snapshot", format!("{} of {}", count(live_files), bytes_text(live_bytes))),
            ("all files, history included", format!("{} of {}", count(stored), bytes_text(stored_bytes))),
        ]
        .into_iter()
        .map(|(name, value)| vec![name.to_owned(), value])
        .collect();
        if !out.is_json() {
            out.line("")?;
            out.line(&aligned(&["in all", ""], rows.into_iter()))?;
        }
        Ok(())
    }
}

async fn written(table: &Table) -> Result<Written> {
    let live = Live::new(table)?;
    let store = table.snapshots();
    let mut written = Written::default();
    for id in store.list().await? {
        live.add_written(&store.get(id).await?, &mut written).await?;
    }
    Ok(written)
}
