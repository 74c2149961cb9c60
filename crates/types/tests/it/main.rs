//! The crate against files that the reference wrote.

mod schemas;
