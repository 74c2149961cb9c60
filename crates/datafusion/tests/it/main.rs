//! SQL over tables in memory, statement by statement.
#![expect(clippy::unwrap_used, clippy::panic, reason = "tests fail by panicking")]

mod alter;
mod ddl;
mod dml;
mod insert;
mod procedures;
mod push_down;
mod refusals;
mod show;
mod system_tables;
mod time_travel;
mod world;
