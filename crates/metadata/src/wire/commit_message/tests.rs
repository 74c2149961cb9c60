use headwater_types::{BinaryRow, DataType, Datum};

use crate::{
    CommitMessage, CompactIncrement, DataFileMeta, DataIncrement, DeletionVectorMeta, ErrorKind, FileSource,
    GlobalIndexMeta, IndexFileMeta, SimpleStats,
};

fn row(n: i32) -> BinaryRow {
    BinaryRow::from_datums(&["INT".parse::<DataType>().unwrap()], &[Some(Datum::Int(n))]).unwrap()
}

fn message() -> CommitMessage {
    let file = DataFileMeta {
        file_name: "data-2dbdbf1c-3d0e-4b5a-9f7e-8e4a37a5e1a0-0.avro".to_owned(),
        file_size: 412,
        row_count: 2,
        min_key: row(1),
        max_key: row(2),
        key_stats: SimpleStats { min_values: row(1), max_values: row(2), null_counts: vec![Some(0)] },
        value_stats: SimpleStats { min_values: row(1), max_values: row(2), null_counts: vec![None] },
        max_sequence_number: 1,
        creation_time_millis: Some(1_795_978_195_693),
        delete_row_count: Some(0),
        file_source: Some(FileSource::Append),
        ..DataFileMeta::blank()
    };
    let full = DataFileMeta {
        extra_files: vec!["a.index".to_owned()],
        embedded_index: Some(vec![1, 2, 3]),
        value_stats_cols: Some(vec!["k".to_owned(), "a longer name".to_owned()]),
        external_path: Some("file:/elsewhere/x".to_owned()),
        first_row_id: Some(7),
        write_cols: Some(Vec::new()),
        ..file.clone()
    };
    let index = IndexFileMeta {
        index_type: "DELETION_VECTORS".to_owned(),
        file_name: "index-1".to_owned(),
        file_size: 31,
        row_count: 1,
        dv_ranges: Some(vec![DeletionVectorMeta {
            data_file_name: "data-1".to_owned(),
            offset: 1,
            length: 22,
            cardinality: Some(1),
        }]),
        external_path: None,
        global_index: Some(GlobalIndexMeta {
            row_range_start: 0,
            row_range_end: 9,
            index_field_id: 3,
            extra_field_ids: Some(vec![4, 5]),
            index_meta: Some(vec![0; 20]),
            source_meta: None,
        }),
    };
    CommitMessage {
        partition: BinaryRow::from_datums(&["STRING".parse().unwrap()], &[Some(Datum::String("a".to_owned()))])
            .unwrap(),
        bucket: 0,
        total_buckets: Some(1),
        data_increment: DataIncrement {
            new_files: vec![file],
            new_index_files: vec![index],
            ..DataIncrement::default()
        },
        compact_increment: CompactIncrement { compact_after: vec![full], ..CompactIncrement::default() },
    }
}

#[test]
fn messages_come_back() {
    let mut message = message();
    let bytes = message.serialize().unwrap();
    assert_eq!(CommitMessage::deserialize(12, &bytes).unwrap(), message);
    message.total_buckets = None;
    assert_eq!(CommitMessage::deserialize(12, &message.serialize().unwrap()).unwrap(), message);
    assert_eq!(CommitMessage::deserialize(11, &bytes).unwrap_err().kind(), ErrorKind::Unsupported);
}

/// The head of a message seen in the reference (spec page 05 §2).
#[test]
fn the_head_is_the_reference_s() {
    let hex: String = message().serialize().unwrap().iter().take(41).map(|b| format!("{b:02x}")).collect();
    assert_eq!(
        hex,
        "00000014000000010000000000000000610000000000008100000000010000000100000001".to_owned() + &hex[74..]
    );
    // The row of the file: 5 null fields, a name of 48 bytes behind 20 slots and the null bits, then size and rows.
    let body: String = message().serialize().unwrap().iter().skip(41).take(40).map(|b| format!("{b:02x}")).collect();
    assert_eq!(
        body,
        "0000400f0000000030000000a80000009c010000000000000200000000000000".to_owned() + "14000000d8000000"
    );
}

#[test]
fn damage_is_an_error() {
    let bytes = message().serialize().unwrap();
    for length in 0..bytes.len() {
        assert!(CommitMessage::deserialize(12, &bytes[..length]).is_err());
    }
    for at in 0..bytes.len() {
        for bit in 0..8 {
            let mut damaged = bytes.clone();
            damaged[at] ^= 1 << bit;
            let _ = CommitMessage::deserialize(12, &damaged);
        }
    }
}
