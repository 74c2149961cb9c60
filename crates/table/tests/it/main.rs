//! Tests of whole tables.

#![expect(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, reason = "tests stop at the first surprise")]

mod fixtures;
