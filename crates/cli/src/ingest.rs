//! `headwater ingest`: files of rows into a table, one commit for many rows.

mod blocks;
mod conform;
mod csv_source;
mod ipc_source;
mod json_value;
mod ndjson_source;
mod source;

use std::sync::Arc;
use std::time::Duration;

use headwater_table::{StreamWriter, Table};
use serde_json::json;
use tokio::sync::mpsc::Receiver;

use crate::args::IngestArgs;
use crate::error::{Result, invalid};
use crate::output::{Out, draws_progress, grouped};
use crate::progress::Progress;
use crate::target::Session;
use conform::{Conform, Conformed};
use csv_source::CsvLayout;
use source::Input;

pub(crate) async fn run(args: &IngestArgs, session: &Session, out: &mut Out) -> Result<()> {
    let delimiter = u8::try_from(args.delimiter)
        .ok()
        .filter(|byte| byte.is_ascii() && !matches!(byte, b'"' | b'\n' | b'\r'))
        .ok_or_else(|| invalid("the delimiter is one ASCII character, no quote and no line end"))?;
    let layout = CsvLayout { delimiter, has_header: !args.no_header, null_text: args.null_text.clone() };
    let stdin = ["-".to_owned()];
    let files: &[String] = if args.files.is_empty() { &stdin } else { &args.files };
    let inputs = files.iter().map(|path| Input::new(path, args.format)).collect::<Result<Vec<_>>>()?;

    let mut table = session.table(&args.table).await?;
    if !args.options.is_empty() {
        table = table.with_options(args.options.iter().cloned().collect())?;
    }
    let schema = table.schema();
    let conform = Conform::new(
        schema.fields.clone(),
        [schema.primary_keys.as_slice(), schema.partition_keys.as_slice()].concat(),
        args.kind_column.clone(),
        args.ignore_unknown_columns,
    );
    let batches = source::start(inputs, layout, Arc::new(conform), &session.env);
    Ingest::new(args, session, &table, out).run(batches).await
}

/// One run: rows come in, commits go out.
struct Ingest<'a> {
    args: &'a IngestArgs,
    session: &'a Session,
    table: &'a Table,
    out: &'a mut Out,
    rows: u64,
    commits: u64,
    snapshots: Vec<i64>,
}

impl<'a> Ingest<'a> {
    fn new(args: &'a IngestArgs, session: &'a Session, table: &'a Table, out: &'a mut Out) -> Self {
        Self { args, session, table, out, rows: 0, commits: 0, snapshots: Vec::new() }
    }

    async fn run(mut self, mut batches: Receiver<Result<Conformed>>) -> Result<()> {
        let env = &self.session.env;
        let started = env.monotonic();
        let progress = Progress::rows(None, "ingesting", draws_progress(self.out.is_json()));
        let user = self.args.commit_user.clone().unwrap_or_else(|| env.uuid());
        let mut writer = self.table.stream_writer_as(&user)?;
        let committer = self.table.committer_as(&user)?;
        let mut identifier = committer.last_identifier().await?.unwrap_or(0);
        let patience = self.args.batch_seconds.map(Duration::from_secs);
        let mut deadline: Option<Duration> = None;
        let mut pending = 0_u64;
        loop {
            let next = match deadline {
                None => Waited::For(batches.recv().await),
                Some(at) => wait(&mut batches, at.saturating_sub(env.monotonic()), env).await,
            };
            let (ended, timed_out) = match next {
                Waited::For(Some(conformed)) => {
                    let conformed = match conformed {
                        Ok(conformed) => conformed,
                        Err(error) => return self.failed(error, writer).await,
                    };
                    let mut at = 0;
                    while at < conformed.rows.num_rows() {
                        let room = usize::try_from(self.args.batch_rows - pending).unwrap_or(usize::MAX);
                        let length = room.min(conformed.rows.num_rows() - at);
                        let rows = conformed.rows.slice(at, length);
                        match &conformed.kinds {
                            Some(kinds) => writer.write_with_kinds(rows, kinds.slice(at, length)).await?,
                            None => writer.write(rows).await?,
                        }
                        at += length;
                        pending += length as u64;
                        progress.add(length as u64);
                        if pending >= self.args.batch_rows {
                            identifier += 1;
                            self.commit(&mut writer, &committer, identifier, &mut pending, false).await?;
                        }
                    }
                    deadline = match (pending, patience) {
                        (0, _) | (_, None) => None,
                        (_, Some(patience)) => deadline.or(Some(env.monotonic() + patience)),
                    };
                    (false, deadline.is_some_and(|at| env.monotonic() >= at))
                }
                Waited::For(None) => (true, false),
                Waited::TooLong => (false, true),
            };
            if pending > 0 && (ended || timed_out) {
                identifier += 1;
                self.commit(&mut writer, &committer, identifier, &mut pending, ended).await?;
                deadline = None;
            }
            if ended {
                break;
            }
        }
        // Compaction that is still under way is part of what was asked for.
        identifier += 1;
        self.commit(&mut writer, &committer, identifier, &mut pending, true).await?;
        writer.close().await?;
        progress.finish();
        self.report((env.monotonic() - started).as_secs_f64())
    }
}
