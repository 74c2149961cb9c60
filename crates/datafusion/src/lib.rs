//! SQL over Headwater tables through DataFusion.
//!
//! Statements that DataFusion does not know (`CREATE TABLE … WITH`, `INSERT OVERWRITE … PARTITION`, `CALL sys.…`) are
//! read here; queries go to DataFusion over table providers. Nothing else of the workspace may name DataFusion, and
//! this crate knows nothing of file formats.
//!
//! ```text
//! script ─▶ split ─▶ statement ─┬▶ catalog, writer, committer   (DDL, INSERT, CALL)
//!                               └▶ time travel into names ─▶ DataFusion ─▶ provider ─▶ splits ─▶ batches
//! ```
//!
//! # Examples
//! ```
//! use std::sync::Arc;
//!
//! use arrow_array::cast::AsArray as _;
//! use arrow_array::types::Float64Type;
//! use futures::TryStreamExt as _;
//! use headwater_catalog::FilesystemCatalog;
//! use headwater_datafusion::{SessionOptions, SqlSession, StatementResult};
//! use headwater_io::{Env, FileIo};
//!
//! # let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build()?;
//! # runtime.block_on(async {
//! let env = Env::system();
//! let catalog = Arc::new(FilesystemCatalog::new(FileIo::memory(), &env));
//! let sql = SqlSession::new(catalog, env, SessionOptions::default())?;
//! sql.execute(
//!     "CREATE DATABASE shop;
//!      USE shop;
//!      CREATE TABLE orders (id BIGINT, price DOUBLE, PRIMARY KEY (id) NOT ENFORCED) WITH ('bucket' = '1');
//!      INSERT INTO orders VALUES (1, 9.5), (2, 3.0);
//!      INSERT INTO orders VALUES (1, 10.0)",
//! )
//! .await?;
//!
//! for (query, total) in [
//!     ("SELECT sum(price) FROM orders", 13.0),
//!     ("SELECT sum(price) FROM orders FOR VERSION AS OF 1", 12.5),
//! ] {
//!     let mut results = sql.execute(query).await?;
//!     let Some(StatementResult::Rows(batches, _schema)) = results.pop() else { panic!("a query gives rows") };
//!     let batches: Vec<_> = batches.try_collect().await?;
//!     assert_eq!(batches[0].column(0).as_primitive::<Float64Type>().value(0), total);
//! }
//! # Ok::<(), headwater_datafusion::Error>(())
//! # })?;
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod alter;
mod call;
mod catalog;
mod describe;
mod dml;
mod error;
mod filter;
mod insert;
mod provider;
mod session;
mod statement;
mod system_table;

pub use error::{Error, Result};
pub use headwater_types::ErrorKind;
pub use session::{SessionOptions, SqlSession, StatementResult};
