//! The files as they lie on disk, apart from the models: JSON key by key, Avro field by field.
//!
//! Policy on what is not known: JSON keys and Avro fields that Headwater does not know are skipped, keys and fields that
//! are missing read as "absent"; a value that changes the meaning of what is known (a new `commitKind`, a manifest
//! `_VERSION`) is an error.

mod commit_message;
pub(crate) mod index_manifest;
mod json;
pub(crate) mod manifest;
pub(crate) mod manifest_list;
mod schema;
mod snapshot;
pub(crate) mod tag;
