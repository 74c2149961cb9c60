//! Casts between types: columns of old files read under a changed schema, and texts as values.

mod column;
mod evolution;
mod number;
#[cfg(test)]
mod tests;
mod text;
mod time;

pub use column::{cast_array, with_arrow_type};
pub use evolution::can_change_type;
pub(crate) use text::temporal_text;

use crate::{DataType, Datum, Error, ErrorKind, Result, TypeKind};

/// Casts one value from the first type to the second; null where the reference's cast gives null.
type Executor = fn(&Datum, &DataType, &DataType) -> Result<Option<Datum>>;

/// Casts one value by the rules of [`cast_array`].
///
/// # Errors
/// `Unsupported` when there is no cast between the types, `InvalidInput` for a text that does not parse.
pub fn cast_datum(value: &Datum, from: &DataType, to: &DataType) -> Result<Option<Datum>> {
    if from.kind() == to.kind() {
        return Ok(Some(value.clone()));
    }
    executor(from, to)?(value, from, to)
}

/// The value a text stands for: column defaults, partition specs, literals of the command line. CHAR and VARCHAR take the
/// text as it is, everything else follows the cast from STRING; texts of instants are read in UTC.
///
/// # Errors
/// `InvalidInput` when the text is no value of the type, `Unsupported` for types without a text form.
pub fn parse_datum(text: &str, data_type: &DataType) -> Result<Datum> {
    let value = Datum::String(text.to_owned());
    if matches!(data_type.kind(), TypeKind::Char { .. } | TypeKind::VarChar { .. }) {
        return Ok(value);
    }
    let from = DataType::from(TypeKind::STRING);
    executor(&from, data_type)?(&value, &from, data_type)?.ok_or_else(|| unparsable(text, data_type))
}

fn unparsable(text: &str, data_type: &DataType) -> Error {
    Error::new(ErrorKind::InvalidInput, format!("'{text}' is not a value of {data_type}"))
}

fn unsupported(from: &DataType, to: &DataType) -> Error {
    Error::new(ErrorKind::Unsupported, format!("there is no cast from {from} to {to}"))
}

/// What casts of a family of types have in common.
#[derive(Clone, Copy, PartialEq)]
enum Family {
    Boolean,
    Integer,
    Float,
    Decimal,
    Text,
    Bytes,
    Date,
    Time,
    Timestamp,
    Instant,
    Nested,
    Other,
}

fn family(kind: &TypeKind) -> Family {
    match kind {
        TypeKind::Boolean => Family::Boolean,
        TypeKind::TinyInt | TypeKind::SmallInt | TypeKind::Int | TypeKind::BigInt => Family::Integer,
        TypeKind::Float | TypeKind::Double => Family::Float,
        TypeKind::Decimal { .. } => Family::Decimal,
        TypeKind::Char { .. } | TypeKind::VarChar { .. } => Family::Text,
        TypeKind::Binary { .. } | TypeKind::VarBinary { .. } => Family::Bytes,
        TypeKind::Date => Family::Date,
        TypeKind::Time { .. } => Family::Time,
        TypeKind::Timestamp { .. } => Family::Timestamp,
        TypeKind::LocalZonedTimestamp { .. } => Family::Instant,
        TypeKind::Array(_) | TypeKind::Map { .. } | TypeKind::Row(_) => Family::Nested,
        _ => Family::Other,
    }
}

/// The cast between two types of different kind. Source: spec page 02 §5.4.
fn executor(from: &DataType, to: &DataType) -> Result<Executor> {
    use Family::{Boolean, Bytes, Date, Decimal, Float, Instant, Integer, Nested, Text, Time, Timestamp};
    let seconds = matches!(from.kind(), TypeKind::Int | TypeKind::BigInt);
    let to_seconds = matches!(to.kind(), TypeKind::Int | TypeKind::BigInt);
    let to_string = *to == DataType::from(TypeKind::STRING);
    Ok(match (family(from.kind()), family(to.kind())) {
        (Boolean | Integer | Float | Decimal, Integer | Float | Decimal) => number::to_number,
        (Integer, Boolean) => number::to_boolean,
        (Integer, Timestamp | Instant) if seconds => time::from_seconds,
        (Timestamp | Instant, Integer) if to_seconds => time::to_seconds,
        (Boolean | Integer | Float | Decimal | Text, Text) => text::to_fitted_text,
        (Date | Time | Timestamp | Instant, Text) if to_string => text::to_plain_text,
        (Nested | Bytes, Text) => text::to_plain_text,
        (Text | Bytes, Bytes) => text::to_bytes,
        (Text, Boolean) => text::to_boolean,
        (Text, Integer) => text::to_integer,
        (Text, Float) => text::to_float,
        (Text, Decimal) => text::to_decimal,
        (Text, Date | Time | Timestamp | Instant) => text::to_temporal,
        (Timestamp | Instant, Date | Time | Timestamp | Instant) | (Date | Time, Timestamp | Instant) => time::convert,
        (Time, Time) => |value, _, _| Ok(Some(value.clone())),
        _ => return Err(unsupported(from, to)),
    })
}
