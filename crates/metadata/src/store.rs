//! Reading and writing the metadata files of one table directory.

mod cache;
mod manifests;
mod numbered;
mod schemas;
mod snapshots;
mod tags;
#[cfg(test)]
mod tests;

pub use manifests::ManifestStore;
pub use schemas::SchemaStore;
pub use snapshots::SnapshotStore;
pub use tags::TagStore;

use crate::Error;

/// Says which file could not be understood.
fn at(path: &str) -> impl Fn(Error) -> Error + '_ {
    move |error| if error.context("path").is_some() { error } else { error.with("path", path) }
}
