//! Commits to tables in memory: races, faults, overwrites.

#![expect(clippy::unwrap_used, clippy::panic, reason = "tests stop at the first surprise")]

mod commits;
