//! The canonical JSON of values: what expectations and the command line print.

#[cfg(test)]
mod tests;
mod variant;

use std::fmt::Write;

use arrow_array::cast::AsArray;
use arrow_array::{Array, RecordBatch};

use crate::datum_array::string_at;
use crate::{DataField, DataType, Datum, Error, ErrorKind, Result, TypeKind, civil, datum_at};

pub(crate) use variant::variant_json;

/// Integers beyond ±2^53 are written as strings: readers of JSON hold numbers as doubles.
const MAX_SAFE_INTEGER: i64 = 1 << 53;

/// The canonical JSON of a value of a type. A value that does not belong to the type is written by its own kind.
#[must_use]
pub fn datum_json(data_type: &DataType, value: Option<&Datum>) -> String {
    let mut out = String::new();
    write_datum(&mut out, data_type, value);
    out
}

/// Writes batches as lines of canonical JSON, one object a row.
#[derive(Clone, Copy, Debug, Default)]
pub struct JsonRowWriter;

impl JsonRowWriter {
    /// Appends one line for every row of the batch, whose columns belong to `fields` in order.
    ///
    /// # Errors
    /// `InvalidInput` when a column does not hold values of its field's type.
    pub fn write_rows(fields: &[DataField], batch: &RecordBatch, out: &mut Vec<u8>) -> Result<()> {
        if fields.len() != batch.num_columns() {
            return Err(Error::new(
                ErrorKind::InvalidInput,
                format!("a batch of {} columns was given {} fields", batch.num_columns(), fields.len()),
            ));
        }
        let names: Vec<String> = fields
            .iter()
            .enumerate()
            .map(|(i, field)| {
                let mut name = String::from(if i == 0 { "{" } else { "," });
                write_string(&mut name, &field.name);
                name.push(':');
                name
            })
            .collect();
        let mut line = String::new();
        for row in 0..batch.num_rows() {
            line.clear();
            for ((field, name), column) in fields.iter().zip(&names).zip(batch.columns()) {
                line.push_str(name);
                write_at(&mut line, &field.data_type, column, row)?;
            }
            line.push_str(if fields.is_empty() { "{}\n" } else { "}\n" });
            out.extend_from_slice(line.as_bytes());
        }
        Ok(())
    }
}

/// One value of an array; scalars and strings without a detour.
fn write_at(out: &mut String, data_type: &DataType, array: &dyn Array, row: usize) -> Result<()> {
    if row < array.len() && !array.is_null(row) {
        if let (TypeKind::Char { .. } | TypeKind::VarChar { .. }, Some(text)) =
            (data_type.kind(), string_at(array, row))
        {
            write_string(out, text);
            return Ok(());
        }
        if let (TypeKind::Row(fields), Some(parts)) = (data_type.kind(), array.as_struct_opt())
            && parts.num_columns() == fields.len()
        {
            out.push('{');
            for (i, (field, column)) in fields.iter().zip(parts.columns()).enumerate() {
                write_name(out, i, &field.name);
                write_at(out, &field.data_type, column, row)?;
            }
            out.push('}');
            return Ok(());
        }
    }
    let value = datum_at(array, row, data_type)?;
    write_datum(out, data_type, value.as_ref());
    Ok(())
}

fn write_name(out: &mut String, position: usize, name: &str) {
    if position > 0 {
        out.push(',');
    }
    write_string(out, name);
    out.push(':');
}

fn write_datum(out: &mut String, data_type: &DataType, value: Option<&Datum>) {
    let Some(value) = value else {
        out.push_str("null");
        return;
    };
    // Writing to a string cannot fail.
    let _ = match value {
        Datum::Boolean(v) => write!(out, "{v}"),
        Datum::TinyInt(v) => write!(out, "{v}"),
        Datum::SmallInt(v) => write!(out, "{v}"),
        Datum::Int(v) => write!(out, "{v}"),
        Datum::BigInt(v) if (-MAX_SAFE_INTEGER..=MAX_SAFE_INTEGER).contains(v) => write!(out, "{v}"),
        Datum::BigInt(v) => write!(out, "\"{v}\""),
        Datum::Float(v) if v.is_finite() => write!(out, "{v:?}"),
        Datum::Double(v) if v.is_finite() => write!(out, "{v:?}"),
        Datum::Float(v) => write!(out, "\"{}\"", not_finite(f64::from(*v))),
        Datum::Double(v) => write!(out, "\"{}\"", not_finite(*v)),
        Datum::Decimal { unscaled, scale } => write!(out, "\"{}\"", decimal_text(*unscaled, *scale)),
        Datum::String(v) => {
            write_string(out, v);
            Ok(())
        }
        Datum::Bytes(v) => {
            out.push('"');
            v.iter().for_each(|byte| {
                let _ = write!(out, "{byte:02x}");
            });
            out.push('"');
            Ok(())
        }
        Datum::Date(days) => {
            out.push('"');
            civil::write_date(out, i64::from(*days));
            out.push('"');
            Ok(())
        }
        Datum::Time(millis) => {
            out.push('"');
            civil::write_clock(out, i64::from(*millis) / 1000);
            write!(out, ".{:03}\"", millis % 1000)
        }
        Datum::Timestamp { millis, nanos } => {
            write_timestamp(out, data_type, *millis, *nanos);
            Ok(())
        }
        _ => {
            write_nested(out, data_type, value);
            Ok(())
        }
    };
}

fn not_finite(value: f64) -> &'static str {
    if value.is_nan() {
        "NaN"
    } else if value > 0.0 {
        "Infinity"
    } else {
        "-Infinity"
    }
}

fn write_timestamp(out: &mut String, data_type: &DataType, millis: i64, nanos: i32) {
    let (precision, zone) = match data_type.kind() {
        TypeKind::Timestamp { precision } => (*precision, ""),
        TypeKind::LocalZonedTimestamp { precision } => (*precision, "Z"),
        _ => (9, ""),
    };
    let (days, seconds, nanos) = civil::split(millis, nanos);
    out.push('"');
    civil::write_date(out, days);
    out.push('T');
    civil::write_clock(out, seconds);
    if precision > 0 {
        out.push('.');
        civil::write_fraction(out, nanos, precision);
    }
    out.push_str(zone);
    out.push('"');
}

fn write_nested(out: &mut String, data_type: &DataType, value: &Datum) {
    match (data_type.kind(), value) {
        (TypeKind::Array(element) | TypeKind::Vector { element, .. }, Datum::Array(items)) => {
            out.push('[');
            for (i, item) in items.iter().enumerate() {
                out.push_str(if i == 0 { "" } else { "," });
                write_datum(out, element, item.as_ref());
            }
            out.push(']');
        }
        (TypeKind::Map { key, value }, Datum::Map(entries)) => write_map(out, key, value, entries),
        (TypeKind::Multiset(element), Datum::Map(entries)) => {
            write_map(out, element, &DataType::new(TypeKind::Int, false), entries);
        }
        (TypeKind::Row(fields), Datum::Row(values)) => {
            out.push('{');
            for (i, (field, value)) in fields.iter().zip(values).enumerate() {
                write_name(out, i, &field.name);
                write_datum(out, &field.data_type, value.as_ref());
            }
            out.push('}');
        }
        (_, Datum::Variant { value, metadata }) => write_string(out, &variant_json(value, metadata)),
        _ => write_string(out, &format!("{value:?}")),
    }
}

fn write_map(out: &mut String, key: &DataType, value: &DataType, entries: &[(Option<Datum>, Option<Datum>)]) {
    let mut texts: Vec<(String, String)> =
        entries.iter().map(|(k, v)| (datum_json(key, k.as_ref()), datum_json(value, v.as_ref()))).collect();
    texts.sort();
    out.push('[');
    for (i, (k, v)) in texts.iter().enumerate() {
        let _ = write!(out, "{}[{k},{v}]", if i == 0 { "" } else { "," });
    }
    out.push(']');
}

/// The decimal with exactly `scale` digits after the point.
pub(crate) fn decimal_text(unscaled: i128, scale: u8) -> String {
    let sign = if unscaled < 0 { "-" } else { "" };
    let scale = usize::from(scale);
    let digits = format!("{:0width$}", unscaled.unsigned_abs(), width = scale + 1);
    let (whole, fraction) = digits.split_at(digits.len() - scale);
    if scale == 0 { format!("{sign}{whole}") } else { format!("{sign}{whole}.{fraction}") }
}

pub(crate) fn write_string(out: &mut String, text: &str) {
    out.push('"');
    for c in text.chars() {
        match c {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\t' => out.push_str("\\t"),
            c if c < ' ' => {
                let _ = write!(out, "\\u{:04x}", u32::from(c));
            }
            c => out.push(c),
        }
    }
    out.push('"');
}
