//! What the manual says of the crates below.

mod compatibility;
