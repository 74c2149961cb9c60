//! Every store keeps the same rules.

#![cfg_attr(
    test,
    expect(
        clippy::unwrap_used,
        clippy::expect_used,
        clippy::panic,
        reason = "a set-up that fails should fail its test"
    )
)]

mod conformance;
mod s3;
