//! Files split into key ranges that can be merged one after the other.

use std::cmp::Ordering;

use headwater_metadata::DataFileMeta;
use headwater_types::RowComparator;

/// Files ordered by key that do not overlap.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SortedRun {
    /// In key order.
    pub files: Vec<DataFileMeta>,
}

/// A key range: its runs overlap each other, but no file outside it. The order of its runs means nothing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Section {
    /// At least one.
    pub runs: Vec<SortedRun>,
}

impl Section {
    /// The section of one file.
    #[must_use]
    pub fn of_file(file: DataFileMeta) -> Self {
        Self { runs: vec![SortedRun { files: vec![file] }] }
    }

    /// All its files.
    pub fn files(&self) -> impl Iterator<Item = &DataFileMeta> {
        self.runs.iter().flat_map(|run| &run.files)
    }
}

/// Splits files into sections in key order, each packed into as few runs as possible.
/// Source: spec page 03 §2.8, `mergetree/compact/IntervalPartition.java@release-2.0.0`.
#[must_use]
pub fn interval_partition(mut files: Vec<DataFileMeta>, comparator: &RowComparator) -> Vec<Section> {
    files.sort_by(|a, b| {
        comparator.compare(&a.min_key, &b.min_key).then_with(|| comparator.compare(&a.max_key, &b.max_key))
    });
    let mut sections = Vec::new();
    let mut current: Vec<DataFileMeta> = Vec::new();
    // Position in `current` of the file with the largest key so far.
    let mut bound = 0;
    for file in files {
        if let Some(widest) = current.get(bound) {
            if comparator.compare(&file.min_key, &widest.max_key) == Ordering::Greater {
                sections.push(pack(std::mem::take(&mut current), comparator));
                bound = 0;
            } else if comparator.compare(&file.max_key, &widest.max_key) == Ordering::Greater {
                bound = current.len();
            }
        }
        current.push(file);
    }
    if !current.is_empty() {
        sections.push(pack(current, comparator));
    }
    sections
}

/// Packs files, in order of their smallest keys, into runs: each goes behind the run that ends first, when it can.
fn pack(files: Vec<DataFileMeta>, comparator: &RowComparator) -> Section {
    let mut runs: Vec<SortedRun> = Vec::new();
    for file in files {
        let ends_first = runs.iter_mut().filter_map(|run| {
            let end = run.files.last()?.max_key.clone();
            Some((end, run))
        });
        let ends_first = ends_first.min_by(|(a, _), (b, _)| comparator.compare(a, b));
        match ends_first {
            Some((end, run)) if comparator.compare(&file.min_key, &end) == Ordering::Greater => run.files.push(file),
            _ => runs.push(SortedRun { files: vec![file] }),
        }
    }
    Section { runs }
}

#[cfg(test)]
mod tests;
