//! Reading Parquet files.

use std::sync::Arc;

use arrow_schema::{ArrowError, SchemaRef};
use futures::{StreamExt as _, TryStreamExt as _};
use headwater_io::FileIo;
use headwater_types::{DataField, Predicate, arrow_schema};
use parquet::arrow::arrow_reader::{ArrowPredicateFn, ArrowReaderMetadata, ArrowReaderOptions, RowFilter};
use parquet::arrow::{ParquetRecordBatchStreamBuilder, ProjectionMask};
use parquet::file::metadata::PageIndexPolicy;
use parquet::schema::types::SchemaDescriptor;

use super::file_error;
use super::pruning::surviving_row_groups;
use super::source::Source;
use super::windows::{is_larger, selection, windows};
use crate::adapt::{adapt_batch, relax};
use crate::{FileReader, ReadRequest, Result, RowSet};

type Builder = ParquetRecordBatchStreamBuilder<Source>;

pub(super) async fn open(io: &FileIo, path: &str, size: Option<u64>, request: ReadRequest) -> Result<FileReader> {
    let size = match size {
        Some(size) => size,
        None => io.status(path).await?.size,
    };
    let full_path = io.full_path(path);
    let mut source = Source { io: io.clone(), path: path.to_owned(), size };
    // The Arrow schema that some writers embed would override what the columns are by themselves.
    let options = ArrowReaderOptions::new()
        .with_skip_arrow_metadata(true)
        .with_offset_index_policy(if request.exact_filter { PageIndexPolicy::Optional } else { PageIndexPolicy::Skip });
    let mut metadata =
        ArrowReaderMetadata::load_async(&mut source, options.clone()).await.map_err(|e| file_error(e, &full_path))?;
    let schema = arrow_schema(&request.columns);
    let row_groups = metadata.metadata().num_row_groups();
    let file_rows = u64::try_from(metadata.metadata().file_metadata().num_rows()).unwrap_or(0);
    let kept = match &request.filter {
        Some(filter) => surviving_row_groups(&metadata, &request.columns, filter),
        None => (0..row_groups).collect(),
    };
    let skipped_row_groups = row_groups - kept.len();
    let mask = projection(metadata.parquet_schema(), request.columns.iter());
    let window = request.window_bytes.filter(|bytes| is_larger(metadata.metadata(), &kept, &mask, *bytes));
    if window.is_some() {
        let options = options.with_offset_index_policy(PageIndexPolicy::Optional);
        metadata =
            ArrowReaderMetadata::load_async(&mut source, options).await.map_err(|e| file_error(e, &full_path))?;
    }
    // A row group comes once for each of its windows, of which the selection leaves one.
    let parts = windows(metadata.metadata(), &kept, &mask, window.unwrap_or(u64::MAX));
    let skip = request.skip_rows.as_deref();
    let selection = (window.is_some() || skip.is_some())
        .then(|| selection(metadata.metadata(), &parts, skip.map(|s| s as &dyn RowSet)));
    let mut builder = Builder::new_with_metadata(source, metadata)
        .with_row_groups(parts.iter().map(|part| part.group).collect())
        .with_batch_size(request.batch_rows);
    if let Some(selection) = selection {
        builder = builder.with_row_selection(selection);
    }
    if let Some(filter) = request.filter.filter(|f| request.exact_filter && *f != Predicate::True) {
        builder = with_row_filter(builder, filter, &request.columns);
    }
    let stream = builder.with_projection(mask).build().map_err(|e| file_error(e, &full_path))?;
    let wanted = Arc::clone(&schema);
    let batches = stream
        .map_err(move |e| file_error(e, &full_path))
        .and_then(move |batch| futures::future::ready(adapt_batch(&batch, &wanted)))
        .boxed();
    Ok(FileReader { schema: relax(&schema), file_rows, skipped_row_groups, row_groups, batches })
}

/// The top-level columns of the file that are asked for; others are never fetched.
fn projection<'f>(schema: &SchemaDescriptor, columns: impl Iterator<Item = &'f DataField>) -> ProjectionMask {
    let roots = schema.root_schema().get_fields();
    let wanted: Vec<usize> = columns.filter_map(|c| roots.iter().position(|r| r.name() == c.name)).collect();
    ProjectionMask::roots(schema, wanted)
}

/// Decides rows by the filter's columns alone, so that the others are decoded for matching rows only.
fn with_row_filter(builder: Builder, filter: Predicate, columns: &[DataField]) -> Builder {
    let names = filter.columns();
    let used: Vec<DataField> = columns.iter().filter(|c| names.contains(&c.name)).cloned().collect();
    let mask = projection(builder.parquet_schema(), used.iter());
    let schema: SchemaRef = arrow_schema(&used);
    let predicate = ArrowPredicateFn::new(mask, move |batch| {
        let external = |e: crate::Error| ArrowError::ExternalError(Box::new(e));
        let batch = adapt_batch(&batch, &schema).map_err(external)?;
        filter.evaluate(&batch).map_err(|e| external(e.into()))
    });
    builder.with_row_filter(RowFilter::new(vec![Box::new(predicate)]))
}
