//! The headwater command.
mod args;
mod error;
mod ingest;
mod output;
mod where_clause;
fn main() {}
