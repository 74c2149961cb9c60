//! Independent parts of a read. Source: spec page 05 §13.

use std::collections::HashMap;
use std::sync::Arc;

use headwater_lsm::interval_partition;
use headwater_metadata::{DataFileMeta, DeletionVectorMeta, FileKind, Schema, Snapshot};
use headwater_types::{BinaryRow, CoreOptions, MergeEngine, RowComparator};

use super::filter::BucketFiles;
use crate::{Result, Table};

/// Files of one bucket that are read together: no key of theirs is in another split.
#[derive(Clone, Debug, PartialEq)]
pub struct Split {
    /// Partition values, in the order of the partition keys.
    pub partition: BinaryRow,
    /// Bucket.
    pub bucket: i32,
    /// Buckets of the partition; -1 for tables without buckets.
    pub total_buckets: i32,
    /// The files, in the order of reading.
    pub files: Vec<DataFileMeta>,
    /// Whether every row of the files is a row of the table, so that nothing has to be merged.
    pub raw_convertible: bool,
    /// Rows marked as deleted, for each file.
    pub(crate) deletions: Vec<Option<DeletionFile>>,
}

impl Split {
    /// Rows stored in the files: exact without merge and deletion vectors, an upper bound otherwise.
    #[must_use]
    pub fn row_count_estimate(&self) -> u64 {
        self.files.iter().map(|file| u64::try_from(file.row_count).unwrap_or(0)).sum()
    }

    /// The rows of the split, when that is known without reading.
    #[must_use]
    pub fn exact_row_count(&self) -> Option<u64> {
        if !self.raw_convertible {
            return None;
        }
        let mut rows = self.row_count_estimate();
        for deletion in self.deletions.iter().flatten() {
            rows = rows.saturating_sub(u64::try_from(deletion.range.cardinality?).ok()?);
        }
        Some(rows)
    }

    /// Bytes of the files.
    #[must_use]
    pub fn size_bytes(&self) -> u64 {
        self.files.iter().map(|file| u64::try_from(file.file_size).unwrap_or(0)).sum()
    }
}

/// Where the deletion vector of a data file lies.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct DeletionFile {
    /// Of the index file, relative to the table.
    pub(crate) path: String,
    pub(crate) range: DeletionVectorMeta,
}

/// The deletion vectors of a snapshot by partition, bucket and data file.
#[derive(Default)]
pub(super) struct DeletionFiles(HashMap<(BinaryRow, i32), HashMap<String, DeletionFile>>);

impl DeletionFiles {
    pub(super) async fn load(table: &Table, snapshot: &Snapshot, options: &CoreOptions) -> Result<Self> {
        let mut all = Self::default();
        let Some(name) = snapshot.index_manifest.as_ref().filter(|_| options.deletion_vectors_enabled()) else {
            return Ok(all);
        };
        let paths = table.paths()?;
        for entry in table.manifests().read_index_manifest(name).await?.iter() {
            if entry.kind != FileKind::Add || entry.file.index_type != "DELETION_VECTORS" {
                continue;
            }
            let path = paths.index_file(&entry.partition, entry.bucket, &entry.file)?;
            let files = all.0.entry((entry.partition.clone(), entry.bucket)).or_default();
            for range in entry.file.dv_ranges.iter().flatten() {
                let deletion = DeletionFile { path: path.clone(), range: range.clone() };
                files.insert(range.data_file_name.clone(), deletion);
            }
        }
        Ok(all)
    }

    fn of(&self, partition: &BinaryRow, bucket: i32, files: &[DataFileMeta]) -> Vec<Option<DeletionFile>> {
        match self.0.get(&(partition.clone(), bucket)) {
            None => vec![None; files.len()],
            Some(known) => files.iter().map(|file| known.get(&file.file_name).cloned()).collect(),
        }
    }
}

/// Makes splits of the files of all buckets; with a limit, only as many as hold that many rows for sure.
pub(super) fn generate(
    buckets: Vec<BucketFiles>,
    schema: &Schema,
    options: &CoreOptions,
    deletions: &DeletionFiles,
    limit: Option<usize>,
) -> Result<Vec<Arc<Split>>> {
    let packing =
        Packing { target: options.source_split_target_size(), open_cost: options.source_split_open_file_cost() };
    let comparator =
        if schema.primary_keys.is_empty() { None } else { Some(RowComparator::new(&schema.trimmed_key_types()?)?) };
    let mut splits = Vec::new();
    for bucket in buckets {
        let total_buckets = bucket.entries.first().map_or(-1, |entry| entry.total_buckets);
        let files = bucket.entries.into_iter().map(|entry| entry.file).collect();
        let packed = match &comparator {
            None => pack_appended(files, &packing),
            Some(comparator) => pack_keyed(files, options, comparator, &packing),
        };
        for (files, raw_convertible) in packed {
            splits.push(Arc::new(Split {
                deletions: deletions.of(&bucket.partition, bucket.bucket, &files),
                partition: bucket.partition.clone(),
                bucket: bucket.bucket,
                total_buckets,
                files,
                raw_convertible,
            }));
        }
    }
    Ok(match limit {
        Some(limit) => cut(splits, limit as u64),
        None => splits,
    })
}

fn cut(splits: Vec<Arc<Split>>, limit: u64) -> Vec<Arc<Split>> {
    let mut rows = 0;
    for (count, split) in splits.iter().enumerate() {
        let Some(exact) = split.exact_row_count() else { return splits };
        rows += exact;
        if rows >= limit {
            return splits.into_iter().take(count + 1).collect();
        }
    }
    splits
}

type Packed = Vec<(Vec<DataFileMeta>, bool)>;

fn pack_appended(mut files: Vec<DataFileMeta>, packing: &Packing) -> Packed {
    files.sort_by_key(|file| file.min_sequence_number);
    let items = files.into_iter().map(|file| vec![file]).collect();
    packing.pack(items).into_iter().map(|files| (files, true)).collect()
}

fn pack_keyed(
    files: Vec<DataFileMeta>,
    options: &CoreOptions,
    comparator: &RowComparator,
    packing: &Packing,
) -> Packed {
    let no_deletes = |file: &DataFileMeta| file.delete_row_count.unwrap_or(0) == 0;
    let first_level = files.first().map(|file| file.level);
    let unmerged = options.deletion_vectors_enabled()
        || options.merge_engine() == MergeEngine::FirstRow
        || files.iter().all(|file| Some(file.level) == first_level);
    // Files of old versions do not say how many retractions they hold: they are always merged.
    let counted = files.iter().all(|file| file.delete_row_count.is_some());
    if unmerged && counted && files.iter().all(|file| file.level != 0 && no_deletes(file)) {
        let items = files.into_iter().map(|file| vec![file]).collect();
        return packing.pack(items).into_iter().map(|files| (files, true)).collect();
    }
    let sections = interval_partition(files, comparator);
    let items = sections.into_iter().map(|s| s.runs.into_iter().flat_map(|run| run.files).collect()).collect();
    let raw = |files: &[DataFileMeta]| matches!(files, [only] if only.delete_row_count == Some(0));
    packing
        .pack(items)
        .into_iter()
        .map(|files| {
            let raw = raw(&files);
            (files, raw)
        })
        .collect()
}

/// Ordered packing of files into splits.
struct Packing {
    /// Bytes.
    target: u64,
    /// Bytes a file counts at least.
    open_cost: u64,
}

impl Packing {
    fn pack(&self, items: Vec<Vec<DataFileMeta>>) -> Vec<Vec<DataFileMeta>> {
        let mut bins: Vec<Vec<DataFileMeta>> = Vec::new();
        let mut current = Vec::new();
        let mut weight = 0_u64;
        for item in items {
            let size: u64 = item.iter().map(|file| u64::try_from(file.file_size).unwrap_or(0)).sum();
            let size = size.max(self.open_cost);
            if !current.is_empty() && weight.saturating_add(size) > self.target {
                bins.push(std::mem::take(&mut current));
                weight = 0;
            }
            current.extend(item);
            weight = weight.saturating_add(size);
        }
        if !current.is_empty() {
            bins.push(current);
        }
        bins
    }
}
