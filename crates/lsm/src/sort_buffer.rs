//! Rows of one bucket in memory until they are flushed in key order.

mod sort;

use arrow_array::{Array, ArrayRef, Int8Array, RecordBatch};
use arrow_select::concat::concat;
use headwater_types::{CoreOptions, ErrorKind};

use self::sort::Sorter;
use crate::engine::Groups;
use crate::merge::fold;
use crate::spill::{SpillReader, SpilledRun};
use crate::{
    Engine, Error, KeyValueBatch, KeyValueLayout, Merge, MergeOptions, MergeStep, Result, SpillCompression,
    SpillTarget, error,
};

/// Appended batches below this many rows are joined, so that gathering does not drown in arrays.
const CHUNK_ROWS: usize = 4096;
/// Bytes of a batch in a spill file, about: that much of every spilled run is in memory while they are merged.
const SPILL_BATCH_BYTES: usize = 512 << 10;
/// Bytes per row beside its columns: sequence number, kind, and the entry it is sorted by.
const ROW_OVERHEAD: usize = 8 + 1 + 24;

/// Options of a [`SortBuffer`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct SortBufferOptions {
    /// Spilled runs that are merged at once (`local-sort.max-num-file-handles`), at least 2.
    pub max_fan_in: usize,
    /// `spill-compression`
    pub compression: SpillCompression,
}

impl Default for SortBufferOptions {
    fn default() -> Self {
        Self { max_fan_in: 128, compression: SpillCompression::default() }
    }
}

impl SortBufferOptions {
    /// The options of a table.
    ///
    /// # Errors
    /// `InvalidInput` for an unknown `spill-compression`.
    pub fn new(options: &CoreOptions) -> Result<Self> {
        let fan_in = options.raw().get("local-sort.max-num-file-handles").and_then(|v| v.trim().parse().ok());
        Ok(Self { max_fan_in: fan_in.unwrap_or(128).max(2), compression: SpillCompression::new(options)? })
    }

    /// Sets [`Self::max_fan_in`].
    #[must_use]
    pub fn with_max_fan_in(self, max_fan_in: usize) -> Self {
        Self { max_fan_in: max_fan_in.max(2), ..self }
    }

    /// Sets [`Self::compression`].
    #[must_use]
    pub fn with_compression(self, compression: SpillCompression) -> Self {
        Self { compression, ..self }
    }
}

/// The write buffer of one bucket: keeps batches as they come, sorts positions when it is drained.
///
/// Order: key, then user sequence, then sequence number; the records of a key go through the merge engine.
/// Source: spec page 03 §1.3-1.4.
pub struct SortBuffer {
    layout: KeyValueLayout,
    engine: Engine,
    options: SortBufferOptions,
    chunks: Vec<KeyValueBatch>,
    /// Small batches not joined yet.
    small: Vec<KeyValueBatch>,
    memory: usize,
    rows: usize,
    spilled: Vec<SpilledRun>,
    spilled_rows: usize,
}

impl std::fmt::Debug for SortBuffer {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("SortBuffer")
            .field("rows", &self.rows)
            .field("memory", &self.memory)
            .field("spilled_runs", &self.spilled.len())
            .finish_non_exhaustive()
    }
}

impl SortBuffer {
    /// An empty buffer.
    #[must_use]
    pub fn new(layout: &KeyValueLayout, engine: &Engine, options: SortBufferOptions) -> Self {
        Self {
            layout: layout.clone(),
            engine: engine.clone(),
            options: options.with_max_fan_in(options.max_fan_in),
            chunks: Vec::new(),
            small: Vec::new(),
            memory: 0,
            rows: 0,
            spilled: Vec::new(),
            spilled_rows: 0,
        }
    }

    /// Adds rows: the layout's value columns, found by name. Row `i` gets sequence number `first_sequence + i`;
    /// numbers must grow from call to call.
    ///
    /// # Errors
    /// `InvalidInput` when columns are missing, of another length than `kinds`, or a key or kind is null.
    pub fn append(&mut self, values: &RecordBatch, kinds: &Int8Array, first_sequence: i64) -> Result<()> {
        if values.num_rows() == 0 {
            return Ok(());
        }
        self.push(KeyValueBatch::from_values(&self.layout, values, kinds, first_sequence)?)
    }

    /// Adds records that have sequence numbers already.
    ///
    /// # Errors
    /// `Internal` when Arrow cannot join small batches.
    pub fn push(&mut self, batch: KeyValueBatch) -> Result<()> {
        let rows = batch.num_rows();
        if self.rows + rows > u32::MAX as usize {
            return Err(Error::new(ErrorKind::InvalidInput, "a write buffer holds at most 2^32 rows: flush it"));
        }
        self.memory += batch.values.iter().map(column_bytes).sum::<usize>() + rows * ROW_OVERHEAD;
        self.rows += rows;
        if rows >= CHUNK_ROWS {
            self.join_small()?;
            self.chunks.push(batch);
        } else if rows > 0 {
            self.small.push(batch);
            if self.small.iter().map(KeyValueBatch::num_rows).sum::<usize>() >= CHUNK_ROWS {
                self.join_small()?;
            }
        }
        Ok(())
    }

    /// Bytes in memory, sorting included.
    #[must_use]
    pub fn memory_bytes(&self) -> usize {
        self.memory
    }

    /// Rows appended since the last drain, in memory and spilled.
    #[must_use]
    pub fn len(&self) -> usize {
        self.rows + self.spilled_rows
    }

    /// Whether nothing was appended since the last drain.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Runs in temporary files.
    #[must_use]
    pub fn spilled_runs(&self) -> usize {
        self.spilled.len()
    }

    /// Moves what is in memory, sorted, to a temporary file. With `max_fan_in` files, they are merged into one.
    /// When it fails, the buffer is as before.
    ///
    /// # Errors
    /// `Unavailable` when a temporary file cannot be written or read.
    pub fn spill(&mut self, target: &mut dyn SpillTarget) -> Result<()> {
        if self.rows == 0 {
            return Ok(());
        }
        if self.spilled.len() >= self.options.max_fan_in {
            let engine = self.partial_engine();
            let merged = merged(&self.layout, &engine, &mut self.spilled, None, SPILL_ROWS)?;
            self.spilled = vec![SpilledRun::write(target, &self.layout, self.options.compression, merged)?];
        }
        let batch_rows = (SPILL_BATCH_BYTES * self.rows / self.memory.max(1)).clamp(16, SPILL_ROWS);
        let rows = self.rows;
        let sorted = self.sorted(batch_rows, &self.partial_engine())?;
        self.spilled.push(SpilledRun::write(target, &self.layout, self.options.compression, sorted)?);
        self.forget_memory();
        self.spilled_rows += rows;
        Ok(())
    }

    /// Empties the buffer: its records merged by key, in key order, `batch_rows` keys at a time.
    ///
    /// # Errors
    /// `InvalidInput` when columns are not of the layout's types, `Unavailable` when a spilled run cannot be read.
    pub fn drain(&mut self, batch_rows: usize) -> Result<SortedBatches> {
        let engine = self.engine.clone();
        let batches = if self.spilled.is_empty() {
            self.sorted(batch_rows, &engine)?
        } else {
            let in_memory = if self.rows == 0 { None } else { Some(self.sorted(batch_rows, &self.partial_engine())?) };
            let mut merged = merged(&self.layout, &engine, &mut self.spilled, in_memory, batch_rows)?;
            if let Source::Merged(merged) = &mut merged.0 {
                merged.runs = std::mem::take(&mut self.spilled);
            }
            merged
        };
        self.forget_memory();
        self.spilled_rows = 0;
        Ok(batches)
    }

    /// What is merged before the last merge: nothing, when that could change the result.
    fn partial_engine(&self) -> Engine {
        if self.engine.folds_partially() { self.engine.clone() } else { Engine::keep_all() }
    }

    fn sorted(&mut self, batch_rows: usize, engine: &Engine) -> Result<SortedBatches> {
        self.join_small()?;
        let chunks = self.chunks.clone();
        let sorter = Sorter::new(&self.layout, &chunks)?;
        Ok(SortedBatches(Source::Memory(Box::new(InMemory {
            layout: self.layout.clone(),
            engine: engine.clone(),
            chunks,
            sorter,
            batch_rows: batch_rows.max(1),
        }))))
    }

    fn forget_memory(&mut self) {
        self.chunks.clear();
        self.small.clear();
        self.memory = 0;
        self.rows = 0;
    }

    fn join_small(&mut self) -> Result<()> {
        match self.small.len() {
            0 => {}
            1 => self.chunks.append(&mut self.small),
            _ => {
                let joined = join(&self.small)?;
                self.small.clear();
                self.chunks.push(joined);
            }
        }
        Ok(())
    }
}

/// Rows of a batch in a spill file, at most.
const SPILL_ROWS: usize = 8192;

/// The merged records of a drained buffer, in key order; one record per key.
pub struct SortedBatches(Source);

impl std::fmt::Debug for SortedBatches {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("SortedBatches").finish_non_exhaustive()
    }
}

enum Source {
    Memory(Box<InMemory>),
    Spilled(Box<SpillReader>),
    Merged(Box<Merged>),
}

struct InMemory {
    layout: KeyValueLayout,
    engine: Engine,
    chunks: Vec<KeyValueBatch>,
    sorter: Sorter,
    batch_rows: usize,
}

struct Merged {
    merge: Merge,
    sources: Vec<SortedBatches>,
    /// The files the sources read from.
    runs: Vec<SpilledRun>,
}

/// The merge of spilled runs and what is in memory. The runs must outlive it.
fn merged(
    layout: &KeyValueLayout,
    engine: &Engine,
    runs: &mut [SpilledRun],
    in_memory: Option<SortedBatches>,
    batch_rows: usize,
) -> Result<SortedBatches> {
    let mut sources = Vec::with_capacity(runs.len() + 1);
    for run in runs {
        sources.push(SortedBatches(Source::Spilled(Box::new(run.read(layout)?))));
    }
    sources.extend(in_memory);
    let merge = Merge::new(layout, engine, sources.len(), MergeOptions::default().with_batch_rows(batch_rows))?;
    Ok(SortedBatches(Source::Merged(Box::new(Merged { merge, sources, runs: Vec::new() }))))
}

impl InMemory {
    fn next(&mut self) -> Result<Option<KeyValueBatch>> {
        let batches: Vec<&KeyValueBatch> = self.chunks.iter().collect();
        let mut groups = Groups::default();
        while self.sorter.next_groups(self.batch_rows, &mut groups) {
            if let Some(output) = fold(&self.layout, &self.engine, &groups, &batches, false)? {
                return Ok(Some(output));
            }
        }
        Ok(None)
    }
}

impl Merged {
    fn next(&mut self) -> Result<Option<KeyValueBatch>> {
        loop {
            match self.merge.step()? {
                MergeStep::Output(batch) => return Ok(Some(batch)),
                MergeStep::Done => return Ok(None),
                MergeStep::NeedBatch(run) => {
                    let batch = self.sources.get_mut(run).and_then(Iterator::next).transpose()?;
                    self.merge.supply(run, batch)?;
                }
            }
        }
    }
}

impl Iterator for SortedBatches {
    type Item = Result<KeyValueBatch>;

    fn next(&mut self) -> Option<Self::Item> {
        match &mut self.0 {
            Source::Memory(source) => source.next().transpose(),
            Source::Spilled(source) => source.next(),
            Source::Merged(source) => source.next().transpose(),
        }
    }
}

fn join(batches: &[KeyValueBatch]) -> Result<KeyValueBatch> {
    let column = |of: &dyn Fn(&KeyValueBatch) -> Option<&ArrayRef>| {
        let arrays: Vec<&dyn Array> = batches.iter().filter_map(of).map(|array| &**array).collect();
        concat(&arrays).map_err(error::arrow("join small batches"))
    };
    let Some(first) = batches.first() else {
        return Err(Error::new(ErrorKind::Internal, "there is no batch to join"));
    };
    let keys = (0..first.keys.len()).map(|i| column(&|b| b.keys.get(i))).collect::<Result<Vec<_>>>()?;
    let values = (0..first.values.len()).map(|i| column(&|b| b.values.get(i))).collect::<Result<Vec<_>>>()?;
    let sequence = batches.iter().flat_map(|b| b.sequence.values().iter().copied()).collect::<Vec<_>>();
    let kind = batches.iter().flat_map(|b| b.kind.values().iter().copied()).collect::<Vec<_>>();
    KeyValueBatch::new(keys, sequence.into(), kind.into(), values)
}

/// Bytes of the rows of a column, not of buffers it shares with others.
fn column_bytes(column: &ArrayRef) -> usize {
    column.to_data().get_slice_memory_size().unwrap_or_else(|_| column.get_array_memory_size())
}

#[cfg(test)]
mod tests;
