//! Compaction as a job of its own.

mod coordinator;

use std::collections::{BTreeMap, BTreeSet};

use headwater_metadata::{CommitMessage, ManifestEntry};
use headwater_types::{Datum, ErrorKind, parse_datum};

use self::coordinator::Coordinator;
use crate::commit::BATCH;
use crate::scan::{live_entries, partition_matches};
use crate::{Error, Result, Table, TableWriter, support, write};

/// Compactions that lost against other writers are tried again so often.
const ATTEMPTS: usize = 5;

/// What a compaction job did.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CompactReport {
    /// The snapshots it made.
    pub snapshots: Vec<i64>,
    /// Buckets with new files.
    pub buckets: u64,
    /// Files that were replaced.
    pub files_before: u64,
    /// Files that took their place.
    pub files_after: u64,
    /// Bytes of the files that were replaced.
    pub bytes_before: u64,
    /// Bytes of the files that took their place.
    pub bytes_after: u64,
}

impl Table {
    /// Compacts every bucket, or those of the named partitions: as a whole with `full`, else where the table's rules pick
    /// something. Works for `write-only` tables, and beside writers. Small files without keys are put together where
    /// there are enough of them (`compaction.min.file-num`; three for a `full` compaction of a bucket); in tables without
    /// buckets `full` makes no difference, as in the reference.
    ///
    /// # Errors
    /// `InvalidInput` for an unknown partition column; `Unsupported` for tables this crate does not write;
    /// `Conflict` when other writers' compactions came first every time; `Unavailable`.
    pub async fn compact_all(&self, full: bool, partitions: &[BTreeMap<String, String>]) -> Result<CompactReport> {
        let mut report = CompactReport::default();
        for _ in 0..ATTEMPTS {
            if self.compact_once(full, partitions, &mut report).await? {
                return Ok(report);
            }
        }
        let message =
            "other writers compacted the same buckets first, again and again: compact with write-only writers";
        Err(Error::new(ErrorKind::Conflict, message).with("table", self.location()))
    }

    /// Returns whether everything that was compacted is part of the table.
    async fn compact_once(
        &self,
        full: bool,
        partitions: &[BTreeMap<String, String>],
        report: &mut CompactReport,
    ) -> Result<bool> {
        support::check_writable(self.schema(), self.options())?;
        let entries = self.entries_of(partitions).await?;
        let user = self.env().uuid();
        let committer = self.committer_as(&user)?;
        let unaware = !self.has_primary_key() && self.options().bucket() < 1;
        let (messages, writer) = if unaware {
            (write::rewrite(self, &user, Coordinator::new(self.options()).plan(entries)).await?, None)
        } else {
            let (messages, writer) = compact_buckets(self.compactor(&user)?, &entries, full).await?;
            (messages, Some(writer))
        };
        let expected = !messages.is_empty();
        let (before, after) = (count(&messages, true), count(&messages, false));
        let changed: BTreeSet<_> = messages.iter().map(|message| (message.partition.clone(), message.bucket)).collect();
        let snapshots = committer.commit(BATCH, messages, None).await?;
        if let Some(writer) = writer {
            writer.close().await?;
        }
        if snapshots.is_empty() {
            return Ok(!expected);
        }
        report.snapshots.extend(snapshots);
        report.buckets += changed.len() as u64;
        report.files_before += before.0;
        report.bytes_before += before.1;
        report.files_after += after.0;
        report.bytes_after += after.1;
        Ok(true)
    }

    /// The live files of the partitions that one of the specs matches; of all without specs.
    async fn entries_of(&self, partitions: &[BTreeMap<String, String>]) -> Result<Vec<ManifestEntry>> {
        let specs = partitions.iter().map(|spec| self.partition_spec(spec)).collect::<Result<Vec<_>>>()?;
        let Some(snapshot) = self.snapshots().latest().await? else { return Ok(Vec::new()) };
        let types = self.schema().partition_types()?;
        let names = &self.schema().partition_keys;
        let mut entries = live_entries(self, &snapshot).await?;
        entries.retain(|entry| entry.bucket >= 0);
        if specs.is_empty() {
            return Ok(entries);
        }
        let mut wanted = Vec::new();
        for entry in entries {
            for spec in &specs {
                if partition_matches(names, &types, &entry.partition, spec)? {
                    wanted.push(entry);
                    break;
                }
            }
        }
        Ok(wanted)
    }

    /// Texts as values of partition columns; the default partition's name stands for null.
    fn partition_spec(&self, spec: &BTreeMap<String, String>) -> Result<BTreeMap<String, Option<Datum>>> {
        let keys = &self.schema().partition_keys;
        let value = |(name, text): (&String, &String)| {
            let field = self.schema().field(name).filter(|_| keys.contains(name)).ok_or_else(|| {
                let message = format!("'{name}' is no partition column; the table has {}", keys.join(", "));
                Error::new(ErrorKind::InvalidInput, message)
            })?;
            if *text == self.options().partition_default_name() {
                return Ok((name.clone(), None));
            }
            Ok((name.clone(), Some(parse_datum(text, &field.data_type)?)))
        };
        spec.iter().map(value).collect()
    }
}

/// Compacts every bucket that has one of the files.
async fn compact_buckets(
    mut writer: TableWriter,
    entries: &[ManifestEntry],
    full: bool,
) -> Result<(Vec<CommitMessage>, TableWriter)> {
    let buckets: BTreeSet<_> = entries.iter().map(|entry| (&entry.partition, entry.bucket)).collect();
    let compacted = async {
        for (partition, bucket) in buckets {
            writer.compact(partition, bucket, full).await?;
        }
        writer.prepare_commit(true).await
    };
    match compacted.await {
        Ok(messages) => Ok((messages, writer)),
        Err(error) => {
            writer.close().await?;
            Err(error)
        }
    }
}

fn count(messages: &[CommitMessage], before: bool) -> (u64, u64) {
    let increments = messages.iter().map(|message| &message.compact_increment);
    let files = increments.flat_map(|i| if before { &i.compact_before } else { &i.compact_after });
    files.fold((0, 0), |(n, bytes), file| (n + 1, bytes + u64::try_from(file.file_size).unwrap_or(0)))
}
