//! Which files of a table without buckets are compacted together. Source: spec page 03 §8.3, `AppendCompactCoordinator`.

use std::collections::BTreeMap;

use headwater_metadata::{DataFileMeta, ManifestEntry};
use headwater_types::{BinaryRow, CoreOptions};

use crate::write::{AppendCompactOptions, size_of};

#[cfg(test)]
mod tests;

/// Rounds after which files that are too few are put together all the same.
const COMPACT_AGE: u32 = 5;
/// Rounds after which files without company are left alone.
const REMOVE_AGE: u32 = 10;

/// Files of one partition that become one file or more, in the order their rows will have.
pub(super) type Group = (BinaryRow, Vec<DataFileMeta>);

/// How files are packed.
#[derive(Clone, Copy, Debug)]
pub(super) struct Coordinator {
    sizes: AppendCompactOptions,
    /// Bytes a file counts on top of its own.
    open_cost: u64,
    /// Files looked at in one round.
    round: usize,
}

/// Files of a partition that wait, and the rounds they found no company.
#[derive(Default)]
struct Waiting {
    files: Vec<DataFileMeta>,
    age: u32,
}

impl Coordinator {
    pub(super) fn new(options: &CoreOptions) -> Self {
        Self {
            sizes: AppendCompactOptions::new(options),
            open_cost: options.source_split_open_file_cost(),
            round: usize::try_from(options.compaction_file_num_limit()).unwrap_or(usize::MAX).max(1),
        }
    }

    /// The groups among the live files of a snapshot.
    pub(super) fn plan(&self, entries: Vec<ManifestEntry>) -> Vec<Group> {
        let small: Vec<ManifestEntry> =
            entries.into_iter().filter(|entry| size_of(&entry.file) < self.sizes.small_size).collect();
        let mut partitions: BTreeMap<BinaryRow, Waiting> = BTreeMap::new();
        let mut groups = Vec::new();
        for round in small.chunks(self.round) {
            for entry in round {
                let waiting = partitions.entry(entry.partition.clone()).or_default();
                waiting.files.push(entry.file.clone());
                waiting.age = 0;
            }
            for (partition, waiting) in &mut partitions {
                groups.extend(self.of_partition(waiting).into_iter().map(|files| (partition.clone(), files)));
            }
        }
        groups
    }

    fn of_partition(&self, waiting: &mut Waiting) -> Vec<Vec<DataFileMeta>> {
        let (packed, left) = self.pack(std::mem::take(&mut waiting.files));
        waiting.files = left;
        if packed.is_empty() {
            waiting.age += 1;
            if waiting.age > COMPACT_AGE && waiting.files.len() > 1 {
                return vec![std::mem::take(&mut waiting.files)];
            }
            if waiting.age > REMOVE_AGE {
                waiting.files.clear();
            }
        }
        packed
    }

    /// The smallest first; a group is full at twice the target, and the last one needs some files to be worth it.
    fn pack(&self, mut files: Vec<DataFileMeta>) -> (Vec<Vec<DataFileMeta>>, Vec<DataFileMeta>) {
        files.sort_by_key(size_of);
        let mut groups = Vec::new();
        let (mut bin, mut weight) = (Vec::new(), 0_u64);
        for file in files {
            weight = weight.saturating_add(size_of(&file)).saturating_add(self.open_cost);
            bin.push(file);
            if bin.len() > 1 && weight >= self.sizes.target_size.saturating_mul(2) {
                groups.push(std::mem::take(&mut bin));
                weight = 0;
            }
        }
        // A group of one file would be written again and again.
        if bin.len() >= self.sizes.min_files.max(2) {
            groups.push(std::mem::take(&mut bin));
        }
        (groups, bin)
    }
}
