//! What writers hand to the committer.

use std::collections::BTreeMap;

use headwater_types::BinaryRow;

use super::{DataFileMeta, IndexFileMeta};

/// Files added and removed by writing.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct DataIncrement {
    /// Files written.
    pub new_files: Vec<DataFileMeta>,
    /// Files removed.
    pub deleted_files: Vec<DataFileMeta>,
    /// Changelog files.
    pub changelog_files: Vec<DataFileMeta>,
    /// Index files written.
    pub new_index_files: Vec<IndexFileMeta>,
    /// Index files removed.
    pub deleted_index_files: Vec<IndexFileMeta>,
}

/// Files exchanged by compaction.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CompactIncrement {
    /// Files that go.
    pub compact_before: Vec<DataFileMeta>,
    /// Files that take their place.
    pub compact_after: Vec<DataFileMeta>,
    /// Changelog files.
    pub changelog_files: Vec<DataFileMeta>,
    /// Index files written.
    pub new_index_files: Vec<IndexFileMeta>,
    /// Index files removed.
    pub deleted_index_files: Vec<IndexFileMeta>,
}

/// The output of one writer of one bucket for one commit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CommitMessage {
    /// Partition values.
    pub partition: BinaryRow,
    /// Bucket.
    pub bucket: i32,
    /// Buckets of the partition; `None` means the table's `bucket` option.
    pub total_buckets: Option<i32>,
    /// From writing.
    pub data_increment: DataIncrement,
    /// From compacting.
    pub compact_increment: CompactIncrement,
}

impl DataIncrement {
    /// Whether nothing changed.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }
}

impl CompactIncrement {
    /// Whether nothing changed.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }
}

impl CommitMessage {
    /// Whether neither writing nor compacting changed anything.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.data_increment.is_empty() && self.compact_increment.is_empty()
    }
}

/// Everything one commit identifier brings.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ManifestCommittable {
    /// Strictly increasing per commit user; `i64::MAX` for batch jobs.
    pub identifier: i64,
    /// Event-time watermark, epoch milliseconds.
    pub watermark: Option<i64>,
    /// Properties of the snapshot.
    pub properties: BTreeMap<String, String>,
    /// One per writer.
    pub messages: Vec<CommitMessage>,
}
