//! Files of real tables and files of our own.

#![expect(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, reason = "a test may fail")]

mod fixtures;
mod round_trip;
