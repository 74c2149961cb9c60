use std::collections::BTreeMap;

use headwater_io::{Env, Fault, FaultKind, FaultOp, Faults, FileIo};
use headwater_types::{BinaryRow, DataField, DataType, Datum, TypeKind};

use super::{ManifestStore, SchemaStore, SnapshotStore, TagStore};
use crate::{
    CommitKind, DataFileMeta, ErrorKind, FileKind, ManifestEntry, Schema, SchemaChange, Snapshot, TablePaths, Tag,
    WallTime,
};

fn schema(options: &[(&str, &str)]) -> Schema {
    let options: BTreeMap<_, _> =
        [("bucket", "2")].iter().chain(options).map(|(k, v)| ((*k).to_owned(), (*v).to_owned())).collect();
    let field = |name: &str, of: &str| DataField::new(0, name, of.parse::<DataType>().unwrap());
    let fields = vec![field("dt", "STRING"), field("k", "BIGINT"), field("v", "DOUBLE")];
    let keys = |names: &[&str]| names.iter().map(|n| (*n).to_owned()).collect::<Vec<_>>();
    Schema::create(fields, keys(&["dt"]), keys(&["dt", "k"]), options, None, 1_700_000_000_000).unwrap()
}

fn snapshot(id: i64) -> Snapshot {
    Snapshot {
        version: 3,
        uuid: None,
        id,
        schema_id: 0,
        base_manifest_list: "manifest-list-0".to_owned(),
        base_manifest_list_size: None,
        delta_manifest_list: "manifest-list-1".to_owned(),
        delta_manifest_list_size: None,
        changelog_manifest_list: None,
        changelog_manifest_list_size: None,
        index_manifest: None,
        commit_user: "user".to_owned(),
        commit_identifier: id,
        commit_kind: CommitKind::Append,
        time_millis: id * 1000,
        total_record_count: 0,
        delta_record_count: 0,
        changelog_record_count: None,
        watermark: None,
        statistics: None,
        properties: None,
        next_row_id: Some(0),
        operation: None,
    }
}

fn entry(partition: Option<&str>, name: &str) -> ManifestEntry {
    let partition = partition.map(|p| Datum::String(p.to_owned()));
    ManifestEntry {
        kind: FileKind::Add,
        partition: BinaryRow::from_datums(&["STRING".parse().unwrap()], &[partition]).unwrap(),
        bucket: 0,
        total_buckets: 2,
        file: DataFileMeta { file_name: name.to_owned(), row_count: 1, ..DataFileMeta::blank() },
    }
}

#[tokio::test]
async fn the_latest_snapshot_is_found_in_spite_of_hints() {
    let io = FileIo::memory();
    let store = SnapshotStore::new(io.clone(), None);
    assert_eq!(store.latest().await.unwrap(), None);
    for id in 1..=12 {
        store.create(&snapshot(id)).await.unwrap();
    }
    assert_eq!(store.create(&snapshot(12)).await.unwrap_err().kind(), ErrorKind::Exists);
    for (hint, latest) in [(None, 12), (Some("12"), 12), (Some("5"), 12), (Some("nonsense"), 12), (Some("-1"), 12)] {
        if let Some(hint) = hint {
            io.overwrite("snapshot/LATEST", hint.to_owned().into()).await.unwrap();
        }
        assert_eq!(store.latest_id().await.unwrap(), Some(latest), "{hint:?}");
    }
    // A hint beyond the last snapshot, as after a rollback, is not followed into nothing.
    io.overwrite("snapshot/LATEST", "20".into()).await.unwrap();
    assert_eq!(store.latest().await.unwrap().unwrap().id, 12);
    io.overwrite("snapshot/.snapshot-13.7c0d.tmp", "half".into()).await.unwrap();
    io.overwrite("snapshot/snapshot-x", "other".into()).await.unwrap();
    assert_eq!(store.list().await.unwrap(), (1..=12).collect::<Vec<_>>());
}

#[tokio::test]
async fn the_earliest_snapshot_and_times() {
    let io = FileIo::memory();
    let store = SnapshotStore::new(io.clone(), Some("b"));
    for id in 4..=9 {
        store.create(&snapshot(id)).await.unwrap();
    }
    assert!(io.exists("branch/branch-b/snapshot/snapshot-4").await.unwrap());
    store.write_earliest_hint(2).await.unwrap();
    assert_eq!(store.earliest().await.unwrap().unwrap().id, 4);
    let at = async |time| store.at_or_before(time).await.unwrap().map(|s| s.id);
    assert_eq!(at(3999).await, None);
    assert_eq!(at(4000).await, Some(4));
    assert_eq!(at(7500).await, Some(7));
    assert_eq!(at(i64::MAX).await, Some(9));
    assert_eq!(store.get(3).await.unwrap_err().kind(), ErrorKind::NotFound);
}

#[tokio::test]
async fn schemas_and_tags() {
    let io = FileIo::memory();
    let schemas = SchemaStore::new(io.clone(), None);
    assert!(schemas.latest().await.unwrap().is_none());
    let mut schema = schema(&[]);
    schemas.create(&schema).await.unwrap();
    assert_eq!(schemas.create(&schema).await.unwrap_err().kind(), ErrorKind::Exists);
    assert_eq!(*schemas.latest().await.unwrap().unwrap(), schema);
    schema.id = 1;
    io.overwrite("schema/schema-2", schema.to_json().into()).await.unwrap();
    assert_eq!(schemas.get(2).await.unwrap_err().kind(), ErrorKind::Corrupt);

    let tags = TagStore::new(io.clone(), None);
    let tag = Tag {
        snapshot: snapshot(3),
        create_time: Some(WallTime { seconds: 1_704_164_645, nanos: 600_000_000 }),
        time_retained: Some(std::time::Duration::from_secs(86_400)),
    };
    tags.create("daily", &tag).await.unwrap();
    assert_eq!(tags.read("daily").await.unwrap(), tag);
    let text = String::from_utf8(io.read("tag/tag-daily").await.unwrap().to_vec()).unwrap();
    assert!(text.contains("\"tagCreateTime\" : [ 2024, 1, 2, 3, 4, 5, 600000000 ]"), "{text}");
    assert!(text.ends_with("\"tagTimeRetained\" : 86400.000000000\n}"), "{text}");
    assert_eq!(tags.list().await.unwrap(), ["daily"]);
    assert_eq!(tags.get("none").await.unwrap_err().kind(), ErrorKind::NotFound);
}

fn add(name: &str) -> SchemaChange {
    SchemaChange::AddColumn {
        path: vec![name.to_owned()],
        data_type: TypeKind::Int.into(),
        comment: None,
        position: None,
    }
}

#[tokio::test]
async fn changes_at_the_same_time_are_all_applied() {
    let io = FileIo::memory();
    SchemaStore::new(io.clone(), None).create(&schema(&[])).await.unwrap();
    let alter = |n: i64| {
        let schemas = SchemaStore::new(io.clone(), None);
        async move { schemas.alter(&[add(&format!("c{n}"))], n).await }
    };
    let altered = futures::future::join_all((0..20).map(alter)).await;
    let mut ids: Vec<i64> = altered.into_iter().map(|schema| schema.unwrap().id).collect();
    ids.sort_unstable();
    assert_eq!(ids, (1..=20).collect::<Vec<_>>());
    let latest = SchemaStore::new(io.clone(), None).latest().await.unwrap().unwrap();
    assert_eq!((latest.fields.len(), latest.highest_field_id), (23, 22));
    let none = SchemaStore::new(FileIo::memory(), None).alter(&[add("c")], 1).await;
    assert_eq!(none.unwrap_err().kind(), ErrorKind::NotFound);
}

#[tokio::test]
async fn a_change_whose_answer_is_lost_happens_once() {
    for kind in [FaultKind::Before, FaultKind::After, FaultKind::LostAnswer] {
        let io = FileIo::memory();
        SchemaStore::new(io.clone(), None).create(&schema(&[])).await.unwrap();
        let faults = Faults::new();
        faults.add(Fault::new(FaultOp::CreateNew, 1, kind));
        let outcome = SchemaStore::new(io.with_faults(&faults), None).alter(&[add("c")], 9).await;
        let schemas = SchemaStore::new(io, None);
        let done = kind != FaultKind::Before;
        assert_eq!(outcome.is_ok(), done, "{kind:?}");
        assert_eq!(schemas.list().await.unwrap().len(), 1 + usize::from(done), "{kind:?}");
    }
}

#[tokio::test]
async fn manifests_roll_by_size_and_are_described() {
    let io = FileIo::memory();
    let env = Env::deterministic(7);
    let options = [("manifest.target-file-size", "1 kb"), ("manifest.compression", "null")];
    let store = ManifestStore::new(io.clone(), &schema(&options), &env).unwrap();
    let names: Vec<String> = (0..2500).map(|i| format!("data-{i}.parquet")).collect();
    let partitions = [Some("a"), None, Some("c")];
    let entries: Vec<_> = names.iter().zip(partitions.iter().cycle()).map(|(name, p)| entry(*p, name)).collect();
    let mut draft = store.draft();
    let metas = draft.manifests(&entries).unwrap();
    assert_eq!(metas.iter().map(|m| m.num_added_files).collect::<Vec<_>>(), [1000, 1000, 500]);
    let stats = &metas[2].partition_stats;
    let types = ["STRING".parse::<DataType>().unwrap()];
    let text = |t: &str| vec![Some(Datum::String(t.to_owned()))];
    assert_eq!(stats.min_values.to_datums(&types).unwrap(), text("a"));
    assert_eq!(stats.max_values.to_datums(&types).unwrap(), text("c"));
    assert_eq!(stats.null_counts, [Some(166)]);
    assert_eq!((metas[0].min_row_id, metas[0].max_bucket), (None, Some(0)));

    let (list, size) = draft.list(&metas).unwrap();
    assert!(draft.manifests(&[]).unwrap().is_empty());
    assert_eq!(draft.names().len(), 4);
    draft.write().await.unwrap();
    assert_eq!(store.read_list(&list, Some(size)).await.unwrap(), metas);
    assert_eq!(store.read_list(&list, Some(size - 1)).await.unwrap_err().kind(), ErrorKind::Corrupt);
    let mut read = Vec::new();
    for meta in &metas {
        read.extend(store.read_manifest(&meta.file_name, meta.file_size).await.unwrap().iter().cloned());
    }
    assert_eq!(read, entries);
    // Once read, a manifest is served from memory.
    store.delete(&metas[0].file_name).await.unwrap();
    assert!(!io.exists(&TablePaths::manifest(&metas[0].file_name)).await.unwrap());
    store.read_manifest(&metas[0].file_name, metas[0].file_size).await.unwrap();
}

#[test]
fn unusable_manifest_options() {
    let env = Env::deterministic(7);
    for (key, value) in [("manifest.format", "orc"), ("manifest.compression", "xz"), ("manifest.compression", "lz4")] {
        let mut schema = schema(&[]);
        schema.options.insert(key.to_owned(), value.to_owned());
        assert!(ManifestStore::new(FileIo::memory(), &schema, &env).is_err(), "{key}={value}");
    }
}
