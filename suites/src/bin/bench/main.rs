//! The benchmarks of `docs/performance.md`: `cargo xtask bench` builds this and starts it.
//!
//! ```text
//! all   ─▶ per case: prepare (data, outside of the clock) ─▶ per run and engine: a process of its own ─▶ medians
//! case  ─▶ one case by Headwater in this process; prints one JSON line. The peers do the same in peers.py
//! ```
#![expect(clippy::print_stdout, clippy::print_stderr, reason = "a command-line program prints")]

mod case;
mod cases;
mod checks;
mod data;
mod measure;
mod report;
mod run;
mod tables;

use std::path::PathBuf;
use std::process::ExitCode;

use case::{Case, Place};

/// What every step returns.
type Outcome<T = ()> = Result<T, Box<dyn std::error::Error>>;

/// What the command line asks for.
#[derive(Debug, Default)]
struct Request {
    /// `all`, `prepare` or `case`.
    command: String,
    only: Option<String>,
    engine: String,
    rows: Option<u64>,
    runs: Option<usize>,
    json: Option<PathBuf>,
    dir: PathBuf,
    python: Option<PathBuf>,
}

fn main() -> ExitCode {
    match request().and_then(|request| go(&request)) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("bench: {error}");
            ExitCode::FAILURE
        }
    }
}

fn request() -> Outcome<Request> {
    let mut arguments = std::env::args().skip(1);
    let command = arguments.next().unwrap_or_else(|| "all".to_owned());
    let mut request = Request { command, engine: "headwater".to_owned(), ..Request::default() };
    request.dir = std::env::temp_dir().join("headwater-bench");
    while let Some(argument) = arguments.next() {
        let mut value = || arguments.next().ok_or_else(|| format!("{argument} takes a value"));
        match argument.as_str() {
            "--only" => request.only = Some(value()?),
            "--engine" => request.engine = value()?,
            "--rows" => request.rows = Some(value()?.replace('_', "").parse()?),
            "--runs" => request.runs = Some(value()?.parse()?),
            "--json" => request.json = Some(value()?.into()),
            "--dir" => request.dir = value()?.into(),
            "--python" => request.python = Some(value()?.into()),
            _ => return Err(format!("there is no '{argument}': --only CASE, --rows N, --runs N, --json FILE").into()),
        }
    }
    Ok(request)
}

fn go(request: &Request) -> Outcome {
    if request.command == "all" {
        return run::all(request);
    }
    let name = request.only.as_deref().unwrap_or_default();
    let case = Case::named(name)?;
    let place = Place { dir: request.dir.clone(), rows: request.rows.unwrap_or(case.rows) };
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build()?;
    match request.command.as_str() {
        "prepare" => runtime.block_on(cases::prepare(case, &place)),
        "case" => {
            let measured = runtime.block_on(cases::measure(case, &request.engine, &place))?;
            println!("{}", measured.line(case.name, &request.engine));
            Ok(())
        }
        other => Err(format!("there is no command '{other}'").into()),
    }
}
