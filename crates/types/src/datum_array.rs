//! Single values out of Arrow arrays, and arrays of single values.

use std::sync::Arc;

use arrow_array::cast::AsArray;
use arrow_array::types::{
    Date32Type, Decimal128Type, Float32Type, Float64Type, Int8Type, Int16Type, Int32Type, Int64Type,
    Time32MillisecondType, Time32SecondType, TimestampMicrosecondType, TimestampMillisecondType,
    TimestampNanosecondType, TimestampSecondType,
};
use arrow_array::{
    Array, ArrayRef, BinaryArray, BooleanArray, Date32Array, Decimal128Array, FixedSizeListArray, Float32Array,
    Float64Array, Int8Array, Int16Array, Int32Array, Int64Array, ListArray, MapArray, StringArray, StructArray,
    Time32MillisecondArray, TimestampMicrosecondArray, TimestampMillisecondArray, TimestampNanosecondArray,
};
use arrow_buffer::{NullBuffer, OffsetBuffer};
use arrow_schema::{ArrowError, DataType as ArrowType, TimeUnit};

use crate::{DataType, Datum, Error, ErrorKind, Result, TypeKind, arrow_type};

/// The value at `row`, `None` for null. String and binary arrays may have any layout, timestamps any unit.
///
/// # Errors
/// `InvalidInput` when the array does not hold values of that type or `row` is beyond its end.
pub fn datum_at(array: &dyn Array, row: usize, data_type: &DataType) -> Result<Option<Datum>> {
    if row >= array.len() {
        return Err(Error::new(ErrorKind::InvalidInput, format!("row {row} of a column of {} rows", array.len())));
    }
    if array.is_null(row) || *array.data_type() == ArrowType::Null {
        return Ok(None);
    }
    if let Some(dictionary) = array.as_any_dictionary_opt() {
        let key = dictionary.normalized_keys().get(row).copied().unwrap_or_default();
        return datum_at(dictionary.values(), key, data_type);
    }
    scalar_at(array, row, data_type.kind())
        .or_else(|| text_at(array, row, data_type.kind()))
        .map_or_else(|| nested_at(array, row, data_type), Ok)
        .map(Some)
}

fn scalar_at(array: &dyn Array, row: usize, kind: &TypeKind) -> Option<Datum> {
    Some(match kind {
        TypeKind::Boolean => Datum::Boolean(array.as_boolean_opt()?.value(row)),
        TypeKind::TinyInt => Datum::TinyInt(array.as_primitive_opt::<Int8Type>()?.value(row)),
        TypeKind::SmallInt => Datum::SmallInt(array.as_primitive_opt::<Int16Type>()?.value(row)),
        TypeKind::Int => Datum::Int(array.as_primitive_opt::<Int32Type>()?.value(row)),
        TypeKind::BigInt => Datum::BigInt(array.as_primitive_opt::<Int64Type>()?.value(row)),
        TypeKind::Float => Datum::Float(array.as_primitive_opt::<Float32Type>()?.value(row)),
        TypeKind::Double => Datum::Double(array.as_primitive_opt::<Float64Type>()?.value(row)),
        TypeKind::Decimal { scale, .. } => match array.data_type() {
            ArrowType::Decimal128(_, given) if *given == scale.cast_signed() => {
                Datum::Decimal { unscaled: array.as_primitive_opt::<Decimal128Type>()?.value(row), scale: *scale }
            }
            _ => return None,
        },
        TypeKind::Date => Datum::Date(array.as_primitive_opt::<Date32Type>()?.value(row)),
        TypeKind::Time { .. } => Datum::Time(match array.data_type() {
            ArrowType::Time32(TimeUnit::Second) => {
                array.as_primitive_opt::<Time32SecondType>()?.value(row).checked_mul(1000)?
            }
            _ => array.as_primitive_opt::<Time32MillisecondType>()?.value(row),
        }),
        TypeKind::Timestamp { .. } | TypeKind::LocalZonedTimestamp { .. } => timestamp_at(array, row)?,
        _ => return None,
    })
}

fn timestamp_at(array: &dyn Array, row: usize) -> Option<Datum> {
    let split = |value: i64, per_milli: i64, nanos: i64| {
        Some(Datum::Timestamp {
            millis: value.div_euclid(per_milli),
            nanos: i32::try_from(value.rem_euclid(per_milli) * nanos).ok()?,
        })
    };
    match array.data_type() {
        ArrowType::Timestamp(TimeUnit::Second, _) => {
            split(array.as_primitive_opt::<TimestampSecondType>()?.value(row).checked_mul(1000)?, 1, 0)
        }
        ArrowType::Timestamp(TimeUnit::Millisecond, _) => {
            split(array.as_primitive_opt::<TimestampMillisecondType>()?.value(row), 1, 0)
        }
        ArrowType::Timestamp(TimeUnit::Microsecond, _) => {
            split(array.as_primitive_opt::<TimestampMicrosecondType>()?.value(row), 1_000, 1_000)
        }
        ArrowType::Timestamp(TimeUnit::Nanosecond, _) => {
            split(array.as_primitive_opt::<TimestampNanosecondType>()?.value(row), 1_000_000, 1)
        }
        _ => None,
    }
}

fn text_at(array: &dyn Array, row: usize, kind: &TypeKind) -> Option<Datum> {
    match kind {
        TypeKind::Char { .. } | TypeKind::VarChar { .. } => string_at(array, row).map(|s| Datum::String(s.to_owned())),
        TypeKind::Binary { .. } | TypeKind::VarBinary { .. } | TypeKind::Blob => {
            binary_at(array, row).map(|b| Datum::Bytes(b.to_vec()))
        }
        _ => None,
    }
}

pub(crate) fn string_at(array: &dyn Array, row: usize) -> Option<&str> {
    match array.data_type() {
        ArrowType::Utf8 => Some(array.as_string::<i32>().value(row)),
        ArrowType::LargeUtf8 => Some(array.as_string::<i64>().value(row)),
        ArrowType::Utf8View => Some(array.as_string_view().value(row)),
        _ => None,
    }
}

pub(crate) fn binary_at(array: &dyn Array, row: usize) -> Option<&[u8]> {
    match array.data_type() {
        ArrowType::Binary => Some(array.as_binary::<i32>().value(row)),
        ArrowType::LargeBinary => Some(array.as_binary::<i64>().value(row)),
        ArrowType::BinaryView => Some(array.as_binary_view().value(row)),
        ArrowType::FixedSizeBinary(_) => Some(array.as_fixed_size_binary().value(row)),
        _ => None,
    }
}

fn nested_at(array: &dyn Array, row: usize, data_type: &DataType) -> Result<Datum> {
    let wrong =
        || Error::new(ErrorKind::InvalidInput, format!("a column of {} holds no {data_type}", array.data_type()));
    match data_type.kind() {
        TypeKind::Array(element) | TypeKind::Vector { element, .. } => {
            Ok(Datum::Array(all(&*list_at(array, row).ok_or_else(wrong)?, element)?))
        }
        TypeKind::Map { key, value } => map_at(array.as_map_opt().ok_or_else(wrong)?, row, key, value),
        TypeKind::Multiset(element) => {
            map_at(array.as_map_opt().ok_or_else(wrong)?, row, element, &DataType::new(TypeKind::Int, false))
        }
        TypeKind::Row(fields) => {
            let parts = array.as_struct_opt().ok_or_else(wrong)?;
            if parts.num_columns() != fields.len() {
                return Err(wrong());
            }
            let values = parts.columns().iter().zip(fields).map(|(c, f)| datum_at(c, row, &f.data_type));
            Ok(Datum::Row(values.collect::<Result<_>>()?))
        }
        TypeKind::Variant => {
            let parts = array.as_struct_opt().ok_or_else(wrong)?;
            let part = |name| parts.column_by_name(name).and_then(|c| binary_at(c, row)).ok_or_else(wrong);
            Ok(Datum::Variant { value: part("value")?.to_vec(), metadata: part("metadata")?.to_vec() })
        }
        _ => Err(wrong()),
    }
}

pub(crate) fn list_at(array: &dyn Array, row: usize) -> Option<ArrayRef> {
    match array.data_type() {
        ArrowType::List(_) => Some(array.as_list::<i32>().value(row)),
        ArrowType::LargeList(_) => Some(array.as_list::<i64>().value(row)),
        ArrowType::FixedSizeList(..) => Some(array.as_fixed_size_list().value(row)),
        _ => None,
    }
}

fn all(array: &dyn Array, data_type: &DataType) -> Result<Vec<Option<Datum>>> {
    (0..array.len()).map(|row| datum_at(array, row, data_type)).collect()
}

fn map_at(array: &MapArray, row: usize, key: &DataType, value: &DataType) -> Result<Datum> {
    let entries = array.value(row);
    let [keys, values] = entries.columns() else {
        return Err(Error::new(ErrorKind::InvalidInput, "a map without keys and values"));
    };
    Ok(Datum::Map(all(keys, key)?.into_iter().zip(all(values, value)?).collect()))
}

/// Collects one variant of [`Datum`] into an array.
macro_rules! collect {
    ($array:ty, $values:expr, $data_type:expr, $pattern:pat $(if $guard:expr)? => $value:expr) => {
        $values
            .iter()
            .map(|value| match value {
                None => Ok(None),
                Some($pattern) $(if $guard)? => Ok(Some($value)),
                Some(other) => Err(mismatch($data_type, other)),
            })
            .collect::<Result<$array>>()?
    };
}

/// An array of the Arrow type of `data_type` (see [`arrow_type`]) holding these values.
///
/// # Errors
/// `InvalidInput` when a value is not of that type, is null inside a type that allows none, or is out of Arrow's range.
pub fn array_from_datums(data_type: &DataType, values: &[Option<Datum>]) -> Result<ArrayRef> {
    build(&arrow_type(data_type), data_type, values)
}

fn build(arrow: &ArrowType, data_type: &DataType, values: &[Option<Datum>]) -> Result<ArrayRef> {
    let t = data_type;
    Ok(match data_type.kind() {
        TypeKind::Boolean => Arc::new(collect!(BooleanArray, values, t, Datum::Boolean(v) => *v)),
        TypeKind::TinyInt => Arc::new(collect!(Int8Array, values, t, Datum::TinyInt(v) => *v)),
        TypeKind::SmallInt => Arc::new(collect!(Int16Array, values, t, Datum::SmallInt(v) => *v)),
        TypeKind::Int => Arc::new(collect!(Int32Array, values, t, Datum::Int(v) => *v)),
        TypeKind::BigInt => Arc::new(collect!(Int64Array, values, t, Datum::BigInt(v) => *v)),
        TypeKind::Float => Arc::new(collect!(Float32Array, values, t, Datum::Float(v) => *v)),
        TypeKind::Double => Arc::new(collect!(Float64Array, values, t, Datum::Double(v) => *v)),
        TypeKind::Decimal { scale, .. } => Arc::new(
            collect!(Decimal128Array, values, t, Datum::Decimal { unscaled, scale: s } if s == scale => *unscaled)
                .with_data_type(arrow.clone()),
        ),
        TypeKind::Char { .. } | TypeKind::VarChar { .. } => {
            Arc::new(collect!(StringArray, values, t, Datum::String(v) => v.as_str()))
        }
        TypeKind::Binary { .. } | TypeKind::VarBinary { .. } | TypeKind::Blob => {
            Arc::new(collect!(BinaryArray, values, t, Datum::Bytes(v) => v.as_slice()))
        }
        TypeKind::Date => Arc::new(collect!(Date32Array, values, t, Datum::Date(v) => *v)),
        TypeKind::Time { .. } => Arc::new(collect!(Time32MillisecondArray, values, t, Datum::Time(v) => *v)),
        TypeKind::Timestamp { precision } | TypeKind::LocalZonedTimestamp { precision } => {
            timestamps(arrow, t, *precision, values)?
        }
        _ => nested(arrow, data_type, values)?,
    })
}

fn timestamps(arrow: &ArrowType, data_type: &DataType, precision: u8, values: &[Option<Datum>]) -> Result<ArrayRef> {
    let (per_milli, nanos_per_unit) = match precision {
        0..=3 => (1, 1_000_000),
        4..=6 => (1_000, 1_000),
        _ => (1_000_000, 1),
    };
    let units = values
        .iter()
        .map(|value| match value {
            None => Ok(None),
            Some(Datum::Timestamp { millis, nanos }) => millis
                .checked_mul(per_milli)
                .and_then(|v| v.checked_add(i64::from(*nanos) / nanos_per_unit))
                .map(Some)
                .ok_or_else(|| {
                    Error::new(ErrorKind::InvalidInput, format!("{millis} ms lie outside the range of {data_type}"))
                }),
            Some(other) => Err(mismatch(data_type, other)),
        })
        .collect::<Result<Vec<Option<i64>>>>()?;
    let zone = match arrow {
        ArrowType::Timestamp(_, zone) => zone.clone(),
        _ => None,
    };
    Ok(match precision {
        0..=3 => Arc::new(TimestampMillisecondArray::from(units).with_timezone_opt(zone)),
        4..=6 => Arc::new(TimestampMicrosecondArray::from(units).with_timezone_opt(zone)),
        _ => Arc::new(TimestampNanosecondArray::from(units).with_timezone_opt(zone)),
    })
}

fn nested(arrow: &ArrowType, data_type: &DataType, values: &[Option<Datum>]) -> Result<ArrayRef> {
    let nulls = NullBuffer::from_iter(values.iter().map(Option::is_some));
    let nulls = Some(nulls).filter(|n| n.null_count() > 0);
    match (data_type.kind(), arrow) {
        (TypeKind::Array(element), ArrowType::List(field)) => {
            let (mut flat, mut lengths) = (Vec::new(), Vec::with_capacity(values.len()));
            for value in values {
                let items = items(data_type, value.as_ref())?;
                lengths.push(items.len());
                flat.extend_from_slice(items);
            }
            let items = build(field.data_type(), element, &flat)?;
            let offsets = OffsetBuffer::from_lengths(lengths);
            Ok(Arc::new(ListArray::try_new(Arc::clone(field), offsets, items, nulls).map_err(refused)?))
        }
        (TypeKind::Vector { element, length }, ArrowType::FixedSizeList(field, size)) => {
            let mut flat = Vec::new();
            for value in values {
                match value {
                    None => flat.extend((0..*length).map(|_| zero(element))),
                    Some(_) => flat.extend_from_slice(items(data_type, value.as_ref())?),
                }
            }
            let items = build(field.data_type(), element, &flat)?;
            let array = FixedSizeListArray::try_new(Arc::clone(field), *size, items, nulls).map_err(refused)?;
            if array.len() != values.len() {
                return Err(Error::new(ErrorKind::InvalidInput, format!("an array has not the length of {data_type}")));
            }
            Ok(Arc::new(array))
        }
        (TypeKind::Map { key, value }, _) => maps(arrow, data_type, key, value, values, nulls),
        (TypeKind::Multiset(element), _) => {
            maps(arrow, data_type, element, &DataType::new(TypeKind::Int, false), values, nulls)
        }
        (TypeKind::Row(fields), ArrowType::Struct(arrow_fields)) => {
            let mut columns = Vec::with_capacity(fields.len());
            for (i, (field, arrow_field)) in fields.iter().zip(arrow_fields).enumerate() {
                let column = values.iter().map(|row| match row {
                    None => Ok(None),
                    Some(Datum::Row(v)) if v.len() == fields.len() => Ok(v.get(i).cloned().flatten()),
                    Some(other) => Err(mismatch(data_type, other)),
                });
                columns.push(build(arrow_field.data_type(), &field.data_type, &column.collect::<Result<Vec<_>>>()?)?);
            }
            let array = StructArray::try_new_with_length(arrow_fields.clone(), columns, nulls, values.len());
            Ok(Arc::new(array.map_err(refused)?))
        }
        (TypeKind::Variant, ArrowType::Struct(arrow_fields)) => {
            let (mut first, mut second) = (Vec::new(), Vec::new());
            for v in values {
                let (value, metadata): (&[u8], &[u8]) = match v {
                    None => (&[], &[]),
                    Some(Datum::Variant { value, metadata }) => (value, metadata),
                    Some(other) => return Err(mismatch(data_type, other)),
                };
                first.push(value);
                second.push(metadata);
            }
            let columns: Vec<ArrayRef> =
                vec![Arc::new(BinaryArray::from_vec(first)), Arc::new(BinaryArray::from_vec(second))];
            Ok(Arc::new(StructArray::try_new(arrow_fields.clone(), columns, nulls).map_err(refused)?))
        }
        _ => Err(Error::new(ErrorKind::Internal, format!("{data_type} was mapped to {arrow}"))),
    }
}

fn items<'a>(data_type: &DataType, value: Option<&'a Datum>) -> Result<&'a [Option<Datum>]> {
    match value {
        None => Ok(&[]),
        Some(Datum::Array(items)) => Ok(items),
        Some(other) => Err(mismatch(data_type, other)),
    }
}

/// What fills the places of a null vector: Arrow's fixed-size lists have values there too.
fn zero(element: &DataType) -> Option<Datum> {
    Some(match element.kind() {
        TypeKind::Boolean => Datum::Boolean(false),
        TypeKind::TinyInt => Datum::TinyInt(0),
        TypeKind::SmallInt => Datum::SmallInt(0),
        TypeKind::Int => Datum::Int(0),
        TypeKind::BigInt => Datum::BigInt(0),
        TypeKind::Float => Datum::Float(0.0),
        TypeKind::Double => Datum::Double(0.0),
        _ => return None,
    })
}

fn maps(
    arrow: &ArrowType,
    data_type: &DataType,
    key: &DataType,
    value: &DataType,
    values: &[Option<Datum>],
    nulls: Option<NullBuffer>,
) -> Result<ArrayRef> {
    let (mut keys, mut items, mut lengths) = (Vec::new(), Vec::new(), Vec::with_capacity(values.len()));
    for map in values {
        let entries = match map {
            None => &[][..],
            Some(Datum::Map(entries)) => entries,
            Some(other) => return Err(mismatch(data_type, other)),
        };
        lengths.push(entries.len());
        for (k, v) in entries {
            keys.push(k.clone());
            items.push(v.clone());
        }
    }
    let ArrowType::Map(entries_field, sorted) = arrow else {
        return Err(Error::new(ErrorKind::Internal, format!("{data_type} was mapped to {arrow}")));
    };
    let ArrowType::Struct(parts) = entries_field.data_type() else {
        return Err(Error::new(ErrorKind::Internal, format!("{data_type} was mapped to {arrow}")));
    };
    let columns = match parts.as_ref() {
        [k, v] => vec![build(k.data_type(), key, &keys)?, build(v.data_type(), value, &items)?],
        _ => return Err(Error::new(ErrorKind::Internal, format!("{data_type} was mapped to {arrow}"))),
    };
    let entries = StructArray::try_new(parts.clone(), columns, None).map_err(refused)?;
    let offsets = OffsetBuffer::from_lengths(lengths);
    let array = MapArray::try_new(Arc::clone(entries_field), offsets, entries, nulls, *sorted).map_err(refused)?;
    Ok(Arc::new(array))
}

fn mismatch(data_type: &DataType, value: &Datum) -> Error {
    Error::new(ErrorKind::InvalidInput, format!("{value:?} is not a value of {data_type}"))
}

fn refused(error: ArrowError) -> Error {
    Error::new(ErrorKind::InvalidInput, "the values do not fit the column's type").with_source(error)
}
