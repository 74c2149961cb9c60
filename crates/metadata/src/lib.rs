//! Schema, snapshot and manifest files of Apache Paimon tables.

mod error;
mod model;

pub use error::{Error, Result};
pub use headwater_types::ErrorKind;
pub use model::{
    CommitKind, CommitMessage, CompactIncrement, DataFileMeta, DataIncrement, DeletionVectorMeta, FileIdentifier,
    FileKind, FileSource, GlobalIndexMeta, IndexFileMeta, IndexManifestEntry, ManifestCommittable, ManifestEntry,
    ManifestFileMeta, Schema, SimpleStats, Snapshot,
};
