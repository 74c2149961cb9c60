//! Parquet files that are nobody's data file: a user's own, read with the types they have.

use arrow_array::RecordBatch;
use arrow_schema::SchemaRef;
use futures::stream::BoxStream;
use futures::{StreamExt as _, TryStreamExt as _};
use headwater_io::FileIo;
use parquet::arrow::arrow_reader::{ArrowReaderMetadata, ArrowReaderOptions};
use parquet::arrow::{ParquetRecordBatchStreamBuilder, ProjectionMask};

use super::file_error;
use super::source::Source;
use crate::Result;

/// A Parquet file as it is.
pub struct ForeignParquet {
    io: FileIo,
    path: String,
    metadata: ArrowReaderMetadata,
    source: Source,
}

impl ForeignParquet {
    /// Opens any Parquet file and reads its footer.
    ///
    /// # Errors
    /// `NotFound`, `Unavailable`; `Corrupt` when it is no Parquet.
    pub async fn open(io: &FileIo, path: &str) -> Result<Self> {
        let size = io.status(path).await?.size;
        let mut source = Source { io: io.clone(), path: path.to_owned(), size };
        let metadata = ArrowReaderMetadata::load_async(&mut source, ArrowReaderOptions::new())
            .await
            .map_err(|e| file_error(e, &io.full_path(path)))?;
        Ok(Self { io: io.clone(), path: path.to_owned(), metadata, source })
    }

    /// The columns, as the program that wrote the file meant them.
    #[must_use]
    pub fn schema(&self) -> &SchemaRef {
        self.metadata.schema()
    }

    /// The rows of the top-level columns that `keep` names, in the file's order.
    ///
    /// # Errors
    /// `Unsupported` for an encoding that is not read. The stream: `Corrupt`, `Unavailable`.
    pub fn read(self, keep: impl Fn(&str) -> bool) -> Result<BoxStream<'static, Result<RecordBatch>>> {
        let full_path = self.io.full_path(&self.path);
        let fields = self.metadata.schema().fields();
        let roots: Vec<usize> =
            fields.iter().enumerate().filter(|(_, field)| keep(field.name())).map(|(at, _)| at).collect();
        let builder = ParquetRecordBatchStreamBuilder::new_with_metadata(self.source, self.metadata);
        let mask = ProjectionMask::roots(builder.parquet_schema(), roots);
        let stream = builder.with_batch_size(8192).with_projection(mask).build();
        let stream = stream.map_err(|e| file_error(e, &full_path))?;
        Ok(stream.map_err(move |e| file_error(e, &full_path)).boxed())
    }
}
