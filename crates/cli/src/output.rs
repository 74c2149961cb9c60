//! Standard output: tables and sentences for people, one JSON object a line for programs.

use std::io::{self, BufWriter, IsTerminal, Stdout, Write};

use comfy_table::{ContentArrangement, Table, presets};
use serde_json::Value;

use crate::error::{Error, Result, from_os, render};

/// Where results go. A reader that goes away (`| head`) ends the output quietly.
pub(crate) struct Out {
    json: bool,
    stdout: BufWriter<Stdout>,
    closed: bool,
}

impl Out {
    pub(crate) fn new(json: bool) -> Self {
        Self { json, stdout: BufWriter::with_capacity(64 << 10, io::stdout()), closed: false }
    }

    /// Whether programs read the output.
    pub(crate) fn is_json(&self) -> bool {
        self.json
    }

    /// Whether nobody reads any more.
    pub(crate) fn is_closed(&self) -> bool {
        self.closed
    }

    pub(crate) fn bytes(&mut self, bytes: &[u8]) -> Result<()> {
        if self.closed {
            return Ok(());
        }
        self.outcome(|stdout| stdout.write_all(bytes))
    }

    pub(crate) fn line(&mut self, text: &str) -> Result<()> {
        self.bytes(text.as_bytes())?;
        self.bytes(b"\n")
    }

    /// A line for people; nothing in JSON mode.
    pub(crate) fn say(&mut self, text: &str) -> Result<()> {
        if self.json { Ok(()) } else { self.line(text) }
    }

    /// A JSON object on a line of its own; nothing otherwise.
    pub(crate) fn object(&mut self, value: &Value) -> Result<()> {
        if self.json { self.line(&value.to_string()) } else { Ok(()) }
    }

    /// Rows as an aligned table, or as JSON objects keyed by the headers.
    pub(crate) fn table(&mut self, headers: &[&str], rows: &[Vec<Value>]) -> Result<()> {
        if self.json {
            for row in rows {
                let object: serde_json::Map<String, Value> =
                    headers.iter().zip(row).map(|(header, value)| ((*header).to_owned(), value.clone())).collect();
                self.line(&Value::Object(object).to_string())?;
            }
            return Ok(());
        }
        let shown = rows.iter().map(|row| row.iter().map(cell).collect::<Vec<_>>());
        let table = aligned(headers, shown);
        self.line(&table)
    }

    /// Reports a failure that does not end the command, after what was printed so far.
    pub(crate) fn complain(&mut self, error: Error) -> Result<()> {
        self.flush()?;
        // Nowhere is left to say that standard error is gone.
        drop(io::stderr().write_all(render(error, self.json).as_bytes()));
        Ok(())
    }

    pub(crate) fn flush(&mut self) -> Result<()> {
        if self.closed { Ok(()) } else { self.outcome(Write::flush) }
    }

    fn outcome(&mut self, work: impl FnOnce(&mut BufWriter<Stdout>) -> io::Result<()>) -> Result<()> {
        match work(&mut self.stdout) {
            Err(error) if error.kind() == io::ErrorKind::BrokenPipe => {
                self.closed = true;
                Ok(())
            }
            Err(error) => Err(from_os(error, "write the output", "standard output")),
            Ok(()) => Ok(()),
        }
    }
}

/// Text of a table without heavy lines.
pub(crate) fn aligned(headers: &[&str], rows: impl Iterator<Item = Vec<String>>) -> String {
    let mut table = Table::new();
    table.load_preset(presets::UTF8_BORDERS_ONLY).set_content_arrangement(ContentArrangement::Disabled);
    table.set_header(headers.iter().copied());
    for row in rows {
        table.add_row(row);
    }
    table.to_string()
}

fn cell(value: &Value) -> String {
    match value {
        Value::Null => String::new(),
        Value::String(text) => text.clone(),
        Value::Number(number) => number.as_i64().map_or_else(|| number.to_string(), grouped),
        other => other.to_string(),
    }
}

/// 1234567 as `1,234,567`.
pub(crate) fn grouped(number: i64) -> String {
    let digits = number.unsigned_abs().to_string();
    let mut text = String::from(if number < 0 { "-" } else { "" });
    for (i, digit) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// `1 file`, `2,000 files`.
pub(crate) fn counted(number: u64, what: &str) -> String {
    let plural = if number == 1 { "" } else { "s" };
    format!("{} {what}{plural}", grouped(i64::try_from(number).unwrap_or(i64::MAX)))
}

/// Bytes as people say them: `17 B`, `1.5 MiB`.
#[expect(clippy::cast_precision_loss, reason = "three digits are shown")]
pub(crate) fn bytes_text(bytes: u64) -> String {
    const UNITS: [&str; 5] = ["KiB", "MiB", "GiB", "TiB", "PiB"];
    if bytes < 1024 {
        return format!("{bytes} B");
    }
    let mut value = bytes as f64 / 1024.0;
    let mut unit = UNITS.iter();
    let mut name = unit.next().copied().unwrap_or_default();
    while value >= 1024.0 {
        let Some(next) = unit.next() else { break };
        value /= 1024.0;
        name = next;
    }
    format!("{value:.1} {name}")
}

/// A bar of block characters, `width` at most, whose length is `part` of `whole`; never empty for a part above 0.
#[expect(clippy::cast_precision_loss, clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a picture")]
pub(crate) fn bar(part: u64, whole: u64, width: usize) -> String {
    if part == 0 || whole == 0 {
        return String::new();
    }
    let eighths = ((part as f64 / whole as f64).min(1.0) * width as f64 * 8.0).round().max(1.0) as usize;
    let mut text = "█".repeat(eighths / 8);
    text.push_str(["", "▏", "▎", "▍", "▌", "▋", "▊", "▉"].get(eighths % 8).copied().unwrap_or_default());
    text
}

/// Whether progress may be drawn on standard error.
pub(crate) fn draws_progress(json: bool) -> bool {
    !json && io::stderr().is_terminal()
}

#[cfg(test)]
mod tests;
