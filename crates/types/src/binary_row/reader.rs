//! Decodes rows and arrays; every access is checked, the bytes come from files.

use super::layout;
use crate::{DataType, Datum, Error, ErrorKind, Result, TypeKind};

/// Levels of nesting the reader follows; deeper bytes are refused instead of exhausting the stack.
const MAX_DEPTH: usize = 100;

/// The slots of a row or array: where null bits and slots begin and what offsets count from.
#[derive(Clone, Copy)]
pub(crate) struct Fields<'a> {
    bytes: &'a [u8],
    /// Index of the bit that belongs to slot 0.
    first_null_bit: usize,
    slots: usize,
    slot_size: usize,
}

impl<'a> Fields<'a> {
    pub(crate) fn of_row(bytes: &'a [u8], arity: usize) -> Self {
        Self { bytes, first_null_bit: 8, slots: layout::header_size(arity), slot_size: 8 }
    }

    fn of_array(bytes: &'a [u8], length: usize, kind: &TypeKind) -> Self {
        let (slots, slot_size) = (layout::array_header_size(length), layout::element_size(kind));
        Self { bytes, first_null_bit: 32, slots, slot_size }
    }

    pub(crate) fn is_null(&self, i: usize) -> bool {
        let bit = i + self.first_null_bit;
        self.bytes.get(bit / 8).is_none_or(|byte| byte & (1 << (bit % 8)) != 0)
    }

    /// The first `N` bytes of a slot.
    pub(crate) fn fixed<const N: usize>(&self, i: usize) -> Option<[u8; N]> {
        let start = i.checked_mul(self.slot_size)?.checked_add(self.slots)?;
        self.bytes.get(start..)?.first_chunk::<N>().copied()
    }

    /// The two halves of a reference: length (or nanoseconds) and offset.
    fn reference(&self, i: usize) -> Option<(usize, usize)> {
        let word = u64::from_le_bytes(self.fixed::<8>(i)?);
        Some((usize::try_from(word & 0xffff_ffff).ok()?, usize::try_from(word >> 32).ok()?))
    }

    /// A piece of the variable part.
    pub(crate) fn variable(&self, i: usize) -> Option<&'a [u8]> {
        let (length, offset) = self.reference(i)?;
        self.bytes.get(offset..offset.checked_add(length)?)
    }

    /// A string or byte array, inline or not.
    pub(crate) fn string_bytes(&self, i: usize) -> Option<&'a [u8]> {
        let [.., last] = self.fixed::<8>(i)?;
        if last & 0x80 == 0 {
            return self.variable(i);
        }
        let start = i.checked_mul(self.slot_size)?.checked_add(self.slots)?;
        let length = usize::from(last & 0x7f);
        if length > 7 {
            return None;
        }
        self.bytes.get(start..start + length)
    }

    pub(crate) fn decimal(&self, i: usize, precision: u8) -> Option<i128> {
        if layout::is_compact_decimal(precision) {
            return Some(i128::from(i64::from_le_bytes(self.fixed(i)?)));
        }
        decimal_from_be(self.variable(i)?)
    }

    /// Milliseconds and nanoseconds within.
    pub(crate) fn timestamp(&self, i: usize, precision: u8) -> Option<(i64, i32)> {
        if layout::is_compact_timestamp(precision) {
            return Some((i64::from_le_bytes(self.fixed(i)?), 0));
        }
        let (nanos, offset) = self.reference(i)?;
        let millis = self.bytes.get(offset..)?.first_chunk::<8>()?;
        let nanos = i32::try_from(nanos).ok().filter(|n| *n < 1_000_000)?;
        Some((i64::from_le_bytes(*millis), nanos))
    }

    fn value(&self, i: usize, data_type: &DataType, depth: usize) -> Result<Option<Datum>> {
        if self.is_null(i) {
            return Ok(None);
        }
        let scalar = match data_type.kind() {
            TypeKind::Boolean => self.fixed::<1>(i).map(|[b]| Datum::Boolean(b != 0)),
            TypeKind::TinyInt => self.fixed(i).map(|b| Datum::TinyInt(i8::from_le_bytes(b))),
            TypeKind::SmallInt => self.fixed(i).map(|b| Datum::SmallInt(i16::from_le_bytes(b))),
            TypeKind::Int => self.fixed(i).map(|b| Datum::Int(i32::from_le_bytes(b))),
            TypeKind::BigInt => self.fixed(i).map(|b| Datum::BigInt(i64::from_le_bytes(b))),
            TypeKind::Float => self.fixed(i).map(|b| Datum::Float(f32::from_le_bytes(b))),
            TypeKind::Double => self.fixed(i).map(|b| Datum::Double(f64::from_le_bytes(b))),
            TypeKind::Date => self.fixed(i).map(|b| Datum::Date(i32::from_le_bytes(b))),
            TypeKind::Time { .. } => self.fixed(i).map(|b| Datum::Time(i32::from_le_bytes(b))),
            TypeKind::Decimal { precision, scale } => {
                self.decimal(i, *precision).map(|unscaled| Datum::Decimal { unscaled, scale: *scale })
            }
            TypeKind::Char { .. } | TypeKind::VarChar { .. } => {
                // The reference may cut a bound inside a surrogate pair; such text is kept readable, not refused.
                self.string_bytes(i).map(|b| Datum::String(String::from_utf8_lossy(b).into_owned()))
            }
            TypeKind::Binary { .. } | TypeKind::VarBinary { .. } | TypeKind::Blob => {
                self.string_bytes(i).map(|b| Datum::Bytes(b.to_vec()))
            }
            TypeKind::Timestamp { precision } | TypeKind::LocalZonedTimestamp { precision } => {
                self.timestamp(i, *precision).map(|(millis, nanos)| Datum::Timestamp { millis, nanos })
            }
            nested => match self.variable(i) {
                Some(bytes) => Some(nested_value(bytes, nested, depth + 1)?),
                None => None,
            },
        };
        scalar.map(Some).ok_or_else(|| corrupt(data_type))
    }
}

/// A big-endian two's complement integer of 1 to 16 bytes.
fn decimal_from_be(bytes: &[u8]) -> Option<i128> {
    if bytes.len() > 16 {
        return None;
    }
    let first = bytes.first()?.cast_signed();
    let start = if first < 0 { -1_i128 } else { 0 };
    Some(bytes.iter().fold(start, |value, byte| (value << 8) | i128::from(*byte)))
}

/// All fields of a row.
pub(super) fn row(bytes: &[u8], arity: usize, types: &[DataType]) -> Result<Vec<Option<Datum>>> {
    row_at(bytes, arity, types, 0)
}

fn row_at(bytes: &[u8], arity: usize, types: &[DataType], depth: usize) -> Result<Vec<Option<Datum>>> {
    if types.len() != arity {
        return Err(Error::new(
            ErrorKind::Corrupt,
            format!("a binary row of {arity} fields was read as one of {}", types.len()),
        ));
    }
    let fields = Fields::of_row(bytes, arity);
    types.iter().enumerate().map(|(i, data_type)| fields.value(i, data_type, depth)).collect()
}

fn nested_value(bytes: &[u8], kind: &TypeKind, depth: usize) -> Result<Datum> {
    if depth > MAX_DEPTH {
        return Err(Error::new(ErrorKind::Corrupt, format!("a binary row is nested deeper than {MAX_DEPTH} levels")));
    }
    match kind {
        TypeKind::Array(element) => Ok(Datum::Array(array(bytes, element, depth)?)),
        TypeKind::Map { key, value } => map(bytes, key, value, depth),
        TypeKind::Multiset(element) => map(bytes, element, &DataType::new(TypeKind::Int, false), depth),
        TypeKind::Row(fields) => {
            let types: Vec<DataType> = fields.iter().map(|f| f.data_type.clone()).collect();
            Ok(Datum::Row(row_at(bytes, types.len(), &types, depth)?))
        }
        TypeKind::Vector { element, length } => vector(bytes, element, *length),
        TypeKind::Variant => {
            let parts = split_length(bytes).and_then(|(length, rest)| rest.split_at_checked(length));
            let (value, metadata) = parts.ok_or_else(|| corrupt(&TypeKind::Variant.into()))?;
            Ok(Datum::Variant { value: value.to_vec(), metadata: metadata.to_vec() })
        }
        other => Err(corrupt(&other.clone().into())),
    }
}

fn split_length(bytes: &[u8]) -> Option<(usize, &[u8])> {
    let (length, rest) = bytes.split_first_chunk::<4>()?;
    Some((usize::try_from(i32::from_le_bytes(*length)).ok()?, rest))
}

fn array(bytes: &[u8], element: &DataType, depth: usize) -> Result<Vec<Option<Datum>>> {
    let length = split_length(bytes).map(|(length, _)| length).ok_or_else(|| corrupt(element))?;
    let size = layout::array_header_size(length) + length.saturating_mul(layout::element_size(element.kind()));
    if size > bytes.len() {
        return Err(corrupt(element));
    }
    let fields = Fields::of_array(bytes, length, element.kind());
    (0..length).map(|i| fields.value(i, element, depth)).collect()
}

fn map(bytes: &[u8], key: &DataType, value: &DataType, depth: usize) -> Result<Datum> {
    let parts = split_length(bytes).and_then(|(length, rest)| rest.split_at_checked(length));
    let (keys, values) = parts.ok_or_else(|| corrupt(key))?;
    let (keys, values) = (array(keys, key, depth)?, array(values, value, depth)?);
    if keys.len() != values.len() {
        return Err(corrupt(value));
    }
    Ok(Datum::Map(keys.into_iter().zip(values).collect()))
}

fn vector(bytes: &[u8], element: &DataType, length: u32) -> Result<Datum> {
    let (count, rest) = split_length(bytes).ok_or_else(|| corrupt(element))?;
    let size = layout::element_size(element.kind());
    if u32::try_from(count) != Ok(length) || count.checked_mul(size).is_none_or(|needed| needed > rest.len()) {
        return Err(corrupt(element));
    }
    // A vector has no null bits: those of an array of zeros stand in.
    rest.chunks_exact(size)
        .take(count)
        .map(|chunk| {
            let mut slot = vec![0; 16];
            slot.extend_from_slice(chunk);
            Fields { bytes: &slot, first_null_bit: 0, slots: 16, slot_size: 8 }.value(0, element, 0)
        })
        .collect::<Result<_>>()
        .map(Datum::Array)
}

fn corrupt(data_type: &DataType) -> Error {
    Error::new(ErrorKind::Corrupt, format!("the bytes of a binary row hold no valid {data_type}"))
}
