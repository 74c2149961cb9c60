//! The Java reference's side: one JVM for all scenarios.

use std::io::{BufRead as _, BufReader, Write as _};
use std::path::Path;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

use headwater_types::{DataField, datum_json, parse_datum};
use serde_json::{Value, json};

use super::rows::Row;
use super::script::{Op, invalid};
use super::side::{Failure, Played, Scene, Side};
use super::{alter, create};
use crate::{Error, ErrorKind, Result};

/// A running driver (`suites/interop/java/Driver.java`).
#[derive(Debug)]
pub struct JavaSide {
    process: Child,
    to: ChildStdin,
    from: BufReader<ChildStdout>,
}

impl JavaSide {
    /// Starts a JVM with that class path.
    ///
    /// # Errors
    /// `Unavailable` when there is no JVM.
    pub fn start(class_path: &str) -> Result<Self> {
        let gone = |what: &str| Error::new(ErrorKind::Unavailable, format!("java has no standard {what}"));
        let mut process = Command::new("java")
            .env("TZ", "UTC")
            .args(["-Xmx2g", "-Duser.timezone=UTC", "--add-opens=java.base/java.nio=ALL-UNNAMED"])
            .args(["-Dorg.slf4j.simpleLogger.defaultLogLevel=off", "-cp", class_path, "Driver"])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .map_err(|e| Error::new(ErrorKind::Unavailable, "cannot start java").with_source(e))?;
        let to = process.stdin.take().ok_or_else(|| gone("input"))?;
        let from = BufReader::new(process.stdout.take().ok_or_else(|| gone("output"))?);
        Ok(Self { process, to, from })
    }

    /// Plays one command of the driver.
    ///
    /// # Errors
    /// [`Failure::Refused`] with the reference's message.
    pub fn play(&mut self, command: &str) -> Played {
        let gone = |e: std::io::Error| Failure::Refused(format!("java is gone: {e}"));
        writeln!(self.to, "{command}").and_then(|()| self.to.flush()).map_err(gone)?;
        let mut lines = Vec::new();
        loop {
            let mut line = String::new();
            let read = self.from.read_line(&mut line).map_err(gone)?;
            let line = line.trim_end_matches('\n');
            if read == 0 {
                return Err(Failure::Refused(format!("java ended while playing: {command}")));
            } else if line == ".ok" {
                return Ok(lines);
            } else if let Some(message) = line.strip_prefix(".error ") {
                return Err(Failure::Refused(message.to_owned()));
            }
            lines.push(line.to_owned());
        }
    }
}

impl Drop for JavaSide {
    fn drop(&mut self) {
        let _ended_already = self.process.kill();
        let _reaped_already = self.process.wait();
    }
}

impl Side for JavaSide {
    fn perform(&mut self, scene: &Scene<'_>) -> Played {
        let (verb, argument) = command(scene).map_err(|e| Failure::Refused(e.to_string()))?;
        let mut lines = self.play(&format!("{verb} {} {argument}", scene.path.display()))?;
        if matches!(scene.op, Op::Read { .. }) {
            lines = crate::canonical_lines(&lines.join("\n")).map_err(|e| Failure::Refused(e.to_string()))?;
        }
        Ok(lines)
    }

    fn facts(&mut self, path: &Path, after: i64) -> Played {
        self.play(&format!("snapshots {} {{\"after\":{after}}}", path.display()))
    }
}

/// The driver's verb and argument.
fn command(scene: &Scene<'_>) -> Result<(&'static str, Value)> {
    let rows = || rows_json(scene.fields, scene.rows);
    Ok(match scene.op {
        Op::Create { columns, keys, partitions, options } => {
            let columns: Vec<Value> =
                create::columns(columns)?.iter().map(|f| json!([f.name, f.data_type.to_json()])).collect();
            let json = json!({
                "columns": columns, "primaryKeys": keys, "partitionKeys": partitions, "options": options,
            });
            ("create", json)
        }
        Op::Write { compact, options, .. } => {
            let mut options = options.clone();
            if !compact {
                options.insert("write-only".to_owned(), "true".to_owned());
            }
            ("write", json!({ "options": options, "rows": rows()? }))
        }
        Op::StreamWrite { options, .. } => {
            ("streamWrite", json!({ "options": options, "rows": rows()?, "identifier": scene.identifier }))
        }
        Op::StreamClose => ("streamClose", json!({})),
        Op::Compact { full, options } => ("compact", json!({ "full": full, "options": options })),
        Op::Overwrite { partition, options, .. } => {
            ("overwrite", json!({ "partition": partition, "options": options, "rows": rows()? }))
        }
        Op::Truncate => ("truncate", json!({})),
        Op::DropPartition { partition } => ("dropPartition", json!(partition)),
        Op::Delete { column, value } => {
            ("delete", json!({ "column": column, "value": json_of(scene.fields, column, value)? }))
        }
        Op::Tag { name, snapshot } => ("tag", json!({ "name": name, "snapshot": snapshot })),
        Op::Alter { change } => ("alter", alter::words(change)?),
        Op::Read { options } => ("read", json!(options)),
        Op::Stream { options } => ("stream", json!(options)),
    })
}

/// A value as the driver prints it.
fn json_of(fields: &[DataField], column: &str, value: &str) -> Result<String> {
    let field = fields.iter().find(|field| field.name == column).ok_or_else(|| invalid("there is no such column"))?;
    Ok(datum_json(&field.data_type, Some(&parse_datum(value, &field.data_type)?)))
}

/// Rows as arrays: the kind, then canonical values.
fn rows_json(fields: &[DataField], rows: &[Row]) -> Result<Value> {
    let one = |row: &Row| {
        let values = fields.iter().zip(&row.values).map(|(field, value)| {
            let text = datum_json(&field.data_type, value.as_ref());
            serde_json::from_str(&text)
                .map_err(|e| Error::new(ErrorKind::Internal, "a value is no JSON").with("value", text).with_source(e))
        });
        std::iter::once(Ok(json!(row.kind.short_string()))).chain(values).collect::<Result<Vec<Value>>>()
    };
    Ok(Value::Array(rows.iter().map(|row| Ok(Value::Array(one(row)?))).collect::<Result<_>>()?))
}
