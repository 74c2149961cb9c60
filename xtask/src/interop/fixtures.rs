//! The driver judged by the fixtures: it must return the rows that were recorded with them.

use std::fs;

use super::java::Driver;
use crate::shell::{Outcome, root};

/// Reads every fixture's latest snapshot through the reference and compares with the recorded rows.
pub(crate) fn check(driver: &mut Driver) -> Outcome {
    let folder = root().join("testdata/fixtures");
    let (mut passed, mut failures) = (0, Vec::new());
    let entries = fs::read_dir(&folder).map_err(|e| format!("{}: {e}", folder.display()))?;
    let mut paths: Vec<_> = entries.filter_map(|e| e.ok().map(|e| e.path())).collect();
    paths.sort();
    for path in paths {
        let Ok(expected) = fs::read_to_string(path.join("expected/latest.jsonl")) else { continue };
        let mut expected: Vec<&str> = expected.lines().collect();
        expected.sort_unstable();
        match driver.play(&format!("read {}", path.join("table").display())) {
            Ok(rows) if rows == expected => passed += 1,
            Ok(rows) => failures.push(format!(
                "{}: {} rows, {} expected, or others",
                path.display(),
                rows.len(),
                expected.len()
            )),
            Err(error) => failures.push(format!("{}: {error}", path.display())),
        }
    }
    println!("interop: the reference reads {passed} fixtures as recorded");
    if failures.is_empty() {
        Ok(())
    } else {
        Err(format!("{} fixtures differ:\n  {}", failures.len(), failures.join("\n  ")))
    }
}
