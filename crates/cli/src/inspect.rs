//! `headwater inspect`: what a table is made of.

mod files;
mod levels;
mod scan;
mod schema;
mod snapshots;

use headwater_metadata::Snapshot;
use headwater_table::Table;
use headwater_types::ErrorKind;

use crate::args::{InspectArgs, InspectView};
use crate::error::{Error, Result};
use crate::live::Live;
use crate::output::Out;
use crate::target::Session;

pub(crate) use levels::print as print_levels;

pub(crate) async fn run(args: &InspectArgs, session: &Session, out: &mut Out) -> Result<()> {
    let table = session.table(&args.table).await?;
    let limit = if args.limit == 0 { usize::MAX } else { args.limit };
    match args.view {
        InspectView::Schema => schema::print(&table, out),
        InspectView::Snapshots => snapshots::print(&table, limit, out).await,
        InspectView::Scan => scan::print(&table, args.snapshot, args.filter.as_deref(), out).await,
        InspectView::Levels => {
            let snapshot = snapshot(&table, args.snapshot).await?;
            let buckets = Live::new(&table)?.buckets(&snapshot).await?;
            levels::print(&buckets, limit, out)
        }
        InspectView::Files => {
            let snapshot = snapshot(&table, args.snapshot).await?;
            let buckets = Live::new(&table)?.buckets(&snapshot).await?;
            files::print(&buckets, limit, out)
        }
        InspectView::Summary => summary(&table, args, limit, out).await,
    }
}

async fn summary(table: &Table, args: &InspectArgs, limit: usize, out: &mut Out) -> Result<()> {
    out.say(&format!("table {}", table.location()))?;
    schema::print(table, out)?;
    out.say("\nsnapshots")?;
    snapshots::print(table, limit.min(10), out).await?;
    if table.snapshots().latest().await?.is_none() {
        return out.say("no rows were written yet");
    }
    let snapshot = snapshot(table, args.snapshot).await?;
    let buckets = Live::new(table)?.buckets(&snapshot).await?;
    out.say(&format!("\nlevels of snapshot {}", snapshot.id))?;
    levels::print(&buckets, limit.min(16), out)?;
    out.say("\nfile sizes")?;
    files::sizes(&buckets, out)?;
    out.say("\na scan")?;
    scan::print(table, args.snapshot, args.filter.as_deref(), out).await
}

/// The snapshot asked for, or the latest.
async fn snapshot(table: &Table, id: Option<i64>) -> Result<Snapshot> {
    match id {
        Some(id) => Ok(table.snapshots().get(id).await?),
        None => table.snapshots().latest().await?.ok_or_else(|| {
            Error::new(
                ErrorKind::NotFound,
                "the table has no snapshot yet; write rows with `headwater ingest` or INSERT",
            )
            .with("table", table.location())
        }),
    }
}
