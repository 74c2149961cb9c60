//! Playing a workload through picker and levels without data: what shapes arise, how much is rewritten.

use headwater_metadata::{DataFileMeta, FileSource, SimpleStats};
use headwater_types::{BinaryRow, DataType, Datum, RowComparator, TypeKind};

use crate::{
    CompactStrategy, CompactTask, Levels, Pick, PickInput, PickReason, Result, RunView, Section, TaskOptions,
    UniversalOptions, plan_task,
};

/// Where the keys of a simulated workload lie.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum KeyPattern {
    /// Every flush updates keys drawn evenly from all.
    Uniform,
    /// Every flush inserts keys behind those before.
    Ascending,
}

/// A stream of equal flushes.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Workload {
    /// Flushes of the write buffer.
    pub flushes: u32,
    /// Keys of one flush, all different.
    pub rows_per_flush: u64,
    /// Bytes of a row in a file.
    pub row_bytes: u64,
    /// Keys there are at all, for [`KeyPattern::Uniform`]. At most 2^62.
    pub keys: u64,
    /// Where the keys of a flush lie.
    pub pattern: KeyPattern,
    /// Milliseconds between flushes.
    pub interval_ms: i64,
}

impl Default for Workload {
    fn default() -> Self {
        Self {
            flushes: 100,
            rows_per_flush: 100_000,
            row_bytes: 100,
            keys: 10_000_000,
            pattern: KeyPattern::Uniform,
            interval_ms: 60_000,
        }
    }
}

impl Workload {
    /// Sets [`Self::flushes`].
    #[must_use]
    pub fn with_flushes(self, flushes: u32) -> Self {
        Self { flushes, ..self }
    }

    /// Sets [`Self::rows_per_flush`] and [`Self::row_bytes`].
    #[must_use]
    pub fn with_rows(self, rows_per_flush: u64, row_bytes: u64) -> Self {
        Self { rows_per_flush, row_bytes, ..self }
    }

    /// Sets [`Self::keys`] and [`Self::pattern`].
    #[must_use]
    pub fn with_keys(self, keys: u64, pattern: KeyPattern) -> Self {
        Self { keys, pattern, ..self }
    }
}

/// One compaction of a simulation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SimulatedCompaction {
    /// The rule that picked.
    pub why: PickReason,
    /// Where the result went.
    pub output_level: u32,
    /// Runs taken.
    pub runs: usize,
    /// Bytes read and rewritten.
    pub read_bytes: u64,
    /// Bytes written.
    pub written_bytes: u64,
    /// Files that only changed their level.
    pub upgraded_files: usize,
}

/// The tree after one flush and the compactions it caused.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SimulatedStep {
    /// From 1.
    pub flush: u32,
    /// In the order they ran.
    pub compactions: Vec<SimulatedCompaction>,
    /// The runs afterwards, newest first.
    pub shape: Vec<RunView>,
}

/// What a simulation found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SimulationReport {
    /// One per flush.
    pub steps: Vec<SimulatedStep>,
    /// Bytes flushed to level 0.
    pub flushed_bytes: u64,
    /// Bytes written by compactions.
    pub compacted_bytes: u64,
    /// Most runs there ever were after a flush, before its compactions: what a reader has to merge at worst.
    pub max_runs: usize,
}

impl SimulationReport {
    /// All bytes written per byte flushed; 1 without compaction, 0 without flushes.
    #[must_use]
    #[expect(clippy::cast_precision_loss, reason = "a ratio to look at")]
    pub fn write_amplification(&self) -> f64 {
        if self.flushed_bytes == 0 {
            return 0.0;
        }
        (self.flushed_bytes + self.compacted_bytes) as f64 / self.flushed_bytes as f64
    }
}

/// Plays workloads through a picker, [`Levels`] and [`plan_task`]. Compactions finish at once.
///
/// Files hold a number of keys spread evenly over their range; merging two sets of keys of one range leaves as many as
/// chance makes distinct. Nothing is random: the same workload gives the same report.
#[derive(Clone, Debug)]
pub struct Simulator {
    strategy: CompactStrategy,
    options: UniversalOptions,
    task: TaskOptions,
    num_levels: u32,
}

impl Simulator {
    /// A simulator of a table with these options.
    #[must_use]
    pub fn new(strategy: CompactStrategy, options: UniversalOptions, task: TaskOptions, num_levels: u32) -> Self {
        Self { strategy, options, task, num_levels }
    }

    /// Plays a workload.
    ///
    /// # Errors
    /// `Internal` when a compaction breaks the levels: a bug.
    pub fn run(&self, workload: &Workload) -> Result<SimulationReport> {
        let comparator = RowComparator::new(&key_types())?;
        let mut world = World {
            simulator: self,
            workload,
            levels: Levels::from_files(Vec::new(), self.num_levels, &comparator)?,
            files: 0,
            misses: 0,
            last_full_ms: None,
        };
        let mut report = SimulationReport { steps: Vec::new(), flushed_bytes: 0, compacted_bytes: 0, max_runs: 0 };
        for flush in 1..=workload.flushes {
            report.flushed_bytes += world.flush(flush)?;
            report.max_runs = report.max_runs.max(world.levels.sorted_run_count());
            let mut compactions = Vec::new();
            while let Some(compaction) = world.compact(flush)? {
                report.compacted_bytes += compaction.written_bytes;
                compactions.push(compaction);
            }
            report.steps.push(SimulatedStep { flush, compactions, shape: world.levels.views() });
        }
        Ok(report)
    }
}

struct World<'a> {
    simulator: &'a Simulator,
    workload: &'a Workload,
    levels: Levels,
    files: u64,
    misses: u32,
    last_full_ms: Option<i64>,
}

impl World<'_> {
    fn flush(&mut self, flush: u32) -> Result<u64> {
        let rows = self.workload.rows_per_flush.max(1);
        let range = match self.workload.pattern {
            KeyPattern::Uniform => (0, self.workload.keys.max(rows) - 1),
            KeyPattern::Ascending => {
                let first = u64::from(flush - 1) * rows;
                (first, first + rows - 1)
            }
        };
        let file = self.file(0, range, rows, flush, FileSource::Append)?;
        let bytes = size(&file);
        self.levels = self.levels.apply(&[], vec![file])?;
        Ok(bytes)
    }

    fn compact(&mut self, flush: u32) -> Result<Option<SimulatedCompaction>> {
        let views = self.levels.views();
        let now_ms = i64::from(flush) * self.workload.interval_ms;
        let input = PickInput {
            runs: &views,
            num_levels: self.levels.num_levels(),
            busy: false,
            now_ms,
            local_hour: 12,
            last_full_ms: self.last_full_ms,
        };
        let pick = self.simulator.strategy.pick(&self.simulator.options, &input, &mut self.misses);
        if pick.is_full(&input) {
            self.last_full_ms = Some(now_ms);
        }
        let Some(unit) = self.levels.unit(&pick) else { return Ok(None) };
        let (why, output_level) = (unit.why, unit.output_level);
        let runs = if let Pick::Unit { runs, .. } = &pick { runs.len() } else { 0 };
        let task = plan_task(&self.levels, unit, &self.simulator.task, &|_| false);
        if task.is_empty() {
            return Ok(None);
        }
        let mut written = Vec::new();
        for sections in &task.rewrites {
            written.extend(self.rewrite(sections, task.output_level, flush)?);
        }
        let compaction = SimulatedCompaction {
            why,
            output_level,
            runs,
            read_bytes: task.rewritten().map(size).sum(),
            written_bytes: written.iter().map(size).sum(),
            upgraded_files: task.upgrades.len(),
        };
        self.apply(&task, written)?;
        Ok(Some(compaction))
    }

    fn apply(&mut self, task: &CompactTask, mut added: Vec<DataFileMeta>) -> Result<()> {
        let removed: Vec<DataFileMeta> = task.rewritten().chain(&task.upgrades).cloned().collect();
        added.extend(task.upgraded());
        self.levels = self.levels.apply(&removed, added)?;
        Ok(())
    }

    /// The files sections merge into: cut at the target size, evenly.
    fn rewrite(&mut self, sections: &[Section], level: u32, flush: u32) -> Result<Vec<DataFileMeta>> {
        let mut least = u64::MAX;
        let mut most = 0;
        let mut rows = 0;
        for section in sections {
            let ranges = section.files().map(range).collect::<Result<Vec<_>>>()?;
            let low = ranges.iter().map(|r| r.0).min().unwrap_or(0);
            let high = ranges.iter().map(|r| r.1).max().unwrap_or(0);
            rows += distinct(&section.files().map(rows_of).collect::<Vec<_>>(), high - low + 1);
            least = least.min(low);
            most = most.max(high);
        }
        let bytes = rows.saturating_mul(self.workload.row_bytes);
        let parts = bytes.div_ceil(self.simulator.task.target_file_size.max(1)).clamp(1, rows.max(1));
        let width = (most - least + 1) / parts;
        (0..parts)
            .map(|part| {
                let last = part + 1 == parts;
                let low = least + part * width;
                let part_rows = if last { rows - rows / parts * (parts - 1) } else { rows / parts };
                self.file(
                    level,
                    (low, if last { most } else { low + width - 1 }),
                    part_rows,
                    flush,
                    FileSource::Compact,
                )
            })
            .collect()
    }

    fn file(
        &mut self,
        level: u32,
        (low, high): (u64, u64),
        rows: u64,
        flush: u32,
        source: FileSource,
    ) -> Result<DataFileMeta> {
        self.files += 1;
        Ok(DataFileMeta {
            file_name: format!("file-{:08}", self.files),
            file_size: count(rows.saturating_mul(self.workload.row_bytes)),
            row_count: count(rows),
            min_key: key(low)?,
            max_key: key(high)?,
            key_stats: SimpleStats::empty(),
            value_stats: SimpleStats::empty(),
            min_sequence_number: i64::from(flush),
            max_sequence_number: i64::from(flush),
            schema_id: 0,
            level: i32::try_from(level).unwrap_or(i32::MAX),
            extra_files: Vec::new(),
            creation_time_millis: Some(i64::from(flush) * self.workload.interval_ms),
            delete_row_count: Some(0),
            embedded_index: None,
            file_source: Some(source),
            value_stats_cols: None,
            external_path: None,
            first_row_id: None,
            write_cols: None,
        })
    }
}

/// How many different keys sets of these sizes have together, each drawn evenly from `keys`.
#[expect(
    clippy::cast_precision_loss,
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "an expectation, rounded"
)]
fn distinct(sets: &[u64], keys: u64) -> u64 {
    if let [only] = sets {
        return *only;
    }
    let missed: f64 = sets.iter().map(|&rows| 1.0 - (rows as f64 / keys as f64).min(1.0)).product();
    (keys as f64 * (1.0 - missed)).round() as u64
}

fn key_types() -> [DataType; 1] {
    [DataType::new(TypeKind::BigInt, false)]
}

fn key(value: u64) -> Result<BinaryRow> {
    Ok(BinaryRow::from_datums(&key_types(), &[Some(Datum::BigInt(count(value)))])?)
}

fn range(file: &DataFileMeta) -> Result<(u64, u64)> {
    let value = |row: &BinaryRow| -> Result<u64> {
        match row.to_datums(&key_types())?.first() {
            Some(Some(Datum::BigInt(value))) => Ok(u64::try_from(*value).unwrap_or(0)),
            _ => Ok(0),
        }
    };
    Ok((value(&file.min_key)?, value(&file.max_key)?))
}

fn rows_of(file: &DataFileMeta) -> u64 {
    u64::try_from(file.row_count).unwrap_or(0)
}

fn size(file: &DataFileMeta) -> u64 {
    u64::try_from(file.file_size).unwrap_or(0)
}

fn count(value: u64) -> i64 {
    i64::try_from(value).unwrap_or(i64::MAX)
}

#[cfg(test)]
mod tests;
