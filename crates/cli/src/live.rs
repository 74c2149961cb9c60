//! The files of a snapshot and what earlier commits wrote, straight from the manifests.

use std::collections::BTreeMap;

use headwater_metadata::{CommitKind, FileKind, ManifestEntry, ManifestStore, Snapshot, TablePaths, merge_entries};
use headwater_table::Table;

use crate::error::Result;

/// Reads manifests of one table.
pub(crate) struct Live {
    manifests: ManifestStore,
    paths: TablePaths,
}

/// The runs of one bucket.
#[derive(Clone, Debug)]
pub(crate) struct Bucket {
    /// `k=v/…`, empty when the table is not partitioned.
    pub(crate) partition: String,
    pub(crate) bucket: i32,
    /// Its files, highest level last.
    pub(crate) files: Vec<ManifestEntry>,
}

/// Files, bytes and rows of one level.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct LevelSum {
    pub(crate) files: u64,
    pub(crate) bytes: u64,
    pub(crate) rows: u64,
}

impl Bucket {
    pub(crate) fn levels(&self) -> BTreeMap<i32, LevelSum> {
        let mut levels: BTreeMap<i32, LevelSum> = BTreeMap::new();
        for entry in &self.files {
            let sum = levels.entry(entry.file.level).or_default();
            sum.files += 1;
            sum.bytes += unsigned(entry.file.file_size);
            sum.rows += unsigned(entry.file.row_count);
        }
        levels
    }

    /// Sorted runs: every file of level 0, and each other level.
    pub(crate) fn runs(&self) -> u64 {
        self.levels().iter().map(|(level, sum)| if *level == 0 { sum.files } else { 1 }).sum()
    }

    pub(crate) fn bytes(&self) -> u64 {
        self.files.iter().map(|entry| unsigned(entry.file.file_size)).sum()
    }
}

/// A size or count of the metadata; never negative in a sound file.
pub(crate) fn unsigned(value: i64) -> u64 {
    u64::try_from(value).unwrap_or(0)
}

/// What a range of snapshots wrote into data files.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Written {
    /// Bytes of files written from memory.
    pub(crate) flushed_bytes: u64,
    /// Files written from memory.
    pub(crate) flushed_files: u64,
    /// Bytes of files that compaction wrote.
    pub(crate) compacted_bytes: u64,
    /// Files that compaction wrote.
    pub(crate) compacted_files: u64,
    /// Snapshots of writes.
    pub(crate) appends: u64,
    /// Snapshots of compactions.
    pub(crate) compactions: u64,
}

impl Written {
    /// Bytes written for every byte that came from memory.
    #[expect(clippy::cast_precision_loss, reason = "two digits are shown")]
    pub(crate) fn amplification(&self) -> f64 {
        if self.flushed_bytes == 0 {
            return 0.0;
        }
        (self.flushed_bytes + self.compacted_bytes) as f64 / self.flushed_bytes as f64
    }
}

impl Live {
    pub(crate) fn new(table: &Table) -> Result<Self> {
        Ok(Self { manifests: table.manifests(), paths: table.paths()? })
    }

    /// The live files of a snapshot by bucket.
    pub(crate) async fn buckets(&self, snapshot: &Snapshot) -> Result<Vec<Bucket>> {
        let mut entries = self.entries(&snapshot.base_manifest_list, snapshot.base_manifest_list_size).await?;
        entries.extend(self.entries(&snapshot.delta_manifest_list, snapshot.delta_manifest_list_size).await?);
        let mut buckets: BTreeMap<(String, i32), Vec<ManifestEntry>> = BTreeMap::new();
        for entry in merge_entries(entries)? {
            if entry.kind == FileKind::Add {
                let partition = self.paths.partitions().of(&entry.partition)?;
                buckets.entry((partition, entry.bucket)).or_default().push(entry);
            }
        }
        Ok(buckets
            .into_iter()
            .map(|((partition, bucket), mut files)| {
                files.sort_by(|a, b| (a.file.level, &a.file.file_name).cmp(&(b.file.level, &b.file.file_name)));
                Bucket { partition: partition.trim_end_matches('/').to_owned(), bucket, files }
            })
            .collect())
    }

    /// What one snapshot changed.
    pub(crate) async fn delta(&self, snapshot: &Snapshot) -> Result<Vec<ManifestEntry>> {
        self.entries(&snapshot.delta_manifest_list, snapshot.delta_manifest_list_size).await
    }

    /// Adds up what a snapshot wrote. A file that only moved to another level was not written again.
    pub(crate) async fn add_written(&self, snapshot: &Snapshot, written: &mut Written) -> Result<()> {
        let delta = self.delta(snapshot).await?;
        let moved = |name: &str| delta.iter().any(|e| e.kind == FileKind::Delete && e.file.file_name == name);
        let is_compaction = snapshot.commit_kind == CommitKind::Compact;
        written.appends += u64::from(!is_compaction);
        written.compactions += u64::from(is_compaction);
        for entry in delta.iter().filter(|entry| entry.kind == FileKind::Add && !moved(&entry.file.file_name)) {
            let bytes = unsigned(entry.file.file_size);
            if is_compaction {
                written.compacted_bytes += bytes;
                written.compacted_files += 1;
            } else {
                written.flushed_bytes += bytes;
                written.flushed_files += 1;
            }
        }
        Ok(())
    }

    async fn entries(&self, list: &str, size: Option<i64>) -> Result<Vec<ManifestEntry>> {
        let mut entries = Vec::new();
        for manifest in self.manifests.read_list(list, size).await? {
            entries
                .extend(self.manifests.read_manifest(&manifest.file_name, manifest.file_size).await?.iter().cloned());
        }
        Ok(entries)
    }
}
