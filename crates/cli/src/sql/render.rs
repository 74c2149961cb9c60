//! Results of statements: aligned tables for people, canonical JSON for programs.

use std::sync::Arc;
use std::time::Duration;

use arrow_array::{ArrayRef, RecordBatch, RecordBatchOptions};
use arrow_cast::cast;
use arrow_cast::display::{ArrayFormatter, FormatOptions};
use arrow_schema::{ArrowError, DataType as ArrowType, Schema};
use futures::StreamExt;
use headwater_datafusion::StatementResult;
use headwater_types::{DataField, DataType, ErrorKind, JsonRowWriter, TypeKind, from_arrow_type};
use serde_json::json;

use crate::error::{Error, Result};
use crate::output::{Out, aligned};

/// Rows of one printed table; a longer result is printed in several, each with its header.
const ROWS_PER_TABLE: usize = 1000;

pub(super) async fn result(result: StatementResult, out: &mut Out, elapsed: impl Fn() -> Duration) -> Result<()> {
    match result {
        StatementResult::Message(text) => {
            out.say(&text)?;
            out.object(&json!({"message": text}))
        }
        StatementResult::Rows(mut batches, schema) => {
            let mut rows = 0;
            let mut pending = Pending::new(&schema);
            while let Some(batch) = batches.next().await {
                let batch = batch?;
                rows += batch.num_rows();
                if out.is_json() {
                    out.bytes(&json_rows(&batch)?)?;
                } else {
                    pending.add(&batch, out)?;
                }
                if out.is_closed() {
                    return Ok(());
                }
            }
            if !out.is_json() {
                pending.print(out, rows == 0)?;
                let plural = if rows == 1 { "row" } else { "rows" };
                out.line(&format!("{rows} {plural} in {:.3} s", elapsed().as_secs_f64()))?;
            }
            Ok(())
        }
    }
}

/// Rows waiting to be printed together.
struct Pending {
    headers: Vec<String>,
    rows: Vec<Vec<String>>,
}

impl Pending {
    fn new(schema: &Schema) -> Self {
        Self { headers: schema.fields().iter().map(|field| field.name().clone()).collect(), rows: Vec::new() }
    }

    fn add(&mut self, batch: &RecordBatch, out: &mut Out) -> Result<()> {
        let options = FormatOptions::default().with_null("NULL");
        let formatters = batch
            .columns()
            .iter()
            .map(|column| ArrayFormatter::try_new(column.as_ref(), &options))
            .collect::<std::result::Result<Vec<_>, _>>()
            .map_err(unprintable)?;
        for row in 0..batch.num_rows() {
            let cells = formatters.iter().map(|f| f.value(row).try_to_string()).collect::<std::result::Result<_, _>>();
            self.rows.push(cells.map_err(unprintable)?);
            if self.rows.len() >= ROWS_PER_TABLE {
                self.print(out, false)?;
            }
        }
        Ok(())
    }

    fn print(&mut self, out: &mut Out, even_if_empty: bool) -> Result<()> {
        if (self.rows.is_empty() && !even_if_empty) || self.headers.is_empty() {
            return Ok(());
        }
        let headers: Vec<&str> = self.headers.iter().map(String::as_str).collect();
        let text = aligned(&headers, std::mem::take(&mut self.rows).into_iter());
        out.line(&text)
    }
}

fn unprintable(error: ArrowError) -> Error {
    Error::new(ErrorKind::Internal, "a result cannot be printed").with_source(error)
}

/// A batch as lines of canonical JSON. Types that tables cannot have (unsigned numbers, intervals, …) are cast to the
/// nearest one that they can.
pub(crate) fn json_rows(batch: &RecordBatch) -> Result<Vec<u8>> {
    let schema = batch.schema();
    let mut fields = Vec::with_capacity(batch.num_columns());
    let mut columns: Vec<ArrayRef> = Vec::with_capacity(batch.num_columns());
    for (field, column) in schema.fields().iter().zip(batch.columns()) {
        let (data_type, column) = storable(column)?;
        fields.push(DataField::new(0, field.name(), data_type));
        columns.push(column);
    }
    let renamed = Schema::new(
        fields
            .iter()
            .zip(&columns)
            .map(|(field, column)| arrow_schema::Field::new(&field.name, column.data_type().clone(), true))
            .collect::<Vec<_>>(),
    );
    let options = RecordBatchOptions::new().with_row_count(Some(batch.num_rows()));
    let batch = RecordBatch::try_new_with_options(Arc::new(renamed), columns, &options).map_err(unprintable)?;
    let mut text = Vec::new();
    JsonRowWriter::write_rows(&fields, &batch, &mut text)?;
    Ok(text)
}

fn storable(column: &ArrayRef) -> Result<(DataType, ArrayRef)> {
    let target = match column.data_type() {
        ArrowType::Utf8View | ArrowType::LargeUtf8 => Some(ArrowType::Utf8),
        ArrowType::BinaryView | ArrowType::LargeBinary | ArrowType::FixedSizeBinary(_) => Some(ArrowType::Binary),
        ArrowType::UInt8 | ArrowType::UInt16 => Some(ArrowType::Int32),
        ArrowType::UInt32 => Some(ArrowType::Int64),
        ArrowType::UInt64 => Some(ArrowType::Decimal128(20, 0)),
        ArrowType::Dictionary(_, value) => Some(value.as_ref().clone()),
        ArrowType::Null => return Ok((DataType::new(TypeKind::Boolean, true), Arc::clone(column))),
        _ => None,
    };
    let column = match target {
        Some(target) => cast(column, &target).map_err(unprintable)?,
        None => Arc::clone(column),
    };
    if let Ok(data_type) = from_arrow_type(column.data_type(), true) {
        return Ok((data_type, column));
    }
    let text = cast(&column, &ArrowType::Utf8).map_err(unprintable)?;
    Ok((DataType::new(TypeKind::STRING, true), text))
}

#[cfg(test)]
mod tests;
