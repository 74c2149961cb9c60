//! Index files and the index manifest.

use headwater_types::BinaryRow;

use super::FileKind;

/// Where the deletion vector of one data file lies in an index file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DeletionVectorMeta {
    /// Name of the data file.
    pub data_file_name: String,
    /// Offset in bytes.
    pub offset: i32,
    /// Length in bytes.
    pub length: i32,
    /// Deleted rows; `None` in old files.
    pub cardinality: Option<i64>,
}

/// What a global index covers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GlobalIndexMeta {
    /// First row id.
    pub row_range_start: i64,
    /// Last row id.
    pub row_range_end: i64,
    /// The indexed field.
    pub index_field_id: i32,
    /// Further indexed fields.
    pub extra_field_ids: Option<Vec<i32>>,
    /// The index's own metadata.
    pub index_meta: Option<Vec<u8>>,
    /// What it was built from.
    pub source_meta: Option<Vec<u8>>,
}

/// One index file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct IndexFileMeta {
    /// `HASH`, `DELETION_VECTORS`, or the name of a global index.
    pub index_type: String,
    /// Name within `index/`.
    pub file_name: String,
    /// Bytes.
    pub file_size: i64,
    /// Rows or vectors.
    pub row_count: i64,
    /// Ranges of deletion vectors, in file order.
    pub dv_ranges: Option<Vec<DeletionVectorMeta>>,
    /// Full path when outside the table.
    pub external_path: Option<String>,
    /// Global index coverage.
    pub global_index: Option<GlobalIndexMeta>,
}

/// One entry of an index manifest.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct IndexManifestEntry {
    /// Added or removed.
    pub kind: FileKind,
    /// Partition values.
    pub partition: BinaryRow,
    /// Bucket.
    pub bucket: i32,
    /// The file.
    pub file: IndexFileMeta,
}
