//! Paimon tables: scan, read, write, compact.
//!
//! Where the rooms of the workspace meet: manifests come from `metadata`, files from `io` through `format`, merging from
//! `lsm`, snapshots from `commit`. This crate knows no SQL and no catalog protocol.
//!
//! ```text
//! read:  snapshot ─▶ manifests, pruned ─▶ splits ─▶ files under today's schema ─▶ merge by key ─▶ filter ─▶ batches
//! write: batch ─▶ partition, bucket ─▶ sort buffer ─▶ level 0 ─▶ compaction ─▶ CommitMessage ─▶ commit
//! ```

mod commit;
mod compaction;
mod error;
mod handover;
mod read;
mod scan;
mod support;
mod table;
mod write;

pub use commit::TableCommitter;
pub use compaction::CompactReport;
pub use error::{Error, Result};
pub use headwater_types::ErrorKind;
pub use read::ReadBuilder;
pub use scan::{ScanBuilder, ScanFunnel, ScanPlan, Split};
pub use table::Table;
pub use write::TableWriter;

/// A [`TableWriter`] used for many commits.
pub type StreamWriter = TableWriter;
