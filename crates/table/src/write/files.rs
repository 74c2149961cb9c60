//! Data files being written, one after the other as they reach their size.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

use arrow_array::{ArrayRef, RecordBatch};
use headwater_format::{FileSummary, FormatWriter, WriterOptions, format_for};
use headwater_lsm::KeyValueBatch;
use headwater_metadata::{DataFileMeta, FileSource, SimpleStats};
use headwater_types::{BinaryRow, BinaryRowEncoder, DataField, ErrorKind};

use super::context::WriteContext;
use super::stats;
use crate::{Error, Result};

/// Rows written between two looks at the size of the file, at most.
const ROWS_BETWEEN_CHECKS: usize = 8192;

/// Names of the files of one bucket's writer: one random part, one counter.
#[derive(Debug)]
pub(super) struct FileNames {
    prefix: String,
    uuid: String,
    next: AtomicU32,
}

impl FileNames {
    pub(super) fn new(context: &WriteContext) -> Self {
        Self { prefix: context.options.data_file_prefix(), uuid: context.env.uuid(), next: AtomicU32::new(0) }
    }

    fn next(&self, extension: &str) -> String {
        let number = self.next.fetch_add(1, Ordering::Relaxed);
        format!("{}{}-{number}.{extension}", self.prefix, self.uuid)
    }
}

/// Where files go and what is said of them.
#[derive(Clone)]
pub(super) struct FileTarget {
    pub(super) context: Arc<WriteContext>,
    /// The bucket's directory.
    pub(super) dir: String,
    pub(super) names: Arc<FileNames>,
    pub(super) level: i32,
    pub(super) source: FileSource,
}

/// Rows of a file and what its metadata needs to know of them.
struct Chunk {
    rows: RecordBatch,
    first_sequence: i64,
    last_sequence: i64,
    deletes: usize,
    /// Keys of the first and the last row; nothing in tables without primary key.
    keys: Option<[Vec<ArrayRef>; 2]>,
}

struct OpenFile {
    writer: Box<dyn FormatWriter>,
    name: String,
    rows: i64,
    deletes: i64,
    first_sequence: i64,
    last_sequence: i64,
    first_key: Option<Vec<ArrayRef>>,
    last_key: Option<Vec<ArrayRef>>,
}

/// Writes rows into files of the target size.
pub(super) struct RollingFiles {
    target: FileTarget,
    fields: Vec<DataField>,
    extension: String,
    target_size: u64,
    target_rows: i64,
    open: Option<OpenFile>,
    done: Vec<DataFileMeta>,
}

impl RollingFiles {
    pub(super) fn new(target: FileTarget) -> Self {
        let context = &target.context;
        let fields = match &context.layout {
            Some(keyed) => keyed.layout.file_fields(keyed.thin),
            None => context.schema.fields.clone(),
        };
        let flushed = target.source == FileSource::Append;
        Self {
            fields,
            extension: extension(context, target.level),
            target_size: context.options.target_file_size(context.layout.is_some()).max(1),
            target_rows: if flushed { context.options.target_file_row_num().max(1) } else { i64::MAX },
            open: None,
            done: Vec::new(),
            target,
        }
    }

    /// Writes keyed records, which come in key order.
    pub(super) async fn write_keyed(&mut self, batch: &KeyValueBatch) -> Result<()> {
        let Some(keyed) = self.target.context.layout.clone() else {
            return Err(Error::new(ErrorKind::Internal, "keyed records for a table without primary key"));
        };
        let mut at = 0;
        while at < batch.num_rows() {
            let length = self.rows_at_once().min(batch.num_rows() - at);
            let part = batch.slice(at, length);
            at += length;
            let row = |at: usize| part.keys.iter().map(|key| key.slice(at, 1)).collect::<Vec<_>>();
            let sequences = part.sequence.values();
            let chunk = Chunk {
                rows: part.to_file(&keyed.layout, keyed.thin)?,
                first_sequence: sequences.iter().copied().min().unwrap_or(0),
                last_sequence: sequences.iter().copied().max().unwrap_or(0),
                deletes: part.retractions(),
                keys: Some([row(0), row(length - 1)]),
            };
            self.write(chunk).await?;
        }
        Ok(())
    }

    /// Writes rows without key; the first has that sequence number.
    pub(super) async fn write_rows(&mut self, batch: &RecordBatch, first_sequence: i64) -> Result<()> {
        let mut at = 0;
        while at < batch.num_rows() {
            let length = self.rows_at_once().min(batch.num_rows() - at);
            let first_sequence = first_sequence.saturating_add(to_i64(at));
            let last_sequence = first_sequence.saturating_add(to_i64(length) - 1);
            let rows = batch.slice(at, length);
            at += length;
            self.write(Chunk { rows, first_sequence, last_sequence, deletes: 0, keys: None }).await?;
        }
        Ok(())
    }

    /// Few enough rows that a file does not grow far beyond its target.
    fn rows_at_once(&self) -> usize {
        let by_rows = match &self.open {
            Some(open) => self.target_rows - open.rows,
            None => self.target_rows,
        };
        let width = self
            .open
            .as_ref()
            .map_or(64, |open| open.writer.bytes_so_far() / u64::try_from(open.rows).unwrap_or(1).max(1));
        let by_size = self.target_size / (8 * width.max(1));
        let rows = u64::try_from(by_rows).unwrap_or(1).min(by_size.max(128));
        usize::try_from(rows).unwrap_or(usize::MAX).clamp(1, ROWS_BETWEEN_CHECKS)
    }

    async fn write(&mut self, chunk: Chunk) -> Result<()> {
        let mut open = match self.open.take() {
            Some(open) => open,
            None => self.start(&chunk).await?,
        };
        let [first, last] = chunk.keys.map_or([None, None], |[first, last]| [Some(first), Some(last)]);
        open.first_key = open.first_key.or(first);
        open.last_key = last;
        open.rows += to_i64(chunk.rows.num_rows());
        open.deletes += to_i64(chunk.deletes);
        open.first_sequence = open.first_sequence.min(chunk.first_sequence);
        open.last_sequence = open.last_sequence.max(chunk.last_sequence);
        let written = open.writer.write(&chunk.rows).await;
        let full = open.writer.bytes_so_far() >= self.target_size || open.rows >= self.target_rows;
        self.open = Some(open);
        written?;
        if full {
            self.close_file().await?;
        }
        Ok(())
    }

    async fn start(&mut self, chunk: &Chunk) -> Result<OpenFile> {
        let context = &self.target.context;
        let level = self.target.level;
        let name = self.target.names.next(&self.extension);
        let format = format_for(&context.options.file_format_for_level(level))?;
        let keyed = context.layout.as_ref();
        let thin = keyed.is_some_and(|keyed| keyed.thin);
        let own = |key: &String| ["parquet.", "orc.", "avro."].iter().any(|p| key.to_ascii_lowercase().starts_with(p));
        let raw = context.options.raw();
        let options: BTreeMap<_, _> =
            raw.iter().filter(|(key, _)| own(key)).map(|(k, v)| (k.clone(), v.clone())).collect();
        let options = WriterOptions {
            compression: context.options.file_compression_for_level(level),
            zstd_level: context.options.zstd_level(),
            block_size: context.options.file_block_size(),
            stats: stats::modes(&context.schema, &context.options, keyed.map(|keyed| &keyed.layout), thin, level),
            distinct: keyed.map(|keyed| keyed.layout.distinct_columns()).unwrap_or_default(),
            options,
        };
        let path = format!("{}/{name}", self.target.dir);
        let writer = format.writer(&context.io, &path, &self.fields, options).await?;
        Ok(OpenFile {
            writer,
            name,
            rows: 0,
            deletes: 0,
            first_sequence: chunk.first_sequence,
            last_sequence: chunk.last_sequence,
            first_key: None,
            last_key: None,
        })
    }

    async fn close_file(&mut self) -> Result<()> {
        let Some(open) = self.open.take() else { return Ok(()) };
        let OpenFile { writer, name, rows, deletes, first_sequence, last_sequence, first_key, last_key } = open;
        let summary = writer.finish().await?;
        let mut file = self.describe(&summary)?;
        file.file_name = name;
        file.row_count = rows;
        file.delete_row_count = Some(deletes);
        file.min_sequence_number = first_sequence;
        file.max_sequence_number = last_sequence;
        if let (Some(keyed), Some(first), Some(last)) = (&self.target.context.layout, first_key, last_key) {
            let encoder = BinaryRowEncoder::new(&keyed.layout.key_types());
            let one = |columns: &[ArrayRef]| -> Result<BinaryRow> {
                let row = encoder.encode(columns)?.into_iter().next();
                row.ok_or_else(|| Error::new(ErrorKind::Internal, "a key of a written file is missing"))
            };
            file.min_key = one(&first)?;
            file.max_key = one(&last)?;
        }
        self.done.push(file);
        Ok(())
    }

    /// What the statistics and the target say of a finished file.
    fn describe(&self, summary: &FileSummary) -> Result<DataFileMeta> {
        let context = &self.target.context;
        let values = &context.schema.fields;
        let value_columns =
            summary.columns.get(summary.columns.len().saturating_sub(values.len())..).unwrap_or_default();
        let key_stats = match &context.layout {
            None => SimpleStats::empty(),
            Some(keyed) => {
                let keys = keyed.layout.keys();
                let column = |at: usize| {
                    let stored = if keyed.thin {
                        keyed.layout.key_positions().nth(at).flatten().and_then(|value| value_columns.get(value))
                    } else {
                        summary.columns.get(at)
                    };
                    stored.cloned().unwrap_or_default()
                };
                stats::complete(keys, &(0..keys.len()).map(column).collect::<Vec<_>>())?
            }
        };
        let (value_stats, value_stats_cols) = if context.options.stats_dense_store() {
            stats::dense(values, value_columns)?
        } else {
            (stats::complete(values, value_columns)?, None)
        };
        Ok(DataFileMeta {
            file_name: String::new(),
            file_size: i64::try_from(summary.size).unwrap_or(i64::MAX),
            row_count: i64::try_from(summary.rows).unwrap_or(i64::MAX),
            min_key: BinaryRow::empty(),
            max_key: BinaryRow::empty(),
            key_stats,
            value_stats,
            min_sequence_number: 0,
            max_sequence_number: 0,
            schema_id: context.schema.id,
            level: self.target.level,
            extra_files: Vec::new(),
            creation_time_millis: Some(context.env.local_millis()),
            delete_row_count: Some(0),
            embedded_index: None,
            file_source: Some(self.target.source),
            value_stats_cols,
            external_path: None,
            first_row_id: None,
            write_cols: None,
        })
    }

    /// Ends the last file; all of them are durable afterwards.
    pub(super) async fn finish(mut self) -> Result<Vec<DataFileMeta>> {
        match self.close_file().await {
            Ok(()) => Ok(self.done),
            Err(error) => {
                self.abort().await;
                Err(error)
            }
        }
    }

    /// Removes everything written. What cannot be removed stays behind and is in no snapshot.
    pub(super) async fn abort(mut self) {
        if let Some(open) = self.open.take()
            && let Err(error) = open.writer.abort().await
        {
            tracing::warn!(%error, "could not remove an unfinished data file");
        }
        remove(&self.target.context, &self.target.dir, self.done.iter().map(|file| file.file_name.as_str())).await;
    }
}

/// Removes data files that no snapshot has.
pub(super) async fn remove(context: &WriteContext, dir: &str, names: impl Iterator<Item = &str>) {
    for name in names {
        if let Err(error) = context.io.delete(&format!("{dir}/{name}")).await {
            tracing::warn!(%error, "could not remove a data file that is not needed");
        }
    }
}

fn extension(context: &WriteContext, level: i32) -> String {
    let format = context.options.file_format_for_level(level);
    if !context.options.file_suffix_include_compression() {
        return format;
    }
    let codec = context.options.file_compression();
    let codec = match codec.as_str() {
        "" | "none" => return format,
        "gzip" => "gz",
        "bzip2" => "bz2",
        "zstd" => "zst",
        other => other,
    };
    format!("{codec}.{format}")
}

fn to_i64(n: usize) -> i64 {
    i64::try_from(n).unwrap_or(i64::MAX)
}
