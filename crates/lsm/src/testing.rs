//! Small tables and files for tests.

use arrow_array::{ArrayRef, Int8Array, Int32Array, RecordBatch, StringArray};
use headwater_metadata::{DataFileMeta, FileSource, SimpleStats};
use headwater_types::{BinaryRow, DataField, DataType, Datum, RowComparator, TypeKind, arrow_schema};
use std::sync::Arc;

use crate::{KeyValueBatch, KeyValueLayout};

/// The comparator of one INT key.
pub(crate) fn int_keys() -> RowComparator {
    RowComparator::new(&[DataType::new(TypeKind::Int, false)]).unwrap()
}

/// A key of one INT.
pub(crate) fn key(value: i32) -> BinaryRow {
    BinaryRow::from_datums(&[DataType::new(TypeKind::Int, false)], &[Some(Datum::Int(value))]).unwrap()
}

/// A file with keys `min..=max`, sequence numbers up to `max_sequence`, one row per key, no retraction.
pub(crate) fn file(name: &str, level: i32, min: i32, max: i32, file_size: i64, max_sequence: i64) -> DataFileMeta {
    DataFileMeta {
        file_name: name.to_owned(),
        file_size,
        row_count: i64::from(max - min + 1),
        min_key: key(min),
        max_key: key(max),
        key_stats: SimpleStats::empty(),
        value_stats: SimpleStats::empty(),
        min_sequence_number: max_sequence,
        max_sequence_number: max_sequence,
        schema_id: 0,
        level,
        extra_files: Vec::new(),
        creation_time_millis: Some(1000),
        delete_row_count: Some(0),
        embedded_index: None,
        file_source: Some(FileSource::Append),
        value_stats_cols: None,
        external_path: None,
        first_row_id: None,
        write_cols: None,
    }
}

/// `k INT` (key), `s INT`, `v STRING`; `sequence` says whether `s` is the sequence field.
pub(crate) fn layout(sequence: bool, descending: bool) -> KeyValueLayout {
    let fields = vec![
        DataField::new(0, "k", DataType::new(TypeKind::Int, false)),
        DataField::new(1, "s", TypeKind::Int),
        DataField::new(2, "v", TypeKind::STRING),
    ];
    let sequence = if sequence { vec!["s".to_owned()] } else { Vec::new() };
    KeyValueLayout::from_parts(fields, &["k".to_owned()], &sequence, descending).unwrap()
}

/// One row of [`layout`]: kind, k, s, v.
pub(crate) type Row = (i8, i32, Option<i32>, String);

/// Rows of [`layout`] as a batch and its kinds.
pub(crate) fn rows(rows: &[Row]) -> (RecordBatch, Int8Array) {
    let columns: Vec<ArrayRef> = vec![
        Arc::new(Int32Array::from_iter_values(rows.iter().map(|r| r.1))),
        Arc::new(rows.iter().map(|r| r.2).collect::<Int32Array>()),
        Arc::new(StringArray::from_iter_values(rows.iter().map(|r| &r.3))),
    ];
    let batch = RecordBatch::try_new(arrow_schema(layout(false, false).values()), columns).unwrap();
    (batch, rows.iter().map(|r| r.0).collect::<Vec<i8>>().into())
}

/// Records of [`layout`]: sequence number and row.
pub(crate) fn records(batches: &[KeyValueBatch]) -> Vec<(i64, Row)> {
    use arrow_array::cast::AsArray;
    use arrow_array::types::Int32Type;
    let mut records = Vec::new();
    for batch in batches {
        let (k, s) = (batch.keys[0].as_primitive::<Int32Type>(), batch.values[1].as_primitive::<Int32Type>());
        assert_eq!(k, batch.values[0].as_primitive::<Int32Type>(), "key and value column agree");
        let v = batch.values[2].as_string::<i32>();
        for i in 0..batch.num_rows() {
            use arrow_array::Array;
            let s = s.is_valid(i).then(|| s.value(i));
            records.push((batch.sequence.value(i), (batch.kind.value(i), k.value(i), s, v.value(i).to_owned())));
        }
    }
    records
}
