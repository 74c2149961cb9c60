//! Headwater: streaming lakehouse tables in the Apache Paimon format, in Rust. All crates under one name.
//!
//! This crate re-exports and holds no code of its own. Every crate of the workspace is a module under its short name;
//! the nouns most programs need are at the root. It may depend on every library crate, and nothing depends on it.
//! Rows are Arrow batches: depend on `arrow-array` of the same major version to make and read them.
//!
//! ```text
//! FilesystemCatalog ─▶ TableLocation ─▶ Table ─┬─ scan ─▶ read ─▶ batches
//!        ▲                                     └─ TableWriter ─▶ messages ─▶ TableCommitter ─▶ snapshot-N
//!        └── SqlSession (feature `sql`, on by default)
//! ```
//!
//! # Examples
//! A keyed table, upserts, the rows of now and of an earlier snapshot, SQL over it.
//! ```
//! use std::sync::Arc;
//!
//! use arrow_array::cast::AsArray as _;
//! use arrow_array::types::Int64Type;
//! use arrow_array::{ArrayRef, Int64Array, RecordBatch, StringArray};
//! use futures::TryStreamExt as _;
//! use headwater::{Catalog as _, DataField, Env, FileIo, FilesystemCatalog, Identifier, NewTable, Table, TypeKind};
//!
//! # let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build()?;
//! # runtime.block_on(async {
//! let env = Env::system();
//! let catalog = FilesystemCatalog::new(FileIo::memory(), &env); // open("/data/warehouse", …) for a directory
//! let users = Identifier::new("shop", "users");
//! let definition = NewTable {
//!     fields: vec![DataField::new(0, "name", TypeKind::STRING), DataField::new(1, "visits", TypeKind::BigInt)],
//!     primary_keys: vec!["name".to_owned()],
//!     options: [("bucket".to_owned(), "1".to_owned())].into(),
//!     ..NewTable::default()
//! };
//! catalog.create_database("shop", false).await?;
//! catalog.create_table(&users, definition, false).await?;
//! let table = Table::from_location(catalog.get_table(&users).await?, &env)?;
//!
//! // Two commits of one job: the second updates `ann` and adds `cid`.
//! let mut writer = table.stream_writer_as("counter")?;
//! let committer = table.committer_as("counter")?;
//! for (identifier, names, visits) in [(1, ["ann", "bob"], [1, 5]), (2, ["ann", "cid"], [2, 7])] {
//!     let columns: Vec<ArrayRef> =
//!         vec![Arc::new(StringArray::from(names.to_vec())), Arc::new(Int64Array::from(visits.to_vec()))];
//!     writer.write(RecordBatch::try_new(table.arrow_schema(), columns)?).await?;
//!     let messages = writer.prepare_commit(false).await?;
//!     assert_eq!(committer.commit(identifier, messages, None).await?, [identifier]); // snapshot 1, snapshot 2
//! }
//! writer.close().await?;
//!
//! let mut visits = Vec::new();
//! for scan in [table.scan(), table.scan().snapshot(1)] {
//!     let plan = scan.plan().await?;
//!     let batches: Vec<RecordBatch> = table.read(&plan).columns(&["visits"])?.all()?.try_collect().await?;
//!     let column = |batch: &RecordBatch| batch.column(0).as_primitive::<Int64Type>().values().to_vec();
//!     visits.push(batches.iter().flat_map(column).collect::<Vec<i64>>());
//! }
//! assert_eq!(visits, [vec![2, 5, 7], vec![1, 5]]); // ann, bob, cid now; ann, bob at snapshot 1
//!
//! # #[cfg(feature = "sql")]
//! # {
//! use headwater::{SessionOptions, SqlSession, StatementResult};
//!
//! let sql = SqlSession::new(Arc::new(catalog), env, SessionOptions::default())?;
//! let mut results = sql
//!     .execute(
//!         "SELECT u.name, u.visits - b.visits AS more
//!          FROM shop.users AS u JOIN shop.users FOR VERSION AS OF 1 AS b ON u.name = b.name
//!          WHERE u.visits > b.visits",
//!     )
//!     .await?;
//! let Some(StatementResult::Rows(rows, _schema)) = results.pop() else { panic!("a query gives rows") };
//! let rows: Vec<RecordBatch> = rows.try_collect().await?;
//! assert_eq!(rows.iter().map(RecordBatch::num_rows).sum::<usize>(), 1); // ann, by 1
//! # }
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! # })?;
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

#[doc(no_inline)]
pub use headwater_catalog as catalog;
#[doc(no_inline)]
pub use headwater_commit as commit;
#[cfg(feature = "sql")]
#[doc(no_inline)]
pub use headwater_datafusion as sql;
#[doc(no_inline)]
pub use headwater_format as format;
#[doc(no_inline)]
pub use headwater_index as index;
#[doc(no_inline)]
pub use headwater_io as io;
#[doc(no_inline)]
pub use headwater_lsm as lsm;
#[doc(no_inline)]
pub use headwater_metadata as metadata;
#[doc(no_inline)]
pub use headwater_table as table;
#[doc(no_inline)]
pub use headwater_types as types;

pub use headwater_catalog::{Catalog, FilesystemCatalog, Identifier, NewTable};
#[cfg(feature = "sql")]
pub use headwater_datafusion::{SessionOptions, SqlSession, StatementResult};
pub use headwater_io::{Env, FileIo};
pub use headwater_metadata::Schema;
pub use headwater_table::{ReadBuilder, ScanBuilder, ScanPlan, Table, TableCommitter, TableWriter};
pub use headwater_types::{DataField, DataType, ErrorKind, Predicate, RowKind, TypeKind};
