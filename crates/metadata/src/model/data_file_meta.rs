//! What a manifest says of one data file.

use headwater_types::BinaryRow;

use crate::{Error, ErrorKind, Result};

/// Minima, maxima and null counts of some columns. Which columns is said by the owner of the statistics.
/// Source: spec page 01 §6, `paimon-core/…/stats/SimpleStats.java`.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct SimpleStats {
    /// Minimum per column; null is unknown or all-null.
    pub min_values: BinaryRow,
    /// Maximum per column; null is unknown or all-null.
    pub max_values: BinaryRow,
    /// Nulls per column; `None` is unknown.
    pub null_counts: Vec<Option<i64>>,
}

impl SimpleStats {
    /// Statistics of no column (arity-0 rows): "nothing is known".
    #[must_use]
    pub fn empty() -> Self {
        Self { min_values: BinaryRow::empty(), max_values: BinaryRow::empty(), null_counts: Vec::new() }
    }
}

/// How a data file came to be.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum FileSource {
    /// Written from a write buffer (0).
    Append,
    /// Written by a compaction (1).
    Compact,
}

impl FileSource {
    pub(crate) fn to_byte(self) -> i32 {
        match self {
            Self::Append => 0,
            Self::Compact => 1,
        }
    }

    pub(crate) fn from_byte(byte: i32) -> Result<Self> {
        match byte {
            0 => Ok(Self::Append),
            1 => Ok(Self::Compact),
            _ => Err(Error::new(ErrorKind::Corrupt, format!("a file cannot have the source {byte}"))),
        }
    }
}

/// One data file as manifests and commit messages describe it.
/// Source: spec page 01 §5, page 02 §4, `paimon-core/…/io/DataFileMeta.java`.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct DataFileMeta {
    /// Name within the bucket directory.
    pub file_name: String,
    /// Bytes.
    pub file_size: i64,
    /// Physical rows, retractions included.
    pub row_count: i64,
    /// Smallest trimmed primary key; arity 0 in append tables.
    pub min_key: BinaryRow,
    /// Largest trimmed primary key; arity 0 in append tables.
    pub max_key: BinaryRow,
    /// Statistics of the key columns.
    pub key_stats: SimpleStats,
    /// Statistics of the value columns named by `value_stats_cols`.
    pub value_stats: SimpleStats,
    /// Smallest sequence number stored.
    pub min_sequence_number: i64,
    /// Largest sequence number stored.
    pub max_sequence_number: i64,
    /// The schema the file was written with.
    pub schema_id: i64,
    /// Level in the merge tree, from 0.
    pub level: i32,
    /// Files beside it (file index, …), in the same directory.
    pub extra_files: Vec<String>,
    /// Milliseconds of local wall time read as if UTC; `None` in very old files.
    pub creation_time_millis: Option<i64>,
    /// Rows that are retractions; `None` is unknown.
    pub delete_row_count: Option<i64>,
    /// A small file index.
    pub embedded_index: Option<Vec<u8>>,
    /// How it came to be; `None` before 1.0.
    pub file_source: Option<FileSource>,
    /// Columns of `value_stats`; `None` means all columns of the schema, `Some([])` none.
    pub value_stats_cols: Option<Vec<String>>,
    /// Full path when the file lives outside the table directory.
    pub external_path: Option<String>,
    /// First row id of a row-tracking table.
    pub first_row_id: Option<i64>,
    /// Columns physically written, when not all.
    pub write_cols: Option<Vec<String>>,
}

impl DataFileMeta {
    /// A file of which nothing is known yet: what decoders fill in.
    pub(crate) fn blank() -> Self {
        Self {
            file_name: String::new(),
            file_size: 0,
            row_count: 0,
            min_key: BinaryRow::empty(),
            max_key: BinaryRow::empty(),
            key_stats: SimpleStats::empty(),
            value_stats: SimpleStats::empty(),
            min_sequence_number: 0,
            max_sequence_number: 0,
            schema_id: 0,
            level: 0,
            extra_files: Vec::new(),
            creation_time_millis: None,
            delete_row_count: None,
            embedded_index: None,
            file_source: None,
            value_stats_cols: None,
            external_path: None,
            first_row_id: None,
            write_cols: None,
        }
    }

    /// Rows that are additions; `None` when the number of retractions is unknown.
    #[must_use]
    pub fn add_row_count(&self) -> Option<i64> {
        self.delete_row_count.map(|deletes| self.row_count.saturating_sub(deletes))
    }

    /// The same file moved to another level, as an "upgrade" of a compaction does.
    #[must_use]
    pub fn upgrade(&self, level: i32) -> Self {
        Self { level, ..self.clone() }
    }
}
