//! Paimon types as Arrow types. Source: spec page 02 §3 and §3.8.

use std::collections::HashMap;
use std::sync::Arc;

use arrow_schema::{DataType as ArrowType, Field, Fields, Schema, SchemaRef, TimeUnit};

use crate::{DataField, DataType, Error, ErrorKind, Result, TypeKind};

/// The metadata key that carries field ids in Arrow schemas and Parquet files.
const FIELD_ID_KEY: &str = "PARQUET:field_id";
/// Derived ids of elements, keys and values count from here: `i32::MAX / 4`.
const DERIVED_ID_BASE: i32 = 536_870_911;

/// The id of the nearest enclosing ROW field and the depth below it: what derived ids are made of.
#[derive(Clone, Copy)]
struct Place {
    id: i32,
    depth: i32,
}

impl Place {
    fn below(self) -> Self {
        Self { depth: self.depth + 1, ..self }
    }

    fn offset(self) -> i32 {
        self.id.wrapping_mul(1024).wrapping_add(self.depth)
    }

    fn element_id(self) -> i32 {
        DERIVED_ID_BASE.wrapping_add(self.offset())
    }

    fn key_id(self) -> i32 {
        DERIVED_ID_BASE.wrapping_sub(self.offset())
    }
}

/// The Arrow type of a Paimon type. Ids of ROW members are carried, derived ids of elements as below field 0;
/// use [`arrow_field`] where the ids of elements matter.
#[must_use]
pub fn arrow_type(data_type: &DataType) -> ArrowType {
    type_at(data_type, Place { id: 0, depth: 0 })
}

/// The Arrow field of a column, with the field id in the metadata key `PARQUET:field_id` at every level.
#[must_use]
pub fn arrow_field(field: &DataField) -> Field {
    let place = Place { id: field.id, depth: 0 };
    with_id(Field::new(&field.name, type_at(&field.data_type, place), field.data_type.is_nullable()), field.id)
}

/// The Arrow schema of columns.
#[must_use]
pub fn arrow_schema(fields: &[DataField]) -> SchemaRef {
    Arc::new(Schema::new(fields.iter().map(arrow_field).collect::<Vec<_>>()))
}

fn with_id(field: Field, id: i32) -> Field {
    field.with_metadata(HashMap::from([(FIELD_ID_KEY.to_owned(), id.to_string())]))
}

fn type_at(data_type: &DataType, place: Place) -> ArrowType {
    match data_type.kind() {
        TypeKind::Boolean => ArrowType::Boolean,
        TypeKind::TinyInt => ArrowType::Int8,
        TypeKind::SmallInt => ArrowType::Int16,
        TypeKind::Int => ArrowType::Int32,
        TypeKind::BigInt => ArrowType::Int64,
        TypeKind::Float => ArrowType::Float32,
        TypeKind::Double => ArrowType::Float64,
        TypeKind::Decimal { precision, scale } => ArrowType::Decimal128(*precision, scale.cast_signed()),
        TypeKind::Char { .. } | TypeKind::VarChar { .. } => ArrowType::Utf8,
        TypeKind::Binary { .. } | TypeKind::VarBinary { .. } | TypeKind::Blob => ArrowType::Binary,
        TypeKind::Date => ArrowType::Date32,
        TypeKind::Time { .. } => ArrowType::Time32(TimeUnit::Millisecond),
        TypeKind::Timestamp { precision } => ArrowType::Timestamp(unit(*precision), None),
        TypeKind::LocalZonedTimestamp { precision } => ArrowType::Timestamp(unit(*precision), Some("UTC".into())),
        TypeKind::Array(element) => ArrowType::List(element_field(element, place)),
        TypeKind::Vector { element, length } => {
            // Lengths are at most `i32::MAX`.
            ArrowType::FixedSizeList(element_field(element, place), i32::try_from(*length).unwrap_or(i32::MAX))
        }
        TypeKind::Map { key, value } => map_type(key, value, place),
        TypeKind::Multiset(element) => map_type(element, &DataType::new(TypeKind::Int, false), place),
        TypeKind::Row(fields) => ArrowType::Struct(fields.iter().map(arrow_field).collect()),
        TypeKind::Variant => ArrowType::Struct(Fields::from(vec![
            with_id(Field::new("value", ArrowType::Binary, false), 0),
            with_id(Field::new("metadata", ArrowType::Binary, false), 1),
        ])),
    }
}

fn unit(precision: u8) -> TimeUnit {
    match precision {
        0..=3 => TimeUnit::Millisecond,
        4..=6 => TimeUnit::Microsecond,
        _ => TimeUnit::Nanosecond,
    }
}

fn element_field(element: &DataType, place: Place) -> Arc<Field> {
    let below = place.below();
    Arc::new(with_id(Field::new("element", type_at(element, below), element.is_nullable()), below.element_id()))
}

fn map_type(key: &DataType, value: &DataType, place: Place) -> ArrowType {
    let below = place.below();
    // Arrow and Parquet know no null keys, whatever the key's type says.
    let key = with_id(Field::new("key", type_at(key, below), false), below.key_id());
    let value = with_id(Field::new("value", type_at(value, below), value.is_nullable()), below.element_id());
    ArrowType::Map(Arc::new(Field::new("entries", ArrowType::Struct(Fields::from(vec![key, value])), false)), false)
}

/// The Paimon type that holds values of an Arrow type; ROW members take ids from 0, to be assigned anew by the schema.
///
/// # Errors
/// `Unsupported` for Arrow types without counterpart (unsigned integers, intervals, unions, decimals beyond 38 digits).
pub fn from_arrow_type(arrow_type: &ArrowType, nullable: bool) -> Result<DataType> {
    let kind = match arrow_type {
        ArrowType::Boolean => TypeKind::Boolean,
        ArrowType::Int8 => TypeKind::TinyInt,
        ArrowType::Int16 => TypeKind::SmallInt,
        ArrowType::Int32 => TypeKind::Int,
        ArrowType::Int64 => TypeKind::BigInt,
        ArrowType::Float32 => TypeKind::Float,
        ArrowType::Float64 => TypeKind::Double,
        ArrowType::Decimal128(precision, scale) | ArrowType::Decimal256(precision, scale)
            if (1..=38).contains(precision) && (0..=precision.cast_signed()).contains(scale) =>
        {
            TypeKind::Decimal { precision: *precision, scale: scale.cast_unsigned() }
        }
        ArrowType::Utf8 | ArrowType::LargeUtf8 | ArrowType::Utf8View => TypeKind::STRING,
        ArrowType::Binary | ArrowType::LargeBinary | ArrowType::BinaryView => TypeKind::BYTES,
        ArrowType::FixedSizeBinary(length) if *length > 0 => TypeKind::Binary { length: length.cast_unsigned() },
        ArrowType::Date32 => TypeKind::Date,
        ArrowType::Time32(unit) | ArrowType::Time64(unit) => TypeKind::Time { precision: precision_of(*unit) },
        ArrowType::Timestamp(unit, None) => TypeKind::Timestamp { precision: precision_of(*unit) },
        ArrowType::Timestamp(unit, Some(_)) => TypeKind::LocalZonedTimestamp { precision: precision_of(*unit) },
        ArrowType::List(field) | ArrowType::LargeList(field) => TypeKind::Array(Box::new(nested(field)?)),
        ArrowType::FixedSizeList(field, length) if *length > 0 => {
            TypeKind::Vector { element: Box::new(nested(field)?), length: length.cast_unsigned() }
        }
        ArrowType::Map(entries, _) => match entries.data_type() {
            ArrowType::Struct(parts) => match parts.as_ref() {
                [key, value] => TypeKind::Map { key: Box::new(nested(key)?), value: Box::new(nested(value)?) },
                _ => return Err(unsupported(arrow_type)),
            },
            _ => return Err(unsupported(arrow_type)),
        },
        ArrowType::Struct(fields) => TypeKind::Row(
            (0..).zip(fields).map(|(id, f)| Ok(DataField::new(id, f.name(), nested(f)?))).collect::<Result<_>>()?,
        ),
        ArrowType::Dictionary(_, value) => return from_arrow_type(value, nullable),
        _ => return Err(unsupported(arrow_type)),
    };
    Ok(DataType::new(kind, nullable))
}

fn nested(field: &Field) -> Result<DataType> {
    from_arrow_type(field.data_type(), field.is_nullable())
}

fn precision_of(unit: TimeUnit) -> u8 {
    match unit {
        TimeUnit::Second => 0,
        TimeUnit::Millisecond => 3,
        TimeUnit::Microsecond => 6,
        TimeUnit::Nanosecond => 9,
    }
}

fn unsupported(arrow_type: &ArrowType) -> Error {
    Error::new(ErrorKind::Unsupported, format!("the Arrow type {arrow_type} has no counterpart; cast the column first"))
}
