//! `headwater quickstart`: the main job on real input, from an empty directory to a table that is asked questions.

mod events;
mod reader;
mod report;
mod writer;

use std::sync::Arc;
use std::time::Duration;

use headwater_catalog::{Catalog, Identifier};
use headwater_datafusion::{SessionOptions, SqlSession};
use headwater_types::ErrorKind;
use serde_json::json;

use crate::args::QuickstartArgs;
use crate::error::{Error, Result};
use crate::inspect::print_levels;
use crate::live::Live;
use crate::output::{Out, draws_progress, grouped};
use crate::progress::Progress;
use crate::target::Session;
use events::{CREATE_TABLE, Events, Totals};
use reader::Reader;
use report::Report;
use writer::Writers;

pub(crate) use writer::run_one as run_writer;

/// How long the reader waits between two looks.
const LOOK_EVERY: Duration = Duration::from_millis(1000);

pub(crate) async fn run(args: &QuickstartArgs, session: &Session, out: &mut Out) -> Result<()> {
    let mut session = session.clone();
    let warehouse = session.warehouse.get_or_insert_with(|| "./warehouse".to_owned()).clone();
    let catalog = session.catalog()?;
    let name: Identifier = "quickstart.user_features".parse()?;
    if args.fresh {
        catalog.drop_table(&name, true).await?;
    }
    let sql = SqlSession::new(Arc::new(session.catalog()?), session.env.clone(), SessionOptions::default())?;
    for statement in ["CREATE DATABASE IF NOT EXISTS quickstart", CREATE_TABLE] {
        for result in sql.execute(statement).await? {
            drop(result);
        }
    }
    let table = session.table("quickstart.user_features").await?;
    if table.snapshots().latest().await?.is_some() {
        return Err(Error::new(
            ErrorKind::Exists,
            "the table of an earlier quickstart is there; look at it with `headwater inspect quickstart.user_features`, or start over with --fresh",
        )
        .with("table", table.location()));
    }
    out.say(&format!("A table of features, one row a user, in {warehouse}:\n\n{CREATE_TABLE};\n"))?;
    out.say(&format!(
        "Two processes now write {} events of {} users into it. A third, this one, reads along.\n",
        grouped(to_i64(args.events)),
        grouped(to_i64(args.users))
    ))?;
    out.flush()?;

    let mut report = Report::new(&session.env);
    let reader = Reader::new(&sql, &table);
    let middle = watch(args, &session, &warehouse, &reader, out).await?;
    report.writing_done(&session.env, args.events);

    let truth = expected(args);
    let seen = reader.totals(None).await?;
    if seen != truth {
        return Err(Error::new(
            ErrorKind::Internal,
            format!("the table shows {seen:?}, but the events add up to {truth:?}"),
        ));
    }
    out.say(&format!(
        "\nAll written. The table holds what the events add up to: {} users, {} views, {} purchases, {} spent.",
        grouped(truth.users),
        grouped(truth.views),
        grouped(truth.purchases),
        money(truth.spent_cents)
    ))?;
    out.object(&json!({"totals": {"users": truth.users, "views": truth.views, "purchases": truth.purchases}}))?;
    earlier(&reader, middle, out).await?;

    out.say("\nThe merge tree of each bucket, before a full compaction:")?;
    show_levels(&table, out).await?;
    report.before_compaction(&table).await?;
    let compacted = session.env.monotonic();
    table.compact_all(true, &[]).await?;
    report.compaction_done(session.env.monotonic() - compacted);
    out.say("\nand after it:")?;
    show_levels(&table, out).await?;
    if reader.totals(None).await? != truth {
        return Err(Error::new(ErrorKind::Internal, "the full compaction changed what the table shows"));
    }
    report.print(&table, out).await?;
    what_next(&warehouse, out)
}

/// Shows what a reader sees while the writers write; returns a snapshot from about the middle.
async fn watch(
    args: &QuickstartArgs,
    session: &Session,
    warehouse: &str,
    reader: &Reader<'_>,
    out: &mut Out,
) -> Result<Option<i64>> {
    let mut writers = Writers::start(args, session, warehouse)?;
    let progress = Progress::rows(Some(args.events), "writing", draws_progress(out.is_json()));
    let started = session.env.monotonic();
    let mut middle = None;
    let mut last = None;
    loop {
        let finished = writers.wait(LOOK_EVERY, &session.env).await?;
        progress.set(writers.rows());
        if let Some(look) = reader.look(last).await? {
            let seconds = (session.env.monotonic() - started).as_secs_f64();
            let line = format!("{seconds:5.1} s  {}", look.line());
            if draws_progress(out.is_json()) {
                progress.above(&line);
            } else {
                out.say(&line)?;
                out.object(&look.json(seconds))?;
                out.flush()?;
            }
            if writers.rows() <= args.events / 2 || middle.is_none() {
                middle = Some(look.snapshot);
            }
            last = Some(look.snapshot);
        }
        if finished {
            break;
        }
    }
    progress.finish();
    Ok(middle)
}

/// What the table must show in the end.
fn expected(args: &QuickstartArgs) -> Totals {
    let mut events = Events::new(args.seed, args.users);
    for _ in 0..args.events {
        events.next();
    }
    events.totals()
}

async fn earlier(reader: &Reader<'_>, middle: Option<i64>, out: &mut Out) -> Result<()> {
    let Some(id) = middle else { return Ok(()) };
    let then = reader.totals(Some(id)).await?;
    out.say(&format!(
        "\nHistory stays readable. SELECT … FROM quickstart.user_features FOR VERSION AS OF {id}:\n  {} users, {} views, {} purchases, {} spent",
        grouped(then.users),
        grouped(then.views),
        grouped(then.purchases),
        money(then.spent_cents)
    ))?;
    out.object(&json!({"snapshot": id, "users": then.users, "views": then.views, "purchases": then.purchases}))
}

async fn show_levels(table: &headwater_table::Table, out: &mut Out) -> Result<()> {
    if let Some(snapshot) = table.snapshots().latest().await? {
        let buckets = Live::new(table)?.buckets(&snapshot).await?;
        print_levels(&buckets, 8, out)?;
    }
    out.flush()
}

fn what_next(warehouse: &str, out: &mut Out) -> Result<()> {
    out.say(&format!(
        "\nTry next:
  export HEADWATER_WAREHOUSE={warehouse}
  headwater sql \"SELECT country, count(*) AS users, sum(spent) AS spent FROM quickstart.user_features GROUP BY country ORDER BY spent DESC\"
  headwater sql                                        # a shell, with history and completion
  headwater inspect quickstart.user_features           # snapshots, levels, files, what a scan merges
  headwater cat quickstart.user_features --where \"user_id < 5\"
  headwater simulate                                   # how compaction behaves under a workload"
    ))
}

/// Cents as an amount.
fn money(cents: i64) -> String {
    format!("{}.{:02}", grouped(cents / 100), cents % 100)
}

fn to_i64(value: u64) -> i64 {
    i64::try_from(value).unwrap_or(i64::MAX)
}
