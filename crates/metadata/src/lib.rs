//! The metadata files of Apache Paimon tables: schemas, snapshots, tags, manifests, and where all files lie.
//!
//! Three layers. `model` is what the rest of the program sees. `wire` turns models into the bytes of files and back,
//! exactly as the Java reference 2.0.0 writes them; files of older and other writers are read leniently. `store` (feature
//! `store`, on by default) finds, reads and publishes the files of one table directory.
//!
//! ```text
//! schema/schema-N        ⇄ Schema             SchemaStore
//! snapshot/snapshot-N    ⇄ Snapshot           SnapshotStore     latest · earliest · at a time
//! tag/tag-NAME           ⇄ Tag                TagStore
//! manifest/manifest-list ⇄ ManifestFileMeta   ManifestStore     rolls by size, keeps decoded manifests
//! manifest/manifest      ⇄ ManifestEntry         "              merge_entries folds them
//! manifest/index-manifest⇄ IndexManifestEntry    "
//! bytes between engines  ⇄ CommitMessage
//! ```
//!
//! The crate decides nothing: what a commit, a scan or an expiry does with the files is said above it. It depends on
//! `headwater-types`, and on `headwater-io` only through the feature `store`; it never opens a data file.
//!
//! ```
//! use std::collections::BTreeMap;
//! use headwater_metadata::{Schema, TablePaths};
//! use headwater_types::{BinaryRow, DataField, DataType, Datum};
//!
//! let column = |name: &str, of: &str| Ok::<_, headwater_types::Error>(DataField::new(0, name, of.parse::<DataType>()?));
//! let schema = Schema::create(
//!     vec![column("dt", "STRING")?, column("k", "BIGINT")?, column("v", "DOUBLE")?],
//!     vec!["dt".into()],
//!     vec!["dt".into(), "k".into()],
//!     BTreeMap::from([("bucket".to_owned(), "4".to_owned())]),
//!     None,
//!     1_700_000_000_000,
//! )?;
//! assert_eq!(Schema::from_json(&schema.to_json())?, schema);
//!
//! let day = BinaryRow::from_datums(&schema.partition_types()?, &[Some(Datum::String("2024-01-01".into()))])?;
//! assert_eq!(TablePaths::new(&schema)?.bucket_dir(&day, 3)?, "dt=2024-01-01/bucket-3");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

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
pub use schema::{ColumnPosition, SchemaChange};
#[cfg(feature = "store")]
pub use store::{ManifestDraft, ManifestStore, SchemaStore, SnapshotStore, TagStore};
pub use wire::index_manifest::{decode_index_manifest, encode_index_manifest};
pub use wire::manifest::{decode_manifest, encode_manifest};
pub use wire::manifest_list::{decode_manifest_list, encode_manifest_list};
pub use wire::tag::{consumer_from_json, consumer_to_json};
