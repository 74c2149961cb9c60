//! What a commit changes, collected from the writers' messages.

use headwater_metadata::{CommitMessage, DataFileMeta, FileKind, IndexFileMeta, IndexManifestEntry, ManifestEntry};
use headwater_types::BinaryRow;

/// The type name of deletion-vector index files.
pub(crate) const DELETION_VECTORS: &str = "DELETION_VECTORS";

/// The changes that become one snapshot.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Changes {
    /// Data files added and removed, in order.
    pub table_files: Vec<ManifestEntry>,
    /// Changelog files.
    pub changelog: Vec<ManifestEntry>,
    /// Index files added and removed, in order.
    pub index_files: Vec<IndexManifestEntry>,
}

/// The two halves of a commit; each may become a snapshot of its own. Source: spec page 05 §1.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CollectedChanges {
    /// From the data increments.
    pub append: Changes,
    /// From the compact increments.
    pub compact: Changes,
}

impl Changes {
    /// Whether nothing changes.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.table_files.is_empty() && self.changelog.is_empty() && self.index_files.is_empty()
    }

    /// The partitions whose files take part in conflict detection: those of data files, and of index files that
    /// hold deletion vectors or a global index (hash indexes do not count).
    #[must_use]
    pub fn changed_partitions(&self) -> Vec<BinaryRow> {
        let of_index = self
            .index_files
            .iter()
            .filter(|e| e.file.index_type == DELETION_VECTORS || e.file.global_index.is_some())
            .map(|e| &e.partition);
        let mut partitions: Vec<BinaryRow> =
            self.table_files.iter().map(|e| &e.partition).chain(of_index).cloned().collect();
        partitions.sort_unstable();
        partitions.dedup();
        partitions
    }

    /// Whether rows disappear by more than compaction: a removed data file, or any deletion vector.
    #[must_use]
    pub fn removes_rows(&self) -> bool {
        self.table_files.iter().any(|e| e.kind == FileKind::Delete)
            || self.index_files.iter().any(|e| e.file.index_type == DELETION_VECTORS)
    }

    /// Whether a global index file is added.
    #[must_use]
    pub fn adds_global_index(&self) -> bool {
        self.index_files.iter().any(|e| e.kind == FileKind::Add && e.file.global_index.is_some())
    }
}

impl CollectedChanges {
    /// Collects messages; `default_buckets` (the `bucket` option) stands in where a message names no bucket count.
    #[must_use]
    pub fn from_messages(messages: &[CommitMessage], default_buckets: i32) -> Self {
        let mut out = Self::default();
        for message in messages {
            let total_buckets = message.total_buckets.unwrap_or(default_buckets);
            let files = |list: &mut Vec<ManifestEntry>, kind, files: &[DataFileMeta]| {
                list.extend(files.iter().map(|file| ManifestEntry {
                    kind,
                    partition: message.partition.clone(),
                    bucket: message.bucket,
                    total_buckets,
                    file: file.clone(),
                }));
            };
            let index = |list: &mut Vec<IndexManifestEntry>, kind, files: &[IndexFileMeta]| {
                list.extend(files.iter().map(|file| IndexManifestEntry {
                    kind,
                    partition: message.partition.clone(),
                    bucket: message.bucket,
                    file: file.clone(),
                }));
            };
            let data = &message.data_increment;
            files(&mut out.append.table_files, FileKind::Add, &data.new_files);
            files(&mut out.append.table_files, FileKind::Delete, &data.deleted_files);
            files(&mut out.append.changelog, FileKind::Add, &data.changelog_files);
            index(&mut out.append.index_files, FileKind::Delete, &data.deleted_index_files);
            index(&mut out.append.index_files, FileKind::Add, &data.new_index_files);
            let compact = &message.compact_increment;
            files(&mut out.compact.table_files, FileKind::Delete, &compact.compact_before);
            files(&mut out.compact.table_files, FileKind::Add, &compact.compact_after);
            files(&mut out.compact.changelog, FileKind::Add, &compact.changelog_files);
            index(&mut out.compact.index_files, FileKind::Delete, &compact.deleted_index_files);
            index(&mut out.compact.index_files, FileKind::Add, &compact.new_index_files);
        }
        out
    }
}
