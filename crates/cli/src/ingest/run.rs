//! Rows come in, commits go out.

use std::pin::pin;
use std::time::Duration;

use futures::future::{Either, select};
use headwater_table::{Table, TableCommitter, TableWriter};
use serde_json::json;
use tokio::sync::mpsc::Receiver;

use super::conform::Conformed;
use crate::args::IngestArgs;
use crate::error::{Error, Result};
use crate::output::{Out, counted, draws_progress, grouped};
use crate::progress::Progress;
use crate::target::Session;

/// One run of `ingest`.
pub(super) struct Ingest<'a> {
    args: &'a IngestArgs,
    session: &'a Session,
    writer: TableWriter,
    committer: TableCommitter,
    progress: Progress,
    identifier: i64,
    /// Rows written and not yet committed.
    pending: u64,
    /// When pending rows are committed at the latest.
    deadline: Option<Duration>,
    committed: u64,
    commits: u64,
    snapshots: Vec<i64>,
}

enum Next {
    Rows(Conformed),
    End,
    TooLong,
}

impl<'a> Ingest<'a> {
    pub(super) async fn new(args: &'a IngestArgs, session: &'a Session, table: &Table, out: &Out) -> Result<Self> {
        let user = args.commit_user.clone().unwrap_or_else(|| session.env.uuid());
        let committer = table.committer_as(&user)?;
        let identifier = match &args.commit_user {
            Some(_) => committer.last_identifier().await?.unwrap_or(0),
            None => 0,
        };
        Ok(Self {
            args,
            session,
            writer: table.stream_writer_as(&user)?,
            committer,
            progress: Progress::rows(None, "ingesting", draws_progress(out.is_json())),
            identifier,
            pending: 0,
            deadline: None,
            committed: 0,
            commits: 0,
            snapshots: Vec::new(),
        })
    }

    /// Writes and commits everything; the report goes to `out`.
    pub(super) async fn run(mut self, batches: Receiver<Result<Conformed>>, out: &mut Out) -> Result<()> {
        let started = self.session.env.monotonic();
        let outcome = self.all(batches, out).await;
        self.progress.finish();
        let seconds = (self.session.env.monotonic() - started).as_secs_f64();
        let Self { writer, committed, commits, snapshots, .. } = self;
        // Removes the files of rows that were not committed.
        let closed = writer.close().await;
        match outcome {
            Ok(()) => {
                closed?;
                report(committed, commits, &snapshots, seconds, out)
            }
            Err(error) => Err(error.with("rowsCommitted", committed).with("commits", commits)),
        }
    }

    async fn all(&mut self, mut batches: Receiver<Result<Conformed>>, out: &mut Out) -> Result<()> {
        loop {
            match self.next(&mut batches).await? {
                Next::Rows(rows) => self.write(&rows, out).await?,
                Next::TooLong => self.commit(false, out).await?,
                // Compaction that is still under way is part of what was asked for.
                Next::End => return self.commit(true, out).await,
            }
        }
    }

    /// The next rows, or that waiting for more would keep the pending ones too long.
    async fn next(&self, batches: &mut Receiver<Result<Conformed>>) -> Result<Next> {
        let received = match self.deadline {
            None => batches.recv().await,
            Some(at) => {
                let left = at.saturating_sub(self.session.env.monotonic());
                if left.is_zero() {
                    return Ok(Next::TooLong);
                }
                match select(pin!(batches.recv()), pin!(self.session.env.sleep(left))).await {
                    Either::Left((received, _)) => received,
                    Either::Right(_) => return Ok(Next::TooLong),
                }
            }
        };
        received.map_or(Ok(Next::End), |rows| rows.map(Next::Rows))
    }

    async fn write(&mut self, conformed: &Conformed, out: &mut Out) -> Result<()> {
        let total = conformed.rows.num_rows();
        let mut at = 0;
        while at < total {
            let room = usize::try_from(self.args.batch_rows - self.pending).unwrap_or(usize::MAX);
            let length = room.min(total - at);
            let rows = conformed.rows.slice(at, length);
            match &conformed.kinds {
                Some(kinds) => self.writer.write_with_kinds(rows, kinds.slice(at, length)).await?,
                None => self.writer.write(rows).await?,
            }
            at += length;
            self.pending += length as u64;
            self.progress.add(length as u64);
            if self.pending >= self.args.batch_rows {
                self.commit(false, out).await?;
            }
        }
        if self.pending > 0 && self.deadline.is_none() {
            let patience = self.args.batch_seconds.map(Duration::from_secs);
            self.deadline = patience.map(|patience| self.session.env.monotonic() + patience);
        }
        Ok(())
    }

    /// Commits what is pending, and what compaction finished; `wait` waits for compaction.
    async fn commit(&mut self, wait: bool, out: &mut Out) -> Result<()> {
        self.deadline = None;
        let messages = self.writer.prepare_commit(wait).await?;
        if messages.is_empty() {
            return Ok(());
        }
        self.identifier += 1;
        let snapshots = self.committer.commit(self.identifier, messages, None).await.map_err(Error::from)?;
        if self.pending > 0 {
            self.commits += 1;
            self.committed += self.pending;
            out.object(&json!({"committed": self.pending, "identifier": self.identifier, "snapshots": snapshots}))?;
            out.flush()?;
        }
        self.pending = 0;
        self.snapshots.extend(snapshots);
        Ok(())
    }
}

#[expect(clippy::cast_precision_loss, clippy::cast_possible_truncation, reason = "a rate is shown in whole rows")]
fn report(rows: u64, commits: u64, snapshots: &[i64], seconds: f64, out: &mut Out) -> Result<()> {
    let rate = (rows as f64 / seconds.max(1e-9)).round() as i64;
    out.object(&json!({"rows": rows, "commits": commits, "lastSnapshot": snapshots.last(), "seconds": seconds, "rowsPerSecond": rate}))?;
    let snapshot = snapshots.last().map_or_else(|| "no snapshot".to_owned(), |id| format!("snapshot {id}"));
    out.say(&format!(
        "{} in {} in {seconds:.1} s ({} rows/s), {snapshot}",
        counted(rows, "row"),
        counted(commits, "commit"),
        grouped(rate),
    ))
}
