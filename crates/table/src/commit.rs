//! Committing what writers made.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use headwater_commit::{CommitOptions, FileStoreCommit};
use headwater_lsm::interval_partition;
use headwater_metadata::{CommitMessage, CompactIncrement, DataFileMeta, DataIncrement, ManifestCommittable};
use headwater_types::{ErrorKind, RowComparator};

use crate::handover::{Fate, Handover};
use crate::scan::live_entries;
use crate::{Error, Result, Table};

/// Commits messages of [`crate::TableWriter::prepare_commit`] for one commit user.
///
/// A compaction that lost against another writer's is dropped, its files removed: the rows it held are in the table all
/// the same, and the writer that made it goes on from what is there. Everything else that fails is an error.
pub struct TableCommitter {
    table: Table,
    commit: FileStoreCommit,
    handover: Arc<Handover>,
    ignore_empty: bool,
}

impl std::fmt::Debug for TableCommitter {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("TableCommitter").field("user", &self.commit.user()).finish_non_exhaustive()
    }
}

impl TableCommitter {
    fn new(table: &Table, user: &str) -> Result<Self> {
        if table.branch().is_some() {
            return Err(Error::new(ErrorKind::Unsupported, "writing to a branch is not supported yet"));
        }
        Ok(Self {
            commit: FileStoreCommit::new(table.io(), table.schema(), user, table.env())?,
            handover: table.handover(),
            ignore_empty: table.options().snapshot_ignore_empty_commit().unwrap_or(true),
            table: table.clone(),
        })
    }

    /// The commit user.
    #[must_use]
    pub fn user(&self) -> &str {
        self.commit.user()
    }

    /// Makes the messages part of the table: one snapshot for rows written, one for compaction; returns their ids, none
    /// when there was nothing to commit. When it returns, the rows are durable.
    ///
    /// `identifier` grows from commit to commit of a user; a job that starts again asks
    /// [`TableCommitter::last_identifier`] which commit was its last.
    ///
    /// # Errors
    /// `Conflict` when files that are removed are gone already; `Unavailable` when the outcome stayed unknown or the
    /// store did not answer. Messages that were not committed can be given to [`TableCommitter::abort`].
    pub async fn commit(
        &self,
        identifier: i64,
        messages: Vec<CommitMessage>,
        watermark: Option<i64>,
    ) -> Result<Vec<i64>> {
        let (written, compacted) = apart(messages);
        let options = CommitOptions { ignore_empty: self.ignore_empty, ..CommitOptions::default() };
        let mut snapshots = self.commit.commit(&committable(identifier, watermark, written.clone()), options).await?;
        self.settle(&written, Fate::Committed);
        snapshots.extend(self.commit_compaction(identifier, watermark, compacted).await?);
        Ok(snapshots)
    }

    /// Replaces rows by those of the messages, which come from [`Table::overwrite_writer`]: with `dynamic` in the partitions
    /// they lie in, otherwise in the partitions that `partition` names (in the whole table when it is empty).
    ///
    /// # Errors
    /// As [`TableCommitter::commit`]; `InvalidInput` for an unknown partition column or rows outside of the partition.
    pub async fn overwrite(
        &self,
        identifier: i64,
        partition: &BTreeMap<String, String>,
        dynamic: bool,
        messages: Vec<CommitMessage>,
    ) -> Result<Vec<i64>> {
        let messages = self.upgraded(messages)?;
        let committable = committable(identifier, None, messages.clone());
        let snapshots = self.commit.overwrite(partition, dynamic, &committable).await?;
        self.settle(&messages, Fate::Committed);
        Ok(snapshots)
    }

    /// Removes all rows.
    ///
    /// # Errors
    /// As [`TableCommitter::commit`].
    pub async fn truncate(&self, identifier: i64) -> Result<Vec<i64>> {
        Ok(self.commit.truncate(identifier).await?)
    }

    /// Removes the partitions that any of the specs matches; a spec names values of some partition columns.
    ///
    /// # Errors
    /// As [`TableCommitter::overwrite`].
    pub async fn drop_partitions(&self, identifier: i64, partitions: &[BTreeMap<String, String>]) -> Result<Vec<i64>> {
        Ok(self.commit.drop_partitions(partitions, identifier).await?)
    }

    /// Removes the files of messages that will not be committed.
    ///
    /// # Errors
    /// `Unavailable` when files cannot be removed; what could be removed is.
    pub async fn abort(&self, messages: &[CommitMessage]) -> Result<()> {
        self.settle(messages, Fate::Dropped);
        Ok(self.commit.abort(messages).await?)
    }

    /// After a conflict nothing of the messages is in the table, and nobody is left to commit the files of a batch: they are
    /// removed. After other errors they may be in a snapshot.
    pub(crate) async fn without_leftovers<T>(&self, outcome: Result<T>, messages: &[CommitMessage]) -> Result<T> {
        if let Err(error) = &outcome
            && error.kind() == ErrorKind::Conflict
            && let Err(error) = self.abort(messages).await
        {
            tracing::warn!(%error, "could not remove the files of a commit that was refused");
        }
        outcome
    }

    /// The identifier of this user's last commit, as far as its snapshots are kept.
    ///
    /// # Errors
    /// `Unavailable` when snapshots cannot be read.
    pub async fn last_identifier(&self) -> Result<Option<i64>> {
        let snapshots = self.table.snapshots();
        let mut id = snapshots.latest_id().await?.unwrap_or(0);
        while id > 0 {
            match snapshots.get(id).await {
                Ok(snapshot) if snapshot.commit_user == self.user() => return Ok(Some(snapshot.commit_identifier)),
                Ok(_) => id -= 1,
                Err(error) if error.kind() == ErrorKind::NotFound => break,
                Err(error) => return Err(error.into()),
            }
        }
        Ok(None)
    }

    async fn commit_compaction(
        &self,
        identifier: i64,
        watermark: Option<i64>,
        compacted: Vec<CommitMessage>,
    ) -> Result<Option<i64>> {
        let mut left = compacted;
        // The first time as it is; when that conflicts, without the buckets that somebody else changed.
        for attempt in 0..2 {
            if left.is_empty() {
                return Ok(None);
            }
            let committed =
                self.commit.commit(&committable(identifier, watermark, left.clone()), CommitOptions::default()).await;
            match committed {
                Ok(snapshots) => {
                    self.settle(&left, Fate::Committed);
                    return Ok(snapshots.last().copied());
                }
                Err(error) if error.kind() == ErrorKind::Conflict => {
                    tracing::info!(%error, user = self.user(), attempt, "a compaction came too late and is dropped");
                    let possible = if attempt == 0 { self.still_possible(&left).await? } else { BTreeSet::new() };
                    let mut numbers = 0..left.len();
                    let (kept, dropped) = left
                        .into_iter()
                        .partition::<Vec<_>, _>(|_| numbers.next().is_some_and(|n| possible.contains(&n)));
                    self.settle(&dropped, Fate::Dropped);
                    self.commit.abort(&dropped).await?;
                    left = kept;
                }
                Err(error) => return Err(error.into()),
            }
        }
        Ok(None)
    }

    /// The messages whose input is still in the table and whose output overlaps nothing else of its level.
    async fn still_possible(&self, messages: &[CommitMessage]) -> Result<BTreeSet<usize>> {
        let mut possible = BTreeSet::new();
        let Some(snapshot) = self.table.snapshots().latest().await? else { return Ok(possible) };
        let live = live_entries(&self.table, &snapshot).await?;
        let comparator = RowComparator::new(&self.table.schema().trimmed_key_types()?)?;
        for (number, message) in messages.iter().enumerate() {
            let here = live.iter().filter(|e| e.bucket == message.bucket && e.partition == message.partition);
            let files: Vec<&DataFileMeta> = here.map(|entry| &entry.file).collect();
            let same = |a: &DataFileMeta, b: &DataFileMeta| a.file_name == b.file_name && a.level == b.level;
            let before = &message.compact_increment.compact_before;
            if !before.iter().all(|gone| files.iter().any(|file| same(file, gone))) {
                continue;
            }
            let left = files.into_iter().filter(|file| !before.iter().any(|gone| same(file, gone)));
            let mut levels: BTreeMap<i32, Vec<DataFileMeta>> = BTreeMap::new();
            for file in left.chain(&message.compact_increment.compact_after) {
                levels.entry(file.level).or_default().push(file.clone());
            }
            levels.remove(&0);
            let disjoint = levels
                .into_values()
                .all(|files| interval_partition(files, &comparator).iter().all(|section| section.files().count() == 1));
            if disjoint {
                possible.insert(number);
            }
        }
        Ok(possible)
    }

    fn settle(&self, messages: &[CommitMessage], fate: Fate) {
        for message in messages {
            for file in message.data_increment.new_files.iter().chain(&message.compact_increment.compact_after) {
                self.handover.settle(&file.file_name, fate);
            }
        }
    }

    /// Files of an overwrite that do not overlap go to the highest level at once (`overwrite-upgrade`).
    /// Source: spec page 03 §1.8.
    fn upgraded(&self, mut messages: Vec<CommitMessage>) -> Result<Vec<CommitMessage>> {
        let schema = self.table.schema();
        let off = schema.options.get("overwrite-upgrade").is_some_and(|value| value.eq_ignore_ascii_case("false"));
        let new = || messages.iter().flat_map(|message| &message.data_increment.new_files);
        let all_new = messages.iter().all(|message| message.compact_increment.is_empty());
        if off || schema.primary_keys.is_empty() || !all_new || new().any(|file| file.level != 0) {
            return Ok(messages);
        }
        let comparator = RowComparator::new(&schema.trimmed_key_types()?)?;
        let level = i32::try_from(self.table.options().num_levels().saturating_sub(1)).unwrap_or(i32::MAX);
        for message in messages.iter_mut().filter(|message| message.bucket >= 0) {
            let files = &mut message.data_increment.new_files;
            if interval_partition(files.clone(), &comparator).iter().all(|section| section.files().count() == 1) {
                *files = files.iter().map(|file| file.upgrade(level)).collect();
            }
        }
        Ok(messages)
    }
}

/// What was written and what was compacted, for two commits.
fn apart(messages: Vec<CommitMessage>) -> (Vec<CommitMessage>, Vec<CommitMessage>) {
    let mut written = Vec::with_capacity(messages.len());
    let mut compacted = Vec::new();
    for message in messages {
        if !message.compact_increment.is_empty() {
            compacted.push(CommitMessage { data_increment: DataIncrement::default(), ..message.clone() });
        }
        if !message.data_increment.is_empty() {
            written.push(CommitMessage { compact_increment: CompactIncrement::default(), ..message });
        }
    }
    (written, compacted)
}

fn committable(identifier: i64, watermark: Option<i64>, messages: Vec<CommitMessage>) -> ManifestCommittable {
    ManifestCommittable { identifier, watermark, properties: BTreeMap::new(), messages }
}

/// The identifier of batch commits.
pub(crate) const BATCH: i64 = i64::MAX;

impl Table {
    /// A committer for the named commit user.
    ///
    /// # Errors
    /// `Unsupported` for table modes that are not written yet and for stores that cannot create files without
    /// overwriting.
    pub fn committer_as(&self, user: &str) -> Result<TableCommitter> {
        TableCommitter::new(self, user)
    }

    /// A committer for one batch, with a commit user of its own.
    ///
    /// # Errors
    /// As [`Table::committer_as`].
    pub fn batch_committer(&self) -> Result<TableCommitter> {
        let user = self.env().uuid();
        let user = match self.options().commit_user_prefix() {
            Some(prefix) => format!("{prefix}_{user}"),
            None => user,
        };
        TableCommitter::new(self, &user)
    }

    /// Commits what a batch writer made; returns the ids of the snapshots.
    ///
    /// # Errors
    /// As [`TableCommitter::commit`].
    pub async fn commit_batch(&self, messages: Vec<CommitMessage>) -> Result<Vec<i64>> {
        let committer = self.batch_committer()?;
        let outcome = committer.commit(BATCH, messages.clone(), None).await;
        committer.without_leftovers(outcome, &messages).await
    }

    /// Replaces partitions by what an overwrite writer made: with `partition` empty all those the rows lie in
    /// (`dynamic-partition-overwrite`), or the whole table where the option is off or there are no partitions.
    ///
    /// # Errors
    /// As [`TableCommitter::overwrite`].
    pub async fn overwrite_batch(
        &self,
        partition: &BTreeMap<String, String>,
        messages: Vec<CommitMessage>,
    ) -> Result<Vec<i64>> {
        let dynamic = self.options().dynamic_partition_overwrite() && !self.schema().partition_keys.is_empty();
        let committer = self.batch_committer()?;
        let outcome = committer.overwrite(BATCH, partition, dynamic, messages.clone()).await;
        committer.without_leftovers(outcome, &messages).await
    }

    /// Removes all rows.
    ///
    /// # Errors
    /// As [`TableCommitter::commit`].
    pub async fn truncate(&self) -> Result<Vec<i64>> {
        self.batch_committer()?.truncate(BATCH).await
    }

    /// Removes partitions.
    ///
    /// # Errors
    /// As [`TableCommitter::drop_partitions`].
    pub async fn drop_partitions(&self, partitions: &[BTreeMap<String, String>]) -> Result<Vec<i64>> {
        self.batch_committer()?.drop_partitions(BATCH, partitions).await
    }
}
