//! Tests of whole tables.
#![expect(
    clippy::unwrap_used,
    clippy::disallowed_methods,
    reason = "tests fail by panicking, and look at files as they are"
)]

mod concurrent;
mod faults;
mod fixtures;
mod model;
mod support;
mod writing;
