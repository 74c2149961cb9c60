//! Headwater alone does what the Java reference was recorded to do: needs no JVM. `cargo xtask interop` plays the same
//! scenarios with the reference and keeps the recordings true.

use headwater_suites::scenario::{HeadwaterSide, Outcome, ScenarioFile, perform_alone};

/// Scenarios that must not fall back to "missing"; raise it when a feature is added.
const PLAYED_WHOLE: usize = 47;

#[test]
fn headwater_alone_does_what_the_reference_did() {
    let mut headwater = HeadwaterSide::new().unwrap();
    let (mut equal, mut different) = (0, Vec::new());
    for file in ScenarioFile::all().unwrap() {
        let recorded = file.recorded().unwrap();
        let titles: Vec<_> = recorded.iter().map(|(title, _)| title).collect();
        assert_eq!(titles, file.scripts.iter().map(|script| &script.title).collect::<Vec<_>>(), "record {}", file.name);
        for (script, (_, transcript)) in file.scripts.iter().zip(&recorded) {
            let folder = tempfile::tempdir().unwrap();
            let verdict = perform_alone(script, &folder.path().join("table"), &mut headwater, transcript).unwrap();
            match verdict.outcome {
                Outcome::Equal => equal += 1,
                Outcome::Missing(_) => {}
                Outcome::Different(how) => different.push(format!("{}: {}\n{how}", file.name, script.title)),
            }
        }
    }
    println!("{equal} scenarios as the reference");
    assert!(different.is_empty(), "{}", different.join("\n"));
    assert!(equal >= PLAYED_WHOLE, "only {equal} scenarios are played whole");
}
