//! Writing, reading back, compacting, overwriting.

use std::collections::BTreeMap;
use std::sync::Arc;

use arrow_array::{ArrayRef, Int32Array, Int64Array, RecordBatch, StringArray};
use futures::TryStreamExt;
use headwater_io::{Env, FileIo};
use headwater_metadata::{CommitKind, FileSource};
use headwater_table::{ErrorKind, Table};
use headwater_types::{DataType, Datum, Leaf, LeafTest, Predicate, TypeKind, arrow_schema};

use crate::support::{all, batch, create, field, fields, get, keyed, kinds, put};

async fn files(table: &Table) -> Vec<headwater_metadata::DataFileMeta> {
    let plan = table.scan().plan().await.unwrap();
    plan.splits.iter().flat_map(|split| split.files.clone()).collect()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_newest_row_of_a_key_is_read_and_a_delete_hides_it() {
    let table = keyed(&[("bucket", "1")]).await;
    put(&table, &[(1, Some(10)), (2, Some(20)), (3, None)]).await;
    let mut writer = table.batch_writer().unwrap();
    writer.write_with_kinds(batch(&[(1, Some(11)), (2, None)]), kinds(&[2, 3])).await.unwrap();
    table.commit_batch(writer.prepare_commit(true).await.unwrap()).await.unwrap();
    assert_eq!(all(&table).await, BTreeMap::from([(1, Some(11)), (3, None)]));
    assert_eq!(get(&table, &table.scan().snapshot(1)).await.len(), 3);
    let error = table.scan().snapshot(7).plan().await.unwrap_err();
    assert_eq!(error.kind(), ErrorKind::NotFound);
    assert!(error.message().contains("1 to 2"), "{error}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn metadata_of_a_flushed_file_is_exact() {
    let table = keyed(&[("bucket", "1")]).await;
    let mut writer = table.batch_writer().unwrap();
    writer
        .write_with_kinds(batch(&[(5, Some(1)), (5, Some(2)), (-3, None), (9, Some(7))]), kinds(&[0, 2, 3, 0]))
        .await
        .unwrap();
    table.commit_batch(writer.prepare_commit(true).await.unwrap()).await.unwrap();
    let files = files(&table).await;
    let [file] = files.as_slice() else { panic!("{} files", files.len()) };
    let key = |k: i32| {
        let types = [DataType::new(TypeKind::Int, false)];
        headwater_types::BinaryRow::from_datums(&types, &[Some(Datum::Int(k))]).unwrap()
    };
    assert_eq!((file.row_count, file.delete_row_count, file.level), (3, Some(1), 0));
    assert_eq!((&file.min_key, &file.max_key), (&key(-3), &key(9)));
    // Row 0 was merged away before it was written.
    assert_eq!((file.min_sequence_number, file.max_sequence_number), (1, 3));
    assert_eq!((file.file_source, file.schema_id, &file.value_stats_cols), (Some(FileSource::Append), 0, &None));
    assert_eq!(file.value_stats.null_counts, vec![Some(0), Some(1), Some(1)]);
    assert!(file.file_name.starts_with("data-") && file.file_name.ends_with("-0.parquet"), "{}", file.file_name);
    let path = format!("bucket-0/{}", file.file_name);
    assert_eq!(table.io().status(&path).await.unwrap().size, u64::try_from(file.file_size).unwrap());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn five_commits_are_compacted_and_sequence_numbers_go_on() {
    let table = keyed(&[("bucket", "1")]).await;
    for round in 0..6 {
        put(&table, &[(round, Some(i64::from(round))), (100, Some(i64::from(round)))]).await;
    }
    let files = files(&table).await;
    assert!(files.iter().any(|file| file.level == 5 && file.file_source == Some(FileSource::Compact)), "{files:?}");
    let newest = table.snapshots().latest().await.unwrap().unwrap();
    let kinds: Vec<CommitKind> = {
        let mut kinds = Vec::new();
        for id in 1..=newest.id {
            kinds.push(table.snapshots().get(id).await.unwrap().commit_kind);
        }
        kinds
    };
    assert!(kinds.contains(&CommitKind::Compact), "{kinds:?}");
    assert_eq!(files.iter().map(|file| file.max_sequence_number).max(), Some(11));
    let rows = all(&table).await;
    assert_eq!((rows.len(), rows[&100]), (7, Some(5)));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn one_streaming_writer_compacts_beside_many_commits() {
    let table = keyed(&[("bucket", "2")]).await;
    let mut writer = table.stream_writer_as("stream").unwrap();
    let committer = table.committer_as("stream").unwrap();
    let mut model = BTreeMap::new();
    for round in 0..40_i64 {
        let rows: Vec<(i32, Option<i64>)> =
            (0..50).map(|i| (i32::try_from((i * 7 + round * 13) % 200).unwrap(), Some(round * 1000 + i))).collect();
        model.extend(rows.iter().copied());
        writer.write(batch(&rows)).await.unwrap();
        let messages = writer.prepare_commit(round % 10 == 9).await.unwrap();
        committer.commit(round + 1, messages, Some(round)).await.unwrap();
    }
    let messages = writer.prepare_commit(true).await.unwrap();
    committer.commit(100, messages, None).await.unwrap();
    writer.close().await.unwrap();
    assert_eq!(all(&table).await, model);
    assert!(committer.last_identifier().await.unwrap().is_some_and(|last| last >= 40));
    assert_eq!(table.committer_as("nobody").unwrap().last_identifier().await.unwrap(), None);
    let per_bucket = table.scan().plan().await.unwrap().funnel.files;
    assert!(per_bucket <= 2 * 8, "{per_bucket} files are left");
    // Every file of the directory is a file of some snapshot: intermediate results were removed.
    let report = table.compact_all(true, &[]).await.unwrap();
    assert!(report.files_before > 0 && report.files_after == 2, "{report:?}");
    let plan = table.scan().plan().await.unwrap();
    assert!(plan.splits.iter().all(|split| split.raw_convertible));
    assert_eq!(all(&table).await, model);
    assert_eq!(table.compact_all(true, &[]).await.unwrap().snapshots, Vec::<i64>::new());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn memory_beyond_the_budget_is_spilled_or_flushed() {
    for (spillable, files_of_one_commit) in [("true", 1), ("false", 2)] {
        let options = [
            ("bucket", "1"),
            ("write-buffer-size", "64kb"),
            ("write-buffer-spillable", spillable),
            ("write-only", "true"),
        ];
        let table = keyed(&options).await;
        let mut writer = table.batch_writer().unwrap();
        let mut model = BTreeMap::new();
        for round in 0..40 {
            let rows: Vec<(i32, Option<i64>)> =
                (0..100).map(|i| ((i * 31 + round * 17) % 900, Some(i64::from(round)))).collect();
            model.extend(rows.iter().copied());
            writer.write(batch(&rows)).await.unwrap();
            assert!(writer.memory_bytes() <= 64 << 10);
        }
        table.commit_batch(writer.prepare_commit(true).await.unwrap()).await.unwrap();
        let count = files(&table).await.len();
        assert!(count >= files_of_one_commit && (count == 1) == (spillable == "true"), "{count} files");
        assert_eq!(all(&table).await, model);
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn files_roll_at_their_target_size() {
    let table = keyed(&[("bucket", "1"), ("target-file-size", "20kb"), ("file.compression", "none")]).await;
    let rows: Vec<(i32, Option<i64>)> = (0..6000).map(|i| (i, Some(i64::from(i) * 7919))).collect();
    put(&table, &rows).await;
    let files = files(&table).await;
    assert!(files.len() > 2, "{} files", files.len());
    assert!(files.iter().all(|file| file.file_size < 120_000));
    assert_eq!(all(&table).await, rows.into_iter().collect());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn thin_files_leave_out_keys_and_read_the_same() {
    let table = keyed(&[("bucket", "1"), ("data-file.thin-mode", "true"), ("metadata.stats-mode", "counts")]).await;
    put(&table, &[(1, Some(1)), (2, Some(2))]).await;
    put(&table, &[(2, Some(3))]).await;
    assert_eq!(all(&table).await, BTreeMap::from([(1, Some(1)), (2, Some(3))]));
    let file = files(&table).await.remove(0);
    let types = [DataType::new(TypeKind::Int, true)];
    assert_eq!(file.key_stats.min_values.to_datums(&types).unwrap(), vec![Some(Datum::Int(1))]);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn bad_rows_are_refused_whole() {
    let table = keyed(&[("bucket", "1")]).await;
    let mut writer = table.batch_writer().unwrap();
    let only_k = RecordBatch::try_from_iter([("v", Arc::new(Int64Array::from(vec![1])) as ArrayRef)]).unwrap();
    let error = writer.write(only_k).await.unwrap_err();
    assert_eq!((error.kind(), error.message()), (ErrorKind::InvalidInput, "Cannot write null to non-null column(k)"));
    let wrong = RecordBatch::try_from_iter([("k", Arc::new(StringArray::from(vec!["x"])) as ArrayRef)]).unwrap();
    assert!(writer.write(wrong).await.unwrap_err().message().contains("cast it"));
    let unknown = RecordBatch::try_from_iter([("zz", Arc::new(Int32Array::from(vec![1])) as ArrayRef)]).unwrap();
    assert_eq!(writer.write(unknown).await.unwrap_err().context("column"), Some("zz"));
    assert!(writer.write_with_kinds(batch(&[(1, None)]), kinds(&[4])).await.is_err());
    writer.write(batch(&[(1, Some(1))])).await.unwrap();
    table.commit_batch(writer.prepare_commit(true).await.unwrap()).await.unwrap();
    assert_eq!(all(&table).await, BTreeMap::from([(1, Some(1))]));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn defaults_row_kinds_and_ignored_deletes() {
    let mut with_default = fields();
    with_default[1].default_value = Some("7".to_owned());
    with_default.push(field(3, "kind", TypeKind::STRING, true));
    let options = [("bucket", "1"), ("rowkind.field", "kind"), ("ignore-delete", "true")];
    let table = create(&FileIo::memory(), &Env::system(), with_default, &[], &["k"], &options).await;
    let mut writer = table.batch_writer().unwrap();
    let rows = RecordBatch::try_from_iter([
        ("k", Arc::new(Int32Array::from(vec![1, 1, 2])) as ArrayRef),
        ("v", Arc::new(Int64Array::from(vec![None, Some(4), Some(5)])) as ArrayRef),
        ("s", Arc::new(StringArray::from(vec!["s7", "s4", "s5"])) as ArrayRef),
        ("kind", Arc::new(StringArray::from(vec!["+I", "-D", "+U"])) as ArrayRef),
    ])
    .unwrap();
    writer.write(rows).await.unwrap();
    table.commit_batch(writer.prepare_commit(true).await.unwrap()).await.unwrap();
    assert_eq!(all(&table).await, BTreeMap::from([(1, Some(7)), (2, Some(5))]));
}

fn equals(column: &str, literal: Datum, kind: TypeKind) -> Predicate {
    Predicate::Leaf(Leaf { column: column.to_owned(), data_type: DataType::from(kind), test: LeafTest::Equal(literal) })
}

async fn partitioned() -> Table {
    let mut columns = vec![field(3, "dt", TypeKind::STRING, false)];
    columns.extend(fields());
    create(&FileIo::memory(), &Env::system(), columns, &["dt"], &["dt", "k"], &[("bucket", "4")]).await
}

fn dated(dt: &str, rows: &[(i32, Option<i64>)]) -> RecordBatch {
    let plain = batch(rows);
    let mut columns = plain.columns().to_vec();
    columns.insert(0, Arc::new(StringArray::from(vec![dt; rows.len()])));
    let mut with_date = vec![field(3, "dt", TypeKind::STRING, false)];
    with_date.extend(fields());
    RecordBatch::try_new(arrow_schema(&with_date), columns).unwrap()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn partitions_buckets_and_statistics_prune() {
    let table = partitioned().await;
    let mut writer = table.batch_writer().unwrap();
    for (dt, offset) in [("a", 0), ("b", 1000)] {
        let rows: Vec<(i32, Option<i64>)> = (0..100).map(|k| (k, Some(i64::from(k + offset)))).collect();
        writer.write(dated(dt, &rows)).await.unwrap();
    }
    table.commit_batch(writer.prepare_commit(true).await.unwrap()).await.unwrap();
    let funnel = table.scan().plan().await.unwrap().funnel;
    assert_eq!((funnel.files, funnel.files_after_values), (8, 8));
    let one = equals("dt", Datum::String("a".into()), TypeKind::STRING).and(equals("k", Datum::Int(42), TypeKind::Int));
    let plan = table.scan().filter(one.clone()).plan().await.unwrap();
    assert_eq!((plan.funnel.files_after_partition, plan.funnel.files_after_bucket), (4, 1), "{}", plan.funnel);
    let read = table.read(&plan).columns(&["v"]).unwrap().filter(one);
    let rows: Vec<RecordBatch> = read.all().unwrap().try_collect().await.unwrap();
    assert_eq!(rows.iter().map(RecordBatch::num_rows).sum::<usize>(), 1);
    assert_eq!(rows[0].num_columns(), 1);
    let none = table.scan().filter(equals("v", Datum::BigInt(-5), TypeKind::BigInt)).plan().await.unwrap();
    assert!(none.splits.is_empty(), "{}", none.funnel);
    let counted = table.read(&table.scan().plan().await.unwrap()).columns(&[] as &[&str]).unwrap();
    let rows: Vec<RecordBatch> = counted.all().unwrap().try_collect().await.unwrap();
    assert_eq!(rows.iter().map(RecordBatch::num_rows).sum::<usize>(), 200);
    let limited = table.read(&table.scan().plan().await.unwrap()).limit(7);
    let rows: Vec<RecordBatch> = limited.all().unwrap().try_collect().await.unwrap();
    assert_eq!(rows.iter().map(RecordBatch::num_rows).sum::<usize>(), 7);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn overwrites_replace_partitions() {
    let table = partitioned().await;
    let mut writer = table.batch_writer().unwrap();
    writer.write(dated("a", &[(1, Some(1)), (2, Some(2))])).await.unwrap();
    writer.write(dated("b", &[(3, Some(3))])).await.unwrap();
    table.commit_batch(writer.prepare_commit(true).await.unwrap()).await.unwrap();
    let mut writer = table.overwrite_writer().unwrap();
    writer.write(dated("a", &[(9, Some(9))])).await.unwrap();
    table.overwrite_batch(&BTreeMap::new(), writer.prepare_commit(true).await.unwrap()).await.unwrap();
    assert_eq!(all(&table).await, BTreeMap::from([(3, Some(3)), (9, Some(9))]));
    let replaced = files(&table).await.into_iter().find(|file| file.level == 5);
    assert_eq!(replaced.map(|file| file.min_sequence_number), Some(0));
    let b = BTreeMap::from([("dt".to_owned(), "b".to_owned())]);
    table.drop_partitions(&[b]).await.unwrap();
    assert_eq!(all(&table).await, BTreeMap::from([(9, Some(9))]));
    table.truncate().await.unwrap();
    assert!(all(&table).await.is_empty());
    put_dated(&table).await;
    assert_eq!(all(&table).await.len(), 1);
}

async fn put_dated(table: &Table) {
    let mut writer = table.batch_writer().unwrap();
    writer.write(dated("c", &[(1, None)])).await.unwrap();
    table.commit_batch(writer.prepare_commit(true).await.unwrap()).await.unwrap();
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn append_tables_keep_every_row_in_order() {
    let table = create(&FileIo::memory(), &Env::system(), fields(), &[], &[], &[]).await;
    for round in 0..3 {
        let rows: Vec<(i32, Option<i64>)> = (0..10).map(|i| (round * 10 + i, Some(1))).collect();
        put(&table, &rows).await;
    }
    let found = all(&table).await;
    assert_eq!(found.len(), 30);
    let files = files(&table).await;
    assert!(files.iter().all(|f| f.min_sequence_number == 0 && f.max_sequence_number == 9 && f.min_key.arity() == 0));
    let mut writer = table.batch_writer().unwrap();
    assert!(writer.write_with_kinds(batch(&[(1, None)]), kinds(&[3])).await.is_err());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn write_only_writers_leave_compaction_to_others() {
    let table = keyed(&[("bucket", "1"), ("write-only", "true")]).await;
    for round in 0..8 {
        assert_eq!(put(&table, &[(1, Some(round))]).await.len(), 1);
    }
    assert_eq!(files(&table).await.len(), 8);
    let report = table.compact_all(false, &[]).await.unwrap();
    assert_eq!((report.files_before, report.files_after, report.buckets), (8, 1, 1), "{report:?}");
    assert_eq!(all(&table).await, BTreeMap::from([(1, Some(7))]));
}
