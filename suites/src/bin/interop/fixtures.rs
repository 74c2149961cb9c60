//! The driver judged by the fixtures: it must return the rows that were recorded with them.

use headwater_suites::scenario::JavaSide;
use headwater_suites::{Fixture, canonical_lines};

/// Reads every fixture's latest snapshot through the reference and compares with the recorded rows.
pub(crate) fn check(java: &mut JavaSide) -> Result<Vec<String>, String> {
    let (mut passed, mut failures) = (0, Vec::new());
    for fixture in Fixture::all().map_err(|e| e.to_string())? {
        let Ok(expected) = fixture.read("expected/latest.jsonl") else { continue };
        let path = fixture.path.join("table");
        let rows = java.play(&format!("read {}", path.display()));
        let equal = |rows: &[String]| {
            let (found, wanted) = (canonical_lines(&rows.join("\n")), canonical_lines(&expected));
            matches!((found, wanted), (Ok(found), Ok(wanted)) if found == wanted)
        };
        match rows {
            Ok(rows) if equal(&rows) => passed += 1,
            Ok(rows) => failures.push(format!("{}: {} rows, other ones than recorded", fixture.name, rows.len())),
            Err(error) => failures.push(format!("{}: {error:?}", fixture.name)),
        }
    }
    println!("interop: the reference reads {passed} fixtures as recorded");
    Ok(failures)
}
