//! What every file format offers.

use std::collections::BTreeMap;
use std::sync::Arc;

use arrow_array::RecordBatch;
use arrow_schema::SchemaRef;
use async_trait::async_trait;
use futures::stream::BoxStream;
use headwater_io::FileIo;
use headwater_types::{DataField, Datum, Predicate, StatsMode};

use crate::parquet::Parquet;
use crate::{Error, ErrorKind, Result};

/// Rows of a file, known by their ordinals from 0: what a deletion vector is to a reader.
pub trait RowSet: Send + Sync {
    /// Whether the row at that position is in the set.
    fn contains(&self, position: u64) -> bool;
}

/// What to read of a file.
#[derive(Clone)]
pub struct ReadRequest {
    /// Columns of the file's own schema, matched by name, nested members too; one that the file lacks reads as nulls.
    pub columns: Vec<DataField>,
    /// A filter over `columns`. Row groups that cannot match are skipped.
    pub filter: Option<Predicate>,
    /// Whether rows that do not match are left out, too: their other columns are then not decoded.
    pub exact_filter: bool,
    /// Rows to leave out.
    pub skip_rows: Option<Arc<dyn RowSet>>,
    /// Rows of a batch, at most.
    pub batch_rows: usize,
    /// Encoded bytes to fetch at once, about; more are fetched where the file does not say where its pages are. `None` for
    /// whatever the format takes as a unit, such as a row group.
    pub window_bytes: Option<u64>,
}

impl ReadRequest {
    /// All rows of those columns in batches of 8,192.
    #[must_use]
    pub fn new(columns: Vec<DataField>) -> Self {
        Self { columns, filter: None, exact_filter: false, skip_rows: None, batch_rows: 8192, window_bytes: None }
    }
}

/// The batches of one file.
pub struct FileReader {
    /// `headwater_types::arrow_schema` of the requested columns.
    pub schema: SchemaRef,
    /// Rows of the whole file, before filters.
    pub file_rows: u64,
    /// Row groups that the filter left out.
    pub skipped_row_groups: usize,
    /// Row groups of the file.
    pub row_groups: usize,
    /// The batches, in file order.
    pub batches: BoxStream<'static, Result<RecordBatch>>,
}

/// How to write a file.
#[derive(Clone, Debug)]
pub struct WriterOptions {
    /// `file.compression`: `zstd`, `snappy`, `lz4`, `gzip`, `none`, …
    pub compression: String,
    /// `file.compression.zstd-level`.
    pub zstd_level: i32,
    /// `file.block-size`: bytes of a row group.
    pub block_size: Option<u64>,
    /// One mode a column.
    pub stats: Vec<StatsMode>,
    /// Columns in which nearly every value is another one, such as keys: formats spare themselves a dictionary of them.
    pub distinct: Vec<String>,
    /// `parquet.*` options of the table.
    pub options: BTreeMap<String, String>,
}

/// Statistics of one column of a written file; `None` in all three is "not collected".
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ColumnSummary {
    /// Smallest value.
    pub min: Option<Datum>,
    /// Largest value.
    pub max: Option<Datum>,
    /// Nulls.
    pub null_count: Option<i64>,
}

/// What was written.
#[derive(Clone, Debug, PartialEq)]
pub struct FileSummary {
    /// Bytes.
    pub size: u64,
    /// Rows.
    pub rows: u64,
    /// One a column.
    pub columns: Vec<ColumnSummary>,
}

/// A file being written.
#[async_trait]
pub trait FormatWriter: Send + Sync {
    /// Appends rows; the batch has the arrow schema of the writer's fields.
    ///
    /// # Errors
    /// `InvalidInput` when the columns do not fit; the store's errors.
    async fn write(&mut self, batch: &RecordBatch) -> Result<()>;
    /// Bytes written and estimated for what is buffered.
    fn bytes_so_far(&self) -> u64;
    /// Ends the file; it is durable afterwards.
    ///
    /// # Errors
    /// The store's errors.
    async fn finish(self: Box<Self>) -> Result<FileSummary>;
    /// Gives the file up and removes it.
    ///
    /// # Errors
    /// The store's errors.
    async fn abort(self: Box<Self>) -> Result<()>;
}

/// A format of data files.
#[async_trait]
pub trait FileFormat: Send + Sync {
    /// Its name in options and file names.
    fn name(&self) -> &'static str;
    /// Opens a file for reading.
    ///
    /// # Errors
    /// `NotFound`; `Corrupt` with the path; `Unsupported` for an encoding that is not read.
    async fn open(&self, io: &FileIo, path: &str, size: Option<u64>, request: ReadRequest) -> Result<FileReader>;
    /// Starts a file.
    ///
    /// # Errors
    /// `InvalidInput` or `Unsupported` for options that cannot be followed; the store's errors.
    async fn writer(
        &self,
        io: &FileIo,
        path: &str,
        fields: &[DataField],
        options: WriterOptions,
    ) -> Result<Box<dyn FormatWriter>>;
}

/// The format of that name.
///
/// # Errors
/// `Unsupported` naming a format of Paimon that is not here, `InvalidInput` for any other name.
pub fn format_for(name: &str) -> Result<Arc<dyn FileFormat>> {
    match name {
        "parquet" => Ok(Arc::new(Parquet)),
        "orc" | "avro" | "csv" | "json" | "text" | "row" | "blob" | "lance" | "vortex" | "mosaic" => {
            Err(Error::new(ErrorKind::Unsupported, format!("data files in format '{name}'")))
        }
        other => Err(Error::new(ErrorKind::InvalidInput, format!("'{other}' is not a file format"))),
    }
}

/// The format of a data file, from its name: the extension, or the one before it when the last is a codec's.
///
/// # Errors
/// As [`format_for`].
pub fn format_of_file(file_name: &str) -> Result<Arc<dyn FileFormat>> {
    let mut parts = file_name.rsplit('.');
    let last = parts.next().unwrap_or_default();
    let codec = matches!(last, "gz" | "bz2" | "deflate" | "snappy" | "lz4" | "zst");
    format_for(if codec { parts.next().unwrap_or_default() } else { last }).map_err(|e| e.with("path", file_name))
}
