//! `cargo xtask interop`: the Java reference judges what we read and write.

mod java;

use crate::shell::{Outcome, cargo, run};

/// Sets the reference up (once), then lets it judge: fixtures, then all scenarios. Further words go to the judge
/// (`--only TEXT`, `--record`).
pub(crate) fn interop(rest: &[&str]) -> Outcome {
    let class_path = java::set_up()?;
    let judge = ["run", "--quiet", "-p", "headwater-suites", "--bin", "interop", "--", "--class-path", &class_path];
    run(&cargo(), &[&judge, rest].concat())
}
