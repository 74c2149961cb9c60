//! Sorted records put aside as Arrow IPC streams, wherever the caller keeps temporary files.

use std::io::{Read, Write};
use std::sync::Arc;

use arrow_array::{ArrayRef, RecordBatch};
use arrow_ipc::reader::StreamReader;
use arrow_ipc::writer::{IpcWriteOptions, StreamWriter};
use arrow_ipc::{CompressionType, MetadataVersion};
use headwater_types::{CoreOptions, ErrorKind};

use crate::{Error, KeyValueBatch, KeyValueLayout, Result, error};

/// Where a [`crate::SortBuffer`] puts what does not fit in memory.
pub trait SpillTarget: Send {
    /// A new, empty temporary file.
    ///
    /// # Errors
    /// Whatever keeps the file from being made; the buffer reports it as `Unavailable`.
    fn create(&mut self) -> std::io::Result<Box<dyn SpillSource>>;
}

/// A temporary file: written once through [`Write`], then read from its start. Dropping it removes it.
pub trait SpillSource: Write + Send {
    /// A reader of all bytes written.
    ///
    /// # Errors
    /// Whatever keeps the file from being read.
    fn reader(&mut self) -> std::io::Result<Box<dyn Read + Send>>;
}

/// How spilled records are compressed. Source: option `spill-compression`, spec page 07.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
#[non_exhaustive]
pub enum SpillCompression {
    /// As they are.
    None,
    /// LZ4 frames.
    Lz4,
    /// Zstandard, level 1.
    #[default]
    Zstd,
}

impl SpillCompression {
    /// The table's `spill-compression`; the reference's `lzo` is answered with LZ4, as the files are never kept.
    ///
    /// # Errors
    /// `InvalidInput` for a name that is no compression.
    pub fn new(options: &CoreOptions) -> Result<Self> {
        match options.raw().get("spill-compression").map(|name| name.trim().to_ascii_lowercase()).as_deref() {
            None | Some("zstd") => Ok(Self::Zstd),
            Some("lz4" | "lzo") => Ok(Self::Lz4),
            Some("none") => Ok(Self::None),
            Some(other) => Err(Error::new(
                ErrorKind::InvalidInput,
                format!("'{other}' is no spill compression: use zstd, lz4, lzo or none"),
            )
            .with("option", "spill-compression")),
        }
    }

    fn write_options(self) -> Result<IpcWriteOptions> {
        let compression = match self {
            Self::None => None,
            Self::Lz4 => Some(CompressionType::LZ4_FRAME),
            Self::Zstd => Some(CompressionType::ZSTD),
        };
        IpcWriteOptions::try_new(64, false, MetadataVersion::V5)
            .and_then(|options| options.try_with_compression(compression))
            .map_err(error::arrow("set up a spill file"))
    }
}

/// A sorted run in a temporary file.
pub(crate) struct SpilledRun {
    file: Box<dyn SpillSource>,
}

impl SpilledRun {
    /// Writes the batches, which must be in order.
    pub(crate) fn write(
        target: &mut dyn SpillTarget,
        layout: &KeyValueLayout,
        compression: SpillCompression,
        batches: impl Iterator<Item = Result<KeyValueBatch>>,
    ) -> Result<Self> {
        let mut file = target.create().map_err(|e| failed("make", e))?;
        let schema = headwater_types::arrow_schema(&spill_fields(layout));
        let options = compression.write_options()?;
        let mut writer = StreamWriter::try_new_with_options(&mut file, &schema, options).map_err(write_failed)?;
        for batch in batches {
            let batch = batch?;
            let mut columns = vec![Arc::new(batch.sequence) as ArrayRef, Arc::new(batch.kind) as ArrayRef];
            columns.extend(batch.values);
            let batch = RecordBatch::try_new(Arc::clone(&schema), columns)
                .map_err(|e| Error::new(ErrorKind::InvalidInput, "rows are not of the table's types").with_source(e))?;
            writer.write(&batch).map_err(write_failed)?;
        }
        writer.finish().map_err(write_failed)?;
        drop(writer);
        file.flush().map_err(|e| failed("write", e))?;
        Ok(Self { file })
    }

    /// The records, in order. The run must outlive the reader.
    pub(crate) fn read(&mut self, layout: &KeyValueLayout) -> Result<SpillReader> {
        let reader = self.file.reader().map_err(|e| failed("read", e))?;
        let stream = StreamReader::try_new_buffered(reader, None).map_err(read_failed)?;
        Ok(SpillReader { layout: layout.clone(), stream })
    }
}

/// Reads a spilled run back.
pub(crate) struct SpillReader {
    layout: KeyValueLayout,
    stream: StreamReader<std::io::BufReader<Box<dyn Read + Send>>>,
}

impl Iterator for SpillReader {
    type Item = Result<KeyValueBatch>;

    fn next(&mut self) -> Option<Self::Item> {
        let read = self.stream.next()?.map_err(read_failed);
        Some(read.and_then(|batch| from_spilled(&self.layout, &batch)))
    }
}

/// `_SEQUENCE_NUMBER`, `_VALUE_KIND` and the values: keys are values, as the whole row is there.
fn spill_fields(layout: &KeyValueLayout) -> Vec<headwater_types::DataField> {
    layout.file_fields(true)
}

fn from_spilled(layout: &KeyValueLayout, batch: &RecordBatch) -> Result<KeyValueBatch> {
    use arrow_array::cast::AsArray;
    let corrupt = || Error::new(ErrorKind::Corrupt, "a spill file holds other columns than were written");
    let sequence = batch.columns().first().and_then(|c| c.as_primitive_opt().cloned()).ok_or_else(corrupt)?;
    let kind = batch.columns().get(1).and_then(|c| c.as_primitive_opt().cloned()).ok_or_else(corrupt)?;
    let values: Vec<ArrayRef> = batch.columns().iter().skip(2).cloned().collect();
    let keys = crate::batch::key_columns(layout, &values)?;
    KeyValueBatch::new(keys, sequence, kind, values)
}

fn failed(doing: &str, source: std::io::Error) -> Error {
    Error::new(
        ErrorKind::Unavailable,
        format!("could not {doing} a spill file: check space and rights of the temporary directory"),
    )
    .with_source(source)
}

fn write_failed(source: arrow_schema::ArrowError) -> Error {
    Error::new(
        ErrorKind::Unavailable,
        "could not write a spill file: check space and rights of the temporary directory",
    )
    .with_source(source)
}

fn read_failed(source: arrow_schema::ArrowError) -> Error {
    Error::new(ErrorKind::Unavailable, "could not read a spill file back").with_source(source)
}
