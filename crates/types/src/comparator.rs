//! The order of keys and of single values.

#[cfg(test)]
mod tests;

use std::cmp::Ordering;

use crate::binary_row::Fields;
use crate::{BinaryRow, DataType, Datum, Error, ErrorKind, Result, TypeKind};

/// Compares rows field by field: nulls first, strings and bytes as unsigned bytes, NaN last, -0.0 before 0.0.
/// Source: spec page 02 §6.1.
#[derive(Clone, Debug)]
pub struct RowComparator {
    fields: Vec<Comparison>,
}

/// How the slots of one field compare.
#[derive(Clone, Copy, Debug)]
enum Comparison {
    Boolean,
    I8,
    I16,
    I32,
    I64,
    F32,
    F64,
    Bytes,
    Decimal(u8),
    Timestamp(u8),
}

impl RowComparator {
    /// A comparator of rows with these types.
    ///
    /// # Errors
    /// `Unsupported` for types without order: ARRAY, MAP, MULTISET, ROW, VECTOR, VARIANT.
    pub fn new(types: &[DataType]) -> Result<Self> {
        let fields = types
            .iter()
            .map(|data_type| {
                Ok(match data_type.kind() {
                    TypeKind::Boolean => Comparison::Boolean,
                    TypeKind::TinyInt => Comparison::I8,
                    TypeKind::SmallInt => Comparison::I16,
                    TypeKind::Int | TypeKind::Date | TypeKind::Time { .. } => Comparison::I32,
                    TypeKind::BigInt => Comparison::I64,
                    TypeKind::Float => Comparison::F32,
                    TypeKind::Double => Comparison::F64,
                    TypeKind::Char { .. }
                    | TypeKind::VarChar { .. }
                    | TypeKind::Binary { .. }
                    | TypeKind::VarBinary { .. }
                    | TypeKind::Blob => Comparison::Bytes,
                    TypeKind::Decimal { precision, .. } => Comparison::Decimal(*precision),
                    TypeKind::Timestamp { precision } | TypeKind::LocalZonedTimestamp { precision } => {
                        Comparison::Timestamp(*precision)
                    }
                    _ => {
                        return Err(Error::new(
                            ErrorKind::Unsupported,
                            format!("values of {data_type} have no order, so they cannot be keys"),
                        ));
                    }
                })
            })
            .collect::<Result<_>>()?;
        Ok(Self { fields })
    }

    /// Compares two rows of the comparator's types.
    #[must_use]
    pub fn compare(&self, left: &BinaryRow, right: &BinaryRow) -> Ordering {
        let (l, r) = (left.fields(), right.fields());
        for (i, comparison) in self.fields.iter().enumerate() {
            let order = match (left.is_null_at(i), right.is_null_at(i)) {
                (true, true) => Ordering::Equal,
                (true, false) => Ordering::Less,
                (false, true) => Ordering::Greater,
                (false, false) => comparison.compare(i, &l, &r),
            };
            if order != Ordering::Equal {
                return order;
            }
        }
        Ordering::Equal
    }
}

impl Comparison {
    fn compare(self, i: usize, l: &Fields<'_>, r: &Fields<'_>) -> Ordering {
        match self {
            Self::Boolean => l.fixed::<1>(i).cmp(&r.fixed::<1>(i)),
            Self::I8 => l.fixed(i).map(i8::from_le_bytes).cmp(&r.fixed(i).map(i8::from_le_bytes)),
            Self::I16 => l.fixed(i).map(i16::from_le_bytes).cmp(&r.fixed(i).map(i16::from_le_bytes)),
            Self::I32 => l.fixed(i).map(i32::from_le_bytes).cmp(&r.fixed(i).map(i32::from_le_bytes)),
            Self::I64 => l.fixed(i).map(i64::from_le_bytes).cmp(&r.fixed(i).map(i64::from_le_bytes)),
            Self::F32 => {
                let float = |f: &Fields<'_>| f.fixed(i).map_or(0.0, f32::from_le_bytes);
                compare_f64(f64::from(float(l)), f64::from(float(r)))
            }
            Self::F64 => {
                let float = |f: &Fields<'_>| f.fixed(i).map_or(0.0, f64::from_le_bytes);
                compare_f64(float(l), float(r))
            }
            Self::Bytes => l.string_bytes(i).cmp(&r.string_bytes(i)),
            Self::Decimal(precision) => l.decimal(i, precision).cmp(&r.decimal(i, precision)),
            Self::Timestamp(precision) => l.timestamp(i, precision).cmp(&r.timestamp(i, precision)),
        }
    }
}

/// Java's `Double.compare`: every NaN is equal to every other and greatest.
fn compare_f64(l: f64, r: f64) -> Ordering {
    match (l.is_nan(), r.is_nan()) {
        (true, true) => Ordering::Equal,
        _ if l.is_nan() => Ordering::Greater,
        _ if r.is_nan() => Ordering::Less,
        _ => l.total_cmp(&r),
    }
}

/// Compares two values of one type; `None` when they are of different or unordered types. Decimals of different
/// scales compare by value.
#[must_use]
pub fn compare_datums(left: &Datum, right: &Datum) -> Option<Ordering> {
    Some(match (left, right) {
        (Datum::Boolean(l), Datum::Boolean(r)) => l.cmp(r),
        (Datum::TinyInt(l), Datum::TinyInt(r)) => l.cmp(r),
        (Datum::SmallInt(l), Datum::SmallInt(r)) => l.cmp(r),
        (Datum::Int(l), Datum::Int(r)) | (Datum::Date(l), Datum::Date(r)) | (Datum::Time(l), Datum::Time(r)) => {
            l.cmp(r)
        }
        (Datum::BigInt(l), Datum::BigInt(r)) => l.cmp(r),
        (Datum::Float(l), Datum::Float(r)) => compare_f64(f64::from(*l), f64::from(*r)),
        (Datum::Double(l), Datum::Double(r)) => compare_f64(*l, *r),
        (Datum::Decimal { unscaled: l, scale: ls }, Datum::Decimal { unscaled: r, scale: rs }) => {
            compare_decimals((*l, *ls), (*r, *rs))
        }
        (Datum::String(l), Datum::String(r)) => l.as_bytes().cmp(r.as_bytes()),
        (Datum::Bytes(l), Datum::Bytes(r)) => l.cmp(r),
        (Datum::Timestamp { millis: l, nanos: ln }, Datum::Timestamp { millis: r, nanos: rn }) => (l, ln).cmp(&(r, rn)),
        _ => return None,
    })
}

fn compare_decimals((left, left_scale): (i128, u8), (right, right_scale): (i128, u8)) -> Ordering {
    if left_scale > right_scale {
        return compare_decimals((right, right_scale), (left, left_scale)).reverse();
    }
    let factor = 10_i128.checked_pow(u32::from(right_scale - left_scale));
    match factor.and_then(|f| left.checked_mul(f)) {
        Some(left) => left.cmp(&right),
        // Too large to be brought to the other's scale: larger in magnitude than anything there.
        None if left == 0 => 0.cmp(&right),
        None => left.cmp(&0),
    }
}
