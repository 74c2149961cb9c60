//! Manifest entries and the manifest files that hold them.

use headwater_types::BinaryRow;

use super::{DataFileMeta, SimpleStats};
use crate::{Error, ErrorKind, Result};

/// Whether an entry adds or removes its file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum FileKind {
    /// 0
    Add,
    /// 1
    Delete,
}

impl FileKind {
    pub(crate) fn to_byte(self) -> i32 {
        match self {
            Self::Add => 0,
            Self::Delete => 1,
        }
    }

    pub(crate) fn from_byte(byte: i32) -> Result<Self> {
        match byte {
            0 => Ok(Self::Add),
            1 => Ok(Self::Delete),
            _ => Err(Error::new(ErrorKind::Corrupt, format!("an entry cannot have the kind {byte}"))),
        }
    }
}

/// One change of the set of data files. Source: spec page 01 §5.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct ManifestEntry {
    /// Added or removed.
    pub kind: FileKind,
    /// Partition values, in the order of the partition keys.
    pub partition: BinaryRow,
    /// Bucket; -2 is the postpone bucket.
    pub bucket: i32,
    /// Buckets of the partition when the file was written; -1 for bucket-unaware tables.
    pub total_buckets: i32,
    /// The file.
    pub file: DataFileMeta,
}

/// What makes two entries speak of the same file (spec page 01 §9.3).
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct FileIdentifier {
    /// Partition values.
    pub partition: BinaryRow,
    /// Bucket.
    pub bucket: i32,
    /// Level.
    pub level: i32,
    /// File name.
    pub file_name: String,
    /// Extra files, in order.
    pub extra_files: Vec<String>,
    /// Embedded index bytes.
    pub embedded_index: Option<Vec<u8>>,
    /// External path.
    pub external_path: Option<String>,
}

impl ManifestEntry {
    /// The identity under which entries cancel.
    #[must_use]
    pub fn identifier(&self) -> FileIdentifier {
        FileIdentifier {
            partition: self.partition.clone(),
            bucket: self.bucket,
            level: self.file.level,
            file_name: self.file.file_name.clone(),
            extra_files: self.file.extra_files.clone(),
            embedded_index: self.file.embedded_index.clone(),
            external_path: self.file.external_path.clone(),
        }
    }
}

/// One manifest file as a manifest list describes it. `None` in the optional parts is "unknown".
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ManifestFileMeta {
    /// Name within `manifest/`.
    pub file_name: String,
    /// Bytes.
    pub file_size: i64,
    /// ADD entries.
    pub num_added_files: i64,
    /// DELETE entries.
    pub num_deleted_files: i64,
    /// Statistics of the partition values of all entries.
    pub partition_stats: SimpleStats,
    /// Schema id at writing.
    pub schema_id: i64,
    /// Smallest bucket.
    pub min_bucket: Option<i32>,
    /// Largest bucket.
    pub max_bucket: Option<i32>,
    /// Smallest level.
    pub min_level: Option<i32>,
    /// Largest level.
    pub max_level: Option<i32>,
    /// Smallest row id.
    pub min_row_id: Option<i64>,
    /// Largest row id.
    pub max_row_id: Option<i64>,
}
