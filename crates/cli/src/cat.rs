//! `headwater cat`: the rows of a table directory as canonical JSON.

use arrow_array::RecordBatch;
use arrow_select::filter::filter_record_batch;
use futures::StreamExt;
use headwater_table::Table;
use headwater_types::{DataField, ErrorKind, JsonRowWriter, Predicate};

use crate::args::CatArgs;
use crate::error::{Error, Result, invalid};
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
    let fields = scan.clone().schema().await?.fields.clone();
    let filter = args.filter.as_deref().map(|text| where_clause::parse(text, &fields)).transpose()?;
    let printed = printed(&fields, args.columns.as_deref())?;
    if let Some(filter) = &filter {
        scan = scan.filter(filter.clone());
    } else if let Some(limit) = args.limit {
        scan = scan.limit(limit);
    }
    let plan = scan.plan().await?;
    let wanted = wanted(&fields, &printed, filter.as_ref());
    let names: Vec<&str> = wanted.iter().map(|field| field.name.as_str()).collect();
    let mut read = table.read(&plan).columns(&names)?;
    if let Some(filter) = &filter {
        read = read.filter(filter.clone());
    }
    let mut batches = read.all()?;
    let mut left = args.limit.unwrap_or(usize::MAX);
    let mut text = Vec::new();
    while left > 0 && !out.is_closed() {
        let Some(batch) = batches.next().await else { break };
        let batch = kept(&batch?, filter.as_ref())?;
        let batch = batch.slice(0, batch.num_rows().min(left));
        left -= batch.num_rows();
        let columns: Option<Vec<_>> =
            printed.iter().map(|field| batch.column_by_name(&field.name).map(std::sync::Arc::clone)).collect();
        let columns = columns.ok_or_else(|| Error::new(ErrorKind::Internal, "the read left out a column"))?;
        let schema = headwater_types::arrow_schema(&printed);
        let options = arrow_array::RecordBatchOptions::new().with_row_count(Some(batch.num_rows()));
        let projected = RecordBatch::try_new_with_options(schema, columns, &options)
            .map_err(|e| Error::new(ErrorKind::Internal, "the read gave columns of other types").with_source(e))?;
        text.clear();
        JsonRowWriter::write_rows(&printed, &projected, &mut text)?;
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

/// The columns to read: those printed and those filtered by, in table order.
fn wanted(fields: &[DataField], printed: &[DataField], filter: Option<&Predicate>) -> Vec<DataField> {
    let filtered = filter.map(Predicate::columns).unwrap_or_default();
    fields.iter().filter(|field| printed.contains(field) || filtered.contains(&field.name)).cloned().collect()
}

/// The rows for which the filter is true.
fn kept(batch: &RecordBatch, filter: Option<&Predicate>) -> Result<RecordBatch> {
    let Some(filter) = filter else { return Ok(batch.clone()) };
    let truth = filter.evaluate(batch)?;
    filter_record_batch(batch, &truth)
        .map_err(|e| Error::new(ErrorKind::Internal, "the filter does not fit the rows").with_source(e))
}
