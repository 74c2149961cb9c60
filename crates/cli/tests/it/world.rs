//! A warehouse in a temporary directory and the program beside it.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use serde_json::Value;

pub(crate) const BINARY: &str = env!("CARGO_BIN_EXE_headwater");

pub(crate) struct World {
    dir: tempfile::TempDir,
}

/// How a run ended.
#[derive(Debug)]
pub(crate) struct Run {
    pub(crate) code: Option<i32>,
    pub(crate) stdout: String,
    pub(crate) stderr: String,
}

impl Run {
    /// The output of a run that has to succeed.
    #[track_caller]
    pub(crate) fn ok(self) -> String {
        assert_eq!(self.code, Some(0), "stdout: {}\nstderr: {}", self.stdout, self.stderr);
        self.stdout
    }

    /// The error of a run that has to fail with that code and say all of that.
    #[track_caller]
    pub(crate) fn fails(self, code: i32, says: &[&str]) -> String {
        assert_eq!(self.code, Some(code), "stdout: {}\nstderr: {}", self.stdout, self.stderr);
        for text in says {
            assert!(self.stderr.contains(text), "'{text}' is missing in: {}", self.stderr);
        }
        self.stderr
    }
}

impl World {
    pub(crate) fn new() -> Self {
        Self { dir: tempfile::tempdir().unwrap() }
    }

    /// A warehouse with a keyed table `db.t (id INT, name STRING, price DECIMAL(10,2))`.
    pub(crate) fn with_table() -> Self {
        let world = Self::new();
        world
            .sql(
                "CREATE DATABASE db; CREATE TABLE db.t (id INT NOT NULL, name STRING, price DECIMAL(10, 2), \
                 PRIMARY KEY (id) NOT ENFORCED) WITH ('bucket' = '2')",
            )
            .ok();
        world
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.dir.path().join(name)
    }

    pub(crate) fn table_dir(&self) -> PathBuf {
        self.path("warehouse/db.db/t")
    }

    pub(crate) fn file(&self, name: &str, content: impl AsRef<[u8]>) -> String {
        std::fs::write(self.path(name), content).unwrap();
        self.path(name).to_str().unwrap().to_owned()
    }

    pub(crate) fn command(&self, args: &[&str]) -> Command {
        let mut command = Command::new(BINARY);
        command
            .args(args)
            .current_dir(self.dir.path())
            .env("HEADWATER_WAREHOUSE", self.path("warehouse"))
            .env_remove("RUST_BACKTRACE")
            .stdin(Stdio::null());
        command
    }

    pub(crate) fn run(&self, args: &[&str]) -> Run {
        finish(self.command(args))
    }

    pub(crate) fn run_with_input(&self, args: &[&str], input: &str) -> Run {
        let mut command = self.command(args);
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().unwrap();
        // A program that fails early does not read to the end.
        drop(child.stdin.take().unwrap().write_all(input.as_bytes()));
        ended(&child.wait_with_output().unwrap())
    }

    pub(crate) fn sql(&self, statements: &str) -> Run {
        self.run(&["sql", statements])
    }

    /// The rows of `db.t`, sorted.
    #[track_caller]
    pub(crate) fn rows(&self) -> Vec<String> {
        sorted(&self.run(&["cat", self.table_dir().to_str().unwrap()]).ok())
    }

    /// The ids of the snapshots of `db.t`.
    #[track_caller]
    pub(crate) fn snapshots(&self) -> Vec<i64> {
        let text = self.run(&["--json", "inspect", "db.t", "snapshots", "--limit", "0"]).ok();
        json_lines(&text).iter().map(|row| row["snapshot"].as_i64().unwrap()).collect()
    }
}

pub(crate) fn finish(mut command: Command) -> Run {
    ended(&command.output().unwrap())
}

pub(crate) fn ended(output: &std::process::Output) -> Run {
    Run {
        code: output.status.code(),
        stdout: String::from_utf8(output.stdout.clone()).unwrap(),
        stderr: String::from_utf8(output.stderr.clone()).unwrap(),
    }
}

pub(crate) fn sorted(text: &str) -> Vec<String> {
    let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
    lines.sort();
    lines
}

pub(crate) fn json_lines(text: &str) -> Vec<Value> {
    text.lines().map(|line| serde_json::from_str(line).unwrap_or_else(|e| panic!("{e}: {line}"))).collect()
}

/// Lines of JSON as a set of values: how a number or a control character is spelled does not matter.
pub(crate) fn values(text: &str) -> Vec<String> {
    let mut lines: Vec<String> = json_lines(text).iter().map(Value::to_string).collect();
    lines.sort();
    lines
}

/// All files below a directory, those that end with a suffix.
pub(crate) fn files_below(dir: &Path, suffix: &str) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in std::fs::read_dir(dir).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            found.extend(files_below(&path, suffix));
        } else if path.to_str().unwrap().ends_with(suffix) {
            found.push(path);
        }
    }
    found.sort();
    found
}
