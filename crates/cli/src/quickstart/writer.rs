//! The writers: processes of their own, as they would be in production.

use std::io::{BufRead, BufReader};
use std::process::{Child, Command, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use headwater_io::Env;
use headwater_types::ErrorKind;
use serde_json::json;

use super::events::{Event, Events, batch};
use crate::args::{QuickstartArgs, QuickstartWriterArgs};
use crate::error::{Error, Result, from_os};
use crate::output::Out;
use crate::target::Session;

const WRITERS: u64 = 2;
/// Commits of each writer.
const COMMITS: u64 = 20;
/// Rows handed to the table at once.
const BATCH_ROWS: usize = 8192;

/// The running writers.
pub(super) struct Writers {
    processes: Vec<Child>,
    rows: Arc<AtomicU64>,
}

impl Writers {
    pub(super) fn start(args: &QuickstartArgs, session: &Session, warehouse: &str) -> Result<Self> {
        let program = std::env::current_exe().map_err(|e| from_os(e, "find this program", "headwater"))?;
        let rows = Arc::new(AtomicU64::new(0));
        let mut writers = Self { processes: Vec::new(), rows: Arc::clone(&rows) };
        let rows_per_commit = args.events.div_ceil(WRITERS * COMMITS).max(1);
        for writer in 0..WRITERS {
            let mut command = Command::new(&program);
            command.arg("--json").arg("--warehouse").arg(warehouse);
            for (key, value) in &session.store {
                command.arg("--store").arg(format!("{key}={value}"));
            }
            command.arg("quickstart-writer");
            let numbers = [
                ("--events", args.events),
                ("--users", args.users),
                ("--seed", args.seed),
                ("--writer", writer),
                ("--writers", WRITERS),
                ("--rows-per-commit", rows_per_commit),
            ];
            for (name, value) in numbers {
                command.arg(name).arg(value.to_string());
            }
            let mut process = command
                .stdin(Stdio::null())
                .stdout(Stdio::piped())
                .spawn()
                .map_err(|e| from_os(e, "start a writer", program.display()))?;
            if let Some(stdout) = process.stdout.take() {
                let rows = Arc::clone(&rows);
                // Ends with the writer's output.
                drop(session.env.spawn_blocking(move || {
                    for line in BufReader::new(stdout).lines().map_while(std::result::Result::ok) {
                        let value: serde_json::Value = serde_json::from_str(&line).unwrap_or_default();
                        rows.fetch_add(
                            value.get("committed").and_then(serde_json::Value::as_u64).unwrap_or(0),
                            Ordering::Relaxed,
                        );
                    }
                }));
            }
            writers.processes.push(process);
        }
        Ok(writers)
    }

    /// Rows committed so far by all of them.
    pub(super) fn rows(&self) -> u64 {
        self.rows.load(Ordering::Relaxed)
    }

    /// Waits up to `patience` for all to end; whether they have.
    pub(super) async fn wait(&mut self, patience: Duration, env: &Env) -> Result<bool> {
        let until = env.monotonic() + patience;
        loop {
            let mut running = 0;
            for process in &mut self.processes {
                match process.try_wait().map_err(|e| from_os(e, "wait for a writer", "headwater"))? {
                    None => running += 1,
                    Some(status) if status.success() => {}
                    Some(status) => {
                        return Err(Error::new(
                            ErrorKind::Internal,
                            format!("a writer failed ({status}); what it said stands above"),
                        ));
                    }
                }
            }
            if running == 0 || env.monotonic() >= until {
                return Ok(running == 0);
            }
            env.sleep(Duration::from_millis(20)).await;
        }
    }
}

impl Drop for Writers {
    fn drop(&mut self) {
        for process in &mut self.processes {
            // Those that ended cannot be killed and need not be.
            drop(process.kill());
            drop(process.wait());
        }
    }
}

/// One writer: walks all events and writes its share, every so many rows a commit.
pub(crate) async fn run_one(args: &QuickstartWriterArgs, session: &Session, out: &mut Out) -> Result<()> {
    let table = session.table("quickstart.user_features").await?;
    let fields = table.schema().fields.clone();
    let user = format!("quickstart-writer-{}", args.writer);
    let mut writer = table.stream_writer_as(&user)?;
    let committer = table.committer_as(&user)?;
    let mut events = Events::new(args.seed, args.users);
    let mut pending: Vec<Event> = Vec::with_capacity(BATCH_ROWS);
    let (mut rows, mut identifier) = (0_u64, 0_i64);
    for number in 0..args.events {
        let event = events.next();
        let last = number + 1 == args.events;
        if number % args.writers == args.writer {
            pending.push(event);
            rows += 1;
        }
        let commits = rows >= args.rows_per_commit || (last && rows > 0);
        if pending.len() >= BATCH_ROWS || (commits && !pending.is_empty()) {
            writer.write(batch(&fields, &pending)?).await?;
            pending.clear();
        }
        if commits {
            identifier += 1;
            let messages = writer.prepare_commit(last).await?;
            committer.commit(identifier, messages, None).await?;
            out.object(&json!({"committed": rows}))?;
            out.flush()?;
            rows = 0;
        }
    }
    writer.close().await?;
    Ok(())
}
