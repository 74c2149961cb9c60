//! The interactive shell.

use std::io::IsTerminal;
use std::path::PathBuf;

use headwater_catalog::Catalog;
use headwater_datafusion::SqlSession;
use rustyline::error::ReadlineError;
use rustyline::history::FileHistory;
use rustyline::{Config, Editor};

use super::completion::{SqlHelper, is_shell_word};
use super::execute;
use crate::error::{Error, Result, from_os, invalid, render};
use crate::output::Out;
use crate::target::Session;

const HELP: &str = "\
Statements end with a semicolon. Some to try:
  SHOW DATABASES;  SHOW TABLES;  DESCRIBE db.t;
  CREATE DATABASE db;
  CREATE TABLE db.t (id BIGINT NOT NULL, name STRING, PRIMARY KEY (id) NOT ENFORCED) WITH ('bucket' = '1');
  INSERT INTO db.t VALUES (1, 'one');
  SELECT * FROM db.t FOR VERSION AS OF 1;
exit or Ctrl-D leaves; Tab completes; Ctrl-R searches the history.";

type Shell = Editor<SqlHelper, FileHistory>;

pub(super) async fn run(sql: &SqlSession, session: &Session, keep_going: bool, out: &mut Out) -> Result<()> {
    if !std::io::stdin().is_terminal() {
        let text = std::io::read_to_string(std::io::stdin())
            .map_err(|e| from_os(e, "read the statements", "standard input"))?;
        return execute(sql, session, &text, keep_going, out).await;
    }
    let mut shell = editor()?;
    let history = history_file(session);
    if let Some(file) = &history {
        // The first run has none.
        drop(shell.load_history(file));
    }
    out.say(&format!(
        "Headwater {} on {}. help; shows examples, exit; leaves.",
        env!("CARGO_PKG_VERSION"),
        session.warehouse()?
    ))?;
    out.flush()?;
    learn_names(&mut shell, session).await;
    loop {
        match shell.readline("headwater> ") {
            Ok(line) => {
                let text = line.trim().trim_end_matches(';').trim().to_owned();
                if text.is_empty() {
                    continue;
                }
                shell.add_history_entry(line.trim()).map_err(broken)?;
                if is_shell_word(&text) {
                    if !text.eq_ignore_ascii_case("help") {
                        break;
                    }
                    out.say(HELP)?;
                } else if let Err(error) = execute(sql, session, &line, false, out).await {
                    out.line(render(error, out.is_json()).trim_end())?;
                } else {
                    learn_names(&mut shell, session).await;
                }
                out.flush()?;
            }
            Err(ReadlineError::Interrupted) => {}
            Err(ReadlineError::Eof) => break,
            Err(error) => return Err(broken(error)),
        }
    }
    if let Some(file) = &history {
        // A history that cannot be kept is no reason to fail.
        drop(shell.save_history(file));
    }
    Ok(())
}

fn editor() -> Result<Shell> {
    let config = Config::builder().max_history_size(10_000).map_err(broken)?.auto_add_history(false).build();
    let mut editor = Editor::with_config(config).map_err(broken)?;
    editor.set_helper(Some(SqlHelper::new()));
    Ok(editor)
}

fn broken(error: ReadlineError) -> Error {
    invalid("the terminal cannot be used; give statements as an argument or with --file").with_source(error)
}

/// `HEADWATER_HISTORY`, else a file in the home directory.
fn history_file(session: &Session) -> Option<PathBuf> {
    let named = session.env.var("HEADWATER_HISTORY").map(PathBuf::from);
    named.or_else(|| session.env.var("HOME").map(|home| PathBuf::from(home).join(".headwater_history")))
}

/// Names for completion; a warehouse that does not answer only leaves them out.
async fn learn_names(shell: &mut Shell, session: &Session) {
    let mut names = Vec::new();
    if let Ok(catalog) = session.catalog() {
        for database in catalog.list_databases().await.unwrap_or_default() {
            for table in catalog.list_tables(&database).await.unwrap_or_default() {
                names.push(format!("{database}.{table}"));
                names.push(table);
            }
            names.push(database);
        }
    }
    if let Some(helper) = shell.helper_mut() {
        helper.set_names(names);
    }
}
