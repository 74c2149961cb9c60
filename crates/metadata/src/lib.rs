//! Schema, snapshot and manifest files of Apache Paimon tables.

mod avro;
mod error;
mod manifest_meta;
mod merge_entries;
mod model;
mod paths;
mod schema;
#[cfg(feature = "store")]
mod store;
mod wire;

pub use avro::ManifestCompression;
pub use error::{Error, Result};
pub use headwater_types::ErrorKind;
pub use merge_entries::merge_entries;
pub use model::{
    CommitKind, CommitMessage, CompactIncrement, DataFileMeta, DataIncrement, DeletionVectorMeta, FileIdentifier,
    FileKind, FileSource, GlobalIndexMeta, IndexFileMeta, IndexManifestEntry, ManifestCommittable, ManifestEntry,
    ManifestFileMeta, Schema, SimpleStats, Snapshot, Tag, WallTime,
};
pub use paths::TablePaths;
#[cfg(feature = "store")]
pub use store::{ManifestStore, SchemaStore, SnapshotStore, TagStore};
pub use wire::index_manifest::{decode_index_manifest, encode_index_manifest};
pub use wire::manifest::{decode_manifest, encode_manifest};
pub use wire::manifest_list::{decode_manifest_list, encode_manifest_list};
pub use wire::tag::{consumer_from_json, consumer_to_json};
