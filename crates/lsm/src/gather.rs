//! Building the columns of merged records, once, after it is known where each comes from.

use std::sync::Arc;

use arrow_array::{Array, ArrayRef, Int8Array, Int64Array, new_null_array};
use arrow_select::interleave::interleave;
use headwater_types::arrow_type;

use crate::engine::{ColumnSource, Merged, RecordRef, kind_of};
use crate::{KeyValueBatch, KeyValueLayout, Result, error};

/// The records a merge decided on, gathered from its batches.
pub(crate) fn gather(layout: &KeyValueLayout, merged: Merged, batches: &[&KeyValueBatch]) -> Result<KeyValueBatch> {
    if merged.kinds.is_none()
        && merged.columns.is_empty()
        && let Some((batch, first)) = contiguous(&merged.rows)
        && let Some(batch) = batches.get(batch)
    {
        return Ok(batch.slice(first, merged.rows.len()));
    }
    let indices: Vec<(usize, usize)> = merged.rows.iter().map(|r| (r.batch as usize, r.row as usize)).collect();
    let keys: Vec<ArrayRef> = (0..layout.keys().len())
        .map(|i| column(batches, |batch| batch.keys.get(i), &indices))
        .collect::<Result<_>>()?;
    let sequences: Vec<&[i64]> = batches.iter().map(|b| b.sequence.values().as_ref()).collect();
    let sequence = Int64Array::from_iter_values(
        indices.iter().map(|&(b, r)| sequences.get(b).and_then(|s| s.get(r)).copied().unwrap_or_default()),
    );
    let kind = match merged.kinds {
        Some(kinds) => Int8Array::from(kinds),
        None => merged.rows.iter().map(|&record| kind_of(batches, record)).collect::<Vec<_>>().into(),
    };
    let mut sources = merged.columns.into_iter();
    let mut values = Vec::with_capacity(layout.values().len());
    for (i, field) in layout.values().iter().enumerate() {
        let key = layout.keys().iter().position(|key| key.name == field.name);
        let source = sources.next().unwrap_or(ColumnSource::Row);
        values.push(match (key.and_then(|k| keys.get(k)), source) {
            (Some(key), _) => Arc::clone(key),
            (None, ColumnSource::Values(values)) => values,
            (None, ColumnSource::Row) => column(batches, |batch| batch.values.get(i), &indices)?,
            (None, ColumnSource::Records(records)) => {
                nullable_column(batches, i, &records, &arrow_type(&field.data_type))?
            }
        });
    }
    KeyValueBatch::new(keys, sequence, kind, values)
}

fn column<'a>(
    batches: &[&'a KeyValueBatch],
    of: impl Fn(&'a KeyValueBatch) -> Option<&'a ArrayRef>,
    indices: &[(usize, usize)],
) -> Result<ArrayRef> {
    let arrays: Vec<&dyn Array> = batches.iter().filter_map(|batch| of(batch)).map(|array| &**array).collect();
    interleave(&arrays, indices).map_err(error::arrow("gather merged values"))
}

/// Values of records of their own; the array behind all batches is one null.
fn nullable_column(
    batches: &[&KeyValueBatch],
    i: usize,
    records: &[Option<RecordRef>],
    data_type: &arrow_schema::DataType,
) -> Result<ArrayRef> {
    let null = new_null_array(data_type, 1);
    let mut arrays: Vec<&dyn Array> = batches.iter().filter_map(|b| b.values.get(i)).map(|a| &**a).collect();
    let null_at = (arrays.len(), 0);
    arrays.push(&*null);
    let indices: Vec<(usize, usize)> =
        records.iter().map(|record| record.map_or(null_at, |r| (r.batch as usize, r.row as usize))).collect();
    interleave(&arrays, &indices).map_err(error::arrow("gather merged values"))
}

/// The batch and first row when the records are neighbours in one batch.
fn contiguous(rows: &[RecordRef]) -> Option<(usize, usize)> {
    let first = rows.first()?;
    let neighbours = (first.row..).zip(rows).all(|(row, r)| r.batch == first.batch && r.row == row);
    neighbours.then_some((first.batch as usize, first.row as usize))
}
