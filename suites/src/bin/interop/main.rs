//! Lets the Java reference judge: `cargo xtask interop` starts it with the class path it has set up.
#![expect(clippy::print_stdout, clippy::print_stderr, reason = "a command-line program prints")]

mod fixtures;
mod matrix;
mod scenarios;

use std::process::ExitCode;

use headwater_suites::scenario::{HeadwaterSide, JavaSide};

/// What the command line asks for.
#[derive(Debug, Default)]
struct Request {
    class_path: String,
    /// Only scenarios whose file or title holds this text.
    only: Option<String>,
    /// Write transcripts and the matrix anew instead of comparing with them.
    record: bool,
}

fn main() -> ExitCode {
    match request().and_then(|request| run(&request)) {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            eprintln!("interop: {message}");
            ExitCode::FAILURE
        }
    }
}

fn request() -> Result<Request, String> {
    let mut request = Request::default();
    let mut arguments = std::env::args().skip(1);
    while let Some(argument) = arguments.next() {
        let mut value = || arguments.next().ok_or_else(|| format!("{argument} takes a value"));
        match argument.as_str() {
            "--class-path" => request.class_path = value()?,
            "--only" => request.only = Some(value()?),
            "--record" => request.record = true,
            _ => return Err(format!("there is no '{argument}': --only TEXT, --record")),
        }
    }
    if request.class_path.is_empty() {
        return Err("start me with `cargo xtask interop`, which sets the reference up".to_owned());
    }
    Ok(request)
}

fn run(request: &Request) -> Result<(), String> {
    let mut java = JavaSide::start(&request.class_path).map_err(|e| e.to_string())?;
    let mut headwater = HeadwaterSide::new().map_err(|e| e.to_string())?;
    let mut failures = Vec::new();
    if request.only.is_none() {
        failures.extend(fixtures::check(&mut java)?);
    }
    failures.extend(scenarios::check(request, &mut java, &mut headwater)?);
    if failures.is_empty() {
        return Ok(());
    }
    Err(format!("{} findings:\n  {}", failures.len(), failures.join("\n  ")))
}
