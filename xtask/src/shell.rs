//! Spawning programs from the workspace root.

use std::path::PathBuf;
use std::process::Command;

/// What every command returns: a message for a person on failure.
pub(crate) type Outcome<T = ()> = Result<T, String>;

/// The workspace root.
pub(crate) fn root() -> PathBuf {
    let manifest = PathBuf::from(env!("CARGO_MANIFEST_DIR"));
    manifest.parent().map_or_else(|| manifest.clone(), std::path::Path::to_path_buf)
}

/// The cargo that runs us.
pub(crate) fn cargo() -> String {
    std::env::var("CARGO").unwrap_or_else(|_| "cargo".to_owned())
}

/// Runs a program from the root with its output shown; fails when it does.
pub(crate) fn run(program: &str, arguments: &[&str]) -> Outcome {
    run_with(program, arguments, &[])
}

/// [`run`] with environment variables.
pub(crate) fn run_with(program: &str, arguments: &[&str], variables: &[(&str, &str)]) -> Outcome {
    println!("$ {} {}", short(program), arguments.join(" "));
    let status = Command::new(program)
        .args(arguments)
        .envs(variables.iter().copied())
        .current_dir(root())
        .status()
        .map_err(|e| format!("cannot start {program}: {e}"))?;
    if status.success() { Ok(()) } else { Err(format!("{} {} failed ({status})", short(program), arguments.join(" "))) }
}

/// Runs a program from the root and returns what it printed.
pub(crate) fn output(program: &str, arguments: &[&str]) -> Outcome<String> {
    let output = Command::new(program)
        .args(arguments)
        .current_dir(root())
        .output()
        .map_err(|e| format!("cannot start {program}: {e}"))?;
    if output.status.success() {
        Ok(String::from_utf8_lossy(&output.stdout).into_owned())
    } else {
        Err(format!("{} {} failed: {}", short(program), arguments.join(" "), String::from_utf8_lossy(&output.stderr)))
    }
}

fn short(program: &str) -> &str {
    program.rsplit('/').next().unwrap_or(program)
}
