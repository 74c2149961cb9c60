//! `cargo xtask bench`: speed and memory, beside other engines on the same data.

use std::path::PathBuf;

use crate::shell::{Outcome, cargo, output, root, run};

/// Installs the peers (once), builds for speed, runs. Words go to the benchmark program (`--only CASE`, `--rows N`,
/// `--runs N`, `--json FILE`).
pub(crate) fn bench(rest: &[&str]) -> Outcome {
    let python = peers()?.display().to_string();
    let dir = cache().join("work").display().to_string();
    let program =
        ["run", "--quiet", "--release", "-p", "headwater-suites", "--bin", "bench", "--", "all", "--python", &python];
    run(&cargo(), &[&program, ["--dir", &dir].as_slice(), rest].concat())
}

/// Where peers and data are kept between runs.
fn cache() -> PathBuf {
    let variable = |name: &str| std::env::var_os(name).filter(|v| !v.is_empty()).map(PathBuf::from);
    variable("HEADWATER_CACHE")
        .or_else(|| variable("XDG_CACHE_HOME").map(|d| d.join("headwater")))
        .or_else(|| variable("HOME").map(|d| d.join(".cache/headwater")))
        .unwrap_or_else(|| root().join("target"))
        .join("bench")
}

/// A Python with the peers of `suites/bench/requirements.txt`.
fn peers() -> Outcome<PathBuf> {
    let venv = cache().join("venv");
    let python = venv.join("bin/python");
    let requirements = root().join("suites/bench/requirements.txt").display().to_string();
    if !python.exists() {
        run("python3", &["-m", "venv", &venv.display().to_string()])
            .map_err(|e| format!("{e}\nthe benchmarks need Python 3.11 or newer with venv for the peers"))?;
    }
    let pip = ["-m", "pip", "install", "--quiet", "--disable-pip-version-check", "-r", &requirements];
    output(&python.display().to_string(), &pip)?;
    Ok(python)
}
