//! The binary as a user runs it.
#![cfg_attr(test, expect(clippy::unwrap_used, clippy::panic, reason = "a set-up that fails should fail its test"))]

mod bad_input;
mod damage;
mod fixtures;
mod ingest;
mod processes;
mod quickstart;
mod sql;
mod tools;
mod world;
