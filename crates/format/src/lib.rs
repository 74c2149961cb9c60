//! Data files of Paimon tables as Arrow batches, with statistics.
//!
//! A format turns bytes of a [`FileIo`](headwater_io::FileIo) into batches whose types are those of
//! `headwater_types::arrow_schema`, and back. It knows columns, not tables: keys, levels and schema versions are the
//! business of the crate above. Only this crate may name `parquet`.
//!
//! ```text
//! file name ─▶ format_of_file ─▶ open(ReadRequest) ─▶ FileReader.batches
//! fields    ─▶ format_for     ─▶ writer            ─▶ write(batch)… ─▶ finish ─▶ FileSummary
//! ```
//!
//! # Examples
//! ```
//! use std::collections::BTreeMap;
//! use std::sync::Arc;
//!
//! use arrow_array::{Int32Array, RecordBatch};
//! use futures::TryStreamExt as _;
//! use headwater_format::{ReadRequest, WriterOptions, format_for};
//! use headwater_io::FileIo;
//! use headwater_types::{DataField, Datum, StatsMode, TypeKind, arrow_schema};
//!
//! # let runtime = tokio::runtime::Builder::new_current_thread().build()?;
//! # runtime.block_on(async {
//! let fields = [DataField::new(0, "k", TypeKind::Int)];
//! let batch = RecordBatch::try_new(arrow_schema(&fields), vec![Arc::new(Int32Array::from(vec![1, 2, 3]))])?;
//! let options = WriterOptions {
//!     compression: "zstd".to_owned(),
//!     zstd_level: 1,
//!     block_size: None,
//!     stats: vec![StatsMode::Full],
//!     distinct: vec![],
//!     options: BTreeMap::new(),
//! };
//! let (io, parquet) = (FileIo::memory(), format_for("parquet")?);
//! let mut writer = parquet.writer(&io, "data-0.parquet", &fields, options).await?;
//! writer.write(&batch).await?;
//! let summary = writer.finish().await?;
//! assert_eq!((summary.rows, &summary.columns[0].max), (3, &Some(Datum::Int(3))));
//!
//! let reader = parquet.open(&io, "data-0.parquet", None, ReadRequest::new(fields.to_vec())).await?;
//! let batches: Vec<RecordBatch> = reader.batches.try_collect().await?;
//! assert_eq!(batches[0].num_rows(), 3);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! # })?;
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod adapt;
mod error;
mod file_format;
mod parquet;
mod statistics;

pub use error::{Error, Result};
pub use file_format::{
    ColumnSummary, FileFormat, FileReader, FileSummary, FormatWriter, ReadRequest, RowSet, WriterOptions, format_for,
    format_of_file,
};
pub use headwater_types::ErrorKind;
pub use parquet::ForeignParquet;
