//! The headwater command: SQL, ingestion, compaction and inspection of tables. See the README for examples.

mod args;
mod cat;
mod compact;
mod error;
mod ingest;
mod inspect;
mod live;
mod output;
mod progress;
mod quickstart;
mod simulate;
mod sql;
mod target;
mod where_clause;

use std::io::Write;
use std::process::ExitCode;

use clap::Parser;
use headwater_io::Env;

use args::{Cli, Command};
use error::{Error, Result};
use output::Out;
use target::Session;

fn main() -> ExitCode {
    let cli = Cli::parse();
    let json = cli.json;
    let mut out = Out::new(json);
    let outcome = run(cli, &mut out).and_then(|()| out.flush());
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            // What was done before the failure is shown before it.
            drop(out.flush());
            let code = error::exit_code(error.kind());
            // Nowhere is left to say that standard error is gone.
            drop(std::io::stderr().write_all(error::render(error, json).as_bytes()));
            code
        }
    }
}

fn run(cli: Cli, out: &mut Out) -> Result<()> {
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build().map_err(|e| {
        Error::new(headwater_types::ErrorKind::Unavailable, "the threads to work with cannot be started").with_source(e)
    })?;
    let session = Session { warehouse: cli.warehouse, store: cli.store.into_iter().collect(), env: Env::system() };
    let outcome = runtime.block_on(command(&cli.command, &session, out));
    // A read of standard input that nobody waits for any more must not keep the process.
    runtime.shutdown_background();
    outcome
}

async fn command(command: &Command, session: &Session, out: &mut Out) -> Result<()> {
    match command {
        Command::Sql(args) => Box::pin(sql::run(args, session, out)).await,
        Command::Ingest(args) => Box::pin(ingest::run(args, session, out)).await,
        Command::Cat(args) => Box::pin(cat::run(args, session, out)).await,
        Command::Compact(args) => Box::pin(compact::run(args, session, out)).await,
        Command::Inspect(args) => Box::pin(inspect::run(args, session, out)).await,
        Command::Simulate(args) => simulate::run(args, out),
        Command::Quickstart(args) => Box::pin(quickstart::run(args, session, out)).await,
        Command::QuickstartWriter(args) => Box::pin(quickstart::run_writer(args, session, out)).await,
    }
}
