//! Tables in memory and their rows.

use std::collections::BTreeMap;
use std::sync::Arc;

use arrow_array::cast::AsArray;
use arrow_array::types::{Int32Type, Int64Type};
use arrow_array::{ArrayRef, Int8Array, Int32Array, Int64Array, RecordBatch, StringArray};
use futures::TryStreamExt;
use headwater_io::{Env, FileIo};
use headwater_metadata::{Schema, SchemaStore};
use headwater_table::{ScanBuilder, Table};
use headwater_types::{DataField, DataType, TypeKind, arrow_schema};

pub(crate) fn field(id: i32, name: &str, kind: TypeKind, nullable: bool) -> DataField {
    DataField::new(id, name, DataType::new(kind, nullable))
}

/// `k INT NOT NULL, v BIGINT, s STRING`, primary key `k`.
pub(crate) fn fields() -> Vec<DataField> {
    vec![
        field(0, "k", TypeKind::Int, false),
        field(1, "v", TypeKind::BigInt, true),
        field(2, "s", TypeKind::STRING, true),
    ]
}

pub(crate) fn options(pairs: &[(&str, &str)]) -> BTreeMap<String, String> {
    pairs.iter().map(|(k, v)| ((*k).to_owned(), (*v).to_owned())).collect()
}

pub(crate) async fn create(
    io: &FileIo,
    env: &Env,
    fields: Vec<DataField>,
    partitions: &[&str],
    keys: &[&str],
    pairs: &[(&str, &str)],
) -> Table {
    let names = |names: &[&str]| names.iter().map(|name| (*name).to_owned()).collect::<Vec<_>>();
    let schema = Schema::create(fields, names(partitions), names(keys), options(pairs), None, 0).unwrap();
    SchemaStore::new(io.clone(), None).create(&schema).await.unwrap();
    Table::open(io.clone(), env).await.unwrap()
}

/// A table of [`fields`] with primary key `k`.
pub(crate) async fn keyed(pairs: &[(&str, &str)]) -> Table {
    create(&FileIo::memory(), &Env::system(), fields(), &[], &["k"], pairs).await
}

/// Rows of [`fields`]; `s` is `"s"` and the value.
pub(crate) fn batch(rows: &[(i32, Option<i64>)]) -> RecordBatch {
    let columns: Vec<ArrayRef> = vec![
        Arc::new(Int32Array::from_iter_values(rows.iter().map(|row| row.0))),
        Arc::new(Int64Array::from_iter(rows.iter().map(|row| row.1))),
        Arc::new(StringArray::from_iter(rows.iter().map(|row| row.1.map(|v| format!("s{v}"))))),
    ];
    RecordBatch::try_new(arrow_schema(&fields()), columns).unwrap()
}

pub(crate) fn kinds(kinds: &[i8]) -> Int8Array {
    Int8Array::from(kinds.to_vec())
}

/// Writes one batch and commits it.
pub(crate) async fn put(table: &Table, rows: &[(i32, Option<i64>)]) -> Vec<i64> {
    let mut writer = table.batch_writer().unwrap();
    writer.write(batch(rows)).await.unwrap();
    let messages = writer.prepare_commit(true).await.unwrap();
    let snapshots = table.commit_batch(messages).await.unwrap();
    writer.close().await.unwrap();
    snapshots
}

/// Key to value of the scan; checks that `s` belongs to `v`, and that no key comes twice.
pub(crate) async fn get(table: &Table, scan: &ScanBuilder) -> BTreeMap<i32, Option<i64>> {
    let plan = scan.plan().await.unwrap();
    let batches: Vec<RecordBatch> = table.read(&plan).all().unwrap().try_collect().await.unwrap();
    let mut rows = BTreeMap::new();
    for batch in batches {
        let k = batch.column_by_name("k").unwrap().as_primitive::<Int32Type>();
        let v = batch.column_by_name("v").unwrap().as_primitive::<Int64Type>();
        let s = batch.column_by_name("s").unwrap().as_string::<i32>();
        for ((k, v), s) in k.iter().zip(v).zip(s) {
            assert_eq!(v.map(|v| format!("s{v}")).as_deref(), s, "columns of a row were torn apart");
            assert_eq!(rows.insert(k.unwrap(), v), None, "a key came twice");
        }
    }
    rows
}

pub(crate) async fn all(table: &Table) -> BTreeMap<i32, Option<i64>> {
    get(table, &table.scan()).await
}
