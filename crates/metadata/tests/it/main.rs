//! The crate against files of the Java reference and of pypaimon, and against damage.
#![expect(clippy::disallowed_methods, reason = "the test data is read from the checkout")]

mod bench;
mod container;
mod damage;
mod fixtures;
mod json;
mod manifests;
