//! Every store keeps the same rules.

mod conformance;
mod s3;
