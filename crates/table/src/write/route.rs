//! Rows to their partitions and buckets.

use std::collections::HashMap;

use arrow_array::cast::AsArray;
use arrow_array::{ArrayRef, Int8Array, RecordBatch, UInt32Array};
use arrow_select::take::{take, take_record_batch};
use headwater_types::{BinaryRow, BinaryRowEncoder, Bucketer, ErrorKind};

use super::conform::Conform;
use super::context::WriteContext;
use crate::{Error, Result, error};

/// One bucket of one partition.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) struct BucketKey {
    pub(super) partition: BinaryRow,
    pub(super) bucket: i32,
}

/// Rows of one bucket, in the order they came.
pub(super) struct Part {
    pub(super) key: BucketKey,
    pub(super) rows: RecordBatch,
    pub(super) kinds: Int8Array,
}

pub(super) struct Router {
    conform: Conform,
    partition_columns: Vec<usize>,
    partitions: BinaryRowEncoder,
    partition_arity: usize,
    bucket_columns: Vec<usize>,
    /// `None` when there is one bucket only.
    bucketer: Option<Bucketer>,
    /// Partitions met, by the bytes of their rows.
    known: HashMap<Vec<u8>, u32>,
    rows: Vec<BinaryRow>,
}

impl Router {
    pub(super) fn new(context: &WriteContext) -> Result<Self> {
        let schema = &context.schema;
        let positions = |names: &[String]| -> Result<Vec<usize>> {
            let find = |name: &String| schema.fields.iter().position(|field| field.name == *name);
            names.iter().map(|name| find(name).ok_or_else(|| missing(name))).collect()
        };
        let bucket_keys = schema.bucket_keys();
        let buckets = context.options.bucket();
        let bucketer = if buckets > 1 {
            Some(Bucketer::new(context.options.bucket_function(), buckets, &schema.bucket_key_types()?)?)
        } else {
            None
        };
        Ok(Self {
            conform: Conform::new(schema, &context.options)?,
            partition_columns: positions(&schema.partition_keys)?,
            partitions: BinaryRowEncoder::new(&schema.partition_types()?),
            partition_arity: schema.partition_keys.len(),
            bucket_columns: positions(&bucket_keys)?,
            bucketer,
            known: HashMap::new(),
            rows: Vec::new(),
        })
    }

    /// Splits a batch by bucket.
    pub(super) fn route(&mut self, batch: &RecordBatch, kinds: &Int8Array) -> Result<Vec<Part>> {
        let (batch, kinds) = self.conform.apply(batch, kinds)?;
        if batch.num_rows() == 0 {
            return Ok(Vec::new());
        }
        let partitions = self.partition_ids(&batch)?;
        let buckets = match &self.bucketer {
            None => None,
            Some(bucketer) => Some(bucketer.assign(&columns(&batch, &self.bucket_columns)?)?),
        };
        let groups = groups(batch.num_rows(), partitions.as_deref(), buckets.as_deref())?;
        let only = groups.len() == 1;
        let mut parts = Vec::with_capacity(groups.len());
        for ((partition, bucket), rows) in groups {
            let partition = match partitions {
                None => BinaryRow::empty(),
                Some(_) => self.rows.get(partition as usize).cloned().unwrap_or_else(BinaryRow::empty),
            };
            let key = BucketKey { partition, bucket };
            if only {
                parts.push(Part { key, rows: batch, kinds });
                break;
            }
            let rows = UInt32Array::from(rows);
            let kinds = take(&kinds, &rows, None).map_err(error::arrow("route row kinds"))?;
            parts.push(Part {
                key,
                kinds: kinds.as_primitive().clone(),
                rows: take_record_batch(&batch, &rows).map_err(error::arrow("route rows"))?,
            });
        }
        Ok(parts)
    }

    /// A number for the partition of every row; `None` for a table without partitions.
    fn partition_ids(&mut self, batch: &RecordBatch) -> Result<Option<Vec<u32>>> {
        if self.partition_arity == 0 {
            return Ok(None);
        }
        let mut ids = Vec::with_capacity(batch.num_rows());
        let (known, rows, arity) = (&mut self.known, &mut self.rows, self.partition_arity);
        let mut failed = None;
        self.partitions.for_each(&columns(batch, &self.partition_columns)?, |bytes| {
            let id = match known.get(bytes) {
                Some(&id) => id,
                None => {
                    let id = u32::try_from(rows.len()).unwrap_or(u32::MAX);
                    match BinaryRow::from_bytes(arity, bytes.to_vec()) {
                        Ok(row) => rows.push(row),
                        Err(error) => failed = Some(error),
                    }
                    known.insert(bytes.to_vec(), id);
                    id
                }
            };
            ids.push(id);
        })?;
        match failed {
            Some(error) => Err(error.into()),
            None => Ok(Some(ids)),
        }
    }
}

/// The rows of each bucket, buckets in the order of their first rows.
type Groups = Vec<((u32, i32), Vec<u32>)>;

fn groups(rows: usize, partitions: Option<&[u32]>, buckets: Option<&[i32]>) -> Result<Groups> {
    let rows =
        u32::try_from(rows).map_err(|_| Error::new(ErrorKind::InvalidInput, "a batch has more than 2^32 rows"))?;
    let mut groups: Groups = Vec::new();
    if partitions.is_none() && buckets.is_none() {
        groups.push(((0, 0), Vec::new()));
        return Ok(groups);
    }
    let mut places: HashMap<(u32, i32), usize> = HashMap::new();
    let mut last = None;
    for row in 0..rows {
        let at = row as usize;
        let partition = partitions.and_then(|ids| ids.get(at)).copied().unwrap_or(0);
        let bucket = buckets.and_then(|buckets| buckets.get(at)).copied().unwrap_or(0);
        let key = (partition, bucket);
        let place = match last {
            Some((known, place)) if known == key => place,
            _ => *places.entry(key).or_insert(groups.len()),
        };
        last = Some((key, place));
        match groups.get_mut(place) {
            Some((_, rows)) => rows.push(row),
            None => groups.push((key, vec![row])),
        }
    }
    Ok(groups)
}

fn columns(batch: &RecordBatch, positions: &[usize]) -> Result<Vec<ArrayRef>> {
    let get = |&at: &usize| batch.columns().get(at).cloned();
    positions.iter().map(|at| get(at).ok_or_else(|| missing(at))).collect()
}

fn missing(what: impl std::fmt::Display) -> Error {
    Error::new(ErrorKind::InvalidInput, "a key column is not a column of the table").with("column", what)
}
