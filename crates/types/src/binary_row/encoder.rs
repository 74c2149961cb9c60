//! Encodes columns of a batch into rows, a column at a time.

#![expect(clippy::indexing_slicing, reason = "every slot and piece lies in a buffer sized for exactly these rows")]

use arrow_array::cast::AsArray;
use arrow_array::types::{
    Date32Type, Decimal128Type, Float32Type, Float64Type, Int8Type, Int16Type, Int32Type, Int64Type,
    Time32MillisecondType, TimestampMicrosecondType, TimestampMillisecondType, TimestampNanosecondType,
};
use arrow_array::{Array, ArrayRef, BinaryArray, BooleanArray, StringArray};
use arrow_buffer::NullBuffer;

use super::{BinaryRow, layout, writer};
use crate::{DataType, Error, ErrorKind, Result, TypeKind, arrow_type, datum_at, murmur};

/// Rows laid out at once: few enough to stay in the cache.
const CHUNK_ROWS: usize = 1024;

/// Encodes columns into [`BinaryRow`]s, or only hashes them, without a value object per row.
///
/// Used for bucket keys, partitions and bounds; the bytes equal those of [`BinaryRow::from_datums`].
#[derive(Clone, Debug)]
pub struct BinaryRowEncoder {
    types: Vec<DataType>,
}

impl BinaryRowEncoder {
    /// An encoder of rows with these types.
    #[must_use]
    pub fn new(types: &[DataType]) -> Self {
        Self { types: types.to_vec() }
    }

    /// The rows of the columns; columns in another Arrow form of their type (views, large offsets, dictionaries) are cast.
    ///
    /// # Errors
    /// `InvalidInput` when the number, length or type of the columns does not fit.
    pub fn encode(&self, columns: &[ArrayRef]) -> Result<Vec<BinaryRow>> {
        let mut out = Vec::new();
        self.for_each(columns, |bytes| out.push(BinaryRow { arity: self.types.len(), bytes: bytes.to_vec() }))?;
        Ok(out)
    }

    /// [`BinaryRow::hash32`] of every row.
    ///
    /// # Errors
    /// As [`BinaryRowEncoder::encode`].
    pub fn hash(&self, columns: &[ArrayRef]) -> Result<Vec<i32>> {
        let mut out = Vec::with_capacity(columns.first().map_or(0, |c| c.len()));
        self.for_each(columns, |bytes| out.push(murmur::hash_words(bytes)))?;
        Ok(out)
    }

    /// Calls `sink` with the bytes of every row in order.
    ///
    /// # Errors
    /// As [`BinaryRowEncoder::encode`].
    pub fn for_each(&self, columns: &[ArrayRef], mut sink: impl FnMut(&[u8])) -> Result<()> {
        if columns.len() != self.types.len() {
            return Err(Error::new(
                ErrorKind::InvalidInput,
                format!("rows of {} fields were given {} columns", self.types.len(), columns.len()),
            ));
        }
        let rows = columns.first().map_or(0, |c| c.len());
        if columns.iter().any(|c| c.len() != rows) {
            return Err(Error::new(ErrorKind::InvalidInput, "the columns of a row differ in length"));
        }
        let columns = columns
            .iter()
            .zip(&self.types)
            .map(|(array, data_type)| canonical(array, data_type))
            .collect::<Result<Vec<_>>>()?;
        let mut chunk = Chunk::default();
        let mut first = 0;
        while first < rows {
            let length = CHUNK_ROWS.min(rows - first);
            let slices: Vec<ArrayRef> = columns.iter().map(|c| c.slice(first, length)).collect();
            chunk.fill(&self.types, &slices, length)?;
            for row in 0..length {
                sink(&chunk.bytes[chunk.starts[row]..chunk.starts[row + 1]]);
            }
            first += length;
        }
        Ok(())
    }
}

/// The array in the Arrow form of [`arrow_type`].
pub(crate) fn canonical(array: &ArrayRef, data_type: &DataType) -> Result<ArrayRef> {
    let wanted = arrow_type(data_type);
    if *array.data_type() == wanted || wanted.is_nested() {
        return Ok(ArrayRef::clone(array));
    }
    arrow_cast::cast(array, &wanted).map_err(|e| {
        Error::new(ErrorKind::InvalidInput, format!("a column of {} cannot be used as {data_type}", array.data_type()))
            .with_source(e)
    })
}

/// Reused buffers of one chunk of rows.
#[derive(Default)]
struct Chunk {
    bytes: Vec<u8>,
    /// Where each row begins; one more entry for the end.
    starts: Vec<usize>,
    /// Where each row's next variable piece goes.
    cursors: Vec<usize>,
}

impl Chunk {
    fn fill(&mut self, types: &[DataType], columns: &[ArrayRef], rows: usize) -> Result<()> {
        let header = layout::header_size(types.len());
        let fixed = header + 8 * types.len();
        let mut sizes = vec![fixed; rows];
        let nested = types.iter().zip(columns).map(|(t, c)| nested_pieces(t, c)).collect::<Result<Vec<_>>>()?;
        for ((data_type, column), pieces) in types.iter().zip(columns).zip(&nested) {
            add_sizes(&mut sizes, data_type, column, pieces);
        }
        self.starts.clear();
        self.cursors.clear();
        let mut end = 0;
        for size in sizes {
            self.starts.push(end);
            self.cursors.push(end + fixed);
            end += size;
        }
        self.starts.push(end);
        self.bytes.clear();
        self.bytes.resize(end, 0);
        for (i, ((data_type, column), pieces)) in types.iter().zip(columns).zip(&nested).enumerate() {
            if let Some(nulls) = column.nulls() {
                self.mark_nulls(i, nulls, rows);
            }
            self.put_column(header + 8 * i, data_type, column, pieces);
        }
        Ok(())
    }

    fn mark_nulls(&mut self, field: usize, nulls: &NullBuffer, rows: usize) {
        for row in 0..rows {
            if nulls.is_null(row) {
                self.bytes[self.starts[row] + (field + 8) / 8] |= 1 << (field % 8);
            }
        }
    }

    fn put_column(&mut self, slot: usize, data_type: &DataType, column: &ArrayRef, pieces: &[Vec<u8>]) {
        match data_type.kind() {
            TypeKind::Boolean => {
                let array: &BooleanArray = column.as_boolean();
                self.put_fixed(slot, column, |row| [u8::from(array.value(row))]);
            }
            TypeKind::TinyInt => {
                let values = column.as_primitive::<Int8Type>().values();
                self.put_fixed(slot, column, |row| values[row].to_le_bytes());
            }
            TypeKind::SmallInt => {
                let values = column.as_primitive::<Int16Type>().values();
                self.put_fixed(slot, column, |row| values[row].to_le_bytes());
            }
            TypeKind::Int => {
                let values = column.as_primitive::<Int32Type>().values();
                self.put_fixed(slot, column, |row| values[row].to_le_bytes());
            }
            TypeKind::Date => {
                let values = column.as_primitive::<Date32Type>().values();
                self.put_fixed(slot, column, |row| values[row].to_le_bytes());
            }
            TypeKind::Time { .. } => {
                let values = column.as_primitive::<Time32MillisecondType>().values();
                self.put_fixed(slot, column, |row| values[row].to_le_bytes());
            }
            TypeKind::BigInt => {
                let values = column.as_primitive::<Int64Type>().values();
                self.put_fixed(slot, column, |row| values[row].to_le_bytes());
            }
            TypeKind::Float => {
                let values = column.as_primitive::<Float32Type>().values();
                self.put_fixed(slot, column, |row| values[row].to_le_bytes());
            }
            TypeKind::Double => {
                let values = column.as_primitive::<Float64Type>().values();
                self.put_fixed(slot, column, |row| values[row].to_le_bytes());
            }
            TypeKind::Decimal { precision, .. } => self.put_decimals(slot, column, *precision),
            TypeKind::Timestamp { precision } | TypeKind::LocalZonedTimestamp { precision } => {
                self.put_timestamps(slot, column, *precision);
            }
            TypeKind::Char { .. } | TypeKind::VarChar { .. } => {
                let array: &StringArray = column.as_string();
                self.put_strings(slot, column, |row| array.value(row).as_bytes());
            }
            TypeKind::Binary { .. } | TypeKind::VarBinary { .. } | TypeKind::Blob => {
                let array: &BinaryArray = column.as_binary();
                self.put_strings(slot, column, |row| array.value(row));
            }
            _ => {
                for (row, piece) in pieces.iter().enumerate() {
                    if column.is_valid(row) {
                        self.append(slot, row, piece);
                    }
                }
            }
        }
    }

    fn put_fixed<const N: usize>(&mut self, slot: usize, column: &ArrayRef, value: impl Fn(usize) -> [u8; N]) {
        let nulls = column.nulls().filter(|n| n.null_count() > 0);
        for row in 0..column.len() {
            if nulls.is_none_or(|n| n.is_valid(row)) {
                let at = self.starts[row] + slot;
                self.bytes[at..at + N].copy_from_slice(&value(row));
            }
        }
    }

    fn put_strings<'a>(&mut self, slot: usize, column: &ArrayRef, value: impl Fn(usize) -> &'a [u8]) {
        for row in 0..column.len() {
            if column.is_null(row) {
                continue;
            }
            let value = value(row);
            match u8::try_from(value.len()) {
                Ok(length) if length <= 7 => {
                    let at = self.starts[row] + slot;
                    self.bytes[at..at + value.len()].copy_from_slice(value);
                    self.bytes[at + 7] = 0x80 | length;
                }
                _ => self.append(slot, row, value),
            }
        }
    }

    fn put_decimals(&mut self, slot: usize, column: &ArrayRef, precision: u8) {
        let values = column.as_primitive::<Decimal128Type>().values();
        if layout::is_compact_decimal(precision) {
            // At most 18 digits: the low 8 bytes are the whole value.
            self.put_fixed(slot, column, |row| {
                values[row].to_le_bytes().first_chunk::<8>().copied().unwrap_or_default()
            });
            return;
        }
        for row in 0..column.len() {
            let (bytes, length) = if column.is_null(row) { ([0; 16], 0) } else { writer::minimal_be(values[row]) };
            self.append_sized(slot, row, &bytes, usize::from(length));
        }
    }

    fn put_timestamps(&mut self, slot: usize, column: &ArrayRef, precision: u8) {
        if layout::is_compact_timestamp(precision) {
            let values = column.as_primitive::<TimestampMillisecondType>().values();
            self.put_fixed(slot, column, |row| values[row].to_le_bytes());
            return;
        }
        let (values, per_milli, nanos_per_unit) = if precision <= 6 {
            (column.as_primitive::<TimestampMicrosecondType>().values(), 1_000, 1_000)
        } else {
            (column.as_primitive::<TimestampNanosecondType>().values(), 1_000_000, 1)
        };
        for row in 0..column.len() {
            let (millis, rest) = if column.is_null(row) {
                (0, 0)
            } else {
                (values[row].div_euclid(per_milli), values[row].rem_euclid(per_milli) * nanos_per_unit)
            };
            // Below 1,000,000 by construction.
            self.append_sized(slot, row, &millis.to_le_bytes(), usize::try_from(rest).unwrap_or(0));
        }
    }

    fn append(&mut self, slot: usize, row: usize, bytes: &[u8]) {
        self.append_sized(slot, row, bytes, bytes.len());
    }

    /// Puts a piece at the row's cursor and a reference to it, with `low` in the length's place, into the slot.
    fn append_sized(&mut self, slot: usize, row: usize, bytes: &[u8], low: usize) {
        let (start, cursor) = (self.starts[row], self.cursors[row]);
        let reference = ((cursor - start) as u64) << 32 | low as u64;
        self.bytes[start + slot..start + slot + 8].copy_from_slice(&reference.to_le_bytes());
        self.bytes[cursor..cursor + bytes.len()].copy_from_slice(bytes);
        self.cursors[row] = cursor + layout::padded(bytes.len());
    }
}

/// Encoded nested values; empty for scalar columns.
fn nested_pieces(data_type: &DataType, column: &ArrayRef) -> Result<Vec<Vec<u8>>> {
    if !matches!(
        data_type.kind(),
        TypeKind::Array(_)
            | TypeKind::Vector { .. }
            | TypeKind::Map { .. }
            | TypeKind::Multiset(_)
            | TypeKind::Row(_)
            | TypeKind::Variant
    ) {
        return Ok(Vec::new());
    }
    (0..column.len())
        .map(|row| match datum_at(column, row, data_type)? {
            Some(value) => writer::nested(data_type, &value),
            None => Ok(Vec::new()),
        })
        .collect()
}

fn add_sizes(sizes: &mut [usize], data_type: &DataType, column: &ArrayRef, pieces: &[Vec<u8>]) {
    let mut add = |length: &dyn Fn(usize) -> usize| {
        for (row, size) in sizes.iter_mut().enumerate() {
            if column.is_valid(row) {
                let length = length(row);
                *size += if length <= 7 { 0 } else { layout::padded(length) };
            }
        }
    };
    match data_type.kind() {
        TypeKind::Char { .. } | TypeKind::VarChar { .. } => {
            let array: &StringArray = column.as_string();
            add(&|row| array.value(row).len());
        }
        TypeKind::Binary { .. } | TypeKind::VarBinary { .. } | TypeKind::Blob => {
            let array: &BinaryArray = column.as_binary();
            add(&|row| array.value(row).len());
        }
        kind => {
            let reserved = layout::reserved_for_null(kind);
            for (row, size) in sizes.iter_mut().enumerate() {
                *size += reserved + pieces.get(row).map_or(0, |piece| layout::padded(piece.len()));
            }
        }
    }
}
