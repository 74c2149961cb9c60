//! The suites, one binary.
#![expect(clippy::unwrap_used, reason = "tests fail by panicking and report by printing")]

mod catalogue;
mod fixtures;
mod scenarios;
