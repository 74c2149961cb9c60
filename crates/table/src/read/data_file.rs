//! One data file as rows of the table's schema.

use std::collections::BTreeMap;
use std::sync::Arc;

use arrow_array::{Int64Array, RecordBatch};
use futures::StreamExt;
use futures::stream::BoxStream;
use headwater_format::{ReadRequest, RowSet, format_of_file};
use headwater_index::{DeletionVector, read_vector};
use headwater_metadata::DataFileMeta;
use headwater_types::{BinaryRow, DataField, DataType, ErrorKind, Predicate, TypeKind};

use super::ReadContext;
use super::evolve::{ColumnMap, Constant, file_predicate};
use crate::{Error, Result, Split};

/// Rows of a deletion vector, for the format readers.
struct Deleted(DeletionVector);

impl RowSet for Deleted {
    fn contains(&self, position: u64) -> bool {
        self.0.is_deleted(position)
    }
}

/// Deletion vectors of data files, by file name.
#[derive(Clone, Default)]
pub(crate) struct Deletions(Arc<BTreeMap<String, Arc<dyn RowSet>>>);

impl Deletions {
    /// Reads the vectors of a split; each index file once.
    pub(crate) async fn load(context: &ReadContext, split: &Split) -> Result<Self> {
        let mut vectors: BTreeMap<String, Arc<dyn RowSet>> = BTreeMap::new();
        let mut files = BTreeMap::new();
        for deletion in split.deletions.iter().flatten() {
            if !files.contains_key(&deletion.path) {
                files.insert(deletion.path.clone(), context.io.read(&deletion.path).await?);
            }
            let Some(bytes) = files.get(&deletion.path) else { continue };
            let vector = read_vector(bytes, &deletion.range)
                .map_err(|e| Error::from(e).with("path", context.io.full_path(&deletion.path)))?;
            vectors.insert(deletion.range.data_file_name.clone(), Arc::new(Deleted(vector)));
        }
        Ok(Self(Arc::new(vectors)))
    }

    pub(crate) fn of(&self, file: &DataFileMeta) -> Option<Arc<dyn RowSet>> {
        self.0.get(&file.file_name).cloned()
    }
}

/// A data file to be read.
pub(crate) struct FileRead {
    context: ReadContext,
    path: String,
    file: DataFileMeta,
    partition: BinaryRow,
    split: Option<Arc<Split>>,
    skip: Option<Arc<dyn RowSet>>,
}

impl FileRead {
    /// A file of a split, by number.
    pub(crate) fn new(context: &ReadContext, split: &Arc<Split>, number: usize) -> Result<Self> {
        let file = split
            .files
            .get(number)
            .cloned()
            .ok_or_else(|| Error::new(ErrorKind::Internal, "a split has fewer files than were counted"))?;
        let has_vector = split.deletions.get(number).is_some_and(Option::is_some);
        let mut read = Self::of(context, &split.partition, split.bucket, file, None)?;
        read.split = has_vector.then(|| Arc::clone(split));
        Ok(read)
    }

    /// A file of a bucket without those rows.
    pub(crate) fn of(
        context: &ReadContext,
        partition: &BinaryRow,
        bucket: i32,
        file: DataFileMeta,
        skip: Option<Arc<dyn RowSet>>,
    ) -> Result<Self> {
        let path = context.paths.data_file(partition, bucket, &file)?;
        Ok(Self { context: context.clone(), path, file, partition: partition.clone(), split: None, skip })
    }

    /// Opens the file as [`FileRead::open`] does, all rows of it, with the position of each row in the file as the first
    /// column, from 0.
    pub(crate) async fn open_with_positions(
        mut self,
        wanted: &[DataField],
        batch_rows: usize,
        window_bytes: u64,
    ) -> Result<BoxStream<'static, Result<(Int64Array, RecordBatch)>>> {
        self.load_vector().await?;
        let skip = self.skip.clone();
        let batches = self.open(wanted, &Predicate::True, batch_rows, window_bytes).await?;
        let mut next = 0_u64;
        let numbered = batches.map(move |batch| {
            let batch = batch?;
            let mut positions = Vec::with_capacity(batch.num_rows());
            while positions.len() < batch.num_rows() {
                if !skip.as_ref().is_some_and(|skip| skip.contains(next)) {
                    positions.push(i64::try_from(next).unwrap_or(i64::MAX));
                }
                next += 1;
            }
            Ok((Int64Array::from(positions), batch))
        });
        Ok(numbered.boxed())
    }

    async fn load_vector(&mut self) -> Result<()> {
        if let Some(split) = self.split.take() {
            self.skip = Deletions::load(&self.context, &split).await?.of(&self.file);
        }
        Ok(())
    }

    /// Opens the file. `filter` is best effort: row groups that cannot match are left out. Of larger row groups about
    /// `window_bytes` are in memory at a time.
    pub(crate) async fn open(
        mut self,
        wanted: &[DataField],
        filter: &Predicate,
        batch_rows: usize,
        window_bytes: u64,
    ) -> Result<BoxStream<'static, Result<RecordBatch>>> {
        self.load_vector().await?;
        let data_schema = self.context.schema_of(self.file.schema_id).await?;
        let constants = self.partition_values()?;
        let mut stored: Vec<DataField> = match &self.file.write_cols {
            None => data_schema.fields.clone(),
            Some(names) => data_schema.fields.iter().filter(|field| names.contains(&field.name)).cloned().collect(),
        };
        stored.extend(wanted.iter().filter(|field| is_system(field)).cloned());
        let map = ColumnMap::new(&stored, wanted, &constants)?;
        if map.file_fields.is_empty() {
            return self.constants(map, batch_rows);
        }
        let request = ReadRequest {
            columns: map.file_fields.clone(),
            filter: file_predicate(filter, &stored, wanted, &constants).filter(|p| covered(p, &map.file_fields)),
            exact_filter: false,
            skip_rows: self.skip.clone(),
            batch_rows,
            window_bytes: Some(window_bytes),
        };
        let format = format_of_file(&self.file.file_name)?;
        let size = u64::try_from(self.file.file_size).ok();
        let reader = format.open(&self.context.io, &self.path, size, request).await?;
        let path = self.context.io.full_path(&self.path);
        Ok(reader.batches.map(move |batch| map.apply(&batch?).map_err(|e| located(e, &path))).boxed())
    }

    /// Rows of which the metadata tells everything.
    fn constants(&self, map: ColumnMap, batch_rows: usize) -> Result<BoxStream<'static, Result<RecordBatch>>> {
        let stored = u64::try_from(self.file.row_count).map_err(|_| {
            Error::new(ErrorKind::Corrupt, "a data file has a negative number of rows").with("path", &self.path)
        })?;
        let rows = match &self.skip {
            None => stored,
            Some(skip) => (0..stored).filter(|&position| !skip.contains(position)).count() as u64,
        };
        let batches = futures::stream::iter((0..rows).step_by(batch_rows.max(1)).map(move |start| {
            let length = usize::try_from(rows - start).unwrap_or(usize::MAX).min(batch_rows.max(1));
            map.constants(length)
        }));
        Ok(batches.boxed())
    }

    fn partition_values(&self) -> Result<Vec<Constant>> {
        let names = &self.context.schema.partition_keys;
        let types: Vec<DataType> = self.context.schema.partition_types()?;
        let values = self.partition.to_datums(&types)?;
        Ok(names.iter().cloned().zip(values).map(|(name, value)| Constant { name, value }).collect())
    }
}

/// `_SEQUENCE_NUMBER` and `_VALUE_KIND`: the same in files of every schema.
fn is_system(field: &DataField) -> bool {
    (field.id == i32::MAX - 1 && matches!(field.data_type.kind(), TypeKind::BigInt))
        || (field.id == i32::MAX - 2 && matches!(field.data_type.kind(), TypeKind::TinyInt))
}

fn covered(predicate: &Predicate, fields: &[DataField]) -> bool {
    predicate.columns().iter().all(|column| fields.iter().any(|field| field.name == *column))
}

fn located(error: Error, path: &str) -> Error {
    if error.context("path").is_some() { error } else { error.with("path", path) }
}
