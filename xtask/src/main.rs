//! The project's own commands: `cargo xtask test`, `ci`, `graph`, `deny`, `interop`, `bench`.
#![expect(clippy::print_stdout, clippy::print_stderr, reason = "a command-line program prints")]
#![expect(clippy::disallowed_methods, reason = "build tooling works on the checkout itself")]

mod bench;
mod ci;
mod deny;
mod graph;
mod interop;
mod shell;
mod sizes;

use std::process::ExitCode;

const HELP: &str = "\
cargo xtask COMMAND

  test       every test of the workspace, doc tests included
  ci         format, clippy, tests, docs, graph, deny
             --no-tests   the same without the tests
  graph      import rules between crates, sizes of files and functions
  deny       licences, bans and sources of all dependencies
  interop    the Java reference judges: needs a JDK 17, and Maven once
             --only TEXT   some scenarios    --record   write transcripts and docs/interop.md anew
  differential   random histories on both engines
             --seed S   --ops N   --seconds T
  bench      speed and memory beside other engines: needs Python 3.11, and pip once
             --only CASE, --rows N, --runs N, --json FILE
";

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let outcome = match words.split_first() {
        Some((&"test", rest)) => ci::test(rest),
        Some((&"ci", rest)) => ci::ci(rest),
        Some((&"graph", _)) => graph::check(),
        Some((&"deny", _)) => deny::check(),
        Some((&"interop", rest)) => interop::interop(rest),
        Some((&"differential", rest)) => interop::differential(rest),
        Some((&"bench", rest)) => bench::bench(rest),
        Some((&("help" | "--help" | "-h"), _)) | None => {
            print!("{HELP}");
            Ok(())
        }
        Some((other, _)) => Err(format!("there is no command '{other}'\n\n{HELP}")),
    };
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            eprintln!("xtask: {message}");
            ExitCode::FAILURE
        }
    }
}
