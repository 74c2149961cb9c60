//! Casts of whole columns.

use std::sync::Arc;

use arrow_array::cast::AsArray;
use arrow_array::types::{Int8Type, Int16Type, Int32Type, Int64Type};
use arrow_array::{Array, ArrayRef, ArrowPrimitiveType, ListArray, MapArray, StructArray, new_null_array};
use arrow_schema::{ArrowError, DataType as ArrowType};

use super::{executor, unsupported};
use crate::{DataField, DataType, Error, ErrorKind, Result, TypeKind, array_from_datums, arrow_type, datum_at};

/// Casts a column as the reference does when it reads a file of an older schema: integers wrap, floats saturate, decimals
/// round half up and become null on overflow; members of ROW match by field id. Instants are rendered in UTC.
/// The result has the Arrow type [`arrow_type`] gives for `to`. Source: spec page 02 §5.2 and §5.4.
///
/// # Errors
/// `Unsupported` when there is no cast between the types, `InvalidInput` for a text that does not parse or a column that
/// does not hold `from`.
pub fn cast_array(array: &ArrayRef, from: &DataType, to: &DataType) -> Result<ArrayRef> {
    if from.kind() == to.kind() {
        return Ok(Arc::clone(array));
    }
    match (from.kind(), to.kind()) {
        (TypeKind::Row(old), TypeKind::Row(new)) => cast_row(array, old, new, to),
        (TypeKind::Array(old), TypeKind::Array(new)) => cast_list(array, old, new, to),
        (TypeKind::Map { key: old_key, value: old }, TypeKind::Map { key: new_key, value: new }) => {
            if old_key != new_key {
                return Err(unsupported(from, to));
            }
            cast_map(array, old, new, to)
        }
        _ => {
            let cast = executor(from, to)?;
            if let Some(cast) = integers(array, from.kind(), to.kind()) {
                return Ok(cast);
            }
            let mut values = Vec::with_capacity(array.len());
            for row in 0..array.len() {
                values.push(match datum_at(array, row, from)? {
                    Some(value) => cast(&value, from, to)?,
                    None => None,
                });
            }
            array_from_datums(to, &values)
        }
    }
}

/// Integers to integers without a value object per row.
fn integers(array: &ArrayRef, from: &TypeKind, to: &TypeKind) -> Option<ArrayRef> {
    match from {
        TypeKind::TinyInt => narrow::<Int8Type>(array, to),
        TypeKind::SmallInt => narrow::<Int16Type>(array, to),
        TypeKind::Int => narrow::<Int32Type>(array, to),
        TypeKind::BigInt => narrow::<Int64Type>(array, to),
        _ => None,
    }
}

#[expect(clippy::cast_possible_truncation, reason = "integers wrap, as Java's do")]
fn narrow<T>(array: &ArrayRef, to: &TypeKind) -> Option<ArrayRef>
where
    T: ArrowPrimitiveType,
    i64: From<T::Native>,
{
    let array = array.as_primitive_opt::<T>()?;
    Some(match to {
        TypeKind::TinyInt => Arc::new(array.unary::<_, Int8Type>(|v| i64::from(v) as i8)),
        TypeKind::SmallInt => Arc::new(array.unary::<_, Int16Type>(|v| i64::from(v) as i16)),
        TypeKind::Int => Arc::new(array.unary::<_, Int32Type>(|v| i64::from(v) as i32)),
        TypeKind::BigInt => Arc::new(array.unary::<_, Int64Type>(i64::from)),
        _ => return None,
    })
}

fn cast_row(array: &ArrayRef, old: &[DataField], new: &[DataField], to: &DataType) -> Result<ArrayRef> {
    let (Some(parts), ArrowType::Struct(arrow_fields)) = (array.as_struct_opt(), arrow_type(to)) else {
        return Err(wrong(array, to));
    };
    let mut columns = Vec::with_capacity(new.len());
    for (field, arrow_field) in new.iter().zip(&arrow_fields) {
        let found = old.iter().position(|candidate| candidate.id == field.id);
        columns.push(match found.and_then(|i| Some((old.get(i)?, parts.columns().get(i)?))) {
            Some((old, column)) => {
                with_arrow_type(&cast_array(column, &old.data_type, &field.data_type)?, arrow_field.data_type())?
            }
            None => new_null_array(arrow_field.data_type(), array.len()),
        });
    }
    let nulls = parts.nulls().cloned();
    Ok(Arc::new(StructArray::try_new_with_length(arrow_fields, columns, nulls, array.len()).map_err(refused)?))
}

fn cast_list(array: &ArrayRef, old: &DataType, new: &DataType, to: &DataType) -> Result<ArrayRef> {
    let (Some(list), ArrowType::List(field)) = (array.as_list_opt::<i32>(), arrow_type(to)) else {
        return Err(wrong(array, to));
    };
    let values = with_arrow_type(&cast_array(list.values(), old, new)?, field.data_type())?;
    let list = ListArray::try_new(field, list.offsets().clone(), values, list.nulls().cloned());
    Ok(Arc::new(list.map_err(refused)?))
}

fn cast_map(array: &ArrayRef, old: &DataType, new: &DataType, to: &DataType) -> Result<ArrayRef> {
    let (Some(map), ArrowType::Map(entries, sorted)) = (array.as_map_opt(), arrow_type(to)) else {
        return Err(wrong(array, to));
    };
    let ArrowType::Struct(parts) = entries.data_type() else { return Err(wrong(array, to)) };
    let [key, value] = parts.as_ref() else { return Err(wrong(array, to)) };
    let columns = vec![
        with_arrow_type(map.keys(), key.data_type())?,
        with_arrow_type(&cast_array(map.values(), old, new)?, value.data_type())?,
    ];
    let content = StructArray::try_new(parts.clone(), columns, None).map_err(refused)?;
    let map = MapArray::try_new(Arc::clone(&entries), map.offsets().clone(), content, map.nulls().cloned(), sorted);
    Ok(Arc::new(map.map_err(refused)?))
}

/// The same values under another Arrow type of the same shape: other names, nullability or field ids of nested fields.
/// Columns built from a type alone carry derived ids as below field 0; this gives them those of [`crate::arrow_field`].
///
/// # Errors
/// `InvalidInput` when the shapes differ or a null stands where the type allows none.
pub fn with_arrow_type(array: &ArrayRef, wanted: &ArrowType) -> Result<ArrayRef> {
    if array.data_type() == wanted {
        return Ok(Arc::clone(array));
    }
    match wanted {
        ArrowType::Struct(fields) => {
            let parts = array.as_struct_opt().ok_or_else(|| misshapen(array, wanted))?;
            if parts.num_columns() != fields.len() {
                return Err(misshapen(array, wanted));
            }
            let columns = parts.columns().iter().zip(fields).map(|(c, f)| with_arrow_type(c, f.data_type()));
            let columns = columns.collect::<Result<Vec<_>>>()?;
            let nulls = parts.nulls().cloned();
            Ok(Arc::new(
                StructArray::try_new_with_length(fields.clone(), columns, nulls, array.len()).map_err(refused)?,
            ))
        }
        ArrowType::List(field) => {
            let list = array.as_list_opt::<i32>().ok_or_else(|| misshapen(array, wanted))?;
            let values = with_arrow_type(list.values(), field.data_type())?;
            let list = ListArray::try_new(Arc::clone(field), list.offsets().clone(), values, list.nulls().cloned());
            Ok(Arc::new(list.map_err(refused)?))
        }
        ArrowType::Map(entries, sorted) => {
            let map = array.as_map_opt().ok_or_else(|| misshapen(array, wanted))?;
            let content: ArrayRef = Arc::new(map.entries().clone());
            let content = with_arrow_type(&content, entries.data_type())?;
            let content = content.as_struct().clone();
            let (offsets, nulls) = (map.offsets().clone(), map.nulls().cloned());
            let map = MapArray::try_new(Arc::clone(entries), offsets, content, nulls, *sorted);
            Ok(Arc::new(map.map_err(refused)?))
        }
        ArrowType::FixedSizeList(field, size) => {
            let list = array.as_fixed_size_list_opt().ok_or_else(|| misshapen(array, wanted))?;
            let values = with_arrow_type(list.values(), field.data_type())?;
            let list =
                arrow_array::FixedSizeListArray::try_new(Arc::clone(field), *size, values, list.nulls().cloned());
            Ok(Arc::new(list.map_err(refused)?))
        }
        _ => arrow_cast::cast(array, wanted).map_err(refused),
    }
}

fn wrong(array: &ArrayRef, to: &DataType) -> Error {
    Error::new(ErrorKind::InvalidInput, format!("a column of {} cannot be cast to {to}", array.data_type()))
}

fn misshapen(array: &ArrayRef, wanted: &ArrowType) -> Error {
    Error::new(ErrorKind::InvalidInput, format!("a column of {} has not the shape of {wanted}", array.data_type()))
}

fn refused(error: ArrowError) -> Error {
    Error::new(ErrorKind::InvalidInput, "the values do not fit the column's type").with_source(error)
}
