//! Which sorted runs to compact next: the reference's universal compaction as functions of values.

use std::ops::Range;
use std::time::Duration;

use headwater_types::{ChangelogProducer, CoreOptions, MergeEngine};

/// What a picker may know of one sorted run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RunView {
    /// Level, 0 for the runs newest to oldest, then one run per non-empty level.
    pub level: u32,
    /// Bytes of its files.
    pub size_bytes: u64,
    /// Its files.
    pub file_count: u32,
}

/// What a picker decides on.
#[derive(Clone, Copy, Debug)]
pub struct PickInput<'a> {
    /// All runs of the bucket, newest data first ([`crate::Levels::views`]).
    pub runs: &'a [RunView],
    /// Levels of the tree, level 0 included; the last is the highest.
    pub num_levels: u32,
    /// Whether a compaction of the bucket is running: then nothing is picked.
    pub busy: bool,
    /// Milliseconds since 1970.
    pub now_ms: i64,
    /// Hour of the local day, 0 to 23.
    pub local_hour: u8,
    /// When the bucket was last compacted as a whole, as far as known.
    pub last_full_ms: Option<i64>,
}

impl PickInput<'_> {
    fn max_level(&self) -> u32 {
        self.num_levels.saturating_sub(1)
    }

    fn total_size(&self) -> u64 {
        total_size(self.runs)
    }

    /// All runs to the highest level.
    fn all(&self, why: PickReason) -> Pick {
        Pick::Unit { runs: 0..self.runs.len(), output_level: self.max_level(), why }
    }
}

/// The rule that picked.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum PickReason {
    /// The last full compaction is longer ago than `compaction.optimization-interval`, or unknown.
    OptimizationInterval,
    /// The bucket is smaller than `compaction.total-size-threshold`.
    TotalSize,
    /// What is not at the highest level exceeds `compaction.incremental-size-threshold`.
    IncrementalSize,
    /// What is above the last run is too large a part of it (`compaction.max-size-amplification-percent`).
    SizeAmplification,
    /// Neighbouring runs are of similar size (`compaction.size-ratio`).
    SizeRatio,
    /// There are more runs than `num-sorted-run.compaction-trigger`.
    RunCount,
    /// Level 0 must be emptied (lookup tables, `compaction.force-up-level-0`).
    ForceUpLevel0,
    /// A full compaction was asked for.
    Full,
}

/// What to compact.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Pick {
    /// Nothing now.
    Nothing,
    /// These runs, merged into one level.
    Unit {
        /// Positions in [`PickInput::runs`]; always from the newest.
        runs: Range<usize>,
        /// Where the result goes; never 0.
        output_level: u32,
        /// The rule that picked.
        why: PickReason,
    },
}

impl Pick {
    /// Whether the pick takes all runs of the input: the caller then notes the time for
    /// [`PickInput::last_full_ms`].
    #[must_use]
    pub fn is_full(&self, input: &PickInput<'_>) -> bool {
        matches!(self, Self::Unit { runs, .. } if runs.len() == input.runs.len())
    }

    /// Drops a pick that would change nothing: no file, or one file that is at the output level already.
    fn worthwhile(self, input: &PickInput<'_>) -> Self {
        if let Self::Unit { runs, output_level, .. } = &self {
            let picked = input.runs.get(runs.clone()).unwrap_or_default();
            let files: u64 = picked.iter().map(|run| u64::from(run.file_count)).sum();
            let in_place = files == 1 && picked.iter().any(|run| run.file_count == 1 && run.level == *output_level);
            if files == 0 || in_place {
                return Self::Nothing;
            }
        }
        self
    }
}

/// Options of the universal picker. Source: spec page 03 §2.3-2.4.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct UniversalOptions {
    /// `num-sorted-run.compaction-trigger`
    pub trigger: u32,
    /// `compaction.max-size-amplification-percent`
    pub max_size_amplification_percent: u32,
    /// `compaction.size-ratio`, percent
    pub size_ratio_percent: u32,
    /// `compaction.offpeak.start.hour` and `.end.hour` with `compaction.offpeak-ratio`; `None` is off.
    pub off_peak: Option<OffPeak>,
    /// `compaction.optimization-interval`
    pub optimization_interval: Option<Duration>,
    /// `compaction.total-size-threshold`, bytes
    pub total_size_threshold: Option<u64>,
    /// `compaction.incremental-size-threshold`, bytes
    pub incremental_size_threshold: Option<u64>,
}

impl Default for UniversalOptions {
    fn default() -> Self {
        Self {
            trigger: 5,
            max_size_amplification_percent: 200,
            size_ratio_percent: 1,
            off_peak: None,
            optimization_interval: None,
            total_size_threshold: None,
            incremental_size_threshold: None,
        }
    }
}

impl UniversalOptions {
    /// The options of a table.
    #[must_use]
    pub fn new(options: &CoreOptions) -> Self {
        Self {
            trigger: options.num_sorted_run_compaction_trigger(),
            max_size_amplification_percent: options.compaction_max_size_amplification_percent(),
            size_ratio_percent: options.compaction_size_ratio(),
            off_peak: OffPeak::new(
                options.compaction_offpeak_start_hour(),
                options.compaction_offpeak_end_hour(),
                options.compaction_offpeak_ratio(),
            ),
            optimization_interval: options.compaction_optimization_interval(),
            total_size_threshold: options.compaction_total_size_threshold(),
            incremental_size_threshold: options.compaction_incremental_size_threshold(),
        }
    }

    fn ratio_percent(&self, local_hour: u8) -> f64 {
        let extra = self.off_peak.filter(|o| o.contains(local_hour)).map_or(0, |o| o.ratio_percent);
        f64::from(self.size_ratio_percent) + f64::from(extra)
    }
}

/// The hours in which compaction may be more eager.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OffPeak {
    start_hour: u8,
    end_hour: u8,
    ratio_percent: u32,
}

impl OffPeak {
    /// From `start_hour` (inclusive) to `end_hour` (exclusive), over midnight when the start is later;
    /// `None` when both are the same or one is no hour.
    #[must_use]
    pub fn new(start_hour: i32, end_hour: i32, ratio_percent: u32) -> Option<Self> {
        let start_hour = u8::try_from(start_hour).ok()?;
        let end_hour = u8::try_from(end_hour).ok()?;
        (start_hour != end_hour).then_some(Self { start_hour, end_hour, ratio_percent })
    }

    fn contains(self, hour: u8) -> bool {
        if self.start_hour <= self.end_hour {
            self.start_hour <= hour && hour < self.end_hour
        } else {
            hour < self.end_hour || hour >= self.start_hour
        }
    }
}

/// The reference's universal compaction: early full compaction, size amplification, size ratio, number of runs, in
/// that order. Source: spec page 03 §2.3-2.4, `mergetree/compact/UniversalCompaction.java@release-2.0.0`.
#[must_use]
pub fn pick(options: &UniversalOptions, input: &PickInput<'_>) -> Pick {
    if input.busy {
        return Pick::Nothing;
    }
    universal(options, input).unwrap_or(Pick::Nothing).worthwhile(input)
}

fn universal(options: &UniversalOptions, input: &PickInput<'_>) -> Option<Pick> {
    early_full(options, input)
        .or_else(|| size_amplification(options, input))
        .or_else(|| size_ratio(options, input))
        .or_else(|| run_count(options, input))
}

/// [`pick`], and when that finds nothing: the level-0 runs, to the level above which they fit.
///
/// `max_interval` is `None` for `lookup-compact=radical`; with `gentle` the level-0 runs wait until that many picks
/// found nothing. `misses` is that count, kept by the caller, from 0.
/// Source: spec page 03 §2.5, `mergetree/compact/ForceUpLevel0Compaction.java@release-2.0.0`.
#[must_use]
pub fn force_up_level_0(
    options: &UniversalOptions,
    input: &PickInput<'_>,
    max_interval: Option<u32>,
    misses: &mut u32,
) -> Pick {
    if input.busy {
        return Pick::Nothing;
    }
    if let Some(found) = universal(options, input) {
        return found.worthwhile(input);
    }
    if let Some(interval) = max_interval {
        *misses = misses.saturating_add(1);
        if *misses < interval {
            return Pick::Nothing;
        }
        *misses = 0;
    }
    pick_level_0(options, input).unwrap_or(Pick::Nothing).worthwhile(input)
}

/// A full compaction: all runs to the highest level, unless there is nothing, or only one run that is there already.
/// Single files of that run may still need a rewrite: see [`crate::Levels::full_unit`]. Source: spec page 03 §2.6.
#[must_use]
pub fn full(input: &PickInput<'_>) -> Pick {
    match input.runs {
        [] => Pick::Nothing,
        [only] if only.level == input.max_level() => Pick::Nothing,
        _ if input.busy => Pick::Nothing,
        _ => input.all(PickReason::Full),
    }
}

fn early_full(options: &UniversalOptions, input: &PickInput<'_>) -> Option<Pick> {
    // The reference also reaches this with no run at all; an empty unit is dropped afterwards.
    if input.runs.len() == 1 {
        return None;
    }
    let interval_over = options.optimization_interval.is_some_and(|interval| {
        let interval = i64::try_from(interval.as_millis()).unwrap_or(i64::MAX);
        input.last_full_ms.is_none_or(|last| input.now_ms.saturating_sub(last) > interval)
    });
    if interval_over {
        return Some(input.all(PickReason::OptimizationInterval));
    }
    if options.total_size_threshold.is_some_and(|threshold| input.total_size() < threshold) {
        return Some(input.all(PickReason::TotalSize));
    }
    let incremental: u64 = input.runs.iter().filter(|r| r.level != input.max_level()).map(|r| r.size_bytes).sum();
    if options.incremental_size_threshold.is_some_and(|threshold| incremental > threshold) {
        return Some(input.all(PickReason::IncrementalSize));
    }
    None
}

fn size_amplification(options: &UniversalOptions, input: &PickInput<'_>) -> Option<Pick> {
    if input.runs.len() < options.trigger as usize {
        return None;
    }
    let (last, above) = input.runs.split_last()?;
    let above = u128::from(total_size(above)) * 100;
    let bound = u128::from(options.max_size_amplification_percent) * u128::from(last.size_bytes);
    (above > bound).then(|| input.all(PickReason::SizeAmplification))
}

fn size_ratio(options: &UniversalOptions, input: &PickInput<'_>) -> Option<Pick> {
    if input.runs.len() < options.trigger as usize {
        return None;
    }
    similar_runs(options, input, 1, false, PickReason::SizeRatio)
}

fn run_count(options: &UniversalOptions, input: &PickInput<'_>) -> Option<Pick> {
    let excess = input.runs.len().checked_sub(options.trigger as usize)?;
    if excess == 0 {
        return None;
    }
    similar_runs(options, input, excess + 1, false, PickReason::RunCount)
}

fn pick_level_0(options: &UniversalOptions, input: &PickInput<'_>) -> Option<Pick> {
    let mut count = input.runs.iter().take_while(|run| run.level == 0).count();
    if count == 0 {
        return None;
    }
    if input.runs.get(count).is_some_and(|next| next.level == 1) {
        count += 1;
    }
    similar_runs(options, input, count, true, PickReason::ForceUpLevel0)
}

/// The first `count` runs and every next one that is not much larger than all before it together.
#[expect(clippy::cast_precision_loss, reason = "the reference compares sizes as doubles")]
fn similar_runs(
    options: &UniversalOptions,
    input: &PickInput<'_>,
    mut count: usize,
    force: bool,
    why: PickReason,
) -> Option<Pick> {
    let ratio = options.ratio_percent(input.local_hour);
    let mut candidate = total_size(input.runs.get(..count)?);
    for next in input.runs.iter().skip(count) {
        if candidate as f64 * (100.0 + ratio) / 100.0 < next.size_bytes as f64 {
            break;
        }
        candidate = candidate.saturating_add(next.size_bytes);
        count += 1;
    }
    (force || count > 1).then(|| unit(input, count, why))
}

/// The first `count` runs, written to the level before the next run; more runs when that would be level 0.
fn unit(input: &PickInput<'_>, mut count: usize, why: PickReason) -> Pick {
    let mut output_level = match input.runs.get(count) {
        None => input.max_level(),
        Some(next) => next.level.saturating_sub(1),
    };
    if output_level == 0 {
        for next in input.runs.iter().skip(count) {
            count += 1;
            if next.level != 0 {
                output_level = next.level;
                break;
            }
        }
    }
    if count == input.runs.len() {
        output_level = input.max_level();
    }
    Pick::Unit { runs: 0..count, output_level, why }
}

fn total_size(runs: &[RunView]) -> u64 {
    runs.iter().fold(0, |sum, run| sum.saturating_add(run.size_bytes))
}

/// Which picker a table uses. Source: spec page 03 §2.2.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CompactStrategy {
    /// `write-only`: none.
    None,
    /// [`pick`].
    Universal,
    /// [`force_up_level_0`] with that interval.
    ForceUpLevel0 {
        /// See [`force_up_level_0`].
        max_interval: Option<u32>,
    },
}

impl CompactStrategy {
    /// The strategy a table's options ask for.
    #[must_use]
    pub fn new(options: &CoreOptions) -> Self {
        let text = |key: &str| options.raw().get(key).map(|value| value.trim().to_ascii_lowercase());
        let needs_lookup = options.merge_engine() == MergeEngine::FirstRow
            || options.changelog_producer() == ChangelogProducer::Lookup
            || options.deletion_vectors_enabled()
            || text("force-lookup").as_deref() == Some("true");
        if options.write_only() {
            Self::None
        } else if needs_lookup {
            let trigger = options.num_sorted_run_compaction_trigger();
            let configured = text("lookup-compact.max-interval").and_then(|v| v.parse().ok());
            let gentle = text("lookup-compact").as_deref() == Some("gentle");
            let interval = configured.unwrap_or_else(|| trigger.saturating_mul(2)).max(trigger);
            Self::ForceUpLevel0 { max_interval: gentle.then_some(interval) }
        } else if options.compaction_force_up_level_0() {
            Self::ForceUpLevel0 { max_interval: None }
        } else {
            Self::Universal
        }
    }

    /// Picks by this strategy; `misses` as in [`force_up_level_0`].
    #[must_use]
    pub fn pick(self, options: &UniversalOptions, input: &PickInput<'_>, misses: &mut u32) -> Pick {
        match self {
            Self::None => Pick::Nothing,
            Self::Universal => pick(options, input),
            Self::ForceUpLevel0 { max_interval } => force_up_level_0(options, input, max_interval, misses),
        }
    }
}

#[cfg(test)]
mod tests;
