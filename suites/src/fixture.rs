//! The recorded tables and what is known of them.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use headwater_io::{Env, FileIo};

use crate::{Error, ErrorKind, Result};

/// One folder of `testdata/fixtures`: a table somebody wrote, and the rows the reference reads from it.
#[derive(Clone, Debug)]
pub struct Fixture {
    /// The folder's name.
    pub name: String,
    /// The folder.
    pub path: PathBuf,
}

impl Fixture {
    /// The folder all fixtures are in.
    #[must_use]
    pub fn root() -> PathBuf {
        Path::new(env!("CARGO_MANIFEST_DIR")).join("../testdata/fixtures")
    }

    /// Every fixture that is one table, by name.
    ///
    /// # Errors
    /// `Unavailable` when the folder cannot be listed.
    pub fn all() -> Result<Vec<Self>> {
        let root = Self::root();
        let entries = std::fs::read_dir(&root).map_err(|e| unreadable(&root, e))?;
        let mut all: Vec<Self> = entries
            .filter_map(|entry| entry.ok())
            .map(|entry| Self { name: entry.file_name().to_string_lossy().into_owned(), path: entry.path() })
            .filter(|fixture| fixture.path.join("table/schema").is_dir())
            .collect();
        all.sort_by(|a, b| a.name.cmp(&b.name));
        Ok(all)
    }

    /// The fixture of that name.
    ///
    /// # Errors
    /// `NotFound` when there is none.
    pub fn named(name: &str) -> Result<Self> {
        let path = Self::root().join(name);
        if !path.join("table/schema").is_dir() {
            return Err(Error::new(ErrorKind::NotFound, "no such fixture").with("path", path.display()));
        }
        Ok(Self { name: name.to_owned(), path })
    }

    /// The table's files.
    ///
    /// # Errors
    /// Those of [`FileIo::open`].
    pub fn io(&self, env: &Env) -> Result<FileIo> {
        Ok(FileIo::open(&self.path.join("table").to_string_lossy(), &BTreeMap::new(), env)?)
    }

    /// The recorded expectations: file stem (`latest`, `snapshot-3`, …) to file.
    ///
    /// # Errors
    /// `Unavailable` when the folder is there but cannot be listed.
    pub fn expectations(&self) -> Result<BTreeMap<String, PathBuf>> {
        let folder = self.path.join("expected");
        let entries = match std::fs::read_dir(&folder) {
            Ok(entries) => entries,
            Err(e) if e.kind() == std::io::ErrorKind::NotFound => return Ok(BTreeMap::new()),
            Err(e) => return Err(unreadable(&folder, e)),
        };
        let files = entries.filter_map(|entry| entry.ok()).map(|entry| entry.path());
        Ok(files
            .filter(|path| path.extension().is_some_and(|extension| extension == "jsonl"))
            .filter_map(|path| Some((path.file_stem()?.to_str()?.to_owned(), path)))
            .collect())
    }

    /// The text of a file of the fixture.
    ///
    /// # Errors
    /// `Unavailable` when it cannot be read.
    pub fn read(&self, relative: &str) -> Result<String> {
        let path = self.path.join(relative);
        std::fs::read_to_string(&path).map_err(|e| unreadable(&path, e))
    }

    /// What `about.md` says after `label`, without backquotes; empty when it says nothing.
    fn about(&self, text: &str, label: &str) -> String {
        let line = text.lines().find_map(|line| line.strip_prefix(label)).unwrap_or_default();
        line.trim().trim_end_matches('.').replace(['`', '|'], "")
    }
}

fn unreadable(path: &Path, source: std::io::Error) -> Error {
    Error::new(ErrorKind::Unavailable, "cannot read test data").with("path", path.display()).with_source(source)
}

/// The text of `testdata/README.md`: one line for every fixture, from what the fixtures themselves say.
///
/// # Errors
/// Those of reading the fixtures.
pub fn catalogue() -> Result<String> {
    let mut text = String::from(CATALOGUE_HEAD);
    for fixture in Fixture::all()? {
        let about = fixture.read("about.md").unwrap_or_default();
        let expectations = fixture.expectations()?;
        let rows = match expectations.get("latest") {
            Some(_) => fixture.read("expected/latest.jsonl")?.lines().filter(|l| !l.is_empty()).count().to_string(),
            None => "–".to_owned(),
        };
        let named: Vec<&str> = expectations.keys().map(String::as_str).collect();
        let _ = writeln!(
            text,
            "| `{}` | {} | {} | {} | {rows} | {} |",
            fixture.name,
            fixture.about(&about, "Written by:"),
            fixture.about(&about, "Primary key:"),
            fixture.about(&about, "Options:"),
            named.join(", "),
        );
    }
    Ok(text)
}

const CATALOGUE_HEAD: &str = "\
# Test data

`fixtures/` holds real tables and the rows they hold; [its README](fixtures/README.md) says how they were made, what
each exercises and how values are spelt. The table below is generated:
`cargo test -p headwater-suites --test it catalogue` fails when it is out of date and says how to write it anew.

Used by: `suites` (rows of every expectation, live files, filters), `crates/metadata` (every metadata file decoded and
encoded to the same bytes), `crates/types` (schemas, vectors), `crates/table` and `crates/index`. Fixtures of features
the release lacks are read too: they must be refused by name (`suites/tests/it/fixtures/refused.rs`).

| table | written by | primary key | options | rows | expectations |
|---|---|---|---|---|---|
";
