//! Writing Parquet files.

use std::io::Write;
use std::sync::{Arc, Mutex, PoisonError};

use arrow_array::RecordBatch;
use arrow_schema::{DataType, Field, Schema, SchemaRef};
use async_trait::async_trait;
use bytes::Bytes;
use headwater_io::{FileIo, FileWriter};
use headwater_types::{DataField, TypeKind, arrow_schema};
use parquet::arrow::ArrowWriter;
use parquet::arrow::arrow_writer::ArrowWriterOptions;
use parquet::basic::{BrotliLevel, Compression, GzipLevel, ZstdLevel};
use parquet::file::properties::{EnabledStatistics, WriterProperties, WriterVersion};

use super::file_error;
use crate::statistics::StatsCollector;
use crate::{Error, ErrorKind, FileSummary, FormatWriter, Result, WriterOptions};

/// Row-group bytes of the reference.
const DEFAULT_BLOCK_BYTES: u64 = 128 << 20;
/// Encoded bytes after which they are handed to the store.
const HAND_OVER_BYTES: usize = 1 << 20;

/// Encoded bytes between the encoder and the store.
#[derive(Clone, Default)]
struct Outbox(Arc<Mutex<Vec<u8>>>);

impl Outbox {
    fn len(&self) -> usize {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).len()
    }

    fn take(&self) -> Bytes {
        std::mem::take(&mut *self.0.lock().unwrap_or_else(PoisonError::into_inner)).into()
    }
}

impl Write for Outbox {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

/// A Parquet file being written: row groups go to the store as they fill.
pub(super) struct ParquetWriter {
    /// Never contended: the mutex only makes the writer shareable, which its futures need.
    encoder: Mutex<ArrowWriter<Outbox>>,
    bytes: usize,
    outbox: Outbox,
    file: Mutex<FileWriter>,
    statistics: StatsCollector,
    schema: SchemaRef,
    block_bytes: usize,
    rows: u64,
    path: String,
}

impl ParquetWriter {
    pub(super) async fn create(io: &FileIo, path: &str, fields: &[DataField], options: WriterOptions) -> Result<Self> {
        let full_path = io.full_path(path);
        let schema = file_schema(fields);
        let outbox = Outbox::default();
        let encoder_options = ArrowWriterOptions::new()
            .with_properties(properties(&options)?)
            .with_skip_arrow_metadata(true)
            .with_schema_root("paimon_schema".to_owned());
        let encoder = ArrowWriter::try_new_with_options(outbox.clone(), Arc::clone(&schema), encoder_options)
            .map_err(|e| file_error(e, &full_path))?;
        let block_bytes = match option(&options, "parquet.block.size")? {
            Some(bytes) => options.block_size.unwrap_or(bytes),
            None => options.block_size.unwrap_or(DEFAULT_BLOCK_BYTES),
        };
        Ok(Self {
            encoder: Mutex::new(encoder),
            bytes: 0,
            outbox,
            file: Mutex::new(io.create(path).await?),
            statistics: StatsCollector::new(fields, &options.stats),
            schema,
            block_bytes: usize::try_from(block_bytes).unwrap_or(usize::MAX),
            rows: 0,
            path: full_path,
        })
    }

    async fn hand_over(&mut self, at_least: usize) -> Result<()> {
        if self.outbox.len() >= at_least.max(1) {
            self.file.get_mut().unwrap_or_else(PoisonError::into_inner).write(self.outbox.take()).await?;
        }
        Ok(())
    }
}

#[async_trait]
impl FormatWriter for ParquetWriter {
    async fn write(&mut self, batch: &RecordBatch) -> Result<()> {
        let fitted = RecordBatch::try_new(Arc::clone(&self.schema), batch.columns().to_vec()).map_err(|e| {
            Error::new(ErrorKind::InvalidInput, format!("the rows do not fit the file's columns: {e}"))
                .with("path", &self.path)
        })?;
        self.statistics.update(fitted.columns())?;
        let encoder = self.encoder.get_mut().unwrap_or_else(PoisonError::into_inner);
        encoder.write(&fitted).map_err(|e| file_error(e, &self.path))?;
        if encoder.in_progress_size() >= self.block_bytes {
            encoder.flush().map_err(|e| file_error(e, &self.path))?;
        }
        self.bytes = encoder.bytes_written() + encoder.in_progress_size();
        self.rows += u64::try_from(fitted.num_rows()).unwrap_or(0);
        self.hand_over(HAND_OVER_BYTES).await
    }

    fn bytes_so_far(&self) -> u64 {
        u64::try_from(self.bytes).unwrap_or(u64::MAX)
    }

    async fn finish(mut self: Box<Self>) -> Result<FileSummary> {
        let encoder = self.encoder.get_mut().unwrap_or_else(PoisonError::into_inner);
        encoder.finish().map_err(|e| file_error(e, &self.path))?;
        self.hand_over(1).await?;
        let this = *self;
        let file = this.file.into_inner().unwrap_or_else(PoisonError::into_inner);
        Ok(FileSummary { size: file.close().await?, rows: this.rows, columns: this.statistics.finish() })
    }

    async fn abort(self: Box<Self>) -> Result<()> {
        Ok(self.file.into_inner().unwrap_or_else(PoisonError::into_inner).abort().await?)
    }
}

/// The columns as the file describes them: TIME is marked as adjusted to UTC, as the reference does.
fn file_schema(fields: &[DataField]) -> SchemaRef {
    let plain = arrow_schema(fields);
    let marked = plain.fields().iter().zip(fields).map(|(arrow, field)| {
        let mut metadata = arrow.metadata().clone();
        if matches!(field.data_type.kind(), TypeKind::Time { .. }) && matches!(arrow.data_type(), DataType::Time32(_)) {
            metadata.insert("adjusted_to_utc".to_owned(), String::new());
        }
        arrow.as_ref().clone().with_metadata(metadata)
    });
    Arc::new(Schema::new(marked.collect::<Vec<Field>>()))
}

fn properties(options: &WriterOptions) -> Result<WriterProperties> {
    let size = |key: &str, default: usize| -> Result<usize> {
        Ok(option(options, key)?.and_then(|v| usize::try_from(v).ok()).unwrap_or(default))
    };
    let asked = options.options.get("parquet.enable.dictionary");
    let dictionary = asked.is_none_or(|v| !v.eq_ignore_ascii_case("false"));
    let mut properties = WriterProperties::builder();
    if asked.is_none() {
        for column in &options.distinct {
            properties = properties.set_column_dictionary_enabled(column.as_str().into(), false);
        }
    }
    Ok(properties
        .set_writer_version(WriterVersion::PARQUET_1_0)
        .set_compression(compression(options)?)
        .set_dictionary_enabled(dictionary)
        .set_dictionary_page_size_limit(size("parquet.dictionary.page.size", 1 << 20)?)
        .set_data_page_size_limit(size("parquet.page.size", 1 << 20)?)
        .set_data_page_row_count_limit(size("parquet.page.row.count.limit", 20_000)?)
        .set_max_row_group_row_count(None)
        .set_statistics_enabled(EnabledStatistics::Page)
        .set_statistics_truncate_length(None)
        .set_coerce_types(true)
        .set_created_by(concat!("headwater version ", env!("CARGO_PKG_VERSION")).to_owned())
        .build())
}

fn option(options: &WriterOptions, key: &str) -> Result<Option<u64>> {
    let value = options.options.get(key).map(|text| {
        text.parse()
            .map_err(|_| Error::new(ErrorKind::InvalidInput, format!("option '{key}' = '{text}' is not a number")))
    });
    value.transpose()
}

fn compression(options: &WriterOptions) -> Result<Compression> {
    let name = options.options.get("parquet.compression").unwrap_or(&options.compression).to_ascii_lowercase();
    let level =
        |e: parquet::errors::ParquetError| Error::new(ErrorKind::InvalidInput, format!("compression level: {e}"));
    Ok(match name.as_str() {
        "none" | "uncompressed" | "" => Compression::UNCOMPRESSED,
        "snappy" => Compression::SNAPPY,
        "gzip" => Compression::GZIP(GzipLevel::default()),
        "brotli" => Compression::BROTLI(BrotliLevel::default()),
        "lz4" => Compression::LZ4,
        "lz4_raw" => Compression::LZ4_RAW,
        "zstd" => Compression::ZSTD(ZstdLevel::try_new(options.zstd_level).map_err(level)?),
        "lzo" => return Err(Error::new(ErrorKind::Unsupported, "compression 'lzo' of Parquet files")),
        other => {
            return Err(Error::new(
                ErrorKind::InvalidInput,
                format!("'{other}' is not a compression of Parquet files"),
            ));
        }
    })
}
