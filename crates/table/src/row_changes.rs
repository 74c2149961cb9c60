//! Rows of a table without primary key, deleted by where they are stored.

use std::collections::BTreeMap;
use std::sync::Arc;

use arrow_array::cast::AsArray;
use arrow_array::types::Int64Type;
use arrow_array::{Array, ArrayRef, RecordBatch};
use futures::TryStreamExt;
use headwater_format::RowSet;
use headwater_index::DeletionVector;
use headwater_metadata::{CommitMessage, CompactIncrement, DataFileMeta, DataIncrement, Snapshot};
use headwater_types::{DataField, ErrorKind, Predicate};

use crate::commit::BATCH;
use crate::read::{Deletions, FileNumbers, FileRead, ReadContext, batch_rows, size_of, window_bytes};
use crate::{Error, ReadBuilder, Result, ScanBuilder, ScanPlan, Split, Table, TableWriter};

/// A change of rows of a table without primary key: rows go, rows come, in one commit.
///
/// Rows are found by reading [`RowChanges::rows`], which adds the columns [`crate::ROW_FILE`] and
/// [`crate::ROW_POSITION`]. Files that lose rows are written again without them, so a commit costs what the touched files
/// weigh. Everything refers to the snapshot that was the latest at the start; when another commit removes one of the files
/// meanwhile, [`RowChanges::commit`] is a `Conflict` and changes nothing.
pub struct RowChanges {
    table: Table,
    plan: ScanPlan,
    rows: AddressedRows,
    /// By number of the file.
    deleted: BTreeMap<i64, DeletionVector>,
    writer: TableWriter,
}

impl std::fmt::Debug for RowChanges {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("RowChanges").field("files", &self.deleted.len()).finish_non_exhaustive()
    }
}

/// The rows of one snapshot with the addresses that [`RowChanges::delete`] takes.
#[derive(Clone, Debug)]
pub struct AddressedRows {
    table: Table,
    snapshot: Option<Snapshot>,
    numbers: FileNumbers,
}

impl AddressedRows {
    /// A scan of the snapshot, whatever others commit.
    #[must_use]
    pub fn scan(&self) -> ScanBuilder {
        self.table.scan().pinned(self.snapshot.clone())
    }

    /// Reads rows of a plan of [`AddressedRows::scan`]: [`crate::ROW_FILE`] and [`crate::ROW_POSITION`], then the other
    /// columns.
    #[must_use]
    pub fn read(&self, plan: &ScanPlan) -> ReadBuilder {
        self.table.read(plan).with_addresses(self.numbers.clone())
    }

    /// The columns of the table.
    #[must_use]
    pub fn fields(&self) -> &[DataField] {
        &self.table.schema().fields
    }
}

impl Table {
    /// Starts changing rows of the latest snapshot.
    ///
    /// # Errors
    /// `InvalidInput` for a table with a primary key, whose rows are changed by writing rows of other kinds;
    /// `Unsupported` naming a feature of the table that is not written yet.
    pub async fn row_changes(&self) -> Result<RowChanges> {
        if self.has_primary_key() {
            let message = "rows of a table with a primary key are changed by writing -D and +U, not by their place";
            return Err(Error::new(ErrorKind::InvalidInput, message).with("table", self.location()));
        }
        // A compaction might pick the very files that are about to go.
        let table = self.with_options([("write-only".to_owned(), "true".to_owned())].into())?;
        let writer = table.batch_writer()?;
        let plan = table.scan().pinned(table.snapshots().latest().await?).plan().await?;
        let numbers = FileNumbers::new(&plan.splits);
        let rows = AddressedRows { table: table.clone(), snapshot: plan.snapshot.clone(), numbers };
        Ok(RowChanges { table, plan, rows, deleted: BTreeMap::new(), writer })
    }
}

impl RowChanges {
    /// The rows as they are.
    #[must_use]
    pub fn rows(&self) -> AddressedRows {
        self.rows.clone()
    }

    /// Deletes rows by their addresses; returns how many of them were not deleted before.
    ///
    /// # Errors
    /// `InvalidInput` for columns that are no addresses.
    pub fn delete(&mut self, files: &ArrayRef, positions: &ArrayRef) -> Result<u64> {
        let wrong = || Error::new(ErrorKind::InvalidInput, "these columns are no addresses of rows");
        let files = files.as_primitive_opt::<Int64Type>().ok_or_else(wrong)?;
        let positions = positions.as_primitive_opt::<Int64Type>().ok_or_else(wrong)?;
        if files.null_count() > 0 || positions.null_count() > 0 || files.len() != positions.len() {
            return Err(wrong());
        }
        let mut count = 0;
        for (file, position) in files.values().iter().zip(positions.values()) {
            let position = u64::try_from(*position).map_err(|_| wrong())?;
            count += u64::from(self.deleted.entry(*file).or_default().delete(position)?);
        }
        Ok(count)
    }

    /// Adds rows.
    ///
    /// # Errors
    /// As [`TableWriter::write`].
    pub async fn write(&mut self, rows: RecordBatch) -> Result<()> {
        self.writer.write(rows).await
    }

    /// Makes the change part of the table; returns the id of the snapshot, `None` when nothing changed.
    ///
    /// # Errors
    /// `Conflict` when another commit removed a file with rows that shall go; `Unavailable`. After an error the files
    /// written are removed.
    pub async fn commit(mut self) -> Result<Option<i64>> {
        let rewritten = match self.rewrite().await {
            Ok(gone) => self.writer.prepare_commit(true).await.map(|written| (gone, written)),
            Err(error) => Err(error),
        };
        let committer = self.table.batch_committer()?;
        let outcome = match rewritten {
            Ok((gone, written)) => {
                let all: Vec<_> = gone.into_iter().chain(written).collect();
                let committed = committer.commit(BATCH, all.clone(), None).await;
                committer.without_leftovers(committed, &all).await.map(|snapshots| snapshots.last().copied())
            }
            Err(error) => Err(error),
        };
        self.writer.close().await?;
        outcome
    }

    /// Gives the change up.
    ///
    /// # Errors
    /// As [`TableWriter::close`].
    pub async fn close(self) -> Result<()> {
        self.writer.close().await
    }

    /// Writes the rows that stay of every file that loses some; returns the removal of those files.
    async fn rewrite(&mut self) -> Result<Vec<CommitMessage>> {
        let plan = &self.plan;
        let context = ReadContext::new(&self.table, Arc::clone(&plan.schema), plan.options.clone())?;
        let mut gone: Vec<CommitMessage> = Vec::new();
        let files = plan.splits.iter().flat_map(|split| split.files.iter().map(move |file| (split, file)));
        for (number, (split, file)) in (0..).zip(files) {
            let Some(deleted) = self.deleted.get(&number) else { continue };
            keep_rest(&context, split, file, deleted, &mut self.writer).await?;
            let same =
                |message: &&mut CommitMessage| message.partition == split.partition && message.bucket == split.bucket;
            match gone.iter_mut().find(same) {
                Some(message) => message.data_increment.deleted_files.push(file.clone()),
                None => gone.push(removal(split, file)),
            }
        }
        Ok(gone)
    }
}

async fn keep_rest(
    context: &ReadContext,
    split: &Arc<Split>,
    file: &DataFileMeta,
    deleted: &DeletionVector,
    writer: &mut TableWriter,
) -> Result<()> {
    let before = Deletions::load(context, split).await?.of(file);
    let skip = Gone { before, now: deleted.clone() };
    let rows = u64::try_from(file.row_count).unwrap_or(0);
    if (0..rows).all(|position| skip.contains(position)) {
        return Ok(());
    }
    let fields = &context.schema.fields;
    let rows_at_once = batch_rows(fields, std::iter::once(size_of(file)), 1);
    let read = FileRead::of(context, &split.partition, split.bucket, file.clone(), Some(Arc::new(skip)))?;
    let mut batches = read.open(fields, &Predicate::True, rows_at_once, window_bytes(1)).await?;
    while let Some(batch) = batches.try_next().await? {
        writer.write(batch).await?;
    }
    Ok(())
}

/// Rows that were deleted before, and those that go now.
struct Gone {
    before: Option<Arc<dyn RowSet>>,
    now: DeletionVector,
}

impl RowSet for Gone {
    fn contains(&self, position: u64) -> bool {
        self.now.is_deleted(position) || self.before.as_ref().is_some_and(|before| before.contains(position))
    }
}

fn removal(split: &Split, file: &DataFileMeta) -> CommitMessage {
    CommitMessage {
        partition: split.partition.clone(),
        bucket: split.bucket,
        total_buckets: Some(split.total_buckets),
        data_increment: DataIncrement { deleted_files: vec![file.clone()], ..DataIncrement::default() },
        compact_increment: CompactIncrement::default(),
    }
}
