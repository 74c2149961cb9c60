//! The writer of one bucket: its buffer, its levels, what has to be committed.

mod flush;

use std::collections::BTreeSet;
use std::sync::Arc;

use arrow_array::{Array, Int8Array, RecordBatch};
use headwater_lsm::{CompactTask, CompactUnit, Levels, Pick, PickInput, SortBuffer, plan_task};
use headwater_metadata::{CommitMessage, CompactIncrement, DataFileMeta, DataIncrement};
use headwater_types::{BinaryRow, ErrorKind};
use tokio::task::JoinHandle;

use super::append_queue::AppendQueue;
use super::compact::{CompactJob, CompactWork, Compacted};
use super::context::{Keyed, WriteContext};
use super::files::{FileNames, remove};
use super::route::BucketKey;
use crate::handover::Fate;
use crate::{Error, Result, error};
pub(super) use flush::FlushJob;

/// Rows not yet in a file.
enum Rows {
    Keyed(SortBuffer),
    /// As they came; bytes.
    Appended(Vec<RecordBatch>, usize),
}

impl Rows {
    fn empty(context: &WriteContext) -> Self {
        match &context.layout {
            Some(keyed) => Self::Keyed(SortBuffer::new(&keyed.layout, &keyed.engine, keyed.buffers)),
            None => Self::Appended(Vec::new(), 0),
        }
    }

    fn is_empty(&self) -> bool {
        match self {
            Self::Keyed(buffer) => buffer.is_empty(),
            Self::Appended(batches, _) => batches.is_empty(),
        }
    }
}

/// What was done since the last commit.
#[derive(Default)]
struct Pending {
    new_files: Vec<DataFileMeta>,
    before: Vec<DataFileMeta>,
    after: Vec<DataFileMeta>,
}

/// What compaction works on.
enum Compactable {
    /// The table is not compacted here.
    Nothing,
    Levels(Levels),
    Queue(AppendQueue),
}

impl Compactable {
    fn new(context: &WriteContext, files: Vec<DataFileMeta>) -> Result<Self> {
        Ok(match &context.layout {
            _ if !context.compacts() => Self::Nothing,
            Some(keyed) => Self::Levels(levels_of(context, keyed, files)?),
            None => Self::Queue(AppendQueue::new(context.appended, files)),
        })
    }

    fn levels(&self) -> Option<&Levels> {
        if let Self::Levels(levels) = self { Some(levels) } else { None }
    }
}

pub(super) struct BucketWriter {
    context: Arc<WriteContext>,
    partition: BinaryRow,
    bucket: i32,
    dir: String,
    names: Arc<FileNames>,
    rows: Rows,
    /// The number of the next row.
    sequence: i64,
    compactable: Compactable,
    pending: Pending,
    compaction: Option<JoinHandle<Result<Compacted>>>,
    /// See [`headwater_lsm::CompactStrategy::pick`].
    misses: u32,
    last_full_ms: Option<i64>,
    /// Files given to a committer whose fate is not known: flushed ones and results of compaction.
    handed: Vec<String>,
    /// Whether somebody else may have changed the bucket.
    stale: bool,
}

impl BucketWriter {
    /// A writer on top of the files that are there.
    pub(super) fn new(context: &Arc<WriteContext>, key: &BucketKey, files: Vec<DataFileMeta>) -> Result<Self> {
        let newest = files.iter().map(|file| file.max_sequence_number).max().unwrap_or(-1);
        let compactable = Compactable::new(context, files)?;
        Ok(Self {
            dir: context.paths.bucket_dir(&key.partition, key.bucket)?,
            partition: key.partition.clone(),
            bucket: key.bucket,
            names: Arc::new(FileNames::new(context)),
            rows: Rows::empty(context),
            sequence: newest.saturating_add(1),
            last_full_ms: compactable.levels().and_then(Levels::last_full_ms),
            compactable,
            pending: Pending::default(),
            compaction: None,
            misses: 0,
            handed: Vec::new(),
            stale: false,
            context: Arc::clone(context),
        })
    }

    /// Buffers rows; each takes a sequence number.
    pub(super) fn append(&mut self, rows: &RecordBatch, kinds: &Int8Array) -> Result<()> {
        let count = i64::try_from(rows.num_rows()).unwrap_or(i64::MAX);
        match &mut self.rows {
            Rows::Keyed(buffer) => {
                buffer.append(rows, kinds, self.sequence)?;
                self.sequence = self.sequence.saturating_add(count);
            }
            Rows::Appended(batches, bytes) => {
                // Rows are numbered when they are written.
                let size = |c: &arrow_array::ArrayRef| c.to_data().get_slice_memory_size().unwrap_or(0);
                *bytes += rows.columns().iter().map(size).sum::<usize>();
                batches.push(rows.clone());
            }
        }
        Ok(())
    }

    pub(super) fn memory_bytes(&self) -> usize {
        match &self.rows {
            Rows::Keyed(buffer) => buffer.memory_bytes(),
            Rows::Appended(_, bytes) => *bytes,
        }
    }

    /// The buffer, to be spilled elsewhere and put back.
    pub(super) fn take_buffer(&mut self) -> Option<SortBuffer> {
        match std::mem::replace(&mut self.rows, Rows::empty(&self.context)) {
            Rows::Keyed(buffer) => Some(buffer),
            appended @ Rows::Appended(..) => {
                self.rows = appended;
                None
            }
        }
    }

    pub(super) fn put_buffer(&mut self, buffer: SortBuffer) {
        self.rows = Rows::Keyed(buffer);
    }

    /// Takes all rows to be written to files; `None` when there are none.
    pub(super) fn start_flush(&mut self) -> Result<Option<FlushJob>> {
        if self.rows.is_empty() {
            return Ok(None);
        }
        let rows = std::mem::replace(&mut self.rows, Rows::empty(&self.context));
        let first_sequence = self.sequence;
        if let Rows::Appended(batches, _) = &rows {
            let count: usize = batches.iter().map(RecordBatch::num_rows).sum();
            self.sequence = self.sequence.saturating_add(i64::try_from(count).unwrap_or(i64::MAX));
        }
        Ok(Some(FlushJob::new(self, rows, first_sequence)))
    }

    /// Takes the files of a flush.
    pub(super) fn flushed(&mut self, files: Vec<DataFileMeta>) -> Result<()> {
        match &mut self.compactable {
            Compactable::Nothing => {}
            Compactable::Levels(levels) => *levels = levels.apply(&[], files.clone())?,
            Compactable::Queue(queue) => queue.add(files.iter().cloned()),
        }
        self.pending.new_files.extend(files);
        Ok(())
    }

    fn run_count(&self) -> usize {
        self.compactable.levels().map_or(0, Levels::sorted_run_count)
    }

    /// Back-pressure: there are so many runs that writing has to wait for compaction.
    pub(super) fn must_wait_for_flush(&self) -> bool {
        self.run_count() > self.context.options.num_sorted_run_stop_trigger() as usize
    }

    pub(super) fn must_wait_for_commit(&self) -> bool {
        self.run_count() > self.context.options.num_sorted_run_stop_trigger() as usize + 1
    }

    /// Takes the result of a compaction that has ended; with `wait`, of one that is under way.
    pub(super) async fn take_compaction(&mut self, wait: bool) -> Result<()> {
        match &self.compaction {
            Some(task) if wait || task.is_finished() => {}
            _ => return Ok(()),
        }
        let Some(task) = self.compaction.take() else { return Ok(()) };
        let result = task.await.map_err(error::task)??;
        self.take_over(result).await
    }

    /// Source: spec page 03 §1.5, `MergeTreeWriter.updateCompactResult`.
    async fn take_over(&mut self, result: Compacted) -> Result<()> {
        match &mut self.compactable {
            Compactable::Nothing => {}
            Compactable::Levels(levels) => *levels = levels.apply(&result.before, result.after.clone())?,
            Compactable::Queue(queue) => queue.compacted(&result.after),
        }
        let again: BTreeSet<&str> = result.after.iter().map(|file| file.file_name.as_str()).collect();
        let mut useless = Vec::new();
        for file in result.before {
            let intermediate = self.pending.after.iter().position(|after| after.file_name == file.file_name);
            match intermediate {
                Some(at) => {
                    self.pending.after.remove(at);
                    let input = self.pending.before.iter().any(|before| before.file_name == file.file_name);
                    if !input && !again.contains(file.file_name.as_str()) {
                        useless.push(file.file_name);
                    }
                }
                None if self.pending.before.iter().any(|before| before.file_name == file.file_name) => {}
                None => self.pending.before.push(file),
            }
        }
        remove(&self.context, &self.dir, useless.iter().map(String::as_str)).await;
        self.pending.after.extend(result.after);
        Ok(())
    }

    fn pick(&mut self) -> Option<CompactUnit> {
        let levels = self.compactable.levels()?;
        let views = levels.views();
        let input = PickInput {
            runs: &views,
            num_levels: levels.num_levels(),
            busy: self.compaction.is_some(),
            now_ms: self.context.env.local_millis(),
            local_hour: self.context.env.local_hour(),
            last_full_ms: self.last_full_ms,
        };
        let pick = self.context.strategy.pick(&self.context.universal, &input, &mut self.misses);
        if pick == Pick::Nothing {
            return None;
        }
        if pick.is_full(&input) {
            self.last_full_ms = Some(input.now_ms);
        }
        levels.unit(&pick)
    }

    /// Whether a compaction would start now.
    pub(super) fn wants_compaction(&mut self) -> bool {
        if self.compaction.is_some() {
            return false;
        }
        // A pick that finds nothing counts; one that is only asked for does not.
        if let Compactable::Queue(queue) = &mut self.compactable {
            let mut after = queue.clone();
            let wants = after.pick().is_some();
            if !wants {
                *queue = after;
            }
            return wants;
        }
        let (misses, last_full) = (self.misses, self.last_full_ms);
        let wants = self.pick().is_some();
        (self.misses, self.last_full_ms) = (misses, last_full);
        if !wants {
            self.pick();
        }
        wants
    }

    pub(super) fn start_compaction(&mut self) {
        if self.compaction.is_some() {
            return;
        }
        if let Compactable::Queue(queue) = &mut self.compactable {
            if let Some(files) = queue.pick() {
                self.start(CompactWork::Concatenate(files));
            }
        } else if let Some(unit) = self.pick() {
            self.start_unit(unit);
        }
    }

    /// Starts compacting everything: to the highest level, or small files without keys into large ones.
    pub(super) fn start_full_compaction(&mut self) -> Result<()> {
        if self.compaction.is_some() {
            return Err(Error::new(ErrorKind::Internal, "a compaction of the bucket is under way already"));
        }
        if let Compactable::Queue(queue) = &mut self.compactable {
            if let Some(files) = queue.pick_full() {
                self.start(CompactWork::Concatenate(files));
            }
            return Ok(());
        }
        let force = self.context.options.compaction_force_rewrite_all_files();
        if let Some(unit) = self.compactable.levels().and_then(|levels| levels.full_unit(|_| force)) {
            self.last_full_ms = Some(self.context.env.local_millis());
            self.start_unit(unit);
        }
        Ok(())
    }

    fn start_unit(&mut self, unit: CompactUnit) {
        let Some(levels) = self.compactable.levels() else { return };
        tracing::debug!(dir = self.dir, why = ?unit.why, files = unit.files.len(), level = unit.output_level, "compacting");
        let task: CompactTask = plan_task(levels, unit, &self.context.tasks, &|_| false);
        if !task.is_empty() {
            self.start(CompactWork::Merge(task));
        }
    }

    fn start(&mut self, work: CompactWork) {
        let job = CompactJob {
            context: Arc::clone(&self.context),
            partition: self.partition.clone(),
            bucket: self.bucket,
            dir: self.dir.clone(),
            names: Arc::clone(&self.names),
            work,
        };
        self.compaction = Some(self.context.env.spawn(job.run()));
    }

    /// What has to be committed; `None` when nothing has.
    pub(super) fn drain(&mut self) -> Option<CommitMessage> {
        let Pending { new_files, before, after } = std::mem::take(&mut self.pending);
        if new_files.is_empty() && before.is_empty() && after.is_empty() {
            return None;
        }
        for file in new_files.iter().chain(&after) {
            self.context.handover.hand_out(&file.file_name);
            self.handed.push(file.file_name.clone());
        }
        Some(CommitMessage {
            partition: self.partition.clone(),
            bucket: self.bucket,
            total_buckets: Some(self.context.total_buckets()),
            data_increment: DataIncrement { new_files, ..DataIncrement::default() },
            compact_increment: CompactIncrement {
                compact_before: before,
                compact_after: after,
                ..CompactIncrement::default()
            },
        })
    }

    /// Whether the writer can be forgotten: it has no rows, no files to commit, no compaction, nothing under way.
    pub(super) fn is_idle(&self) -> bool {
        self.rows.is_empty() && self.compaction.is_none() && self.handed.is_empty()
    }

    /// Looks what became of files handed over; `true` when a compaction came too late.
    pub(super) fn observe_fates(&mut self) -> bool {
        let mut lost = false;
        let handover = Arc::clone(&self.context.handover);
        self.handed.retain(|file| match handover.take(file) {
            Fate::Open => true,
            Fate::Committed => false,
            Fate::Dropped => {
                lost = true;
                false
            }
        });
        lost
    }

    pub(super) fn mark_stale(&mut self) {
        self.stale = true;
    }

    /// Whether [`BucketWriter::reload`] is due and possible: not while files are on their way to a snapshot.
    pub(super) fn may_reload(&self) -> bool {
        self.stale && self.handed.is_empty() && self.compaction.is_none()
    }

    /// Starts over from the files in the table and those not committed yet. A compaction whose input is gone is given up.
    pub(super) async fn reload(&mut self, live: Vec<DataFileMeta>) -> Result<()> {
        self.stale = false;
        if matches!(self.compactable, Compactable::Nothing) {
            return Ok(());
        }
        let compactable = match self.merged_view(&live).map(|files| Compactable::new(&self.context, files)) {
            Some(Ok(compactable)) => compactable,
            _ => {
                self.give_up_compaction(&live).await;
                let mut files = live.clone();
                files.extend(self.pending.new_files.iter().cloned());
                Compactable::new(&self.context, files)?
            }
        };
        tracing::debug!(dir = self.dir, files = live.len(), "looked at the bucket again");
        let highest = live.iter().map(|file| file.max_sequence_number).max().unwrap_or(-1);
        self.sequence = self.sequence.max(highest.saturating_add(1));
        self.last_full_ms = compactable.levels().and_then(Levels::last_full_ms);
        self.compactable = compactable;
        Ok(())
    }

    /// The files after what is pending; `None` when a file that compaction replaces is not there any more.
    fn merged_view(&self, live: &[DataFileMeta]) -> Option<Vec<DataFileMeta>> {
        let Pending { new_files, before, after } = &self.pending;
        let same = |a: &DataFileMeta, b: &DataFileMeta| a.file_name == b.file_name && a.level == b.level;
        let there = |file: &DataFileMeta| live.iter().chain(new_files).any(|known| same(known, file));
        if !before.iter().all(there) {
            return None;
        }
        let replaced = |file: &DataFileMeta| before.iter().any(|gone| same(gone, file));
        let files = live.iter().chain(new_files).filter(|file| !replaced(file)).chain(after).cloned();
        Some(files.collect())
    }

    async fn give_up_compaction(&mut self, live: &[DataFileMeta]) {
        let after = std::mem::take(&mut self.pending.after);
        let before = std::mem::take(&mut self.pending.before);
        let kept: BTreeSet<&str> =
            live.iter().chain(&self.pending.new_files).chain(&before).map(|file| file.file_name.as_str()).collect();
        let useless = after.iter().map(|file| file.file_name.as_str()).filter(|name| !kept.contains(name));
        remove(&self.context, &self.dir, useless).await;
    }

    /// Ends the writer: files that were not handed over are removed.
    pub(super) async fn discard(mut self) -> Result<()> {
        if self.compaction.is_some() {
            // Its result may be wrong by now; only its files matter.
            if let Err(error) = self.take_compaction(true).await {
                tracing::warn!(%error, dir = self.dir, "a compaction failed while its writer was closed");
            }
        }
        for file in &self.handed {
            self.context.handover.forget(file);
        }
        let inputs: BTreeSet<&str> = self.pending.before.iter().map(|file| file.file_name.as_str()).collect();
        let new = self.pending.new_files.iter().map(|file| file.file_name.as_str());
        let written: BTreeSet<&str> = self
            .pending
            .after
            .iter()
            .map(|file| file.file_name.as_str())
            .filter(|name| !inputs.contains(name))
            .chain(new)
            .collect();
        remove(&self.context, &self.dir, written.into_iter()).await;
        Ok(())
    }
}

fn levels_of(context: &WriteContext, keyed: &Keyed, files: Vec<DataFileMeta>) -> Result<Levels> {
    Ok(Levels::from_files(files, context.options.num_levels(), &keyed.comparator)?)
}
