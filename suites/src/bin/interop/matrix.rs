//! The table of what was judged: `docs/interop.md`.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use headwater_suites::scenario::{Outcome, Play, Verdict};

const HEAD: &str = "\
# What the reference judged

Written by `cargo xtask interop --record`; `cargo xtask interop` fails when it is out of date. Each line is a scenario of
`suites/interop/scenarios`. In every play both sides read the table after each step and must see the same rows, the same
snapshots and the same files (levels, sequence ranges, key ranges, statistics), and what happened must be what the Java
reference 2.0.0 does alone.

- **reads Java's**: the reference does everything, Headwater reads along.
- **Java reads ours**: Headwater does everything, the reference reads along.
- **in turns**: operations alternate, either side first.
- **compacts the other's**: one side writes, the other one compacts, both ways.

| scenario | reads Java's | Java reads ours | in turns | compacts the other's | lacks |
|---|---|---|---|---|---|
";

/// Outcomes by scenario.
#[derive(Debug, Default)]
pub(crate) struct Matrix {
    lines: Vec<String>,
    equal: usize,
    missing: usize,
    different: usize,
}

impl Matrix {
    pub(crate) fn add(&mut self, file: &str, title: &str, verdicts: &[Verdict]) {
        let mut lacks = None;
        for verdict in verdicts {
            match &verdict.outcome {
                Outcome::Equal => self.equal += 1,
                Outcome::Missing(feature) => {
                    self.missing += 1;
                    lacks.get_or_insert_with(|| feature.lines().next().unwrap_or_default().replace('|', "/"));
                }
                Outcome::Different(_) => self.different += 1,
            }
        }
        let cell = |plays: &[Play]| {
            let outcomes: Vec<&Outcome> =
                verdicts.iter().filter(|v| plays.contains(&v.play)).map(|v| &v.outcome).collect();
            match outcomes.as_slice() {
                [] => "–",
                all if all.iter().all(|outcome| **outcome == Outcome::Equal) => "yes",
                all if all.iter().any(|outcome| matches!(outcome, Outcome::Different(_))) => "**differs**",
                _ => "missing",
            }
        };
        let [java, headwater, java_first, headwater_first, java_writes, headwater_writes] = Play::ALL;
        let line = format!(
            "| {file}: {title} | {} | {} | {} | {} | {} |",
            cell(&[java]),
            cell(&[headwater]),
            cell(&[java_first, headwater_first]),
            cell(&[java_writes, headwater_writes]),
            lacks.unwrap_or_default(),
        );
        self.lines.push(line);
    }

    /// One line for a person.
    pub(crate) fn summary(&self) -> String {
        let (scenarios, equal, missing, different) = (self.lines.len(), self.equal, self.missing, self.different);
        format!("{scenarios} scenarios: {equal} plays equal, {missing} missing a feature, {different} different")
    }

    /// Writes the page, or says that it is out of date.
    pub(crate) fn settle(&self, record: bool) -> Result<Option<String>, String> {
        let mut text = HEAD.to_owned();
        for line in &self.lines {
            let _ = writeln!(text, "{line}");
        }
        let path = page();
        if record {
            std::fs::write(&path, text).map_err(|e| format!("{}: {e}", path.display()))?;
            return Ok(None);
        }
        let stands = std::fs::read_to_string(&path).unwrap_or_default() == text;
        Ok((!stands).then(|| "docs/interop.md is out of date: cargo xtask interop --record".to_owned()))
    }
}

fn page() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/interop.md")
}
