//! Encodes values one by one: metadata rows, and nested values of the columnar encoder.

#![expect(clippy::indexing_slicing, reason = "slots lie in buffers this module has just sized for them")]

use super::layout;
use crate::{DataType, Datum, Error, ErrorKind, Result, TypeKind};

/// The bytes of a row.
pub(super) fn row(types: &[DataType], values: &[Option<Datum>]) -> Result<Vec<u8>> {
    if types.len() != values.len() {
        return Err(Error::new(
            ErrorKind::InvalidInput,
            format!("a row of {} fields was given {} values", types.len(), values.len()),
        ));
    }
    let header = layout::header_size(types.len());
    let mut buffer = vec![0; header + 8 * types.len()];
    for (i, (data_type, value)) in types.iter().zip(values).enumerate() {
        let slot = header + 8 * i;
        match value {
            Some(value) => put(&mut buffer, slot, data_type, value)?,
            None => {
                buffer[(i + 8) / 8] |= 1 << (i % 8);
                let reserved = layout::reserved_for_null(data_type.kind());
                if reserved > 0 {
                    let offset = buffer.len();
                    put_reference(&mut buffer, slot, offset, 0)?;
                    buffer.resize(offset + reserved, 0);
                }
            }
        }
    }
    Ok(buffer)
}

/// The bytes of an ARRAY: count, null bits, slots, variable part.
fn array<'a>(element: &DataType, values: impl ExactSizeIterator<Item = Option<&'a Datum>>) -> Result<Vec<u8>> {
    let length = values.len();
    let (header, size) = (layout::array_header_size(length), layout::element_size(element.kind()));
    let mut buffer = vec![0; layout::padded(header + size * length)];
    buffer[..4].copy_from_slice(&length_word(length)?.to_le_bytes());
    for (i, value) in values.enumerate() {
        match value {
            // Java's array writer canonicalises NaN, its row writer does not.
            Some(Datum::Float(v)) if v.is_nan() => {
                put(&mut buffer, header + size * i, element, &Datum::Float(f32::NAN))?
            }
            Some(Datum::Double(v)) if v.is_nan() => {
                put(&mut buffer, header + size * i, element, &Datum::Double(f64::NAN))?;
            }
            Some(value) => put(&mut buffer, header + size * i, element, value)?,
            None => buffer[4 + i / 8] |= 1 << (i % 8),
        }
    }
    Ok(buffer)
}

fn map(key: &DataType, value: &DataType, entries: &[(Option<Datum>, Option<Datum>)]) -> Result<Vec<u8>> {
    let keys = array(key, entries.iter().map(|(k, _)| k.as_ref()))?;
    let values = array(value, entries.iter().map(|(_, v)| v.as_ref()))?;
    let mut out = length_word(keys.len())?.to_le_bytes().to_vec();
    out.extend_from_slice(&keys);
    out.extend_from_slice(&values);
    Ok(out)
}

fn vector(element: &DataType, length: u32, values: &[Option<Datum>]) -> Result<Vec<u8>> {
    if u32::try_from(values.len()) != Ok(length) {
        return Err(Error::new(
            ErrorKind::InvalidInput,
            format!("a VECTOR of {length} elements was given {}", values.len()),
        ));
    }
    let size = layout::element_size(element.kind());
    // The region of values is rounded up to 8 bytes, the count before it is not.
    let mut out = vec![0; 4 + layout::padded(size * values.len())];
    out[..4].copy_from_slice(&length.to_le_bytes());
    for (i, value) in values.iter().enumerate() {
        let Some(value) = value else {
            return Err(Error::new(ErrorKind::InvalidInput, "elements of a VECTOR cannot be null"));
        };
        put(&mut out, 4 + size * i, element, value)?;
    }
    Ok(out)
}

/// Writes one non-null value into its slot, appending what does not fit.
fn put(buffer: &mut Vec<u8>, slot: usize, data_type: &DataType, value: &Datum) -> Result<()> {
    match (data_type.kind(), value) {
        (TypeKind::Boolean, Datum::Boolean(v)) => buffer[slot] = u8::from(*v),
        (TypeKind::TinyInt, Datum::TinyInt(v)) => put_fixed(buffer, slot, v.to_le_bytes()),
        (TypeKind::SmallInt, Datum::SmallInt(v)) => put_fixed(buffer, slot, v.to_le_bytes()),
        (TypeKind::Int, Datum::Int(v)) | (TypeKind::Date, Datum::Date(v)) | (TypeKind::Time { .. }, Datum::Time(v)) => {
            put_fixed(buffer, slot, v.to_le_bytes())
        }
        (TypeKind::BigInt, Datum::BigInt(v)) => put_fixed(buffer, slot, v.to_le_bytes()),
        (TypeKind::Float, Datum::Float(v)) => put_fixed(buffer, slot, v.to_le_bytes()),
        (TypeKind::Double, Datum::Double(v)) => put_fixed(buffer, slot, v.to_le_bytes()),
        (TypeKind::Decimal { precision, scale }, Datum::Decimal { unscaled, scale: given }) => {
            if given != scale {
                return Err(mismatch(data_type, value));
            }
            put_decimal(buffer, slot, *precision, *unscaled)?;
        }
        (TypeKind::Char { .. } | TypeKind::VarChar { .. }, Datum::String(v)) => put_bytes(buffer, slot, v.as_bytes())?,
        (TypeKind::Binary { .. } | TypeKind::VarBinary { .. } | TypeKind::Blob, Datum::Bytes(v)) => {
            put_bytes(buffer, slot, v)?;
        }
        (
            TypeKind::Timestamp { precision } | TypeKind::LocalZonedTimestamp { precision },
            Datum::Timestamp { millis, nanos },
        ) => put_timestamp(buffer, slot, *precision, *millis, *nanos)?,
        _ => {
            let bytes = nested(data_type, value)?;
            put_variable(buffer, slot, &bytes)?;
        }
    }
    Ok(())
}

fn mismatch(data_type: &DataType, value: &Datum) -> Error {
    Error::new(ErrorKind::InvalidInput, format!("{value:?} is not a value of {data_type}"))
}

fn put_fixed<const N: usize>(buffer: &mut [u8], slot: usize, value: [u8; N]) {
    buffer[slot..slot + N].copy_from_slice(&value);
}

fn put_reference(buffer: &mut [u8], slot: usize, offset: usize, low: u32) -> Result<()> {
    put_fixed(buffer, slot, low.to_le_bytes());
    put_fixed(buffer, slot + 4, length_word(offset)?.to_le_bytes());
    Ok(())
}

fn put_bytes(buffer: &mut Vec<u8>, slot: usize, bytes: &[u8]) -> Result<()> {
    match u8::try_from(bytes.len()) {
        Ok(length) if length <= 7 => {
            buffer[slot..slot + bytes.len()].copy_from_slice(bytes);
            buffer[slot + 7] = 0x80 | length;
            Ok(())
        }
        _ => put_variable(buffer, slot, bytes),
    }
}

fn put_variable(buffer: &mut Vec<u8>, slot: usize, bytes: &[u8]) -> Result<()> {
    let offset = buffer.len();
    put_reference(buffer, slot, offset, length_word(bytes.len())?)?;
    buffer.extend_from_slice(bytes);
    buffer.resize(layout::padded(buffer.len()), 0);
    Ok(())
}

fn put_decimal(buffer: &mut Vec<u8>, slot: usize, precision: u8, unscaled: i128) -> Result<()> {
    if unscaled.unsigned_abs() >= 10_u128.pow(u32::from(precision.min(38))) {
        return Err(Error::new(ErrorKind::InvalidInput, format!("{unscaled} has more than {precision} digits")));
    }
    match i64::try_from(unscaled) {
        Ok(compact) if layout::is_compact_decimal(precision) => put_fixed(buffer, slot, compact.to_le_bytes()),
        _ => {
            let (bytes, length) = minimal_be(unscaled);
            let offset = buffer.len();
            put_reference(buffer, slot, offset, u32::from(length))?;
            buffer.extend_from_slice(&bytes);
        }
    }
    Ok(())
}

/// Java's `BigInteger.toByteArray`, left-aligned in 16 bytes, and its length.
pub(super) fn minimal_be(value: i128) -> ([u8; 16], u8) {
    let sign_bits = if value < 0 { value.leading_ones() } else { value.leading_zeros() };
    let skip = ((sign_bits - 1) / 8).min(15);
    let shifted = value.cast_unsigned() << (8 * skip);
    // At most 15 bytes are skipped, so at least one stays.
    (shifted.to_be_bytes(), 16 - u8::try_from(skip).unwrap_or(15))
}

fn put_timestamp(buffer: &mut Vec<u8>, slot: usize, precision: u8, millis: i64, nanos: i32) -> Result<()> {
    let nanos = u32::try_from(nanos).ok().filter(|n| *n < 1_000_000).ok_or_else(|| {
        Error::new(ErrorKind::InvalidInput, format!("{nanos} nanoseconds do not lie within a millisecond"))
    })?;
    if layout::is_compact_timestamp(precision) {
        put_fixed(buffer, slot, millis.to_le_bytes());
    } else {
        let offset = buffer.len();
        put_reference(buffer, slot, offset, nanos)?;
        buffer.extend_from_slice(&millis.to_le_bytes());
    }
    Ok(())
}

fn length_word(length: usize) -> Result<u32> {
    u32::try_from(length).ok().filter(|l| *l <= TypeKind::MAX_LENGTH).ok_or_else(|| {
        Error::new(ErrorKind::InvalidInput, format!("{length} bytes do not fit into a binary row; the limit is 2 GiB"))
    })
}

/// The bytes of a nested value as they lie in the variable part, unpadded.
pub(super) fn nested(data_type: &DataType, value: &Datum) -> Result<Vec<u8>> {
    match (data_type.kind(), value) {
        (TypeKind::Array(element), Datum::Array(v)) => array(element, v.iter().map(Option::as_ref)),
        (TypeKind::Vector { element, length }, Datum::Array(v)) => vector(element, *length, v),
        (TypeKind::Map { key, value }, Datum::Map(v)) => map(key, value, v),
        (TypeKind::Multiset(element), Datum::Map(v)) => map(element, &DataType::new(TypeKind::Int, false), v),
        (TypeKind::Row(fields), Datum::Row(v)) => {
            let types: Vec<DataType> = fields.iter().map(|f| f.data_type.clone()).collect();
            row(&types, v)
        }
        (TypeKind::Variant, Datum::Variant { value, metadata }) => {
            let mut bytes = length_word(value.len())?.to_le_bytes().to_vec();
            bytes.extend_from_slice(value);
            bytes.extend_from_slice(metadata);
            Ok(bytes)
        }
        _ => Err(mismatch(data_type, value)),
    }
}
