//! The files of one bucket by level.

use std::cmp::Ordering;
use std::collections::BTreeSet;

use headwater_metadata::DataFileMeta;
use headwater_types::{ErrorKind, RowComparator};

use crate::{CompactUnit, Error, Pick, PickReason, Result, RunView};

/// The levels of one bucket: level 0 with a run per file, newest first; above it one run per level, ordered by key and
/// without overlap. A value: changes make a new one. Source: spec page 03 §2.1.
#[derive(Clone, Debug)]
pub struct Levels {
    comparator: RowComparator,
    level_0: Vec<DataFileMeta>,
    /// Level 1 and up.
    higher: Vec<Vec<DataFileMeta>>,
}

/// One sorted run of a bucket: files ordered by key that do not overlap.
#[derive(Clone, Copy, Debug)]
pub struct LevelSortedRun<'a> {
    /// The level of all its files.
    pub level: u32,
    /// In key order; one file at level 0.
    pub files: &'a [DataFileMeta],
}

impl Levels {
    /// The levels of these files. There are at least `num_levels`, two, and as many as the files need.
    ///
    /// # Errors
    /// `Corrupt` when files of one level above 0 overlap or a level is out of range.
    pub fn from_files(files: Vec<DataFileMeta>, num_levels: u32, comparator: &RowComparator) -> Result<Self> {
        let highest = files.iter().map(|f| f.level).max().unwrap_or(0);
        if highest > MAX_LEVEL || files.iter().any(|f| f.level < 0) {
            return Err(Error::new(ErrorKind::Corrupt, format!("a file's level is not one of 0 to {MAX_LEVEL}")));
        }
        let highest = u32::try_from(highest).unwrap_or(0);
        let levels = num_levels.max(highest + 1).clamp(2, MAX_LEVEL.unsigned_abs() + 1);
        let empty =
            Self { comparator: comparator.clone(), level_0: Vec::new(), higher: vec![Vec::new(); levels as usize - 1] };
        empty.apply(&[], files)
    }

    /// The levels after files were removed, by name, and others added. A file in both is moved to its new level.
    ///
    /// # Errors
    /// `InvalidInput` when a removed file is not there or an added one is there already;
    /// `Corrupt` when files of one level above 0 overlap.
    pub fn apply(&self, removed: &[DataFileMeta], added: Vec<DataFileMeta>) -> Result<Self> {
        let mut next = self.clone();
        let mut leaving: BTreeSet<&str> = removed.iter().map(|f| f.file_name.as_str()).collect();
        for files in std::iter::once(&mut next.level_0).chain(&mut next.higher) {
            files.retain(|f| !leaving.remove(f.file_name.as_str()));
        }
        if let Some(missing) = leaving.first() {
            return Err(
                Error::new(ErrorKind::InvalidInput, "a file to be removed is not in the levels").with("file", missing)
            );
        }
        let mut names: BTreeSet<String> = next.files().map(|f| f.file_name.clone()).collect();
        for file in added {
            if !names.insert(file.file_name.clone()) {
                return Err(Error::new(ErrorKind::InvalidInput, "a file is added to the levels twice")
                    .with("file", &file.file_name));
            }
            next.level_mut(file.level)?.push(file);
        }
        next.sort()?;
        Ok(next)
    }

    /// All runs, newest data first: the files of level 0, then the levels that are not empty.
    #[must_use]
    pub fn runs(&self) -> Vec<LevelSortedRun<'_>> {
        let level_0 = self.level_0.iter().map(|f| LevelSortedRun { level: 0, files: std::slice::from_ref(f) });
        let higher = (1..).zip(&self.higher).filter(|(_, files)| !files.is_empty());
        level_0.chain(higher.map(|(level, files)| LevelSortedRun { level, files })).collect()
    }

    /// [`Self::runs`] as pickers see them.
    #[must_use]
    pub fn views(&self) -> Vec<RunView> {
        let view = |run: LevelSortedRun<'_>| RunView {
            level: run.level,
            size_bytes: run.files.iter().map(|f| u64::try_from(f.file_size).unwrap_or(0)).sum(),
            file_count: u32::try_from(run.files.len()).unwrap_or(u32::MAX),
        };
        self.runs().into_iter().map(view).collect()
    }

    /// All files: level 0 newest first, then by level and key.
    pub fn files(&self) -> impl Iterator<Item = &DataFileMeta> {
        self.level_0.iter().chain(self.higher.iter().flatten())
    }

    /// Files of level 0 plus non-empty levels above; what `num-sorted-run.*` options count.
    #[must_use]
    pub fn sorted_run_count(&self) -> usize {
        self.level_0.len() + self.higher.iter().filter(|files| !files.is_empty()).count()
    }

    /// Levels, level 0 included.
    #[must_use]
    pub fn num_levels(&self) -> u32 {
        u32::try_from(self.higher.len()).unwrap_or(u32::MAX).saturating_add(1)
    }

    /// The highest level there is, filled or not.
    #[must_use]
    pub fn max_level(&self) -> u32 {
        self.num_levels() - 1
    }

    /// The highest level with files; `None` when there are none at all.
    #[must_use]
    pub fn highest_non_empty(&self) -> Option<u32> {
        let higher = (1..).zip(&self.higher).filter(|(_, files)| !files.is_empty()).map(|(level, _)| level).last();
        higher.or_else(|| (!self.level_0.is_empty()).then_some(0))
    }

    /// The largest sequence number of all files, −1 without files: the next record gets one more.
    #[must_use]
    pub fn max_sequence(&self) -> i64 {
        self.files().map(|f| f.max_sequence_number).max().unwrap_or(-1)
    }

    /// When the bucket was last compacted as a whole, judged by the newest file of the highest level
    /// ([`crate::PickInput::last_full_ms`] of a writer that has just started).
    #[must_use]
    pub fn last_full_ms(&self) -> Option<i64> {
        self.higher.last().and_then(|files| files.iter().filter_map(|f| f.creation_time_millis).max())
    }

    /// The files of a pick; `None` for [`Pick::Nothing`].
    #[must_use]
    pub fn unit(&self, pick: &Pick) -> Option<CompactUnit> {
        let Pick::Unit { runs, output_level, why } = pick else { return None };
        let all = self.runs();
        let files = all.get(runs.clone())?.iter().flat_map(|run| run.files.iter().cloned()).collect();
        Some(CompactUnit { files, output_level: *output_level, rewrite_each: false, why: *why })
    }

    /// The unit of a full compaction. When only the highest level has files, it holds those that `needs_rewrite`,
    /// each to be rewritten alone; `None` when there is nothing to do. Source: spec page 03 §2.6.
    #[must_use]
    pub fn full_unit(&self, needs_rewrite: impl Fn(&DataFileMeta) -> bool) -> Option<CompactUnit> {
        let runs = self.runs();
        let (files, rewrite_each): (Vec<_>, bool) = match runs.as_slice() {
            [only] if only.level == self.max_level() => {
                (only.files.iter().filter(|f| needs_rewrite(f)).cloned().collect(), true)
            }
            _ => (self.files().cloned().collect(), false),
        };
        let unit = CompactUnit { files, output_level: self.max_level(), rewrite_each, why: PickReason::Full };
        (!unit.files.is_empty()).then_some(unit)
    }

    /// The order of keys in this bucket.
    #[must_use]
    pub fn comparator(&self) -> &RowComparator {
        &self.comparator
    }

    fn level_mut(&mut self, level: i32) -> Result<&mut Vec<DataFileMeta>> {
        let files = match usize::try_from(level) {
            Ok(0) => Some(&mut self.level_0),
            Ok(level) => self.higher.get_mut(level - 1),
            Err(_) => None,
        };
        files.ok_or_else(|| Error::new(ErrorKind::InvalidInput, "the tree has no such level").with("level", level))
    }

    fn sort(&mut self) -> Result<()> {
        self.level_0.sort_by(newest_first);
        let comparator = &self.comparator;
        for (level, files) in (1..).zip(&mut self.higher) {
            let _: u32 = level;
            files.sort_by(|a, b| comparator.compare(&a.min_key, &b.min_key));
            for (left, right) in files.iter().zip(files.iter().skip(1)) {
                if comparator.compare(&left.max_key, &right.min_key) != Ordering::Less {
                    return Err(Error::new(ErrorKind::Corrupt, "two files of one level overlap in their keys")
                        .with("level", level)
                        .with("file", &left.file_name)
                        .with("other", &right.file_name));
                }
            }
        }
        Ok(())
    }
}

/// No tree of the reference comes near; a larger number in a manifest is damage.
const MAX_LEVEL: i32 = 1 << 16;

fn newest_first(a: &DataFileMeta, b: &DataFileMeta) -> Ordering {
    (b.max_sequence_number.cmp(&a.max_sequence_number))
        .then(a.min_sequence_number.cmp(&b.min_sequence_number))
        .then(a.creation_time_millis.cmp(&b.creation_time_millis))
        .then(a.file_name.cmp(&b.file_name))
}

#[cfg(test)]
mod tests;
