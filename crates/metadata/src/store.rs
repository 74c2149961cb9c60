//! Reading and writing the metadata files of one table directory.

mod cache;
mod manifest_draft;
mod manifests;
mod numbered;
mod schemas;
mod snapshots;
mod tags;
#[cfg(test)]
mod tests;

pub use manifest_draft::ManifestDraft;
pub use manifests::ManifestStore;
pub use schemas::SchemaStore;
pub use snapshots::SnapshotStore;
pub use tags::TagStore;

use headwater_io::FileIo;

use crate::Error;

/// Says which file could not be understood.
fn at(io: &FileIo, path: &str) -> impl FnOnce(Error) -> Error {
    let path = io.full_path(path);
    move |error| error.with("path", path)
}
