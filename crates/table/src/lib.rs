//! Paimon tables: scan, read, write, compact.
//!
//! Where the rooms of the workspace meet: manifests come from `metadata`, files from `io` through `format`, merging from
//! `lsm`, snapshots from `commit`. This crate knows no SQL and never names a file format.
//!
//! ```text
//! read:  snapshot ─▶ manifests, pruned ─▶ splits ─▶ files under today's schema ─▶ merge by key ─▶ filter ─▶ batches
//! write: batch ─▶ partition, bucket ─▶ sort buffer ─▶ level 0 ─▶ compaction ─▶ CommitMessage ─▶ commit
//! ```
//!
//! A [`Table`] is a handle on a directory. [`Table::scan`] reads manifests only and says which files are left and why;
//! [`Table::read`] opens them. A [`TableWriter`] makes files and messages; nothing of it is seen before a
//! [`TableCommitter`] has made a snapshot of the messages.
//!
//! # Examples
//! ```
//! use std::sync::Arc;
//!
//! use arrow_array::cast::AsArray as _;
//! use arrow_array::types::{Float64Type, Int64Type};
//! use arrow_array::{Float64Array, Int8Array, Int64Array, RecordBatch};
//! use futures::TryStreamExt as _;
//! use headwater_io::{Env, FileIo};
//! use headwater_metadata::{Schema, SchemaStore};
//! use headwater_table::Table;
//! use headwater_types::{DataField, TypeKind};
//!
//! # let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build()?;
//! # runtime.block_on(async {
//! let (io, env) = (FileIo::memory(), Env::system());
//! let fields = vec![DataField::new(0, "id", TypeKind::BigInt), DataField::new(1, "price", TypeKind::Double)];
//! let options = [("bucket".to_owned(), "1".to_owned())].into();
//! let schema = Schema::create(fields, vec![], vec!["id".to_owned()], options, None, env.now_millis())?;
//! SchemaStore::new(io.clone(), None).create(&schema).await?;
//! let table = Table::open(io, &env).await?;
//!
//! let rows = |ids: Vec<i64>, prices: Vec<f64>| {
//!     let columns: Vec<arrow_array::ArrayRef> = vec![Arc::new(Int64Array::from(ids)), Arc::new(Float64Array::from(prices))];
//!     RecordBatch::try_new(table.arrow_schema(), columns)
//! };
//! let mut writer = table.batch_writer()?;
//! writer.write(rows(vec![1, 2], vec![9.5, 3.0])?).await?;
//! assert_eq!(table.commit_batch(writer.prepare_commit(true).await?).await?, [1]);
//!
//! let mut writer = table.batch_writer()?;
//! writer.write(rows(vec![1], vec![10.0])?).await?; // an update of key 1
//! writer.write_with_kinds(rows(vec![2], vec![0.0])?, Int8Array::from(vec![3])).await?; // -D of key 2
//! assert_eq!(table.commit_batch(writer.prepare_commit(true).await?).await?, [2]);
//!
//! let plan = table.scan().plan().await?;
//! let now: Vec<RecordBatch> = table.read(&plan).all()?.try_collect().await?;
//! assert_eq!(now[0].column(0).as_primitive::<Int64Type>().values(), &[1]);
//! assert_eq!(now[0].column(1).as_primitive::<Float64Type>().values(), &[10.0]);
//!
//! let plan = table.scan().snapshot(1).plan().await?;
//! let before: Vec<RecordBatch> = table.read(&plan).columns(&["price"])?.all()?.try_collect().await?;
//! assert_eq!(before[0].column(0).as_primitive::<Float64Type>().values(), &[9.5, 3.0]);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! # })?;
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod commit;
mod compaction;
mod error;
mod handover;
mod read;
mod row_changes;
mod scan;
mod support;
mod table;
#[cfg(test)]
mod testing;
mod write;

pub use commit::TableCommitter;
pub use compaction::CompactReport;
pub use error::{Error, Result};
pub use headwater_types::ErrorKind;
pub use read::{ROW_FILE, ROW_POSITION, ReadBuilder};
pub use row_changes::{AddressedRows, RowChanges};
pub use scan::{ScanBuilder, ScanFunnel, ScanPlan, Split};
pub use table::Table;
pub use write::TableWriter;

/// A [`TableWriter`] used for many commits.
pub type StreamWriter = TableWriter;
