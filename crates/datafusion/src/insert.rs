//! `INSERT INTO` and `INSERT OVERWRITE`.

use std::collections::BTreeMap;
use std::sync::Arc;

use datafusion::arrow::array::{ArrayRef, RecordBatch, RecordBatchOptions, new_null_array};
use datafusion::arrow::compute::{CastOptions, cast_with_options};
use datafusion::arrow::datatypes::SchemaRef;
use futures::StreamExt as _;
use headwater_table::{Table, TableWriter};
use headwater_types::{DataField, Datum, array_from_datums, arrow_field, parse_datum, with_arrow_type};

use crate::session::{SqlSession, StatementResult, message};
use crate::statement::{Insert, rewrite_time_travel};
use crate::{Error, ErrorKind, Result};

/// Where each column of the table comes from.
enum Origin {
    /// The query's column at that position.
    Query(usize),
    /// The PARTITION clause.
    Constant(Option<Datum>),
    /// Nowhere: null, or the column's default.
    Absent,
}

pub(crate) async fn run(session: &SqlSession, statement: Insert) -> Result<StatementResult> {
    let identifier = session.resolve(&statement.table)?;
    let table = session.warehouse.table(&identifier).await?;
    let origins = origins(&table, &statement)?;
    let taken = origins.iter().filter(|o| matches!(o, Origin::Query(_))).count();
    let frame = session.context.sql(&rewrite_time_travel(&statement.query)?).await?;
    let found = frame.schema().fields().len();
    if found != taken {
        let text = format!("the query has {found} columns, the table takes {taken} here");
        return Err(Error::new(ErrorKind::InvalidInput, text).with("table", identifier));
    }
    let mut writer = if statement.overwrite { table.overwrite_writer()? } else { table.batch_writer()? };
    let written = match write(&table, &origins, frame.execute_stream().await?, &mut writer).await {
        Ok(rows) => writer.prepare_commit(true).await.map(|messages| (rows, messages)).map_err(Error::from),
        Err(error) => Err(error),
    };
    let (rows, messages) = match written {
        Ok(written) => written,
        Err(error) => {
            // Removes the files of rows that will not be committed.
            writer.close().await?;
            return Err(error.with("table", identifier));
        }
    };
    if statement.overwrite {
        table.overwrite_batch(&statement.partition, messages).await?;
    } else {
        table.commit_batch(messages).await?;
    }
    writer.close().await?;
    let plural = if rows == 1 { "row" } else { "rows" };
    message(format!("{rows} {plural} written to {identifier}"))
}

fn origins(table: &Table, statement: &Insert) -> Result<Vec<Origin>> {
    let schema = table.schema();
    let unknown = |name: &String| {
        let known: Vec<&str> = schema.fields.iter().map(|f| f.name.as_str()).collect();
        let text = format!("there is no column '{name}'; the columns are {}", known.join(", "));
        Error::new(ErrorKind::InvalidInput, text)
    };
    for name in statement.columns.iter().flatten().chain(statement.partition.keys()) {
        if schema.field(name).is_none() {
            return Err(unknown(name));
        }
    }
    if let Some(name) = statement.partition.keys().find(|name| !schema.partition_keys.contains(name)) {
        return Err(Error::new(ErrorKind::InvalidInput, format!("'{name}' is not a partition column")));
    }
    let default_name = table.options().partition_default_name();
    let mut next = 0;
    let origins = schema.fields.iter().map(|field| {
        if let Some(text) = statement.partition.get(&field.name) {
            let value = if *text == default_name { None } else { Some(parse_datum(text, &field.data_type)?) };
            return Ok(Origin::Constant(value));
        }
        match &statement.columns {
            Some(columns) => Ok(columns.iter().position(|c| *c == field.name).map_or(Origin::Absent, Origin::Query)),
            None => {
                next += 1;
                Ok(Origin::Query(next - 1))
            }
        }
    });
    origins.collect()
}

async fn write(
    table: &Table,
    origins: &[Origin],
    mut batches: datafusion::execution::SendableRecordBatchStream,
    writer: &mut TableWriter,
) -> Result<u64> {
    let schema = table.arrow_schema();
    let mut rows = 0;
    while let Some(batch) = batches.next().await {
        let batch = batch?;
        let columns = table.schema().fields.iter().zip(origins);
        let columns =
            columns.map(|(field, origin)| column(field, origin, &batch)).collect::<Result<Vec<ArrayRef>>>()?;
        rows += u64::try_from(batch.num_rows()).unwrap_or(0);
        writer.write(assemble(&schema, columns, batch.num_rows())?).await?;
    }
    Ok(rows)
}

/// A batch of the table out of columns in its order, cast as by INSERT.
pub(crate) fn fitted(table: &Table, columns: &[ArrayRef], rows: usize) -> Result<RecordBatch> {
    let fields = &table.schema().fields;
    let columns = fields.iter().zip(columns).map(|(field, values)| cast(field, values)).collect::<Result<Vec<_>>>()?;
    assemble(&table.arrow_schema(), columns, rows)
}

/// The columns as the table wants them; a null where none may be is left for the writer to refuse by name.
fn assemble(schema: &SchemaRef, columns: Vec<ArrayRef>, rows: usize) -> Result<RecordBatch> {
    let fields: Vec<_> = schema.fields().iter().map(|f| f.as_ref().clone().with_nullable(true)).collect();
    let schema = Arc::new(datafusion::arrow::datatypes::Schema::new(fields));
    let options = RecordBatchOptions::new().with_row_count(Some(rows));
    RecordBatch::try_new_with_options(schema, columns, &options).map_err(Error::from_arrow)
}

fn column(field: &DataField, origin: &Origin, batch: &RecordBatch) -> Result<ArrayRef> {
    let arrow = arrow_field(field);
    match origin {
        Origin::Absent => Ok(new_null_array(arrow.data_type(), batch.num_rows())),
        Origin::Constant(value) => {
            let all = array_from_datums(&field.data_type, &vec![value.clone(); batch.num_rows()])?;
            Ok(with_arrow_type(&all, arrow.data_type())?)
        }
        Origin::Query(at) => {
            let values =
                batch.columns().get(*at).ok_or_else(|| Error::new(ErrorKind::Internal, "a column is missing"))?;
            cast(field, values)
        }
    }
}

fn cast(field: &DataField, values: &ArrayRef) -> Result<ArrayRef> {
    let strict = CastOptions { safe: false, ..CastOptions::default() };
    cast_with_options(values, arrow_field(field).data_type(), &strict).map_err(|e| {
        let text = format!("a value does not fit {}: {e}", field.data_type.with_nullable(true));
        Error::new(ErrorKind::InvalidInput, text).with("column", &field.name)
    })
}

/// A static partition as specs of the committer.
pub(crate) fn spec(text: &str) -> Result<BTreeMap<String, String>> {
    let pairs = text.split(',').map(|pair| {
        let wrong = || Error::new(ErrorKind::InvalidInput, format!("'{pair}' is not COLUMN=VALUE"));
        let (key, value) = pair.split_once('=').ok_or_else(wrong)?;
        Ok((key.trim().to_owned(), value.trim().trim_matches('\'').to_owned()))
    });
    pairs.collect()
}
