//! The crate against files of the Java reference and of pypaimon, and against damage.
#![expect(
    clippy::disallowed_methods,
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a test reads the checkout and fails by panicking"
)]

mod bench;
mod container;
mod damage;
mod fixtures;
mod json;
mod manifests;
mod properties;
