//! Tables about a table: `t$snapshots`, `t$schemas`, `t$options`, `t$files`.

use std::sync::Arc;

use datafusion::arrow::array::{ArrayRef, Int32Array, Int64Array, RecordBatch, StringArray, TimestampMillisecondArray};
use datafusion::catalog::TableProvider;
use datafusion::datasource::MemTable;
use headwater_table::Table;

use crate::{Error, ErrorKind, Result};

/// A system table, filled now.
pub(crate) async fn open(table: &Table, name: &str) -> Result<Arc<dyn TableProvider>> {
    let batch = match name {
        "snapshots" => snapshots(table).await?,
        "schemas" => schemas(table).await?,
        "options" => options(table)?,
        "files" => files(table).await?,
        other => {
            let message = format!("system table '${other}'; $snapshots, $schemas, $options and $files exist");
            return Err(Error::new(ErrorKind::Unsupported, message));
        }
    };
    Ok(Arc::new(MemTable::try_new(batch.schema(), vec![vec![batch]])?))
}

fn batch(columns: Vec<(&str, ArrayRef)>) -> Result<RecordBatch> {
    RecordBatch::try_from_iter_with_nullable(columns.into_iter().map(|(name, array)| (name, array, true)))
        .map_err(Error::from_arrow)
}

fn texts(values: impl Iterator<Item = Option<String>>) -> ArrayRef {
    Arc::new(values.collect::<StringArray>())
}

fn longs(values: impl Iterator<Item = Option<i64>>) -> ArrayRef {
    Arc::new(values.collect::<Int64Array>())
}

fn times(values: impl Iterator<Item = i64>) -> ArrayRef {
    Arc::new(TimestampMillisecondArray::from_iter_values(values))
}

async fn snapshots(table: &Table) -> Result<RecordBatch> {
    let store = table.snapshots();
    let mut all = Vec::new();
    for id in store.list().await? {
        match store.get(id).await {
            Ok(snapshot) => all.push(snapshot),
            // It expired since the listing.
            Err(e) if e.kind() == ErrorKind::NotFound => {}
            Err(e) => return Err(e.into()),
        }
    }
    let rows = || all.iter();
    batch(vec![
        ("snapshot_id", longs(rows().map(|s| Some(s.id)))),
        ("schema_id", longs(rows().map(|s| Some(s.schema_id)))),
        ("commit_user", texts(rows().map(|s| Some(s.commit_user.clone())))),
        ("commit_identifier", longs(rows().map(|s| Some(s.commit_identifier)))),
        ("commit_kind", texts(rows().map(|s| Some(s.commit_kind.as_str().to_owned())))),
        ("commit_time", times(rows().map(|s| s.time_millis))),
        ("base_manifest_list", texts(rows().map(|s| Some(s.base_manifest_list.clone())))),
        ("delta_manifest_list", texts(rows().map(|s| Some(s.delta_manifest_list.clone())))),
        ("changelog_manifest_list", texts(rows().map(|s| s.changelog_manifest_list.clone()))),
        ("total_record_count", longs(rows().map(|s| Some(s.total_record_count)))),
        ("delta_record_count", longs(rows().map(|s| Some(s.delta_record_count)))),
        ("changelog_record_count", longs(rows().map(|s| s.changelog_record_count))),
        ("watermark", longs(rows().map(|s| s.watermark))),
    ])
}

async fn schemas(table: &Table) -> Result<RecordBatch> {
    let mut all = Vec::new();
    for id in table.schemas().list().await? {
        all.push(table.schemas().get(id).await?);
    }
    let rows = || all.iter();
    let list = |names: &[String]| Some(serde_list(names));
    batch(vec![
        ("schema_id", longs(rows().map(|s| Some(s.id)))),
        (
            "fields",
            texts(rows().map(|s| {
                Some(s.fields.iter().map(|f| format!("{} {}", f.name, f.data_type)).collect::<Vec<_>>().join(", "))
            })),
        ),
        ("partition_keys", texts(rows().map(|s| list(&s.partition_keys)))),
        ("primary_keys", texts(rows().map(|s| list(&s.primary_keys)))),
        (
            "options",
            texts(
                rows().map(|s| Some(s.options.iter().map(|(k, v)| format!("{k}={v}")).collect::<Vec<_>>().join(", "))),
            ),
        ),
        ("comment", texts(rows().map(|s| s.comment.clone()))),
        ("update_time", times(rows().map(|s| s.time_millis))),
    ])
}

fn serde_list(names: &[String]) -> String {
    format!("[{}]", names.join(", "))
}

fn options(table: &Table) -> Result<RecordBatch> {
    let rows = || table.schema().options.iter();
    batch(vec![
        ("key", texts(rows().map(|(k, _)| Some(k.clone())))),
        ("value", texts(rows().map(|(_, v)| Some(v.clone())))),
    ])
}

async fn files(table: &Table) -> Result<RecordBatch> {
    let plan = table.scan().plan().await?;
    let paths = table.paths()?;
    let mut rows = Vec::new();
    for split in &plan.splits {
        let partition = paths.partition_dir(&split.partition)?;
        rows.extend(split.files.iter().map(|file| (partition.clone(), split.bucket, file)));
    }
    let rows = || rows.iter();
    batch(vec![
        ("partition", texts(rows().map(|(p, ..)| Some(p.clone())))),
        ("bucket", Arc::new(Int32Array::from_iter_values(rows().map(|(_, b, _)| *b)))),
        ("file_name", texts(rows().map(|(.., f)| Some(f.file_name.clone())))),
        ("level", Arc::new(Int32Array::from_iter_values(rows().map(|(.., f)| f.level)))),
        ("record_count", longs(rows().map(|(.., f)| Some(f.row_count)))),
        ("file_size_in_bytes", longs(rows().map(|(.., f)| Some(f.file_size)))),
        ("schema_id", longs(rows().map(|(.., f)| Some(f.schema_id)))),
        ("min_sequence_number", longs(rows().map(|(.., f)| Some(f.min_sequence_number)))),
        ("max_sequence_number", longs(rows().map(|(.., f)| Some(f.max_sequence_number)))),
        ("delete_row_count", longs(rows().map(|(.., f)| f.delete_row_count))),
    ])
}
