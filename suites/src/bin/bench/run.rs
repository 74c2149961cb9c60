//! Runs cases: prepares, starts a process per engine and run, checks, reports.

use std::fs;
use std::io::Write as _;
use std::path::Path;
use std::process::Command;

use serde_json::Value;

use crate::case::{CASES, Case, Place, table_in};
use crate::{Outcome, Request, report};

/// Runs the cases that were asked for; fails when an engine failed, or came to another result, or held too much memory.
pub(crate) fn all(request: &Request) -> Outcome {
    let cases: Vec<&Case> = match &request.only {
        Some(name) => Case::starting(name)?,
        None => CASES.iter().collect(),
    };
    let mut lines = Vec::new();
    let mut findings = Vec::new();
    for case in cases {
        let measured = one(case, request, &mut findings);
        fs::remove_dir_all(request.dir.join(case.name)).ok();
        lines.extend(measured?);
    }
    print!("{}", report::table(&lines));
    if findings.is_empty() { Ok(()) } else { Err(findings.join("\n").into()) }
}

fn one(case: &Case, request: &Request, findings: &mut Vec<String>) -> Outcome<Vec<Value>> {
    let place = Place { dir: request.dir.join(case.name), rows: request.rows.unwrap_or(case.rows) };
    fs::remove_dir_all(&place.dir).ok();
    eprintln!("{}: preparing {} rows", case.name, place.rows);
    own(case, &place, "prepare", "headwater")?;
    let expected = fs::read_to_string(place.expected())?;
    let original = place.dir.join("original");
    if case.changes_table {
        fs::rename(place.warehouse(), &original)?;
    }
    let writes = case.changes_table || !place.table().exists();
    let mut lines = Vec::new();
    for run in 1..=request.runs.unwrap_or(3) {
        for engine in case.engines {
            if writes {
                fs::remove_dir_all(place.warehouse()).ok();
            }
            if case.changes_table {
                copy(&table_in(&original), &place.table())?;
            }
            settle();
            let output = match process(case, engine, &place, request) {
                Ok(Some(output)) => output,
                Ok(None) => continue,
                Err(error) => {
                    findings.push(format!("{}: {error}", case.name));
                    continue;
                }
            };
            let Ok(mut line) = serde_json::from_str::<Value>(output.trim()) else {
                findings.push(format!("{}: {engine} said '{}'", case.name, output.trim()));
                continue;
            };
            if let Some(fields) = line.as_object_mut() {
                fields.insert("run".to_owned(), run.into());
                fields.insert("load".to_owned(), load().into());
            }
            judge(case, engine, &line, &expected, findings);
            print(&line, request.json.as_deref())?;
            lines.push(line);
        }
    }
    Ok(lines)
}

/// What one engine left in the page cache is not for the next one to write; where there is no `sync`, it may have to.
fn settle() {
    Command::new("sync").status().ok();
}

fn judge(case: &Case, engine: &str, line: &Value, expected: &str, findings: &mut Vec<String>) {
    let checks = line.get("checks").and_then(Value::as_str).unwrap_or_default();
    if checks != expected {
        findings.push(format!("{}: {engine} came to {checks}, right is {expected}", case.name));
    }
    let peak = line.get("peak_rss_bytes").and_then(Value::as_u64).unwrap_or(0);
    if let Some(limit) = case.memory_limit.filter(|limit| peak > *limit) {
        findings.push(format!("{}: {engine} held {} MiB, may hold {}", case.name, peak >> 20, limit >> 20));
    }
}

/// The output of an engine in a process of its own; nothing for a peer when there is no Python to run it.
fn process(case: &Case, engine: &str, place: &Place, request: &Request) -> Outcome<Option<String>> {
    if engine.starts_with("headwater") {
        return own(case, place, "case", engine).map(Some);
    }
    let Some(python) = &request.python else { return Ok(None) };
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("bench/peers.py");
    let mut command = Command::new(python);
    command.arg(script).args([case.name, engine]).arg(&place.dir).arg(place.rows.to_string());
    output(&mut command, engine).map(Some)
}

fn own(case: &Case, place: &Place, what: &str, engine: &str) -> Outcome<String> {
    let mut command = Command::new(std::env::current_exe()?);
    command.args([what, "--only", case.name, "--engine", engine, "--rows", &place.rows.to_string()]);
    output(command.arg("--dir").arg(&place.dir), engine)
}

fn output(command: &mut Command, engine: &str) -> Outcome<String> {
    let output = command.output().map_err(|e| format!("cannot start {engine}: {e}"))?;
    if output.status.success() {
        return Ok(String::from_utf8(output.stdout)?);
    }
    Err(format!("{engine} failed ({}): {}", output.status, String::from_utf8_lossy(&output.stderr)).into())
}

fn print(line: &Value, file: Option<&Path>) -> Outcome {
    println!("{line}");
    if let Some(file) = file {
        let mut file = fs::OpenOptions::new().append(true).create(true).open(file)?;
        writeln!(file, "{line}")?;
    }
    Ok(())
}

/// The load of the machine over the last minute: above one per core the numbers are worth less.
fn load() -> Option<f64> {
    fs::read_to_string("/proc/loadavg").ok()?.split_whitespace().next()?.parse().ok()
}

fn copy(from: &Path, to: &Path) -> Outcome {
    fs::create_dir_all(to)?;
    for entry in fs::read_dir(from)? {
        let entry = entry?;
        let target = to.join(entry.file_name());
        if entry.file_type()?.is_dir() {
            copy(&entry.path(), &target)?;
        } else {
            fs::copy(entry.path(), target)?;
        }
    }
    Ok(())
}
