//! `headwater cat`: the rows of a table directory as canonical JSON.

use futures::StreamExt;
use headwater_table::Table;
use headwater_types::{DataField, JsonRowWriter};

use crate::args::CatArgs;
use crate::error::{Result, invalid};
use crate::output::Out;
use crate::target::{Session, is_path};
use crate::where_clause;

pub(crate) async fn run(args: &CatArgs, session: &Session, out: &mut Out) -> Result<()> {
    let table = open(args, session).await?;
    let mut scan = table.scan();
    if let Some(id) = args.snapshot {
        scan = scan.snapshot(id);
    }
    if let Some(tag) = &args.tag {
        scan = scan.tag(tag);
    }
    if let Some(millis) = args.timestamp {
        scan = scan.as_of_timestamp(millis);
    }
    // Columns are those of the snapshot's schema, which only the plan knows.
    let fields = scan.schema().await?.fields.clone();
    let filter = args.filter.as_deref().map(|text| where_clause::parse(text, &fields)).transpose()?;
    let printed = printed(&fields, args.columns.as_deref())?;
    if let Some(filter) = &filter {
        scan = scan.filter(filter.clone());
    } else if let Some(limit) = args.limit {
        scan = scan.limit(limit);
    }
    let plan = scan.plan().await?;
    let names: Vec<&str> = printed.iter().map(|field| field.name.as_str()).collect();
    let mut read = table.read(&plan).columns(&names)?;
    if let Some(filter) = filter {
        read = read.filter(filter);
    }
    if let Some(limit) = args.limit {
        read = read.limit(limit);
    }
    let mut batches = read.all()?;
    let mut text = Vec::new();
    while !out.is_closed() {
        let Some(batch) = batches.next().await else { break };
        text.clear();
        JsonRowWriter::write_rows(&printed, &batch?, &mut text)?;
        out.bytes(&text)?;
    }
    Ok(())
}

async fn open(args: &CatArgs, session: &Session) -> Result<Table> {
    if args.branch.is_some() || is_path(&args.table) {
        return session.table_at(&args.table, args.branch.as_deref()).await;
    }
    session.table(&args.table).await
}

/// The columns to print, in the order asked for.
fn printed(fields: &[DataField], names: Option<&[String]>) -> Result<Vec<DataField>> {
    let Some(names) = names else { return Ok(fields.to_vec()) };
    names
        .iter()
        .map(|name| {
            fields.iter().find(|field| field.name == name.trim()).cloned().ok_or_else(|| {
                let known: Vec<&str> = fields.iter().map(|field| field.name.as_str()).collect();
                invalid(format!("there is no column '{name}'; the table has {}", known.join(", ")))
            })
        })
        .collect()
}
