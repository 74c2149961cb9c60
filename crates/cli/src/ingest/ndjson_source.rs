//! JSON, one object a line: the canonical form that `headwater cat` prints, and what other programs write.

use std::io::Read;
use std::sync::Arc;

use arrow_array::{ArrayRef, Int8Array, StringArray};
use serde_json::{Map, Value};

use super::blocks::{Blocks, Boundary};
use super::conform::{Conform, Conformed, Origin, kinds, missing};
use super::json_value::column;
use super::source::Source;
use crate::error::{Result, from_os, invalid};

pub(super) struct NdjsonSource<R> {
    blocks: Blocks<R>,
    origin: Origin,
}

impl<R: Read> NdjsonSource<R> {
    pub(super) fn new(input: R, name: &str) -> Self {
        Self { blocks: Blocks::new(input, Boundary::Line), origin: Origin { name: name.to_owned(), first_row: 1 } }
    }

    fn rows(&self, block: &[u8], conform: &Conform) -> Result<Vec<Map<String, Value>>> {
        let mut rows: Vec<Map<String, Value>> = Vec::new();
        let mut known = 0;
        for line in block.split(|byte| *byte == b'\n') {
            if line.iter().all(u8::is_ascii_whitespace) {
                continue;
            }
            let row = || self.origin.first_row + rows.len() as u64;
            let object: Map<String, Value> = serde_json::from_slice(line).map_err(|e| {
                invalid(format!("the line is no JSON object: {e}")).with("input", &self.origin.name).with("row", row())
            })?;
            // Rows mostly have the columns of the row before, all of them known.
            let same = rows.last().is_some_and(|last| last.len() == object.len() && last.keys().eq(object.keys()));
            if !same || known == 0 {
                if let Some(name) = object.keys().find(|name| !conform.knows(name)) {
                    return Err(conform.unknown(name).with("input", &self.origin.name).with("row", row()));
                }
                known += 1;
            }
            rows.push(object);
        }
        Ok(rows)
    }

    fn conform(&self, rows: &[Map<String, Value>], conform: &Conform) -> Result<Conformed> {
        let mut columns: Vec<ArrayRef> = Vec::with_capacity(conform.fields().len());
        for field in conform.fields() {
            let absent = rows.iter().all(|row| !row.contains_key(&field.name));
            let values = || rows.iter().map(|row| row.get(&field.name).unwrap_or(&Value::Null));
            columns.push(if absent { missing(field, rows.len())? } else { column(field, values(), &self.origin)? });
        }
        let kinds: Option<Int8Array> = match conform.kind_column() {
            Some(name) => {
                let texts: StringArray = rows.iter().map(|row| row.get(name).and_then(Value::as_str)).collect();
                Some(kinds(&(Arc::new(texts) as ArrayRef), name, &self.origin)?)
            }
            None => None,
        };
        conform.finish(columns, kinds, rows.len(), &self.origin)
    }
}

impl<R: Read + Send> Source for NdjsonSource<R> {
    fn next(&mut self, conform: &Conform) -> Result<Option<Conformed>> {
        loop {
            let block = self.blocks.next().map_err(|e| from_os(e, "read the input", &self.origin.name))?;
            let Some(block) = block else { return Ok(None) };
            let rows = self.rows(&block, conform)?;
            if !rows.is_empty() {
                let conformed = self.conform(&rows, conform)?;
                self.origin.first_row += rows.len() as u64;
                return Ok(Some(conformed));
            }
        }
    }
}
