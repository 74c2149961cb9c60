//! Splits into batches: files opened under the schema of today, merged where files overlap, filtered, projected.

mod address;
mod data_file;
mod evolve;
mod merge;
mod stream;

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use arrow_array::{RecordBatch, RecordBatchOptions};
use arrow_schema::SchemaRef;
use arrow_select::filter::filter_record_batch;
use futures::stream::BoxStream;
use futures::{StreamExt, TryStreamExt};
use headwater_io::{Env, FileIo};
use headwater_lsm::{Engine, KeyValueLayout};
use headwater_metadata::{Schema, SchemaStore, TablePaths};
use headwater_types::{CoreOptions, DataField, ErrorKind, Predicate, arrow_schema};

use crate::{Error, Result, ScanPlan, Split, Table};

pub(crate) use address::FileNumbers;
pub use address::{ROW_FILE, ROW_POSITION};
pub(crate) use data_file::{Deletions, FileRead};
pub(crate) use merge::{MergeRead, merge_sections, sum_rows};
pub(crate) use stream::read_ahead;

/// Bytes of decoded rows that the runs of one merge, or one file being read, may hold at once.
const READ_BUDGET: u64 = 32 << 20;
/// Bytes of encoded rows that the runs of one merge, or one file being read, fetch at once, about.
const FETCH_BUDGET: u64 = 32 << 20;
/// A run fetches no less, lest it waits for the store at every batch.
const MIN_FETCH: u64 = 1 << 20;
/// Rows of a batch, at most.
const MAX_BATCH_ROWS: u64 = 8192;

/// What reading files needs to know of a table.
#[derive(Clone)]
pub(crate) struct ReadContext {
    pub(crate) io: FileIo,
    pub(crate) env: Env,
    pub(crate) schema: Arc<Schema>,
    pub(crate) schemas: Arc<SchemaStore>,
    pub(crate) paths: Arc<TablePaths>,
    pub(crate) options: Arc<CoreOptions>,
}

impl ReadContext {
    pub(crate) fn new(table: &Table, schema: Arc<Schema>, options: CoreOptions) -> Result<Self> {
        Ok(Self {
            io: table.io().clone(),
            env: table.env().clone(),
            paths: Arc::new(TablePaths::with_options(&schema, &options)?),
            schema,
            schemas: table.shared_schemas(),
            options: Arc::new(options),
        })
    }

    /// The schema a file was written with.
    pub(crate) async fn schema_of(&self, id: i64) -> Result<Arc<Schema>> {
        if id == self.schema.id { Ok(Arc::clone(&self.schema)) } else { Ok(self.schemas.get(id).await?) }
    }
}

/// Rows of a batch such that `runs` batches stay within the budget.
pub(crate) fn batch_rows(fields: &[DataField], files: impl Iterator<Item = (u64, u64)>, runs: usize) -> usize {
    let (bytes, rows) = files.fold((0, 0), |(b, r), (bytes, rows)| (b + bytes, r + rows));
    // What is encoded and compressed grows a few times when decoded; fixed-width columns tell at least this.
    let stored = (4 * bytes).checked_div(rows).unwrap_or(0);
    let width = stored.max(8 * fields.len() as u64).max(1);
    let rows = READ_BUDGET / (width * runs.max(1) as u64);
    usize::try_from(rows.clamp(64, MAX_BATCH_ROWS)).unwrap_or(64)
}

/// A read being put together.
#[derive(Clone)]
pub struct ReadBuilder {
    context: Result<ReadContext, Arc<Error>>,
    schema: Arc<Schema>,
    splits: Vec<Arc<Split>>,
    columns: Vec<DataField>,
    filter: Predicate,
    limit: Option<usize>,
    addresses: Option<FileNumbers>,
}

impl std::fmt::Debug for ReadBuilder {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("ReadBuilder").field("splits", &self.splits.len()).finish_non_exhaustive()
    }
}

impl ReadBuilder {
    pub(crate) fn new(table: &Table, plan: &ScanPlan) -> Self {
        Self {
            context: ReadContext::new(table, Arc::clone(&plan.schema), plan.options.clone()).map_err(Arc::new),
            schema: Arc::clone(&plan.schema),
            splits: plan.splits.clone(),
            columns: plan.schema.fields.clone(),
            filter: Predicate::True,
            limit: None,
            addresses: None,
        }
    }

    /// Puts [`ROW_FILE`] and [`ROW_POSITION`] before the other columns; splits that have to be merged have no addresses.
    pub(crate) fn with_addresses(mut self, numbers: FileNumbers) -> Self {
        self.addresses = Some(numbers);
        self
    }

    /// Reads these columns only, in this order; none at all still gives the number of rows.
    ///
    /// # Errors
    /// `InvalidInput` naming a column the table does not have.
    pub fn columns(mut self, names: &[impl AsRef<str>]) -> Result<Self> {
        let find = |name: &str| {
            let known = || self.schema.fields.iter().map(|field| field.name.as_str()).collect::<Vec<_>>().join(", ");
            self.schema.field(name).cloned().ok_or_else(|| {
                Error::new(ErrorKind::InvalidInput, format!("there is no column '{name}'; the table has {}", known()))
            })
        };
        self.columns = names.iter().map(|name| find(name.as_ref())).collect::<Result<_>>()?;
        Ok(self)
    }

    /// Returns only rows for which the predicate is true. Its columns need not be among those returned.
    #[must_use]
    pub fn filter(mut self, predicate: Predicate) -> Self {
        self.filter = self.filter.and(predicate);
        self
    }

    /// Ends each split, and [`ReadBuilder::all`], after that many rows.
    #[must_use]
    pub fn limit(mut self, rows: usize) -> Self {
        self.limit = Some(rows);
        self
    }

    /// The schema of the batches.
    #[must_use]
    pub fn arrow_schema(&self) -> SchemaRef {
        match &self.addresses {
            None => arrow_schema(&self.columns),
            Some(_) => address::schema_with(&self.columns),
        }
    }

    /// Splits of the plan.
    #[must_use]
    pub fn split_count(&self) -> usize {
        self.splits.len()
    }

    /// The rows of one split of the plan. Nothing is opened before the stream is polled.
    ///
    /// # Errors
    /// `InvalidInput` when the plan has no such split, or the filter names an unknown column. The stream itself:
    /// `NotFound` when a file is gone (the snapshot expired: plan again), `Corrupt`, `Unavailable`.
    pub fn split(&self, index: usize) -> Result<BoxStream<'static, Result<RecordBatch>>> {
        let split = self.splits.get(index).cloned().ok_or_else(|| {
            Error::new(
                ErrorKind::InvalidInput,
                format!("the plan has {} splits, none number {index}", self.splits.len()),
            )
        })?;
        let read = self.rows()?;
        let rows = futures::stream::once(async move { read.open(&split).await }).try_flatten().boxed();
        Ok(limited(rows, self.limit))
    }

    /// The rows of all splits, several splits at once; in no particular order.
    ///
    /// # Errors
    /// As [`ReadBuilder::split`].
    pub fn all(&self) -> Result<BoxStream<'static, Result<RecordBatch>>> {
        let read = Arc::new(self.rows()?);
        let env = read.context.env.clone();
        let workers = env.parallelism().min(self.splits.len());
        if workers <= 1 {
            let splits = futures::stream::iter(self.splits.clone());
            let rows = splits.then(move |split| {
                let read = Arc::clone(&read);
                async move { read.open(&split).await }
            });
            return Ok(limited(rows.try_flatten().boxed(), self.limit));
        }
        let splits = Arc::new(self.splits.clone());
        let next = Arc::new(AtomicUsize::new(0));
        let rows = stream::spawned(&env, workers, 2, move |_| {
            let (read, splits, next) = (Arc::clone(&read), Arc::clone(&splits), Arc::clone(&next));
            let numbers = futures::stream::iter(std::iter::from_fn(move || Some(next.fetch_add(1, Ordering::Relaxed))));
            numbers
                .map(move |number| splits.get(number).cloned())
                .take_while(|split| futures::future::ready(split.is_some()))
                .filter_map(futures::future::ready)
                .then(move |split| {
                    let read = Arc::clone(&read);
                    async move { read.open(&split).await }
                })
                .try_flatten()
                .boxed()
        });
        Ok(limited(rows, self.limit))
    }

    fn rows(&self) -> Result<RowRead> {
        let context = self.context.clone().map_err(|error| Error::new(error.kind(), error.message().to_owned()))?;
        let mut read = self.columns.clone();
        for name in self.filter.columns() {
            if read.iter().any(|field| field.name == name) {
                continue;
            }
            let field = self.schema.field(&name).cloned().ok_or_else(|| {
                Error::new(ErrorKind::InvalidInput, "the filter names a column the table does not have")
                    .with("column", &name)
            })?;
            read.push(field);
        }
        let (output, filter, addresses) = (self.arrow_schema(), self.filter.clone(), self.addresses.clone());
        Ok(RowRead { context, output, read, filter, addresses })
    }
}

/// Cuts a stream of batches after that many rows.
fn limited(
    rows: BoxStream<'static, Result<RecordBatch>>,
    limit: Option<usize>,
) -> BoxStream<'static, Result<RecordBatch>> {
    let Some(limit) = limit else { return rows };
    let cut = futures::stream::unfold((rows, limit), |(mut rows, left)| async move {
        if left == 0 {
            return None;
        }
        match rows.next().await? {
            Ok(batch) => {
                let batch = if batch.num_rows() > left { batch.slice(0, left) } else { batch };
                let left = left - batch.num_rows();
                Some((Ok(batch), (rows, left)))
            }
            Err(error) => Some((Err(error), (rows, 0))),
        }
    });
    cut.boxed()
}

/// How the rows of every split are read.
#[derive(Clone)]
struct RowRead {
    context: ReadContext,
    output: SchemaRef,
    /// The columns of the output, then those only the filter needs.
    read: Vec<DataField>,
    filter: Predicate,
    addresses: Option<FileNumbers>,
}

impl RowRead {
    async fn open(&self, split: &Arc<Split>) -> Result<BoxStream<'static, Result<RecordBatch>>> {
        let rows = if split.raw_convertible || self.addresses.is_some() {
            self.raw(split)
        } else {
            self.merged(split).await?
        };
        let this = self.clone();
        Ok(rows
            .map(move |batch| this.finish(&batch?))
            .try_filter(|batch| futures::future::ready(batch.num_rows() > 0))
            .boxed())
    }

    /// Every stored row is a row of the table.
    fn raw(&self, split: &Arc<Split>) -> BoxStream<'static, Result<RecordBatch>> {
        let this = self.clone();
        let rows = batch_rows(&self.read, sizes(split), 1);
        let count = split.files.len();
        let split = Arc::clone(split);
        futures::stream::iter(0..count)
            .then(move |number| {
                let (this, split) = (this.clone(), Arc::clone(&split));
                async move {
                    let file = FileRead::new(&this.context, &split, number)?;
                    if let Some(numbers) = &this.addresses {
                        let number = numbers.of(&split, number)?;
                        let rows = file.open_with_positions(&this.read, rows, window_bytes(1)).await?;
                        return Ok(address::prepend(number, &this.read, rows));
                    }
                    file.open(&this.read, &this.filter, rows, window_bytes(1)).await
                }
            })
            .try_flatten()
            .boxed()
    }

    /// Rows of several runs, merged by key.
    async fn merged(&self, split: &Arc<Split>) -> Result<BoxStream<'static, Result<RecordBatch>>> {
        let names: Vec<&str> = self.read.iter().map(|field| field.name.as_str()).collect();
        let layout = KeyValueLayout::new(&self.context.schema)?.project(&names)?;
        let engine = Engine::new(&self.context.options)?;
        let deletions = Deletions::load(&self.context, split).await?;
        let merge = MergeRead {
            context: self.context.clone(),
            partition: split.partition.clone(),
            bucket: split.bucket,
            layout,
            engine,
            filter: self.filter.clone(),
            deletions,
            drop_deletes: true,
        };
        let merged = merge_sections(merge, merge::sections_of(&self.context, split)?);
        let schema = arrow_schema(&self.read);
        let count = self.read.len();
        Ok(merged
            .map(move |batch| {
                let batch = batch?;
                let rows = RecordBatchOptions::new().with_row_count(Some(batch.num_rows()));
                let columns = batch.values.into_iter().take(count).collect();
                evolve::record_batch(&schema, columns, &rows)
            })
            .boxed())
    }

    fn finish(&self, batch: &RecordBatch) -> Result<RecordBatch> {
        let kept = match &self.filter {
            Predicate::True => batch.clone(),
            filter => {
                let truth = filter.evaluate(batch)?;
                filter_record_batch(batch, &truth).map_err(crate::error::arrow("filter rows"))?
            }
        };
        let width = self.output.fields().len();
        if kept.num_columns() == width {
            return Ok(kept);
        }
        let rows = RecordBatchOptions::new().with_row_count(Some(kept.num_rows()));
        let columns = kept.columns().iter().take(width).cloned().collect();
        evolve::record_batch(&self.output, columns, &rows)
    }
}

fn sizes(split: &Split) -> impl Iterator<Item = (u64, u64)> + '_ {
    split.files.iter().map(size_of)
}

/// Encoded bytes to fetch at once where so many runs are read together.
pub(crate) fn window_bytes(runs: usize) -> u64 {
    (FETCH_BUDGET / u64::try_from(runs.max(1)).unwrap_or(u64::MAX)).max(MIN_FETCH)
}

/// Bytes and rows of a file.
pub(crate) fn size_of(file: &headwater_metadata::DataFileMeta) -> (u64, u64) {
    (u64::try_from(file.file_size).unwrap_or(0), u64::try_from(file.row_count).unwrap_or(0))
}
