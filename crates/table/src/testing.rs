//! Values for tests.

use headwater_metadata::{DataFileMeta, SimpleStats};
use headwater_types::BinaryRow;

/// A file of one row without key, whose sequence number is `number`, and of so many bytes.
pub(crate) fn file(number: i64, size: i64) -> DataFileMeta {
    DataFileMeta {
        file_name: format!("data-{number}.parquet"),
        file_size: size,
        row_count: 1,
        min_key: BinaryRow::empty(),
        max_key: BinaryRow::empty(),
        key_stats: SimpleStats::empty(),
        value_stats: SimpleStats::empty(),
        min_sequence_number: number,
        max_sequence_number: number,
        schema_id: 0,
        level: 0,
        extra_files: Vec::new(),
        creation_time_millis: None,
        delete_row_count: Some(0),
        embedded_index: None,
        file_source: None,
        value_stats_cols: None,
        external_path: None,
        first_row_id: None,
        write_cols: None,
    }
}
