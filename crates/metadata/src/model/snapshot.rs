//! One version of a table.

use std::collections::BTreeMap;

/// Why a snapshot was made.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum CommitKind {
    /// Rows were written.
    Append,
    /// Files were compacted.
    Compact,
    /// Files were replaced.
    Overwrite,
    /// Statistics were attached.
    Analyze,
}

/// One version of a table (`snapshot/snapshot-N`, also the head of a tag). Source: spec page 01 §4.1.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Snapshot {
    /// Format version, 3; 0 when absent.
    pub version: i32,
    /// Random id of this snapshot; since 2.0.
    pub uuid: Option<String>,
    /// From 1.
    pub id: i64,
    /// Latest schema when committing.
    pub schema_id: i64,
    /// Manifest list of everything before.
    pub base_manifest_list: String,
    /// Its bytes.
    pub base_manifest_list_size: Option<i64>,
    /// Manifest list of what this snapshot changed.
    pub delta_manifest_list: String,
    /// Its bytes.
    pub delta_manifest_list_size: Option<i64>,
    /// Manifest list of the changelog.
    pub changelog_manifest_list: Option<String>,
    /// Its bytes.
    pub changelog_manifest_list_size: Option<i64>,
    /// The complete index manifest.
    pub index_manifest: Option<String>,
    /// The logical writer.
    pub commit_user: String,
    /// Increasing per user.
    pub commit_identifier: i64,
    /// Why.
    pub commit_kind: CommitKind,
    /// Epoch milliseconds.
    pub time_millis: i64,
    /// Physical rows of all live files.
    pub total_record_count: i64,
    /// Rows added minus rows of files removed.
    pub delta_record_count: i64,
    /// Rows of changelog files.
    pub changelog_record_count: Option<i64>,
    /// Epoch milliseconds.
    pub watermark: Option<i64>,
    /// Statistics file.
    pub statistics: Option<String>,
    /// Free properties.
    pub properties: Option<BTreeMap<String, String>>,
    /// Next row id; 0 without row tracking; absent before 1.3.
    pub next_row_id: Option<i64>,
    /// `WRITE`, `OVERWRITE`, `DELETE`, …; since 2.0, optional.
    pub operation: Option<String>,
}
