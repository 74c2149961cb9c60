//! What the rest of the program sees of the metadata files.

mod commit_message;
mod data_file_meta;
mod index_file;
mod manifest;
mod schema;
mod snapshot;
mod tag;

pub use commit_message::{CommitMessage, CompactIncrement, DataIncrement, ManifestCommittable};
pub use data_file_meta::{DataFileMeta, FileSource, SimpleStats};
pub use index_file::{DeletionVectorMeta, GlobalIndexMeta, IndexFileMeta, IndexManifestEntry};
pub use manifest::{FileIdentifier, FileKind, ManifestEntry, ManifestFileMeta};
pub use schema::Schema;
pub use snapshot::{CommitKind, Snapshot};
pub use tag::{Tag, WallTime};
