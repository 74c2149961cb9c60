//! Keys and user sequences turned into words that compare fast.

use std::cmp::Ordering;

use arrow_array::cast::AsArray;
use arrow_array::types::{
    Date32Type, Decimal128Type, Float32Type, Float64Type, Int8Type, Int16Type, Int32Type, Int64Type,
    Time32MillisecondType, TimestampMicrosecondType, TimestampMillisecondType, TimestampNanosecondType,
};
use arrow_array::{Array, ArrayRef, BinaryArray, StringArray};
use arrow_row::{RowConverter, Rows, SortField};
use arrow_schema::{DataType as ArrowType, SortOptions, TimeUnit};
use headwater_types::{DataField, DataType, ErrorKind, RowComparator, arrow_type};

use crate::{Error, Result, error};

/// Turns columns into [`Codes`]. The form is chosen by the types alone, so that codes of different batches compare.
#[derive(Debug)]
pub(crate) enum Coder {
    /// Columns of fixed width without nulls, at most 16 bytes together.
    Fixed {
        widths: Vec<u32>,
        wide: bool,
    },
    /// One nullable column of at most 8 bytes: null is least, whatever the direction.
    Nullable {
        descending: bool,
    },
    Utf8,
    Binary,
    Rows(RowConverter),
}

impl Coder {
    /// The coder of key columns: ascending, never null.
    pub(crate) fn of_keys(fields: &[DataField]) -> Result<Self> {
        let types = ordered_types(fields)?;
        match types.as_slice() {
            [ArrowType::Utf8] => return Ok(Self::Utf8),
            [ArrowType::Binary] => return Ok(Self::Binary),
            _ => {}
        }
        if let Some(widths) = types.iter().map(width).collect::<Option<Vec<u32>>>() {
            let total: u32 = widths.iter().sum();
            if total <= 16 {
                return Ok(Self::Fixed { widths, wide: total > 8 });
            }
        }
        Self::rows(types, SortOptions { descending: false, nulls_first: true })
    }

    /// The coder of `sequence.field` columns: the record with the greatest code is fed last.
    pub(crate) fn of_sequence(fields: &[DataField], descending: bool) -> Result<Self> {
        let types = ordered_types(fields)?;
        if let [one] = types.as_slice()
            && width(one).is_some_and(|width| width <= 8)
        {
            return Ok(Self::Nullable { descending });
        }
        Self::rows(types, SortOptions { descending, nulls_first: true })
    }

    fn rows(types: Vec<ArrowType>, options: SortOptions) -> Result<Self> {
        let fields: Vec<SortField> = types.into_iter().map(|t| SortField::new_with_options(t, options)).collect();
        let converter = RowConverter::new(fields).map_err(|e| {
            Error::new(ErrorKind::Unsupported, "columns of these types cannot order records").with_source(e)
        })?;
        Ok(Self::Rows(converter))
    }

    /// The codes of all rows.
    ///
    /// # Errors
    /// `InvalidInput` when the columns do not have the coder's types.
    pub(crate) fn encode(&self, columns: &[ArrayRef]) -> Result<Codes> {
        let rows = columns.first().map_or(0, |column| column.len());
        let one = || columns.first().ok_or_else(wrong_type);
        Ok(match self {
            Self::Fixed { widths, wide: false } => {
                let mut prefix = vec![0_u64; rows];
                for (column, width) in columns.iter().zip(widths) {
                    // The first column is wider than nothing: a shift by the whole word cannot lose bits.
                    let shift = width * 8;
                    for_each_word(column, |i, word| {
                        if let Some(code) = prefix.get_mut(i) {
                            *code = code.checked_shl(shift).unwrap_or(0) | word;
                        }
                    })?;
                }
                Codes { prefix, rest: Rest::Nothing }
            }
            Self::Fixed { widths, wide: true } => {
                let mut codes = vec![0_u128; rows];
                for (column, width) in columns.iter().zip(widths) {
                    let shift = width * 8;
                    for_each_wide(column, |i, word| {
                        if let Some(code) = codes.get_mut(i) {
                            *code = code.checked_shl(shift).unwrap_or(0) | word;
                        }
                    })?;
                }
                let (prefix, low) = codes.into_iter().map(halves).unzip();
                Codes { prefix, rest: Rest::Low(low) }
            }
            Self::Nullable { descending } => nullable(one()?, *descending)?,
            Self::Utf8 => {
                let strings = one()?.as_string_opt::<i32>().ok_or_else(wrong_type)?.clone();
                let prefix = (0..strings.len()).map(|i| first_word(strings.value(i).as_bytes())).collect();
                Codes { prefix, rest: Rest::Utf8(strings) }
            }
            Self::Binary => {
                let bytes = one()?.as_binary_opt::<i32>().ok_or_else(wrong_type)?.clone();
                let prefix = (0..bytes.len()).map(|i| first_word(bytes.value(i))).collect();
                Codes { prefix, rest: Rest::Binary(bytes) }
            }
            Self::Rows(converter) => {
                let rows = converter.convert_columns(columns).map_err(error::arrow("encode keys as rows"))?;
                let prefix = rows.iter().map(|row| first_word(row.data())).collect();
                Codes { prefix, rest: Rest::Rows(Box::new(rows)) }
            }
        })
    }
}

/// Codes of the rows of one batch.
#[derive(Debug)]
pub(crate) struct Codes {
    /// Decides unless equal.
    pub(crate) prefix: Vec<u64>,
    rest: Rest,
}

#[derive(Debug)]
enum Rest {
    /// The prefix is all.
    Nothing,
    Low(Vec<u64>),
    Utf8(StringArray),
    Binary(BinaryArray),
    Rows(Box<Rows>),
}

impl Codes {
    /// Whether equal prefixes mean equal rows.
    pub(crate) fn is_exact(&self) -> bool {
        matches!(self.rest, Rest::Nothing)
    }

    #[inline]
    pub(crate) fn prefix_at(&self, row: usize) -> u64 {
        self.prefix.get(row).copied().unwrap_or(0)
    }

    #[inline]
    pub(crate) fn compare(&self, row: usize, other: &Self, other_row: usize) -> Ordering {
        self.prefix_at(row).cmp(&other.prefix_at(other_row)).then_with(|| self.compare_rest(row, other, other_row))
    }

    /// Compares rows with equal prefixes.
    #[inline]
    pub(crate) fn compare_rest(&self, row: usize, other: &Self, other_row: usize) -> Ordering {
        match (&self.rest, &other.rest) {
            (Rest::Nothing, Rest::Nothing) => Ordering::Equal,
            (Rest::Low(l), Rest::Low(r)) => l.get(row).cmp(&r.get(other_row)),
            _ => self.bytes(row).cmp(other.bytes(other_row)),
        }
    }

    /// The whole code of rows whose codes are bytes; empty for others.
    pub(crate) fn bytes(&self, row: usize) -> &[u8] {
        match &self.rest {
            Rest::Utf8(strings) => strings.value(row).as_bytes(),
            Rest::Binary(bytes) => bytes.value(row),
            Rest::Rows(rows) => rows.row(row).data(),
            Rest::Nothing | Rest::Low(_) => &[],
        }
    }

    /// Whether codes are bytes of which the prefix is only a copy.
    pub(crate) fn has_bytes(&self) -> bool {
        matches!(self.rest, Rest::Utf8(_) | Rest::Binary(_) | Rest::Rows(_))
    }
}

/// The first eight bytes, big end first, zeros after the end: orders as the bytes do, except for ties.
#[inline]
pub(crate) fn first_word(bytes: &[u8]) -> u64 {
    match bytes.first_chunk::<8>() {
        Some(word) => u64::from_be_bytes(*word),
        None => bytes.iter().fold(0, |word, &byte| word << 8 | u64::from(byte)).checked_shl(shift(bytes)).unwrap_or(0),
    }
}

fn shift(bytes: &[u8]) -> u32 {
    u32::try_from(8_usize.saturating_sub(bytes.len())).unwrap_or(0) * 8
}

#[expect(clippy::cast_possible_truncation, reason = "the halves are meant")]
fn halves(code: u128) -> (u64, u64) {
    ((code >> 64) as u64, code as u64)
}

/// Null is 0 in both words, other values have the highest bit of the prefix.
fn nullable(column: &ArrayRef, descending: bool) -> Result<Codes> {
    let rows = column.len();
    let (mut prefix, mut low) = (vec![0_u64; rows], vec![0_u64; rows]);
    for_each_word(column, |i, word| {
        if column.is_valid(i)
            && let (Some(prefix), Some(low)) = (prefix.get_mut(i), low.get_mut(i))
        {
            *low = if descending { !word } else { word };
            *prefix = 1 << 63 | *low >> 1;
        }
    })?;
    Ok(Codes { prefix, rest: Rest::Low(low) })
}

/// The Arrow types of the fields, all of which must have an order.
fn ordered_types(fields: &[DataField]) -> Result<Vec<ArrowType>> {
    let types: Vec<DataType> = fields.iter().map(|f| f.data_type.clone()).collect();
    RowComparator::new(&types)?;
    Ok(types.iter().map(arrow_type).collect())
}

/// Bytes of a value of that type in a code; `None` for types that vary or have no order.
fn width(arrow_type: &ArrowType) -> Option<u32> {
    Some(match arrow_type {
        ArrowType::Boolean | ArrowType::Int8 => 1,
        ArrowType::Int16 => 2,
        ArrowType::Int32 | ArrowType::Date32 | ArrowType::Time32(_) | ArrowType::Float32 => 4,
        ArrowType::Int64 | ArrowType::Timestamp(..) | ArrowType::Float64 => 8,
        ArrowType::Decimal128(precision, _) => {
            if *precision <= 18 {
                8
            } else {
                16
            }
        }
        _ => return None,
    })
}

fn for_each_wide(column: &ArrayRef, mut sink: impl FnMut(usize, u128)) -> Result<()> {
    if let ArrowType::Decimal128(19.., _) = column.data_type() {
        let values = column.as_primitive_opt::<Decimal128Type>().ok_or_else(wrong_type)?.values();
        values.iter().enumerate().for_each(|(i, &v)| sink(i, v.cast_unsigned() ^ 1 << 127));
        return Ok(());
    }
    for_each_word(column, |i, word| sink(i, u128::from(word)))
}

/// Calls `sink` with every value as an unsigned word of the type's width that orders like the value.
fn for_each_word(column: &ArrayRef, mut sink: impl FnMut(usize, u64)) -> Result<()> {
    macro_rules! each {
        ($type:ty, $code:expr) => {{
            let values = column.as_primitive_opt::<$type>().ok_or_else(wrong_type)?.values();
            for (i, &value) in values.iter().enumerate() {
                sink(i, $code(value));
            }
        }};
    }
    match column.data_type() {
        ArrowType::Boolean => {
            let values = column.as_boolean_opt().ok_or_else(wrong_type)?.values();
            values.iter().enumerate().for_each(|(i, value)| sink(i, u64::from(value)));
        }
        ArrowType::Int8 => each!(Int8Type, |v: i8| u64::from(v.cast_unsigned() ^ 1 << 7)),
        ArrowType::Int16 => each!(Int16Type, |v: i16| u64::from(v.cast_unsigned() ^ 1 << 15)),
        ArrowType::Int32 => each!(Int32Type, of_i32),
        ArrowType::Date32 => each!(Date32Type, of_i32),
        ArrowType::Time32(_) => each!(Time32MillisecondType, of_i32),
        ArrowType::Int64 => each!(Int64Type, of_i64),
        ArrowType::Timestamp(TimeUnit::Millisecond, _) => each!(TimestampMillisecondType, of_i64),
        ArrowType::Timestamp(TimeUnit::Microsecond, _) => each!(TimestampMicrosecondType, of_i64),
        ArrowType::Timestamp(TimeUnit::Nanosecond, _) => each!(TimestampNanosecondType, of_i64),
        ArrowType::Float32 => each!(Float32Type, of_f32),
        ArrowType::Float64 => each!(Float64Type, of_f64),
        ArrowType::Decimal128(..) => each!(Decimal128Type, of_small_decimal),
        _ => return Err(wrong_type()),
    }
    Ok(())
}

fn of_i32(value: i32) -> u64 {
    u64::from(value.cast_unsigned() ^ 1 << 31)
}

fn of_i64(value: i64) -> u64 {
    value.cast_unsigned() ^ 1 << 63
}

/// At most 18 digits fit an i64.
fn of_small_decimal(value: i128) -> u64 {
    of_i64(i64::try_from(value).unwrap_or(if value < 0 { i64::MIN } else { i64::MAX }))
}

/// Java's order: −0.0 before 0.0, every NaN last and equal to every other.
fn of_f32(value: f32) -> u64 {
    let bits = if value.is_nan() { f32::NAN.to_bits() & 0x7fff_ffff } else { value.to_bits() };
    u64::from(if bits >> 31 == 0 { bits | 1 << 31 } else { !bits })
}

fn of_f64(value: f64) -> u64 {
    let bits = if value.is_nan() { f64::NAN.to_bits() & (u64::MAX >> 1) } else { value.to_bits() };
    if bits >> 63 == 0 { bits | 1 << 63 } else { !bits }
}

fn wrong_type() -> Error {
    Error::new(ErrorKind::InvalidInput, "a key or sequence column is not of the type the table says")
}

#[cfg(test)]
mod tests;
