//! Hive's hash of bucket keys. Source: spec page 04 §2.3.

use arrow_array::cast::AsArray;
use arrow_array::types::{Int32Type, Int64Type};
use arrow_array::{Array, ArrayRef};

use crate::binary_row::canonical;
use crate::datum_array::{binary_at, string_at};
use crate::{DataType, Datum, Error, ErrorKind, Result, TypeKind, datum_at};

/// Digits of the largest decimal the reference normalises to.
const MAX_DIGITS: u32 = 38;

/// Refuses types Hive's hash does not know.
pub(super) fn check(data_type: &DataType) -> Result<()> {
    match data_type.kind() {
        TypeKind::Boolean
        | TypeKind::TinyInt
        | TypeKind::SmallInt
        | TypeKind::Int
        | TypeKind::BigInt
        | TypeKind::Float
        | TypeKind::Double
        | TypeKind::Decimal { .. }
        | TypeKind::Char { .. }
        | TypeKind::VarChar { .. }
        | TypeKind::Binary { .. }
        | TypeKind::VarBinary { .. }
        | TypeKind::Date
        | TypeKind::Time { .. } => Ok(()),
        _ => Err(Error::new(ErrorKind::Unsupported, format!("bucket-function.type=hive cannot hash {data_type}"))),
    }
}

/// The hash of every row.
pub(super) fn hash(types: &[DataType], columns: &[ArrayRef]) -> Result<Vec<i32>> {
    let rows = columns.first().map_or(0, |c| c.len());
    if types.len() != columns.len() || columns.iter().any(|c| c.len() != rows) {
        return Err(Error::new(ErrorKind::InvalidInput, "the key columns do not fit the bucket key"));
    }
    let mut hashes = vec![0_i32; rows];
    for (data_type, column) in types.iter().zip(columns) {
        let column = canonical(column, data_type)?;
        for (row, hash) in hashes.iter_mut().enumerate() {
            let field = if column.is_null(row) { 0 } else { hash_at(&column, row, data_type)? };
            *hash = hash.wrapping_mul(31).wrapping_add(field);
        }
    }
    Ok(hashes)
}

fn hash_at(column: &ArrayRef, row: usize, data_type: &DataType) -> Result<i32> {
    Ok(match data_type.kind() {
        TypeKind::Int => column.as_primitive::<Int32Type>().value(row),
        TypeKind::BigInt => fold(column.as_primitive::<Int64Type>().value(row).cast_unsigned()),
        TypeKind::Char { .. } | TypeKind::VarChar { .. } => {
            hash_bytes(string_at(column, row).unwrap_or_default().as_bytes())
        }
        TypeKind::Binary { .. } | TypeKind::VarBinary { .. } => hash_bytes(binary_at(column, row).unwrap_or_default()),
        _ => hash_datum(datum_at(column, row, data_type)?.as_ref())?,
    })
}

/// The hash of one value, 0 for null.
pub(super) fn hash_datum(value: Option<&Datum>) -> Result<i32> {
    let Some(value) = value else { return Ok(0) };
    Ok(match value {
        Datum::Boolean(v) => i32::from(*v),
        Datum::TinyInt(v) => i32::from(*v),
        Datum::SmallInt(v) => i32::from(*v),
        Datum::Int(v) | Datum::Date(v) | Datum::Time(v) => *v,
        Datum::BigInt(v) => fold(v.cast_unsigned()),
        Datum::Float(v) if *v == 0.0 => 0,
        Datum::Float(v) if v.is_nan() => f32::NAN.to_bits().cast_signed(),
        Datum::Float(v) => v.to_bits().cast_signed(),
        Datum::Double(v) if *v == 0.0 => 0,
        Datum::Double(v) if v.is_nan() => fold(f64::NAN.to_bits()),
        Datum::Double(v) => fold(v.to_bits()),
        Datum::String(v) => hash_bytes(v.as_bytes()),
        Datum::Bytes(v) => hash_bytes(v),
        Datum::Decimal { unscaled, scale } => hash_decimal(*unscaled, u32::from(*scale)),
        _ => {
            return Err(Error::new(ErrorKind::Unsupported, format!("bucket-function.type=hive cannot hash {value:?}")));
        }
    })
}

fn fold(value: u64) -> i32 {
    let [a, b, c, d, ..] = (value ^ (value >> 32)).to_le_bytes();
    i32::from_le_bytes([a, b, c, d])
}

fn hash_bytes(bytes: &[u8]) -> i32 {
    bytes.iter().fold(0, |hash: i32, byte| hash.wrapping_mul(31).wrapping_add(i32::from(byte.cast_signed())))
}

/// Java's `BigDecimal.hashCode` of the value in Hive's normal form.
fn hash_decimal(mut unscaled: i128, mut scale: u32) -> i32 {
    strip(&mut unscaled, &mut scale);
    let digits = unscaled.unsigned_abs().checked_ilog10().map_or(0, |d| d + 1);
    let limit = MAX_DIGITS.min(MAX_DIGITS - digits.saturating_sub(scale).min(MAX_DIGITS));
    if scale > limit {
        let unit = 10_i128.pow(scale - limit);
        let (quotient, rest) = (unscaled / unit, unscaled % unit);
        let up = i128::from(rest.unsigned_abs() * 2 >= unit.unsigned_abs());
        unscaled = quotient + up * unscaled.signum();
        scale = limit;
        strip(&mut unscaled, &mut scale);
    }
    let magnitude = unscaled.unsigned_abs();
    let mut hash = 0_u32;
    let bytes = magnitude.to_be_bytes();
    let (words, _) = bytes.as_chunks::<4>();
    for word in words {
        hash = hash.wrapping_mul(31).wrapping_add(u32::from_be_bytes(*word));
    }
    let hash = if unscaled < 0 { hash.wrapping_neg() } else { hash };
    hash.wrapping_mul(31).wrapping_add(scale).cast_signed()
}

fn strip(unscaled: &mut i128, scale: &mut u32) {
    if *unscaled == 0 {
        *scale = 0;
    }
    while *scale > 0 && *unscaled % 10 == 0 {
        *unscaled /= 10;
        *scale -= 1;
    }
}
