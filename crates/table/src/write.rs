//! Rows into files: routed to buckets, buffered under one memory budget, flushed to level 0, compacted beside writing.

mod append_queue;
mod bucket;
mod compact;
mod conform;
mod context;
mod files;
mod restore;
mod rewrite;
mod route;
mod spill;
mod stats;

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use arrow_array::{Int8Array, RecordBatch};
use futures::{StreamExt, TryStreamExt};
use headwater_io::SpillDir;
use headwater_metadata::CommitMessage;
use headwater_types::{BinaryRow, ErrorKind};

use crate::{Error, Result, Table, error};
pub(crate) use append_queue::{AppendCompactOptions, size_of};
use bucket::BucketWriter;
use context::WriteContext;
use restore::Restore;
pub(crate) use rewrite::rewrite;
use route::{BucketKey, Router};

/// How a writer treats what is there already.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum WriteMode {
    /// New rows are added to what is there; the table's options say whether to compact.
    Add,
    /// New rows replace what is there: earlier files are not looked at, nothing is compacted.
    Replace,
    /// No rows, only compaction, even in `write-only` tables.
    Compact,
}

/// Writes rows to a table: any number of times [`TableWriter::write`], then [`TableWriter::prepare_commit`], whose
/// messages go to [`crate::TableCommitter::commit`]; again and again for a streaming job.
///
/// All buckets share `write-buffer-size`; beyond it the fullest ones are spilled to local files, or flushed to the table
/// when `write-buffer-spillable` is off. Compaction runs beside writing; writing waits for it only above
/// `num-sorted-run.stop-trigger`. Source: spec page 03 §1.
pub struct TableWriter {
    context: Arc<WriteContext>,
    router: Router,
    buckets: BTreeMap<BucketKey, BucketWriter>,
    restore: Restore,
    spills: Option<SpillDir>,
    /// Set when rows were lost by an error: what was written since the last commit must be written again.
    broken: bool,
}

impl std::fmt::Debug for TableWriter {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("TableWriter").field("buckets", &self.buckets.len()).finish_non_exhaustive()
    }
}

impl TableWriter {
    pub(crate) fn new(table: &Table, user: &str, mode: WriteMode) -> Result<Self> {
        let context = Arc::new(WriteContext::new(table, user, mode)?);
        let router = Router::new(&context)?;
        let restore = Restore::new(table, user);
        Ok(Self { context, router, buckets: BTreeMap::new(), restore, spills: None, broken: false })
    }

    /// Writes rows: columns are found by name, all rows are insertions or updates unless `rowkind.field` says otherwise.
    ///
    /// # Errors
    /// `InvalidInput` for a missing or unknown column, a value of another type or a null where none may be: nothing of
    /// the batch is written then. `Unavailable` when files cannot be written: the writer must be closed.
    pub async fn write(&mut self, batch: RecordBatch) -> Result<()> {
        let kinds = Int8Array::from(vec![0; batch.num_rows()]);
        self.write_with_kinds(batch, kinds).await
    }

    /// Writes rows with their kinds (0 `+I`, 1 `-U`, 2 `+U`, 3 `-D`).
    ///
    /// # Errors
    /// As [`TableWriter::write`]; `InvalidInput` for another kind, or a retraction in a table without primary key.
    pub async fn write_with_kinds(&mut self, batch: RecordBatch, kinds: Int8Array) -> Result<()> {
        self.check_sound()?;
        let parts = self.router.route(&batch, &kinds)?;
        drop(batch);
        self.open(parts.iter().map(|part| part.key.clone()).collect()).await?;
        self.broken = true;
        for part in parts {
            if let Some(bucket) = self.buckets.get_mut(&part.key) {
                bucket.append(&part.rows, &part.kinds)?;
            }
        }
        self.relieve().await?;
        self.broken = false;
        Ok(())
    }

    /// Compacts a bucket: by the table's rules, or as a whole. What comes of it is in the messages of a later
    /// [`TableWriter::prepare_commit`].
    ///
    /// # Errors
    /// `InvalidInput` for a table without buckets, whose files [`Table::compact_all`] compacts; `Unavailable` when files
    /// cannot be read or written.
    pub async fn compact(&mut self, partition: &BinaryRow, bucket: i32, full: bool) -> Result<()> {
        self.check_sound()?;
        if self.context.layout.is_none() && self.context.options.bucket() < 1 {
            let message = "files of a table without buckets are not compacted by writers: compact the table";
            return Err(Error::new(ErrorKind::InvalidInput, message));
        }
        let key = BucketKey { partition: partition.clone(), bucket };
        self.open(BTreeSet::from([key.clone()])).await?;
        let keys = [key];
        self.write_out(&keys).await?;
        if !full {
            return self.compact_beside(&keys, false).await;
        }
        self.take_compactions(&keys, true).await?;
        self.look_again(&keys).await?;
        if self.context.compacts() {
            for key in &keys {
                if let Some(bucket) = self.buckets.get_mut(key) {
                    bucket.start_full_compaction()?;
                }
            }
        }
        Ok(())
    }

    /// Flushes all rows and returns what has to be committed. With `wait_compaction`, compactions that are under way are
    /// part of it; without, they come with a later call.
    ///
    /// # Errors
    /// `Unavailable` when files cannot be written or read: the writer must be closed, the rows written again.
    pub async fn prepare_commit(&mut self, wait_compaction: bool) -> Result<Vec<CommitMessage>> {
        self.check_sound()?;
        self.broken = true;
        self.observe_fates().await?;
        let keys: Vec<BucketKey> = self.buckets.keys().cloned().collect();
        self.flush(keys, wait_compaction).await?;
        let wait = wait_compaction || self.context.options.commit_force_compact();
        let mut messages = Vec::new();
        let mut idle = Vec::new();
        for (key, bucket) in &mut self.buckets {
            bucket.take_compaction(wait || bucket.must_wait_for_commit()).await?;
            match bucket.drain() {
                Some(message) => messages.push(message),
                None if bucket.is_idle() => idle.push(key.clone()),
                None => {}
            }
        }
        for key in idle {
            self.buckets.remove(&key);
        }
        self.broken = false;
        Ok(messages)
    }

    /// Ends the writer. Files that were written but not returned by [`TableWriter::prepare_commit`] are removed.
    ///
    /// # Errors
    /// `Unavailable` when files cannot be removed; they stay behind and harm nothing.
    pub async fn close(mut self) -> Result<()> {
        for bucket in std::mem::take(&mut self.buckets).into_values() {
            bucket.discard().await?;
        }
        Ok(())
    }

    /// Bytes of rows in memory.
    #[must_use]
    pub fn memory_bytes(&self) -> usize {
        self.buckets.values().map(BucketWriter::memory_bytes).sum()
    }

    fn check_sound(&self) -> Result<()> {
        if self.broken {
            let message =
                "this writer lost rows by an earlier error: close it, open another, write since the last commit again";
            return Err(Error::new(ErrorKind::InvalidInput, message));
        }
        Ok(())
    }

    /// Opens the buckets that are not open yet.
    async fn open(&mut self, mut keys: BTreeSet<BucketKey>) -> Result<()> {
        keys.retain(|key| !self.buckets.contains_key(key));
        if keys.is_empty() {
            return Ok(());
        }
        if !self.context.restores() {
            for key in keys {
                let bucket = BucketWriter::new(&self.context, &key, Vec::new())?;
                self.buckets.insert(key, bucket);
            }
            return Ok(());
        }
        let live = self.restore.live(&self.context).await?;
        for key in keys {
            live.check_buckets(&self.context, &key)?;
            let bucket = BucketWriter::new(&self.context, &key, live.files(&key))?;
            self.buckets.insert(key, bucket);
        }
        Ok(())
    }

    /// Brings memory below the budget: the fullest buckets first, until half of it is free.
    async fn relieve(&mut self) -> Result<()> {
        let budget = usize::try_from(self.context.options.write_buffer_size()).unwrap_or(usize::MAX);
        if self.memory_bytes() <= budget {
            return Ok(());
        }
        let mut sizes: Vec<(usize, BucketKey)> =
            self.buckets.iter().map(|(key, bucket)| (bucket.memory_bytes(), key.clone())).collect();
        sizes.sort_by_key(|(size, _)| std::cmp::Reverse(*size));
        let mut left = self.memory_bytes();
        let mut fullest = Vec::new();
        for (size, key) in sizes {
            if left <= budget / 2 {
                break;
            }
            left = left.saturating_sub(size);
            fullest.push(key);
        }
        if self.may_spill()? { self.spill(&fullest).await } else { self.flush(fullest, false).await }
    }

    fn may_spill(&mut self) -> Result<bool> {
        let options = &self.context.options;
        if self.context.layout.is_none() || !options.write_buffer_spillable() {
            return Ok(false);
        }
        let dir = match self.spills.take() {
            Some(dir) => dir,
            None => self.context.env.spill_dir(None)?,
        };
        let room = dir.used_bytes() < options.write_buffer_max_disk_size();
        self.spills = Some(dir);
        Ok(room)
    }

    async fn spill(&mut self, keys: &[BucketKey]) -> Result<()> {
        let Some(dir) = self.spills.clone() else { return Ok(()) };
        let env = self.context.env.clone();
        let mut jobs = Vec::new();
        for key in keys {
            if let Some(buffer) = self.buckets.get_mut(key).and_then(BucketWriter::take_buffer) {
                jobs.push((key.clone(), buffer));
            }
        }
        let spilled = jobs.into_iter().map(|(key, mut buffer)| {
            let dir = dir.clone();
            let work = env.spawn_blocking(move || {
                buffer.spill(&mut spill::Spills(dir))?;
                Ok::<_, Error>(buffer)
            });
            async move { Ok::<_, Error>((key, work.await.map_err(error::task)??)) }
        });
        let mut spilled = futures::stream::iter(spilled).buffer_unordered(env.parallelism());
        while let Some((key, buffer)) = spilled.try_next().await? {
            if let Some(bucket) = self.buckets.get_mut(&key) {
                bucket.put_buffer(buffer);
            }
        }
        Ok(())
    }

    /// Writes the rows of these buckets to the table, then lets them compact.
    async fn flush(&mut self, keys: Vec<BucketKey>, wait: bool) -> Result<()> {
        self.write_out(&keys).await?;
        self.compact_beside(&keys, wait).await
    }

    /// Writes the rows of these buckets to the table, several buckets at once.
    async fn write_out(&mut self, keys: &[BucketKey]) -> Result<()> {
        let mut jobs = Vec::new();
        for key in keys {
            let Some(bucket) = self.buckets.get_mut(key) else { continue };
            bucket.take_compaction(bucket.must_wait_for_flush()).await?;
            if let Some(job) = bucket.start_flush()? {
                jobs.push((key.clone(), job));
            }
        }
        let env = self.context.env.clone();
        let flushed = jobs.into_iter().map(|(key, job)| {
            let task = env.spawn(job.run());
            async move { Ok::<_, Error>((key, task.await.map_err(error::task)??)) }
        });
        let mut flushed = futures::stream::iter(flushed).buffer_unordered(env.parallelism());
        while let Some((key, files)) = flushed.try_next().await? {
            if let Some(bucket) = self.buckets.get_mut(&key) {
                bucket.flushed(files)?;
            }
        }
        Ok(())
    }

    async fn compact_beside(&mut self, keys: &[BucketKey], wait: bool) -> Result<()> {
        if !self.context.compacts() {
            return Ok(());
        }
        self.take_compactions(keys, wait).await?;
        self.start_compactions(keys).await
    }

    async fn take_compactions(&mut self, keys: &[BucketKey], wait: bool) -> Result<()> {
        for key in keys {
            if let Some(bucket) = self.buckets.get_mut(key) {
                bucket.take_compaction(wait).await?;
            }
        }
        Ok(())
    }

    /// Starts the compactions the rules pick.
    async fn start_compactions(&mut self, keys: &[BucketKey]) -> Result<()> {
        let mut wanting = Vec::new();
        for key in keys {
            if self.buckets.get_mut(key).is_some_and(BucketWriter::wants_compaction) {
                wanting.push(key.clone());
            }
        }
        if wanting.is_empty() {
            return Ok(());
        }
        self.look_again(&wanting).await?;
        for key in wanting {
            if let Some(bucket) = self.buckets.get_mut(&key) {
                bucket.start_compaction();
            }
        }
        Ok(())
    }

    /// When another writer committed since, these buckets start over from its files.
    async fn look_again(&mut self, keys: &[BucketKey]) -> Result<()> {
        if self.restore.others_committed().await? {
            for bucket in self.buckets.values_mut() {
                bucket.mark_stale();
            }
        }
        if !keys.iter().any(|key| self.buckets.get(key).is_some_and(BucketWriter::may_reload)) {
            return Ok(());
        }
        let live = self.restore.live(&self.context).await?;
        for key in keys {
            if let Some(bucket) = self.buckets.get_mut(key).filter(|bucket| bucket.may_reload()) {
                bucket.reload(live.files(key)).await?;
            }
        }
        Ok(())
    }

    /// Learns what became of the files of earlier commits; buckets whose compaction came too late start over from what
    /// is in the table.
    async fn observe_fates(&mut self) -> Result<()> {
        let mut lost = Vec::new();
        for (key, bucket) in &mut self.buckets {
            if bucket.observe_fates() {
                lost.push(key.clone());
            }
        }
        if lost.is_empty() {
            return Ok(());
        }
        self.restore.forget();
        let live = self.restore.live(&self.context).await?;
        for key in lost {
            if let Some(bucket) = self.buckets.get_mut(&key) {
                bucket.take_compaction(true).await?;
                bucket.reload(live.files(&key)).await?;
            }
        }
        Ok(())
    }
}

impl Table {
    /// A writer for one commit, with a commit user of its own: give its messages to [`Table::batch_committer`].
    ///
    /// # Errors
    /// `Unsupported` naming a feature of the table that is not written yet.
    pub fn batch_writer(&self) -> Result<TableWriter> {
        TableWriter::new(self, &self.env().uuid(), WriteMode::Add)
    }

    /// A writer for many commits of the named commit user.
    ///
    /// # Errors
    /// As [`Table::batch_writer`].
    pub fn stream_writer_as(&self, user: &str) -> Result<TableWriter> {
        TableWriter::new(self, user, WriteMode::Add)
    }

    /// A writer whose rows replace others: its messages go to [`crate::TableCommitter::overwrite`].
    ///
    /// # Errors
    /// As [`Table::batch_writer`].
    pub fn overwrite_writer(&self) -> Result<TableWriter> {
        TableWriter::new(self, &self.env().uuid(), WriteMode::Replace)
    }

    pub(crate) fn compactor(&self, user: &str) -> Result<TableWriter> {
        TableWriter::new(self, user, WriteMode::Compact)
    }
}
