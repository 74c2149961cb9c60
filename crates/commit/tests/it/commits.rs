use std::collections::BTreeMap;

use headwater_commit::{CommitOptions, ErrorKind, FileStoreCommit};
use headwater_io::{Env, Fault, FaultKind, FaultOp, Faults, FileIo};
use headwater_metadata::{
    CommitKind, CommitMessage, CompactIncrement, DataFileMeta, DataIncrement, FileSource, ManifestCommittable, Schema,
    SchemaStore, SimpleStats, SnapshotStore,
};
use headwater_types::{BinaryRow, DataField, DataType, Datum, TypeKind};

fn schema() -> Schema {
    let fields = vec![DataField::new(0, "k", TypeKind::Int), DataField::new(1, "dt", TypeKind::STRING)];
    let options = BTreeMap::from([
        ("bucket".to_owned(), "1".to_owned()),
        ("manifest.merge-min-count".to_owned(), "3".to_owned()),
        ("commit.min-retry-wait".to_owned(), "1 ms".to_owned()),
        ("commit.max-retry-wait".to_owned(), "5 ms".to_owned()),
        ("commit.max-retries".to_owned(), "200".to_owned()),
    ]);
    let keys = vec!["dt".to_owned(), "k".to_owned()];
    Schema::create(fields, vec!["dt".to_owned()], keys, options, None, 0).unwrap()
}

async fn table() -> (FileIo, Schema) {
    let io = FileIo::memory();
    let schema = schema();
    SchemaStore::new(io.clone(), None).create(&schema).await.unwrap();
    (io, schema)
}

fn partition(dt: &str) -> BinaryRow {
    BinaryRow::from_datums(&[DataType::new(TypeKind::STRING, false)], &[Some(Datum::String(dt.to_owned()))]).unwrap()
}

fn file(name: &str) -> DataFileMeta {
    let key = BinaryRow::from_datums(&[DataType::new(TypeKind::Int, false)], &[Some(Datum::Int(1))]).unwrap();
    DataFileMeta {
        file_name: name.to_owned(),
        file_size: 10,
        row_count: 1,
        min_key: key.clone(),
        max_key: key,
        key_stats: SimpleStats::empty(),
        value_stats: SimpleStats::empty(),
        min_sequence_number: 0,
        max_sequence_number: 0,
        schema_id: 0,
        level: 0,
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

fn append(identifier: i64, dt: &str, name: &str) -> ManifestCommittable {
    let message = CommitMessage {
        partition: partition(dt),
        bucket: 0,
        total_buckets: Some(1),
        data_increment: DataIncrement { new_files: vec![file(name)], ..DataIncrement::default() },
        compact_increment: CompactIncrement::default(),
    };
    ManifestCommittable { identifier, watermark: None, properties: BTreeMap::new(), messages: vec![message] }
}

async fn total(io: &FileIo) -> i64 {
    SnapshotStore::new(io.clone(), None).latest().await.unwrap().map_or(0, |s| s.total_record_count)
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn racing_committers_all_get_through() {
    let (io, schema) = table().await;
    let tasks = (0..6).map(|writer| {
        let commit = FileStoreCommit::new(&io, &schema, format!("writer-{writer}"), &Env::system()).unwrap();
        async move {
            for n in 0..10 {
                let committable = append(n, "a", &format!("data-{writer}-{n}"));
                commit.commit(&committable, CommitOptions::default()).await.unwrap();
            }
        }
    });
    let handles: Vec<_> = tasks.map(|task| Env::system().spawn(task)).collect();
    for handle in handles {
        handle.await.unwrap();
    }
    let snapshots = SnapshotStore::new(io.clone(), None);
    assert_eq!(snapshots.list().await.unwrap(), (1..=60).collect::<Vec<_>>());
    assert_eq!(total(&io).await, 60);
}

#[tokio::test]
async fn every_failed_call_leaves_the_table_before_or_after() {
    for op in [FaultOp::CreateNew, FaultOp::WriteDurable, FaultOp::Read, FaultOp::List, FaultOp::Status] {
        for kind in
            [FaultKind::Before, FaultKind::After, FaultKind::LostAnswer, FaultKind::CrashBefore, FaultKind::CrashAfter]
        {
            for nth in 1..8 {
                let (io, schema) = table().await;
                let sound = FileStoreCommit::new(&io, &schema, "me", &Env::system()).unwrap();
                sound.commit(&append(1, "a", "data-1"), CommitOptions::default()).await.unwrap();
                let faults = Faults::new();
                faults.add(Fault::new(op, nth, kind));
                let faulty = FileStoreCommit::new(&io.with_faults(&faults), &schema, "me", &Env::system()).unwrap();
                let outcome = faulty.commit(&append(2, "a", "data-2"), CommitOptions::default()).await;
                let rows = total(&io).await;
                match outcome {
                    Ok(_) => assert_eq!(rows, 2, "{op:?} {nth} {kind:?}: acknowledged but lost"),
                    Err(_) => assert!(rows == 1 || rows == 2, "{op:?} {nth} {kind:?}: {rows} rows"),
                }
                let left = sound.filter_committed(vec![append(2, "a", "data-2")]).await.unwrap();
                assert_eq!(left.len(), usize::from(rows == 1), "{op:?} {nth} {kind:?}");
            }
        }
    }
}

#[tokio::test]
async fn overwrites_replace_what_they_name() {
    let (io, schema) = table().await;
    let commit = FileStoreCommit::new(&io, &schema, "me", &Env::system()).unwrap();
    for (n, dt) in [(1, "a"), (2, "b"), (3, "c")] {
        commit.commit(&append(n, dt, &format!("data-{n}")), CommitOptions::default()).await.unwrap();
    }
    let all = BTreeMap::new();
    commit.overwrite(&all, true, &append(4, "a", "data-4")).await.unwrap();
    assert_eq!(total(&io).await, 3);
    let only = BTreeMap::from([("dt".to_owned(), "b".to_owned())]);
    let outside = commit.overwrite(&only, false, &append(5, "c", "data-5")).await.unwrap_err();
    assert_eq!(outside.kind(), ErrorKind::InvalidInput);
    commit.drop_partitions(std::slice::from_ref(&only), 6).await.unwrap();
    assert_eq!(total(&io).await, 2);
    let unknown = BTreeMap::from([("day".to_owned(), "b".to_owned())]);
    assert_eq!(commit.drop_partitions(&[unknown], 7).await.unwrap_err().kind(), ErrorKind::InvalidInput);
    commit.truncate(8).await.unwrap();
    assert_eq!(total(&io).await, 0);
    let latest = SnapshotStore::new(io, None).latest().await.unwrap().unwrap();
    assert_eq!((latest.commit_kind, latest.commit_identifier), (CommitKind::Overwrite, 8));
}
