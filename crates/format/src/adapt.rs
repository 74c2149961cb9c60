//! Columns as a file holds them, turned into the types that were asked for.

use std::sync::Arc;

use arrow_array::cast::AsArray as _;
use arrow_array::{
    Array as _, ArrayRef, FixedSizeListArray, ListArray, MapArray, RecordBatch, StructArray, new_null_array,
};
use arrow_cast::{CastOptions, cast_with_options};
use arrow_schema::{DataType, Field, SchemaRef};

use crate::{Error, ErrorKind, Result};

/// The batch with the columns of `schema`, found by name; a missing one is null.
pub(crate) fn adapt_batch(batch: &RecordBatch, schema: &SchemaRef) -> Result<RecordBatch> {
    let columns = schema.fields().iter().map(|field| match batch.column_by_name(field.name()) {
        Some(column) => adapt(column, field),
        None => Ok(new_null_array(field.data_type(), batch.num_rows())),
    });
    let columns = columns.collect::<Result<Vec<_>>>()?;
    let relaxed = relax(schema);
    let options = arrow_array::RecordBatchOptions::new().with_row_count(Some(batch.num_rows()));
    RecordBatch::try_new_with_options(relaxed, columns, &options).map_err(|e| mismatch("columns", &e))
}

/// The schema with every top-level column nullable: old files may lack a column that is NOT NULL by now.
pub(crate) fn relax(schema: &SchemaRef) -> SchemaRef {
    let fields: Vec<Field> = schema.fields().iter().map(|f| f.as_ref().clone().with_nullable(true)).collect();
    Arc::new(arrow_schema::Schema::new(fields))
}

fn mismatch(name: &str, source: &arrow_schema::ArrowError) -> Error {
    Error::new(ErrorKind::Corrupt, format!("column '{name}' of the file does not have the table's type: {source}"))
}

/// One column as `field` wants it.
fn adapt(column: &ArrayRef, field: &Field) -> Result<ArrayRef> {
    let wanted = field.data_type();
    if column.data_type() == wanted {
        return Ok(Arc::clone(column));
    }
    match (column.data_type(), wanted) {
        (DataType::Struct(_), DataType::Struct(members)) => {
            let found = column.as_struct();
            let children = members.iter().map(|member| match found.column_by_name(member.name()) {
                Some(child) => adapt(child, member),
                None => Ok(new_null_array(member.data_type(), found.len())),
            });
            let children = children.collect::<Result<Vec<_>>>()?;
            let adapted = StructArray::try_new(members.clone(), children, found.nulls().cloned());
            Ok(Arc::new(adapted.map_err(|e| mismatch(field.name(), &e))?))
        }
        (DataType::List(_), DataType::List(element)) => {
            let found = column.as_list::<i32>();
            let values = adapt(found.values(), element)?;
            let adapted =
                ListArray::try_new(Arc::clone(element), found.offsets().clone(), values, found.nulls().cloned());
            Ok(Arc::new(adapted.map_err(|e| mismatch(field.name(), &e))?))
        }
        (DataType::List(_), DataType::FixedSizeList(element, length)) => vector(column, element, *length, field),
        (DataType::Map(_, _), DataType::Map(entries, sorted)) => {
            let found = column.as_map();
            let DataType::Struct(pair) = entries.data_type() else {
                return Err(Error::new(ErrorKind::Internal, "a map without entries"));
            };
            let [key, value] = pair.as_ref() else {
                return Err(Error::new(ErrorKind::Internal, "a map without pairs"));
            };
            let children = vec![adapt(found.keys(), key)?, adapt(found.values(), value)?];
            let entries_array =
                StructArray::try_new(pair.clone(), children, None).map_err(|e| mismatch(field.name(), &e))?;
            let adapted = MapArray::try_new(
                Arc::clone(entries),
                found.offsets().clone(),
                entries_array,
                found.nulls().cloned(),
                *sorted,
            );
            Ok(Arc::new(adapted.map_err(|e| mismatch(field.name(), &e))?))
        }
        (DataType::Timestamp(_, Some(_)), DataType::Timestamp(_, _)) => adapt(&relabel(column, None)?, field),
        // Whether a file calls its timestamps adjusted to UTC says nothing: the instants are the table's anyway.
        (DataType::Timestamp(from, None), DataType::Timestamp(to, Some(zone))) => {
            let plain = Field::new(field.name(), DataType::Timestamp(*to, None), true);
            let converted = if from == to { Arc::clone(column) } else { adapt(column, &plain)? };
            relabel(&converted, Some(Arc::clone(zone)))
        }
        _ => {
            let strict = CastOptions { safe: false, ..CastOptions::default() };
            cast_with_options(column, wanted, &strict).map_err(|e| mismatch(field.name(), &e))
        }
    }
}

/// The same timestamps under another zone, or none.
fn relabel(column: &ArrayRef, zone: Option<Arc<str>>) -> Result<ArrayRef> {
    let DataType::Timestamp(unit, _) = column.data_type() else {
        return Err(Error::new(ErrorKind::Internal, "a timestamp column was expected"));
    };
    let data = column.to_data().into_builder().data_type(DataType::Timestamp(*unit, zone)).build();
    data.map(arrow_array::make_array)
        .map_err(|e| Error::new(ErrorKind::Internal, "relabelling timestamps").with_source(e))
}

fn vector(column: &ArrayRef, element: &Arc<Field>, length: i32, field: &Field) -> Result<ArrayRef> {
    let found = column.as_list::<i32>();
    let size = usize::try_from(length).unwrap_or(0);
    let fits = (0..found.len()).all(|row| found.is_null(row) || found.value(row).len() == size);
    if !fits || found.null_count() > 0 {
        return Err(Error::new(
            ErrorKind::Unsupported,
            format!("column '{}': null vectors or vectors of other lengths", field.name()),
        ));
    }
    let values = adapt(found.values(), element)?;
    let adapted = FixedSizeListArray::try_new(Arc::clone(element), length, values, None);
    Ok(Arc::new(adapted.map_err(|e| mismatch(field.name(), &e))?))
}
