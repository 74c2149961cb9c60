//! Parquet data files (spec page 02 §3.1).

mod foreign;
mod pruning;
mod read;
mod source;
mod windows;
mod write;

use async_trait::async_trait;
use headwater_io::FileIo;
use headwater_types::DataField;

use crate::{FileFormat, FileReader, FormatWriter, ReadRequest, Result, WriterOptions};

pub use foreign::ForeignParquet;

/// The default format since 0.9.
pub(crate) struct Parquet;

#[async_trait]
impl FileFormat for Parquet {
    fn name(&self) -> &'static str {
        "parquet"
    }

    async fn open(&self, io: &FileIo, path: &str, size: Option<u64>, request: ReadRequest) -> Result<FileReader> {
        read::open(io, path, size, request).await
    }

    async fn writer(
        &self,
        io: &FileIo,
        path: &str,
        fields: &[DataField],
        options: WriterOptions,
    ) -> Result<Box<dyn FormatWriter>> {
        Ok(Box::new(write::ParquetWriter::create(io, path, fields, options).await?))
    }
}

/// A parquet error of the file at that path.
fn file_error(error: ::parquet::errors::ParquetError, path: &str) -> crate::Error {
    use ::parquet::errors::ParquetError;
    match error {
        ParquetError::External(inner) => match inner.downcast::<headwater_io::Error>() {
            Ok(io) => (*io).into(),
            Err(inner) => match inner.downcast::<crate::Error>() {
                Ok(ours) => *ours,
                Err(other) => corrupt(path, other),
            },
        },
        ParquetError::NYI(what) => {
            crate::Error::new(crate::ErrorKind::Unsupported, format!("Parquet: {what}")).with("path", path)
        }
        other => corrupt(path, Box::new(other)),
    }
}

fn corrupt(path: &str, source: headwater_types::BoxError) -> crate::Error {
    crate::Error::new(crate::ErrorKind::Corrupt, format!("the data file cannot be read: {source}"))
        .with("path", path)
        .with_source(source)
}
