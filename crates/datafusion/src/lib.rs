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

mod call;
mod catalog;
mod describe;
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
