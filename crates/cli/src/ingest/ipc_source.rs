//! Arrow IPC, file and stream.

use std::fs::File;
use std::io::{BufReader, Read};

use arrow_array::{RecordBatch, RecordBatchReader};
use arrow_ipc::reader::{FileReader, StreamReader};
use arrow_schema::ArrowError;

use super::conform::{Conform, Conformed, Origin};
use super::source::Source;
use crate::error::{Error, Result, invalid};

pub(super) struct IpcSource {
    batches: Box<dyn RecordBatchReader + Send>,
    origin: Origin,
}

impl IpcSource {
    pub(super) fn file(file: File, name: &str) -> Result<Self> {
        let reader = FileReader::try_new(BufReader::new(file), None).map_err(|e| broken(e, name))?;
        Ok(Self::of(Box::new(reader), name))
    }

    pub(super) fn stream(input: impl Read + Send + 'static, name: &str) -> Result<Self> {
        let reader = StreamReader::try_new(BufReader::new(input), None).map_err(|e| broken(e, name))?;
        Ok(Self::of(Box::new(reader), name))
    }

    fn of(batches: Box<dyn RecordBatchReader + Send>, name: &str) -> Self {
        Self { batches, origin: Origin { name: name.to_owned(), first_row: 1 } }
    }
}

fn broken(error: ArrowError, name: &str) -> Error {
    invalid("the input is not whole Arrow IPC").with("input", name).with_source(error)
}

impl Source for IpcSource {
    fn next(&mut self, conform: &Conform) -> Result<Option<Conformed>> {
        let Some(batch) = self.batches.next() else { return Ok(None) };
        let batch: RecordBatch = batch.map_err(|e| broken(e, &self.origin.name))?;
        let conformed = conform.apply(&batch, &self.origin)?;
        self.origin.first_row += batch.num_rows() as u64;
        Ok(Some(conformed))
    }
}
