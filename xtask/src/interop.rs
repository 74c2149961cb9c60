//! `cargo xtask interop`: the Java reference judges what we read and write.

mod java;

use crate::shell::{Outcome, cargo, run};

/// Sets the reference up (once), then lets it judge: fixtures, then all scenarios. Further words go to the judge
/// (`--only TEXT`, `--record`).
pub(crate) fn interop(rest: &[&str]) -> Outcome {
    judge("interop", rest)
}

/// Sets the reference up (once), then plays random histories on both engines (`--seed S`, `--ops N`, `--seconds T`).
pub(crate) fn differential(rest: &[&str]) -> Outcome {
    judge("differential", rest)
}

fn judge(program: &str, rest: &[&str]) -> Outcome {
    let class_path = java::set_up()?;
    let judge = ["run", "--quiet", "-p", "headwater-suites", "--bin", program, "--", "--class-path", &class_path];
    run(&cargo(), &[&judge, rest].concat())
}
