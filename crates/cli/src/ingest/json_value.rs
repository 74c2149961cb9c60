//! JSON values as column values, in the canonical form and in the forms other programs commonly write.

use std::sync::Arc;

use arrow_array::{ArrayRef, Float64Array, Int32Array, Int64Array, StringArray};
use headwater_types::{DataField, DataType, Datum, TypeKind, array_from_datums, parse_datum};
use serde_json::{Number, Value};

use super::conform::Origin;
use crate::error::{Result, invalid};

/// A number of JSON is held as a double; of more digits than this, some may be gone already.
const SAFE_DIGITS: usize = 15;

/// One column of rows.
pub(super) fn column<'a>(
    field: &DataField,
    values: impl Iterator<Item = &'a Value>,
    origin: &Origin,
) -> Result<ArrayRef> {
    let blame = |row: usize, value: &Value, why: String| {
        let text = value.to_string();
        let text = if text.chars().count() > 60 { text.chars().take(60).collect::<String>() + "…" } else { text };
        origin.blame(invalid(format!("the value {text} cannot become {}: {why}", field.data_type)), row, &field.name)
    };
    let numbered = values.enumerate();
    // The commonest types go straight into their arrays.
    match field.data_type.kind() {
        TypeKind::Int => {
            let read = |value: &Value| integer::<i32>(value, i32::try_from);
            let column: Int32Array = numbered
                .map(|(row, value)| read(value).map_err(|why| blame(row, value, why)))
                .collect::<Result<_>>()?;
            Ok(Arc::new(column))
        }
        TypeKind::BigInt => {
            let read = |value: &Value| integer::<i64>(value, Ok::<_, std::num::TryFromIntError>);
            let column: Int64Array = numbered
                .map(|(row, value)| read(value).map_err(|why| blame(row, value, why)))
                .collect::<Result<_>>()?;
            Ok(Arc::new(column))
        }
        TypeKind::Double => {
            let column: Float64Array = numbered
                .map(|(row, value)| float(value).map_err(|why| blame(row, value, why)))
                .collect::<Result<_>>()?;
            Ok(Arc::new(column))
        }
        TypeKind::Char { .. } | TypeKind::VarChar { .. } => {
            let column: StringArray = numbered
                .map(|(row, value)| text(value).map_err(|why| blame(row, value, why)))
                .collect::<Result<_>>()?;
            Ok(Arc::new(column))
        }
        _ => {
            let data = numbered
                .map(|(row, value)| datum(value, &field.data_type, 0).map_err(|why| blame(row, value, why)))
                .collect::<Result<Vec<Option<Datum>>>>()?;
            Ok(array_from_datums(&field.data_type, &data)?)
        }
    }
}

type Read<T> = std::result::Result<Option<T>, String>;

fn integer<T>(value: &Value, narrow: impl FnOnce(i64) -> std::result::Result<T, std::num::TryFromIntError>) -> Read<T> {
    let wide = match value {
        Value::Null => return Ok(None),
        Value::Number(number) => whole(number)?,
        Value::String(text) => text.trim().parse::<i64>().map_err(|e| e.to_string())?,
        _ => return Err("a whole number is needed".to_owned()),
    };
    narrow(wide).map(Some).map_err(|_| "it is out of range".to_owned())
}

#[expect(clippy::cast_possible_truncation, reason = "checked to be exact")]
fn whole(number: &Number) -> std::result::Result<i64, String> {
    if let Some(value) = number.as_i64() {
        return Ok(value);
    }
    // 1e3 and 2.0 are whole numbers too.
    match number.as_f64() {
        Some(value) if value.fract() == 0.0 && value.abs() < 9_007_199_254_740_992.0 => Ok(value as i64),
        Some(value) if value.fract() != 0.0 => Err("it has a fraction".to_owned()),
        _ => Err("it is out of range".to_owned()),
    }
}

fn float(value: &Value) -> Read<f64> {
    match value {
        Value::Null => Ok(None),
        Value::Number(number) => Ok(number.as_f64()),
        Value::String(text) => match text.as_str() {
            "NaN" => Ok(Some(f64::NAN)),
            "Infinity" => Ok(Some(f64::INFINITY)),
            "-Infinity" => Ok(Some(f64::NEG_INFINITY)),
            other => other.trim().parse::<f64>().map(Some).map_err(|e| e.to_string()),
        },
        _ => Err("a number is needed".to_owned()),
    }
}

fn text(value: &Value) -> Read<&str> {
    match value {
        Value::Null => Ok(None),
        Value::String(text) => Ok(Some(text)),
        _ => Err("a text in quotes is needed".to_owned()),
    }
}

fn datum(value: &Value, to: &DataType, depth: usize) -> Read<Datum> {
    if value.is_null() {
        return if to.is_nullable() || depth == 0 { Ok(None) } else { Err(format!("null where {to} stands")) };
    }
    let narrow = "it is out of range".to_owned();
    Ok(Some(match to.kind() {
        TypeKind::Boolean => match value {
            Value::Bool(v) => Datum::Boolean(*v),
            Value::String(_) => parsed(value, to)?,
            _ => return Err("true or false is needed".to_owned()),
        },
        TypeKind::TinyInt => return Ok(integer(value, i8::try_from)?.map(Datum::TinyInt)),
        TypeKind::SmallInt => return Ok(integer(value, i16::try_from)?.map(Datum::SmallInt)),
        TypeKind::Int => return Ok(integer(value, i32::try_from)?.map(Datum::Int)),
        TypeKind::BigInt => return Ok(integer(value, Ok)?.map(Datum::BigInt)),
        TypeKind::Float => return single(value, narrow),
        TypeKind::Double => return Ok(float(value)?.map(Datum::Double)),
        TypeKind::Decimal { scale, .. } => decimal(value, to, *scale)?,
        TypeKind::Char { .. } | TypeKind::VarChar { .. } => {
            return Ok(text(value)?.map(|v| Datum::String(v.to_owned())));
        }
        TypeKind::Binary { .. } | TypeKind::VarBinary { .. } | TypeKind::Blob => Datum::Bytes(hex(value)?),
        TypeKind::Array(element) => Datum::Array(elements(value, element, depth)?),
        TypeKind::Vector { element, length } => {
            let values = elements(value, element, depth)?;
            if values.len() != usize::try_from(*length).unwrap_or(usize::MAX) {
                return Err(format!("{length} elements are needed, not {}", values.len()));
            }
            Datum::Array(values)
        }
        TypeKind::Map { key, value: of } => Datum::Map(pairs(value, key, of, depth)?),
        TypeKind::Multiset(element) => Datum::Map(pairs(value, element, &DataType::new(TypeKind::Int, false), depth)?),
        TypeKind::Row(fields) => Datum::Row(members(value, fields, depth)?),
        TypeKind::Variant => return Err("VARIANT cannot be ingested from JSON yet; use Parquet or Arrow".to_owned()),
        _ => parsed(value, to)?,
    }))
}

#[expect(clippy::cast_possible_truncation, reason = "rounding to the nearest float is what the type means")]
fn single(value: &Value, out_of_range: String) -> Read<Datum> {
    let Some(wide) = float(value)? else { return Ok(None) };
    let narrow = wide as f32;
    if narrow.is_infinite() && wide.is_finite() { Err(out_of_range) } else { Ok(Some(Datum::Float(narrow))) }
}

/// A text in the grammar of the type: dates, times, timestamps, booleans.
fn parsed(value: &Value, to: &DataType) -> std::result::Result<Datum, String> {
    match value {
        Value::String(text) => {
            let zoned = matches!(to.kind(), TypeKind::LocalZonedTimestamp { .. });
            let plain = if zoned { text.trim_end_matches('Z') } else { text };
            parse_datum(plain, to).map_err(|e| e.message().to_owned())
        }
        _ => Err("a text in quotes is needed".to_owned()),
    }
}

fn decimal(value: &Value, to: &DataType, scale: u8) -> std::result::Result<Datum, String> {
    let text = match value {
        Value::String(text) => text.clone(),
        Value::Number(number) if number.is_f64() => {
            let text = number.to_string();
            let digits = text.chars().take_while(|c| *c != 'e').filter(char::is_ascii_digit).count();
            if digits > SAFE_DIGITS {
                return Err("a number of so many digits loses some in JSON; write it as a text".to_owned());
            }
            text
        }
        Value::Number(number) => number.to_string(),
        _ => return Err("a number is needed".to_owned()),
    };
    let fraction = text.split_once('.').map_or("", |(_, fraction)| fraction);
    if !text.contains(['e', 'E']) && fraction.trim_end_matches('0').len() > usize::from(scale) {
        return Err(format!("it has more than {scale} digits after the point"));
    }
    parse_datum(&text, to).map_err(|e| e.message().to_owned())
}

fn hex(value: &Value) -> std::result::Result<Vec<u8>, String> {
    let wrong = || "bytes are written as hexadecimal text, two digits each".to_owned();
    let Value::String(text) = value else { return Err(wrong()) };
    let digits: Option<Vec<u32>> = text.chars().map(|c| c.to_digit(16)).collect();
    let digits = digits.filter(|digits| digits.len() % 2 == 0).ok_or_else(wrong)?;
    digits
        .chunks_exact(2)
        .map(|pair| u8::try_from(pair.iter().fold(0, |sum, digit| sum * 16 + digit)).map_err(|_| wrong()))
        .collect()
}

fn elements(value: &Value, of: &DataType, depth: usize) -> std::result::Result<Vec<Option<Datum>>, String> {
    let Value::Array(values) = value else { return Err("a JSON array is needed".to_owned()) };
    values.iter().map(|value| datum(value, of, depth + 1)).collect()
}

/// `[[key,value],…]`, or an object when keys are texts.
#[expect(clippy::type_complexity, reason = "the entries of Datum::Map")]
fn pairs(
    value: &Value,
    key: &DataType,
    of: &DataType,
    depth: usize,
) -> std::result::Result<Vec<(Option<Datum>, Option<Datum>)>, String> {
    match value {
        Value::Array(entries) => entries
            .iter()
            .map(|entry| match entry.as_array().map(Vec::as_slice) {
                Some([k, v]) => Ok((datum(k, key, depth + 1)?, datum(v, of, depth + 1)?)),
                _ => Err("a map is an array of [key,value] pairs".to_owned()),
            })
            .collect(),
        Value::Object(entries) => entries
            .iter()
            .map(|(k, v)| Ok((datum(&Value::String(k.clone()), key, depth + 1)?, datum(v, of, depth + 1)?)))
            .collect(),
        _ => Err("a map is an array of [key,value] pairs or an object".to_owned()),
    }
}

fn members(value: &Value, fields: &[DataField], depth: usize) -> std::result::Result<Vec<Option<Datum>>, String> {
    let Value::Object(object) = value else { return Err("a JSON object is needed".to_owned()) };
    if let Some(name) = object.keys().find(|name| fields.iter().all(|field| field.name != **name)) {
        return Err(format!("the row type has no field '{name}'"));
    }
    fields
        .iter()
        .map(|field| {
            let member = object.get(&field.name).unwrap_or(&Value::Null);
            datum(member, &field.data_type, depth + 1).map_err(|why| format!("{why} (field {})", field.name))
        })
        .collect()
}

#[cfg(test)]
mod tests;
