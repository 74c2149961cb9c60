use std::sync::Arc;

use arrow_array::{ArrayRef, Int64Array, RecordBatch};
use bytes::Bytes;
use parquet::arrow::ArrowWriter;
use parquet::file::metadata::{PageIndexPolicy, ParquetMetaDataReader};
use parquet::file::properties::WriterProperties;

use super::*;

/// Two row groups of 50,000 rows, columns of 8 and 16 bytes a row, pages of 5,000 rows.
fn metadata() -> ParquetMetaData {
    let narrow =
        (0..100_000_i64).map(|i| i.wrapping_mul(0x9e37_79b9_7f4a_7c15_u64.cast_signed())).collect::<Int64Array>();
    let wide = narrow.unary::<_, arrow_array::types::Decimal128Type>(|v| i128::from(v) * i128::from(v));
    let batch = RecordBatch::try_from_iter([("n", Arc::new(narrow) as ArrayRef), ("w", Arc::new(wide))]).unwrap();
    let properties = WriterProperties::builder()
        .set_dictionary_enabled(false)
        .set_data_page_row_count_limit(5_000)
        .set_write_batch_size(1_000)
        .set_max_row_group_row_count(Some(50_000))
        .build();
    let mut file = Vec::new();
    let mut writer = ArrowWriter::try_new(&mut file, batch.schema(), Some(properties)).unwrap();
    writer.write(&batch).unwrap();
    writer.close().unwrap();
    let reader = ParquetMetaDataReader::new().with_page_index_policy(PageIndexPolicy::Required);
    reader.parse_and_finish(&Bytes::from(file)).unwrap()
}

fn cut(groups: &[usize], columns: &[usize], bytes: u64) -> Vec<(usize, u64, u64)> {
    let metadata = metadata();
    let mask = ProjectionMask::roots(metadata.file_metadata().schema_descr(), columns.iter().copied());
    assert_eq!(is_larger(&metadata, groups, &mask, bytes), bytes < 400_000);
    windows(&metadata, groups, &mask, bytes).iter().map(|w| (w.group, w.first, w.rows)).collect()
}

#[test]
fn windows_cover_every_row_once_and_begin_with_pages() {
    assert_eq!(cut(&[0, 1], &[0, 1], u64::MAX), [(0, 0, 50_000), (1, 0, 50_000)]);
    // 8 bytes a row: 25,000 rows are 200,000 bytes.
    assert_eq!(cut(&[1], &[0], 201_000), [(1, 0, 25_000), (1, 25_000, 25_000)]);
    // No less than a page.
    let pages: Vec<_> = (0..10).map(|page| (0, page * 5_000, 5_000)).collect();
    assert_eq!(cut(&[0], &[0, 1], 1), pages);
    for bytes in [1_000, 77_000, 123_456, 399_999] {
        let windows = cut(&[0, 1], &[0, 1], bytes);
        let rows: u64 = windows.iter().map(|(_, _, rows)| rows).sum();
        assert_eq!(rows, 100_000);
        assert!(windows.iter().all(|(_, first, rows)| first % 5_000 == 0 && *rows > 0), "{windows:?}");
    }
}

struct Evens;

impl RowSet for Evens {
    fn contains(&self, position: u64) -> bool {
        position.is_multiple_of(2)
    }
}

#[test]
fn selections_name_rows_of_the_file_by_position() {
    let metadata = metadata();
    let windows = [Window { group: 1, first: 4, rows: 3 }, Window { group: 1, first: 49_999, rows: 1 }];
    let rows = |skip: Option<&dyn RowSet>| {
        let selectors: Vec<RowSelector> = selection(&metadata, &windows, skip).into();
        selectors
            .iter()
            .map(|s| if s.skip { -s.row_count.cast_signed() } else { s.row_count.cast_signed() })
            .collect::<Vec<_>>()
    };
    assert_eq!(rows(None), [-4, 3, -(49_993 + 49_999), 1]);
    assert_eq!(rows(Some(&Evens)), [-5, 1, -(49_994 + 49_999), 1]);
}
