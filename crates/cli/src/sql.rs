//! `headwater sql`: statements given, from a file, or typed into a shell.

mod completion;
mod render;
mod shell;

use std::sync::Arc;

use headwater_datafusion::{SessionOptions, SqlSession};

use crate::args::SqlArgs;
use crate::error::{Error, Result, from_os};
use crate::output::Out;
use crate::target::Session;

pub(crate) async fn run(args: &SqlArgs, session: &Session, out: &mut Out) -> Result<()> {
    let catalog = Arc::new(session.catalog()?);
    let sql = SqlSession::new(catalog, session.env.clone(), SessionOptions::default())?;
    let text = match (&args.statements, &args.file) {
        (Some(statements), _) => statements.clone(),
        (None, Some(file)) if file.as_os_str() == "-" => std::io::read_to_string(std::io::stdin())
            .map_err(|e| from_os(e, "read the statements", "standard input"))?,
        (None, Some(file)) => {
            std::fs::read_to_string(file).map_err(|e| from_os(e, "read the statements", file.display()))?
        }
        (None, None) => return shell::run(&sql, session, args.keep_going, out).await,
    };
    execute(&sql, session, &text, args.keep_going, out).await
}

/// Runs statements in order and prints each result. With `keep_going` every failure is reported where it happens, and
/// the command fails in the end as the first of them did.
async fn execute(sql: &SqlSession, session: &Session, text: &str, keep_going: bool, out: &mut Out) -> Result<()> {
    let statements = sql.split(text)?;
    let (mut failed, mut kind) = (0, None);
    for statement in &statements {
        match one(sql, session, statement, out).await {
            Ok(()) => {}
            Err(error) if keep_going && statements.len() > 1 => {
                failed += 1;
                if kind.is_none() {
                    kind = Some(error.kind());
                }
                out.complain(error)?;
            }
            Err(error) => return Err(error),
        }
    }
    match kind {
        Some(kind) => Err(Error::new(kind, format!("{failed} of {} statements failed", statements.len()))),
        None => Ok(()),
    }
}

async fn one(sql: &SqlSession, session: &Session, statement: &str, out: &mut Out) -> Result<()> {
    let started = session.env.monotonic();
    for result in sql.execute(statement).await? {
        render::result(result, out, || session.env.monotonic() - started).await?;
    }
    out.flush()
}
