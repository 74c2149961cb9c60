//! Scenario files and what the reference was recorded to do.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use super::script::Script;
use crate::{Error, ErrorKind, Result};

/// A file of `suites/interop/scenarios`.
#[derive(Clone, Debug)]
pub struct ScenarioFile {
    /// The file's stem.
    pub name: String,
    /// Its scenarios in order.
    pub scripts: Vec<Script>,
    path: PathBuf,
}

impl ScenarioFile {
    /// The folder of all of them.
    #[must_use]
    pub fn root() -> PathBuf {
        Path::new(env!("CARGO_MANIFEST_DIR")).join("interop/scenarios")
    }

    /// Every file, by name.
    ///
    /// # Errors
    /// `Unavailable` when they cannot be read, `InvalidInput` for a line that is no operation.
    pub fn all() -> Result<Vec<Self>> {
        let root = Self::root();
        let entries = std::fs::read_dir(&root).map_err(|e| unreadable(&root, e))?;
        let mut paths: Vec<PathBuf> = entries.filter_map(|entry| entry.ok()).map(|entry| entry.path()).collect();
        paths.retain(|path| path.extension().is_some_and(|extension| extension == "txt"));
        paths.sort();
        paths.into_iter().map(Self::read).collect()
    }

    fn read(path: PathBuf) -> Result<Self> {
        let text = std::fs::read_to_string(&path).map_err(|e| unreadable(&path, e))?;
        let name = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        Ok(Self { scripts: Script::parse(&name, &text)?, name, path })
    }

    fn transcript_path(&self) -> PathBuf {
        self.path.with_extension("transcript")
    }

    /// Keeps what the reference did: title and transcript of each scenario.
    ///
    /// # Errors
    /// `Unavailable` when the file cannot be written.
    pub fn record(&self, transcripts: &[(String, Vec<String>)]) -> Result<()> {
        let mut text = String::new();
        for (title, lines) in transcripts {
            let _ = writeln!(text, "# {title}");
            for line in lines {
                let _ = writeln!(text, "{line}");
            }
        }
        let path = self.transcript_path();
        std::fs::write(&path, text).map_err(|e| unreadable(&path, e))
    }

    /// What was recorded; empty when nothing was.
    ///
    /// # Errors
    /// `Unavailable` when the file is there but cannot be read.
    pub fn recorded(&self) -> Result<Vec<(String, Vec<String>)>> {
        let path = self.transcript_path();
        let text = match std::fs::read_to_string(&path) {
            Ok(text) => text,
            Err(e) if e.kind() == std::io::ErrorKind::NotFound => return Ok(Vec::new()),
            Err(e) => return Err(unreadable(&path, e)),
        };
        let mut transcripts: Vec<(String, Vec<String>)> = Vec::new();
        for line in text.lines() {
            match (line.strip_prefix("# "), transcripts.last_mut()) {
                (Some(title), _) => transcripts.push((title.to_owned(), Vec::new())),
                (None, Some((_, lines))) => lines.push(line.to_owned()),
                (None, None) => {}
            }
        }
        Ok(transcripts)
    }
}

fn unreadable(path: &Path, source: std::io::Error) -> Error {
    Error::new(ErrorKind::Unavailable, "cannot use a scenario's file").with("path", path.display()).with_source(source)
}
