use headwater_metadata::{
    CommitMessage, CompactIncrement, DataFileMeta, DataIncrement, FileSource, Schema, SimpleStats,
};
use headwater_types::{BinaryRow, DataField, DataType, Datum, ErrorKind, TypeKind};

use super::*;
use crate::CollectedChanges;

fn schema() -> Schema {
    let fields = vec![DataField::new(0, "k", TypeKind::Int), DataField::new(1, "v", TypeKind::STRING)];
    let options = BTreeMap::from([("bucket".to_owned(), "1".to_owned())]);
    Schema::create(fields, vec![], vec!["k".to_owned()], options, None, 0).unwrap()
}

fn facts() -> TableFacts {
    let schema = schema();
    TableFacts::of(&schema, &schema.core_options().unwrap()).unwrap()
}

fn key(k: i32) -> BinaryRow {
    BinaryRow::from_datums(&[DataType::new(TypeKind::Int, false)], &[Some(Datum::Int(k))]).unwrap()
}

pub(crate) fn file(name: &str, level: i32, keys: std::ops::RangeInclusive<i32>) -> DataFileMeta {
    DataFileMeta {
        file_name: name.to_owned(),
        file_size: 100,
        row_count: i64::from(keys.end() - keys.start() + 1),
        min_key: key(*keys.start()),
        max_key: key(*keys.end()),
        key_stats: SimpleStats::empty(),
        value_stats: SimpleStats::empty(),
        min_sequence_number: 0,
        max_sequence_number: 0,
        schema_id: 0,
        level,
        extra_files: vec![],
        creation_time_millis: None,
        delete_row_count: Some(0),
        embedded_index: None,
        file_source: Some(FileSource::Append),
        value_stats_cols: None,
        external_path: None,
        first_row_id: None,
        write_cols: None,
    }
}

fn message(new: Vec<DataFileMeta>, before: Vec<DataFileMeta>, after: Vec<DataFileMeta>) -> CommitMessage {
    CommitMessage {
        partition: BinaryRow::empty(),
        bucket: 0,
        total_buckets: Some(1),
        data_increment: DataIncrement { new_files: new, ..DataIncrement::default() },
        compact_increment: CompactIncrement {
            compact_before: before,
            compact_after: after,
            ..CompactIncrement::default()
        },
    }
}

fn attempt(kind: CommitKind) -> Attempt {
    let properties = BTreeMap::new();
    Attempt { kind, user: "me".to_owned(), identifier: 7, watermark: Some(5), properties, detect_conflicts: true }
}

fn base(files: Vec<DataFileMeta>, watermark: Option<i64>) -> BaseState {
    let total: i64 = files.iter().map(|f| f.row_count).sum();
    let json = format!(
        r#"{{"version":3,"id":4,"schemaId":0,"baseManifestList":"b","deltaManifestList":"d","commitUser":"other",
        "commitIdentifier":1,"commitKind":"APPEND","timeMillis":0,"totalRecordCount":{total},"deltaRecordCount":0}}"#
    );
    let mut snapshot = Snapshot::from_json(json.as_bytes()).unwrap();
    snapshot.watermark = watermark;
    let files = CollectedChanges::from_messages(&[message(files, vec![], vec![])], 1).append.table_files;
    BaseState { snapshot: Some(snapshot), files, index: vec![] }
}

fn compact(before: Vec<DataFileMeta>, after: Vec<DataFileMeta>) -> Changes {
    CollectedChanges::from_messages(&[message(vec![], before, after)], 1).compact
}

#[test]
fn counts_rows_and_keeps_the_larger_watermark() {
    let changes = CollectedChanges::from_messages(&[message(vec![file("a", 0, 1..=3)], vec![], vec![])], 1).append;
    let first = plan(&facts(), &BaseState::default(), &changes, &attempt(CommitKind::Append)).unwrap();
    assert_eq!((first.snapshot_id, first.total_record_count, first.watermark), (1, 3, Some(5)));
    let next =
        plan(&facts(), &base(vec![file("x", 5, 1..=10)], Some(9)), &changes, &attempt(CommitKind::Append)).unwrap();
    assert_eq!((next.snapshot_id, next.delta_record_count, next.total_record_count), (5, 3, 13));
    assert_eq!((next.watermark, next.changelog_record_count, next.index), (Some(9), None, None));
}

#[test]
fn conflicts_are_told_apart() {
    let old = || vec![file("a", 0, 1..=3), file("b", 5, 1..=9)];
    let cases: [(&str, Changes, Option<&str>); 5] = [
        ("merges what is there", compact(old(), vec![file("c", 5, 1..=9)]), None),
        ("moves a file up", compact(vec![file("a", 0, 1..=3)], vec![file("a", 4, 1..=3)]), None),
        ("removes a file twice", compact(vec![file("gone", 0, 1..=1)], vec![]), Some("gone")),
        ("adds a file twice", compact(vec![], vec![file("b", 5, 1..=9)]), Some("in the table already")),
        ("overlaps in a level", compact(vec![], vec![file("d", 5, 9..=12)]), Some("overlap")),
    ];
    for (what, changes, expected) in cases {
        let outcome = plan(&facts(), &base(old(), None), &changes, &attempt(CommitKind::Compact));
        match (outcome.map_err(|r| r.into_error(&facts())), expected) {
            (Ok(_), None) => {}
            (Err(error), Some(text)) => {
                assert_eq!(error.kind(), ErrorKind::Conflict, "{what}");
                assert!(error.to_string().contains(text), "{what}: {error}");
            }
            (Ok(_), Some(_)) => panic!("{what}: was accepted"),
            (Err(error), None) => panic!("{what}: {error}"),
        }
    }
}

#[test]
fn another_bucket_count_needs_an_overwrite() {
    let changes = CollectedChanges::from_messages(
        &[CommitMessage { total_buckets: Some(2), ..message(vec![file("a", 0, 1..=3)], vec![], vec![]) }],
        2,
    )
    .append;
    let base = base(vec![file("b", 0, 1..=1)], None);
    assert!(plan(&facts(), &base, &changes, &attempt(CommitKind::Append)).is_err());
    assert!(plan(&facts(), &base, &changes, &attempt(CommitKind::Overwrite)).is_ok());
}
