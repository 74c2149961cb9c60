//! Values of scenarios.

use headwater_types::{DataType, Datum, TypeKind, parse_datum};

use super::rows::split;
use super::script::invalid;
use crate::Result;

/// One value as text; `_` is null.
pub(super) fn value(text: &str, data_type: &DataType) -> Result<Option<Datum>> {
    if text == "_" {
        return Ok(None);
    }
    Ok(Some(match data_type.kind() {
        TypeKind::Array(element) => Datum::Array(list(inside(text, '[', ']')?, '|', element)?),
        TypeKind::Map { key, value } => Datum::Map(entries(inside(text, '{', '}')?, key, value)?),
        TypeKind::Multiset(element) => {
            Datum::Map(entries(inside(text, '{', '}')?, element, &DataType::new(TypeKind::Int, false))?)
        }
        TypeKind::Row(fields) => {
            let texts = split(inside(text, '(', ')')?, '/');
            if texts.len() != fields.len() {
                return Err(invalid("a row value has another number of fields"));
            }
            let parts = texts.iter().zip(fields);
            Datum::Row(parts.map(|(text, field)| value(text, &field.data_type)).collect::<Result<_>>()?)
        }
        TypeKind::Binary { .. } | TypeKind::VarBinary { .. } => Datum::Bytes(bytes(text)?),
        TypeKind::Timestamp { .. } | TypeKind::LocalZonedTimestamp { .. } if text.parse::<i64>().is_ok() => {
            Datum::Timestamp { millis: text.parse().unwrap_or_default(), nanos: 0 }
        }
        _ => parse_datum(&plain(text)?, data_type)?,
    }))
}

/// Text that is bare, `''`, or a JSON string.
fn plain(text: &str) -> Result<String> {
    match text {
        "''" => Ok(String::new()),
        text if text.starts_with('"') => serde_json::from_str(text).map_err(|_| invalid("not a JSON string")),
        text => Ok(text.to_owned()),
    }
}

fn inside(text: &str, open: char, close: char) -> Result<&str> {
    let inner = text.strip_prefix(open).and_then(|rest| rest.strip_suffix(close));
    inner.ok_or_else(|| invalid("a nested value lacks its brackets"))
}

fn list(text: &str, separator: char, element: &DataType) -> Result<Vec<Option<Datum>>> {
    if text.is_empty() {
        return Ok(Vec::new());
    }
    split(text, separator).iter().map(|item| value(item, element)).collect()
}

fn entries(text: &str, key: &DataType, item: &DataType) -> Result<Vec<(Option<Datum>, Option<Datum>)>> {
    if text.is_empty() {
        return Ok(Vec::new());
    }
    let entry = |pair: &String| {
        let parts = split(pair, ':');
        let [k, v] = parts.as_slice() else { return Err(invalid("a map entry is written k:v")) };
        Ok((value(k, key)?, value(v, item)?))
    };
    split(text, '|').iter().map(entry).collect()
}

fn bytes(text: &str) -> Result<Vec<u8>> {
    let digits = text.strip_prefix("0x").unwrap_or(text);
    let byte = |at: usize| digits.get(at..at + 2).and_then(|pair| u8::from_str_radix(pair, 16).ok());
    (0..digits.len()).step_by(2).map(|at| byte(at).ok_or_else(|| invalid("bytes are written in hex"))).collect()
}
