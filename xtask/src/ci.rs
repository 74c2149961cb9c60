//! `cargo xtask test` and `cargo xtask ci`.

use crate::shell::{Outcome, cargo, run, run_with};
use crate::{deny, graph};

/// Every test of the workspace. Further words go to `cargo test` (a filter, `-- --nocapture`, …).
pub(crate) fn test(rest: &[&str]) -> Outcome {
    let mut arguments = vec!["test", "--workspace", "--no-fail-fast"];
    arguments.extend_from_slice(rest);
    run(&cargo(), &arguments)
}

/// Everything that has to hold before a change lands.
pub(crate) fn ci(rest: &[&str]) -> Outcome {
    let cargo = cargo();
    run(&cargo, &["fmt", "--all", "--check"])?;
    graph::check()?;
    deny::check()?;
    run(&cargo, &["clippy", "--workspace", "--all-targets", "--", "-D", "warnings"])?;
    run_with(
        &cargo,
        &["doc", "--workspace", "--no-deps", "--document-private-items"],
        &[("RUSTDOCFLAGS", "-D warnings")],
    )?;
    if rest.contains(&"--no-tests") { Ok(()) } else { test(&[]) }
}
