//! Files of real tables and files of our own.

#![expect(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::disallowed_methods,
    reason = "a test may fail, and looks at files as they are"
)]

mod fixtures;
mod round_trip;
