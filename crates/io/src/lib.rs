//! Files for Headwater: stores that never overwrite, ranged reads, and the [`Env`] that carries every effect.
//!
//! A [`FileIo`] is rooted at one directory of a local disk, of memory or of S3, and speaks in paths relative to it.
//! [`FileIo::create_new`] is the one operation the table format's safety rests on: of all processes that create the
//! same file, exactly one succeeds, nothing is ever overwritten, and on a local disk the file is durable before the
//! call returns.
//!
//! This crate knows nothing of tables, types or Arrow, and depends on no other crate of the workspace. In return no
//! other crate touches `std::fs`, the clock, random numbers, environment variables or `spawn`.
//!
//! ```text
//! location + options ──▶ FileIo ──▶ Store (local · memory · s3 · yours)
//!                           ├─ read, read_range(s), status, list…      Bytes
//!                           ├─ create_new, write_durable, overwrite    whole files
//!                           └─ create ──▶ FileWriter                    streamed files
//! Env ──▶ clock · ids · randomness · variables · spawn · SpillDir
//! ```
//!
//! ```
//! use headwater_io::{ErrorKind, FileIo};
//!
//! # let runtime = tokio::runtime::Builder::new_current_thread().build()?;
//! # runtime.block_on(async {
//! let io = FileIo::memory();
//! io.create_new("snapshot/snapshot-1", "first".into()).await?;
//! let second = io.create_new("snapshot/snapshot-1", "second".into()).await;
//! assert_eq!(second.unwrap_err().kind(), ErrorKind::Exists);
//! assert_eq!(io.read("snapshot/snapshot-1").await?, "first");
//! assert_eq!(io.list("snapshot").await?.len(), 1);
//! # Ok::<(), headwater_io::Error>(())
//! # })?;
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod cached_reads;
#[cfg(feature = "testing")]
mod conformance;
mod env;
mod error;
#[cfg(feature = "testing")]
mod fault_store;
mod file_io;
mod file_writer;
mod local;
mod location;
mod object;
mod spill;
mod store;

pub use cached_reads::CachedReads;
#[cfg(feature = "testing")]
pub use conformance::store_conformance;
pub use env::Env;
pub use error::{BoxError, Error, ErrorKind, ErrorParts, Result};
#[cfg(feature = "testing")]
pub use fault_store::{Fault, FaultKind, FaultOp, FaultStore, Faults};
pub use file_io::FileIo;
pub use file_writer::FileWriter;
pub use spill::{SpillDir, SpillFile, SpillReader};
pub use store::{FileStatus, PutMode, Sink, Store};
