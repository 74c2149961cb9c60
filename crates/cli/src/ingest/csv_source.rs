//! Comma-separated values.

use std::io::Read;
use std::sync::Arc;

use arrow_array::builder::StringBuilder;
use arrow_array::{ArrayRef, RecordBatch, RecordBatchOptions};
use arrow_schema::{DataType, Field, Schema};

use super::blocks::{Blocks, Boundary};
use super::conform::{Conform, Conformed, Origin};
use super::source::Source;
use crate::error::{Result, from_os, invalid};

/// How the text is laid out.
#[derive(Clone, Debug)]
pub(super) struct CsvLayout {
    pub(super) delimiter: u8,
    pub(super) has_header: bool,
    pub(super) null_text: Option<String>,
}

pub(super) struct CsvSource<R> {
    blocks: Blocks<R>,
    layout: CsvLayout,
    names: Vec<String>,
    origin: Origin,
}

impl<R: Read> CsvSource<R> {
    pub(super) fn new(input: R, name: &str, layout: CsvLayout, conform: &Conform) -> Self {
        let boundary = Boundary::Csv { delimiter: layout.delimiter };
        let names = if layout.has_header {
            Vec::new()
        } else {
            conform.fields().iter().map(|field| field.name.clone()).collect()
        };
        Self {
            blocks: Blocks::new(input, boundary),
            layout,
            names,
            origin: Origin { name: name.to_owned(), first_row: 1 },
        }
    }

    /// The text columns of one block.
    fn columns(&mut self, block: &[u8]) -> Result<Option<RecordBatch>> {
        let mut reader = csv::ReaderBuilder::new()
            .has_headers(false)
            .flexible(true)
            .delimiter(self.layout.delimiter)
            .from_reader(block);
        let mut record = csv::StringRecord::new();
        let mut builders: Vec<StringBuilder> = self.names.iter().map(|_| StringBuilder::new()).collect();
        let mut rows = 0_usize;
        loop {
            let more = reader.read_record(&mut record).map_err(|e| {
                let row = self.origin.first_row + rows as u64;
                invalid(format!("the CSV cannot be read: {e}")).with("input", &self.origin.name).with("row", row)
            })?;
            if !more {
                break;
            }
            if self.names.is_empty() {
                self.names = record.iter().map(|name| name.trim_start_matches('\u{feff}').trim().to_owned()).collect();
                builders = self.names.iter().map(|_| StringBuilder::new()).collect();
                continue;
            }
            if record.len() != self.names.len() {
                return Err(invalid(format!("the row has {} fields, not {}", record.len(), self.names.len()))
                    .with("input", &self.origin.name)
                    .with("row", self.origin.first_row + rows as u64));
            }
            for (builder, text) in builders.iter_mut().zip(record.iter()) {
                let is_null = text.is_empty() || self.layout.null_text.as_deref() == Some(text);
                builder.append_option((!is_null).then_some(text));
            }
            rows += 1;
        }
        if rows == 0 {
            return Ok(None);
        }
        let fields: Vec<Field> = self.names.iter().map(|name| Field::new(name, DataType::Utf8, true)).collect();
        let columns = builders.iter_mut().map(|builder| Arc::new(builder.finish()) as ArrayRef).collect();
        let options = RecordBatchOptions::new().with_row_count(Some(rows));
        let batch = RecordBatch::try_new_with_options(Arc::new(Schema::new(fields)), columns, &options)
            .map_err(|e| invalid("the CSV makes no batch").with("input", &self.origin.name).with_source(e))?;
        Ok(Some(batch))
    }
}

impl<R: Read + Send> Source for CsvSource<R> {
    fn next(&mut self, conform: &Conform) -> Result<Option<Conformed>> {
        loop {
            let block = self.blocks.next().map_err(|e| from_os(e, "read the input", &self.origin.name))?;
            let Some(block) = block else { return Ok(None) };
            if let Some(batch) = self.columns(&block)? {
                let conformed = conform.apply(&batch, &self.origin)?;
                self.origin.first_row += batch.num_rows() as u64;
                return Ok(Some(conformed));
            }
            conform.check_names(self.names.iter().map(String::as_str), &self.origin.name)?;
        }
    }
}
