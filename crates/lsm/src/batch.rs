//! Columns of keyed records.

use std::sync::Arc;

use arrow_array::{Array, ArrayRef, Int8Array, Int64Array, RecordBatch, RecordBatchOptions, cast::AsArray};
use headwater_types::{DataField, ErrorKind, arrow_schema, arrow_type};

use crate::{Error, KeyValueLayout, Result};

/// Records in columns: key, sequence number, kind and value of each row.
///
/// The value columns that are keys may be the very same arrays as `keys`; nothing is stored twice.
#[derive(Clone, Debug)]
pub struct KeyValueBatch {
    /// The trimmed primary key, in key order.
    pub keys: Vec<ArrayRef>,
    /// Sequence numbers, never null.
    pub sequence: Int64Array,
    /// Row kinds as in `RowKind::to_byte`, never null.
    pub kind: Int8Array,
    /// The value columns of the layout, in its order.
    pub values: Vec<ArrayRef>,
}

impl KeyValueBatch {
    /// The batch of these columns, checked to be of one length and without null where none may be.
    ///
    /// # Errors
    /// `InvalidInput` for columns of different lengths, for a null sequence number, kind or key.
    pub fn new(keys: Vec<ArrayRef>, sequence: Int64Array, kind: Int8Array, values: Vec<ArrayRef>) -> Result<Self> {
        let rows = sequence.len();
        if kind.len() != rows || keys.iter().chain(&values).any(|column| column.len() != rows) {
            return Err(Error::new(ErrorKind::InvalidInput, "the columns of a batch differ in length"));
        }
        if sequence.null_count() > 0 || kind.null_count() > 0 || keys.iter().any(|key| key.null_count() > 0) {
            return Err(Error::new(ErrorKind::InvalidInput, "a key, sequence number or row kind is null"));
        }
        Ok(Self { keys, sequence, kind, values })
    }

    /// The records of rows in the layout's value columns; row `i` gets sequence number `first_sequence + i`.
    ///
    /// # Errors
    /// `InvalidInput` when columns are missing, of other lengths, or a key is null.
    pub fn from_values(
        layout: &KeyValueLayout,
        values: &RecordBatch,
        kinds: &Int8Array,
        first_sequence: i64,
    ) -> Result<Self> {
        let rows = i64::try_from(values.num_rows()).unwrap_or(i64::MAX);
        let sequence = Int64Array::from_iter_values(first_sequence..first_sequence.saturating_add(rows));
        let columns = value_columns(layout, values)?;
        let keys = key_columns(layout, &columns)?;
        Self::new(keys, sequence, kinds.clone(), columns)
    }

    /// The records of a batch read with [`KeyValueLayout::read_fields`]; columns are found by position.
    ///
    /// # Errors
    /// `Corrupt` when columns are missing, of the wrong type, or null where none may be.
    pub fn from_read(layout: &KeyValueLayout, read: &RecordBatch) -> Result<Self> {
        let corrupt = |what: &str| Error::new(ErrorKind::Corrupt, format!("a data file's {what}"));
        let mut columns = read.columns().iter().cloned();
        let keys: Vec<ArrayRef> = columns.by_ref().take(layout.keys().len()).collect();
        let mut next = || columns.next().ok_or_else(|| corrupt("columns are fewer than the table's"));
        let sequence = next()?.as_primitive_opt().cloned().ok_or_else(|| corrupt("_SEQUENCE_NUMBER is no BIGINT"))?;
        let kind = next()?.as_primitive_opt().cloned().ok_or_else(|| corrupt("_VALUE_KIND is no TINYINT"))?;
        let mut values = Vec::with_capacity(layout.values().len());
        for field in layout.values() {
            match layout.keys().iter().position(|key| key.name == field.name) {
                Some(i) => values.extend(keys.get(i).cloned()),
                None => values.push(next()?),
            }
        }
        Self::new(keys, sequence, kind, values)
            .map_err(|e| Error::new(ErrorKind::Corrupt, "a data file's records are incomplete").with_source(e))
    }

    /// The batch as a data file stores it: the columns of [`KeyValueLayout::file_fields`].
    ///
    /// # Errors
    /// `InvalidInput` when the columns do not have the layout's types.
    pub fn to_file(&self, layout: &KeyValueLayout, thin: bool) -> Result<RecordBatch> {
        let mut columns = if thin { Vec::new() } else { self.keys.clone() };
        columns.push(Arc::new(self.sequence.clone()) as ArrayRef);
        columns.push(Arc::new(self.kind.clone()) as ArrayRef);
        columns.extend(self.values.iter().cloned());
        record_batch(&layout.file_fields(thin), columns, self.num_rows())
    }

    /// Only the value columns, as the table's rows.
    ///
    /// # Errors
    /// `InvalidInput` when the columns do not have the layout's types.
    pub fn to_values(&self, layout: &KeyValueLayout) -> Result<RecordBatch> {
        record_batch(layout.values(), self.values.clone(), self.num_rows())
    }

    /// Rows.
    #[must_use]
    pub fn num_rows(&self) -> usize {
        self.sequence.len()
    }

    /// Rows that are retractions (`-U`, `-D`).
    #[must_use]
    pub fn retractions(&self) -> usize {
        self.kind.values().iter().filter(|&&kind| is_retract(kind)).count()
    }

    /// The rows `offset..offset + length`, without copying.
    #[must_use]
    pub fn slice(&self, offset: usize, length: usize) -> Self {
        let cut = |columns: &[ArrayRef]| columns.iter().map(|c| c.slice(offset, length)).collect();
        Self {
            keys: cut(&self.keys),
            sequence: self.sequence.slice(offset, length),
            kind: self.kind.slice(offset, length),
            values: cut(&self.values),
        }
    }
}

/// Whether a stored kind is `-U` (1) or `-D` (3).
pub(crate) fn is_retract(kind: i8) -> bool {
    kind & 1 == 1
}

/// The key columns among columns in the order of the layout's values.
pub(crate) fn key_columns(layout: &KeyValueLayout, values: &[ArrayRef]) -> Result<Vec<ArrayRef>> {
    let missing = || Error::new(ErrorKind::InvalidInput, "a key column is not among the rows' columns");
    layout.key_positions().map(|at| at.and_then(|i| values.get(i)).cloned().ok_or_else(missing)).collect()
}

/// The layout's value columns of a batch, found by name and checked to be of the table's types.
pub(crate) fn value_columns(layout: &KeyValueLayout, batch: &RecordBatch) -> Result<Vec<ArrayRef>> {
    let refused = |name: &str, what: String| Error::new(ErrorKind::InvalidInput, what).with("column", name);
    let find = |field: &DataField| {
        let column = batch
            .column_by_name(&field.name)
            .ok_or_else(|| refused(&field.name, "the rows lack a column of the table".to_owned()))?;
        let (wanted, found) = (arrow_type(&field.data_type), column.data_type());
        if !wanted.equals_datatype(found) {
            let what = format!("the rows have {found} where {} needs {wanted}: cast them first", field.data_type);
            return Err(refused(&field.name, what));
        }
        Ok(Arc::clone(column))
    };
    layout.values().iter().map(find).collect()
}

fn record_batch(fields: &[DataField], columns: Vec<ArrayRef>, rows: usize) -> Result<RecordBatch> {
    let options = RecordBatchOptions::new().with_row_count(Some(rows));
    RecordBatch::try_new_with_options(arrow_schema(fields), columns, &options).map_err(|e| {
        Error::new(ErrorKind::InvalidInput, "the columns of a batch are not of the table's types").with_source(e)
    })
}

#[cfg(test)]
mod tests;
