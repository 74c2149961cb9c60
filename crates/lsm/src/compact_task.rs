//! What a compaction has to do with the files it was given.

use headwater_metadata::DataFileMeta;
use headwater_types::CoreOptions;

use crate::{Levels, PickReason, Section, interval_partition};

/// Files to compact together.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CompactUnit {
    /// The files, of any levels.
    pub files: Vec<DataFileMeta>,
    /// Where the result goes.
    pub output_level: u32,
    /// Whether each file is to be rewritten alone (a full compaction of what is at the highest level already).
    pub rewrite_each: bool,
    /// The rule that picked.
    pub why: PickReason,
}

/// Options of [`plan_task`].
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct TaskOptions {
    /// `target-file-size`, bytes
    pub target_file_size: u64,
    /// `compaction.small-file-ratio`
    pub small_file_ratio: f64,
    /// `compaction.force-rewrite-all-files`
    pub force_rewrite_all: bool,
    /// `deletion-vectors.enabled`
    pub deletion_vectors: bool,
    /// `chain-table.enabled`: retractions are never dropped.
    pub chain_table: bool,
}

impl Default for TaskOptions {
    fn default() -> Self {
        Self {
            target_file_size: 128 << 20,
            small_file_ratio: 0.7,
            force_rewrite_all: false,
            deletion_vectors: false,
            chain_table: false,
        }
    }
}

impl TaskOptions {
    /// The options of a primary-key table.
    #[must_use]
    pub fn new(options: &CoreOptions) -> Self {
        Self {
            target_file_size: options.target_file_size(true),
            small_file_ratio: options.compaction_small_file_ratio(),
            force_rewrite_all: options.compaction_force_rewrite_all_files(),
            deletion_vectors: options.deletion_vectors_enabled(),
            chain_table: options.raw().get("chain-table.enabled").is_some_and(|v| v.eq_ignore_ascii_case("true")),
        }
    }

    /// Files below this many bytes are merged with their neighbours.
    #[expect(
        clippy::cast_precision_loss,
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "the reference multiplies as doubles and truncates; a saturating cast is what Java does too"
    )]
    fn min_file_size(&self) -> u64 {
        (self.target_file_size as f64 * self.small_file_ratio) as u64
    }
}

/// What to do with the files of a unit. Files that are in neither list stay as they are.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CompactTask {
    /// Each to be merged into new files of the output level: sections in key order, one after the other.
    pub rewrites: Vec<Vec<Section>>,
    /// Files that only change their level: name, size, sequence numbers, source and creation time stay.
    pub upgrades: Vec<DataFileMeta>,
    /// Whether retractions are left out of the rewritten files.
    pub drop_delete: bool,
    /// Where the result goes.
    pub output_level: u32,
}

impl CompactTask {
    /// Whether there is nothing to do.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.rewrites.is_empty() && self.upgrades.is_empty()
    }

    /// The upgraded files at their new level.
    pub fn upgraded(&self) -> impl Iterator<Item = DataFileMeta> + '_ {
        let level = i32::try_from(self.output_level).unwrap_or(i32::MAX);
        self.upgrades.iter().map(move |f| DataFileMeta { level, ..f.clone() })
    }

    /// The files to be read and replaced.
    pub fn rewritten(&self) -> impl Iterator<Item = &DataFileMeta> {
        self.rewrites.iter().flatten().flat_map(Section::files)
    }
}

/// Decides for each file of a unit whether it is merged, rewritten alone, only moved to its new level, or left.
///
/// `levels` are those before the task. `expired` tells files with records that are to be dropped because of their age.
/// Source: spec page 03 §2.7-2.8, `mergetree/compact/MergeTreeCompactTask.java@release-2.0.0`.
#[must_use]
pub fn plan_task(
    levels: &Levels,
    unit: CompactUnit,
    options: &TaskOptions,
    expired: &dyn Fn(&DataFileMeta) -> bool,
) -> CompactTask {
    let task = CompactTask {
        rewrites: Vec::new(),
        upgrades: Vec::new(),
        drop_delete: drop_delete(levels, unit.output_level, options),
        output_level: unit.output_level,
    };
    let mut planner = Planner { task, options, expired, max_level: levels.max_level() };
    if unit.rewrite_each {
        planner.task.rewrites.extend(unit.files.into_iter().map(|file| vec![Section::of_file(file)]));
        return planner.task;
    }
    let min_file_size = options.min_file_size();
    let mut candidate = Vec::new();
    for section in interval_partition(unit.files, levels.comparator()) {
        if section.runs.len() > 1 {
            candidate.push(section);
            continue;
        }
        for file in section.runs.into_iter().flat_map(|run| run.files) {
            if u64::try_from(file.file_size).unwrap_or(0) < min_file_size {
                candidate.push(Section::of_file(file));
            } else {
                planner.rewrite(std::mem::take(&mut candidate));
                planner.upgrade(file);
            }
        }
    }
    planner.rewrite(candidate);
    planner.task
}

/// Whether nothing older can hide below the output: then a retraction has nothing left to retract.
fn drop_delete(levels: &Levels, output_level: u32, options: &TaskOptions) -> bool {
    let nothing_below = levels.highest_non_empty().is_none_or(|highest| output_level >= highest);
    !options.chain_table && output_level != 0 && (nothing_below || options.deletion_vectors)
}

struct Planner<'a> {
    task: CompactTask,
    options: &'a TaskOptions,
    expired: &'a dyn Fn(&DataFileMeta) -> bool,
    max_level: u32,
}

impl Planner<'_> {
    fn rewrite(&mut self, mut candidate: Vec<Section>) {
        match candidate.as_mut_slice() {
            [] => {}
            [Section { runs }] if runs.len() == 1 => {
                for file in std::mem::take(runs).into_iter().flat_map(|run| run.files) {
                    self.upgrade(file);
                }
            }
            _ => self.task.rewrites.push(candidate),
        }
    }

    fn upgrade(&mut self, file: DataFileMeta) {
        let has_retractions = file.delete_row_count.is_none_or(|count| count > 0);
        let must_rewrite = (self.task.output_level == self.max_level && has_retractions)
            || self.options.force_rewrite_all
            || (self.expired)(&file);
        if must_rewrite {
            self.task.rewrites.push(vec![Section::of_file(file)]);
        } else if u32::try_from(file.level) != Ok(self.task.output_level) {
            self.task.upgrades.push(file);
        }
    }
}

#[cfg(test)]
mod tests;
