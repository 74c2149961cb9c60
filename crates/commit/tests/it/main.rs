//! Commits to tables in memory: races, faults, overwrites.

#![expect(clippy::unwrap_used, reason = "tests stop at the first surprise")]

mod commits;
