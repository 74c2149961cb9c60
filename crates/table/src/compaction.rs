//! Compaction as a job of its own.

use std::collections::{BTreeMap, BTreeSet};

use headwater_types::{BinaryRow, Datum, ErrorKind, parse_datum};

use crate::commit::BATCH;
use crate::scan::{live_entries, partition_matches};
use crate::{Error, Result, Table};

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
    /// something. Works for `write-only` tables, and beside writers.
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
        let buckets = self.buckets_of(partitions).await?;
        let user = self.env().uuid();
        let committer = self.committer_as(&user)?;
        let mut writer = self.compactor(&user)?;
        for (partition, bucket) in &buckets {
            if let Err(error) = writer.compact(partition, *bucket, full).await {
                writer.close().await?;
                return Err(error);
            }
        }
        let messages = match writer.prepare_commit(true).await {
            Ok(messages) => messages,
            Err(error) => {
                writer.close().await?;
                return Err(error);
            }
        };
        let expected = !messages.is_empty();
        let (before, after) = (count(&messages, true), count(&messages, false));
        let changed = messages.len() as u64;
        let snapshots = committer.commit(BATCH, messages, None).await?;
        writer.close().await?;
        if snapshots.is_empty() {
            return Ok(!expected);
        }
        report.snapshots.extend(snapshots);
        report.buckets += changed;
        report.files_before += before.0;
        report.bytes_before += before.1;
        report.files_after += after.0;
        report.bytes_after += after.1;
        Ok(true)
    }

    /// The buckets with files, of the partitions that one of the specs matches; of all without specs.
    async fn buckets_of(&self, partitions: &[BTreeMap<String, String>]) -> Result<BTreeSet<(BinaryRow, i32)>> {
        let specs = partitions.iter().map(|spec| self.partition_spec(spec)).collect::<Result<Vec<_>>>()?;
        let Some(snapshot) = self.snapshots().latest().await? else { return Ok(BTreeSet::new()) };
        let types = self.schema().partition_types()?;
        let names = &self.schema().partition_keys;
        let mut buckets = BTreeSet::new();
        for entry in live_entries(self, &snapshot).await? {
            let mut wanted = specs.is_empty();
            for spec in &specs {
                wanted = wanted || partition_matches(names, &types, &entry.partition, spec)?;
            }
            if wanted && entry.bucket >= 0 {
                buckets.insert((entry.partition, entry.bucket));
            }
        }
        Ok(buckets)
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

fn count(messages: &[headwater_metadata::CommitMessage], before: bool) -> (u64, u64) {
    let increments = messages.iter().map(|message| &message.compact_increment);
    let files = increments.flat_map(|i| if before { &i.compact_before } else { &i.compact_after });
    files.fold((0, 0), |(n, bytes), file| (n + 1, bytes + u64::try_from(file.file_size).unwrap_or(0)))
}
