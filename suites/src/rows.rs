//! Rows of a scan in a form that can be compared.

use arrow_array::RecordBatch;
use futures::StreamExt;
use headwater_table::{ReadBuilder, ScanBuilder, Table};
use headwater_types::{DataField, JsonRowWriter};

use crate::{Error, ErrorKind, Result};

/// The rows of a scan as sorted lines of canonical JSON, under the schema of the scanned snapshot.
///
/// # Errors
/// Those of planning and reading.
pub async fn canonical_rows(table: &Table, scan: &ScanBuilder) -> Result<Vec<String>> {
    let plan = scan.plan().await?;
    lines_of(&plan.schema.fields, &collect(&table.read(&plan)).await?)
}

/// All batches of a read.
///
/// # Errors
/// Those of reading.
pub async fn collect(read: &ReadBuilder) -> Result<Vec<RecordBatch>> {
    let mut stream = read.all()?;
    let mut batches = Vec::new();
    while let Some(batch) = stream.next().await {
        batches.push(batch?);
    }
    Ok(batches)
}

fn lines_of(fields: &[DataField], batches: &[RecordBatch]) -> Result<Vec<String>> {
    let mut text = Vec::new();
    for batch in batches {
        JsonRowWriter::write_rows(fields, batch, &mut text)?;
    }
    let text =
        String::from_utf8(text).map_err(|e| Error::new(ErrorKind::Internal, "rows are no UTF-8").with_source(e))?;
    canonical_lines(&text)
}

/// Sorted lines of JSON, each printed anew: numbers and characters may be spelt in several ways, values may not differ.
///
/// # Errors
/// `Corrupt` when a line is no JSON.
pub fn canonical_lines(text: &str) -> Result<Vec<String>> {
    let reprint = |line: &str| {
        serde_json::from_str::<serde_json::Value>(line)
            .map(|value| value.to_string())
            .map_err(|e| Error::new(ErrorKind::Corrupt, "a line is no JSON").with("line", line).with_source(e))
    };
    let mut lines = text.lines().filter(|line| !line.trim().is_empty()).map(reprint).collect::<Result<Vec<_>>>()?;
    lines.sort();
    Ok(lines)
}
