//! How large files and functions may grow: 800 and 100 lines, tests apart.

use std::fs;
use std::path::{Path, PathBuf};

use crate::shell::{Outcome, root};

const FILE_LINES: usize = 800;
const FUNCTION_LINES: usize = 100;

/// Every finding in the sources of the workspace.
pub(crate) fn check() -> Outcome<Vec<String>> {
    let mut findings = Vec::new();
    for folder in ["crates", "xtask", "suites"] {
        for file in sources(&root().join(folder))? {
            let text = fs::read_to_string(&file).map_err(|e| format!("{}: {e}", file.display()))?;
            let lines: Vec<&str> = text.lines().collect();
            if lines.len() > FILE_LINES {
                findings.push(format!("{}: {} lines (limit {FILE_LINES})", file.display(), lines.len()));
            }
            findings.extend(long_functions(&file, &lines));
        }
    }
    Ok(findings)
}

/// The Rust files below a folder that are not tests.
pub(crate) fn sources(folder: &Path) -> Outcome<Vec<PathBuf>> {
    let mut found = Vec::new();
    let mut open = vec![folder.to_path_buf()];
    while let Some(next) = open.pop() {
        for entry in fs::read_dir(&next).map_err(|e| format!("{}: {e}", next.display()))? {
            let path = entry.map_err(|e| e.to_string())?.path();
            let name = path.file_name().map(|n| n.to_string_lossy().into_owned()).unwrap_or_default();
            if path.is_dir() {
                if !matches!(name.as_str(), "tests" | "target" | "benches" | "examples") {
                    open.push(path);
                }
            } else if name.ends_with(".rs") && name != "tests.rs" && !name.ends_with("_tests.rs") {
                found.push(path);
            }
        }
    }
    found.sort();
    Ok(found)
}

/// Functions over the limit; relies on rustfmt closing a function at the indentation of its `fn`.
fn long_functions(file: &Path, lines: &[&str]) -> Vec<String> {
    let mut findings = Vec::new();
    for (start, line) in lines.iter().enumerate() {
        let code = line.trim_start();
        if !is_function(code) {
            continue;
        }
        let closing = format!("{}}}", " ".repeat(line.len() - code.len()));
        let length = lines.iter().skip(start).position(|l| *l == closing).map_or(0, |p| p + 1);
        let declared_only =
            lines.iter().skip(start).take(length).any(|l| l.trim_end().ends_with(';') && is_end(l, line));
        if length > FUNCTION_LINES && !declared_only {
            findings.push(format!(
                "{}:{}: function of {length} lines (limit {FUNCTION_LINES})",
                file.display(),
                start + 1
            ));
        }
    }
    findings
}

fn is_function(code: &str) -> bool {
    let head = code.split('(').next().unwrap_or_default();
    head.split_whitespace().take_while(|w| *w != "=").any(|w| w == "fn")
        && !code.starts_with("//")
        && !code.contains("fn(")
}

/// A trait method without body ends at its own indentation with a semicolon.
fn is_end(line: &str, start: &str) -> bool {
    let indent = |l: &str| l.len() - l.trim_start().len();
    indent(line) == indent(start) && (line.trim_start().starts_with(')') || std::ptr::eq(line.as_ptr(), start.as_ptr()))
}
