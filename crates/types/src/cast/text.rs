//! Texts to values and values to texts.

use std::fmt::Write;

use super::{time, unparsable};
use crate::java_text::{double_text, float_text};
use crate::json_rows::decimal_text;
use crate::{DataType, Datum, Result, TypeKind, civil};

fn text_of<'a>(value: &'a Datum, to: &DataType) -> Result<&'a str> {
    match value {
        Datum::String(text) => Ok(text),
        other => Err(unparsable(&format!("{other:?}"), to)),
    }
}

/// The text of a value, cut or padded to the target's length.
pub(super) fn to_fitted_text(value: &Datum, from: &DataType, to: &DataType) -> Result<Option<Datum>> {
    let text = plain_text(from, value);
    let (length, pad) = match to.kind() {
        TypeKind::Char { length } => (*length, true),
        TypeKind::VarChar { length } => (*length, false),
        _ => (TypeKind::MAX_LENGTH, false),
    };
    let length = usize::try_from(length).unwrap_or(usize::MAX);
    let count = text.chars().count();
    Ok(Some(Datum::String(if count > length {
        text.chars().take(length).collect()
    } else if pad {
        let spaces = " ".repeat(length - count);
        text + &spaces
    } else {
        text
    })))
}

/// The text of a value, whatever the target's length.
pub(super) fn to_plain_text(value: &Datum, from: &DataType, _: &DataType) -> Result<Option<Datum>> {
    Ok(Some(Datum::String(plain_text(from, value))))
}

fn plain_text(data_type: &DataType, value: &Datum) -> String {
    let text = |data_type: &DataType, value: Option<&Datum>| {
        value.map_or_else(|| "null".to_owned(), |value| plain_text(data_type, value))
    };
    match (value, data_type.kind()) {
        (Datum::Boolean(v), _) => v.to_string(),
        (Datum::TinyInt(v), _) => v.to_string(),
        (Datum::SmallInt(v), _) => v.to_string(),
        (Datum::Int(v), _) => v.to_string(),
        (Datum::BigInt(v), _) => v.to_string(),
        (Datum::Float(v), _) => float_text(*v),
        (Datum::Double(v), _) => double_text(*v),
        (Datum::Decimal { unscaled, scale }, _) => decimal_text(*unscaled, *scale),
        (Datum::String(v), _) => v.clone(),
        (Datum::Bytes(v), _) => String::from_utf8_lossy(v).into_owned(),
        (Datum::Date(_) | Datum::Time(_) | Datum::Timestamp { .. }, _) => temporal_text(data_type, value),
        (Datum::Array(items), TypeKind::Array(element) | TypeKind::Vector { element, .. }) => {
            let items: Vec<String> = items.iter().map(|item| text(element, item.as_ref())).collect();
            format!("[{}]", items.join(", "))
        }
        (Datum::Map(entries), TypeKind::Map { key, value }) => {
            let entries: Vec<String> = entries
                .iter()
                .map(|(k, v)| format!("{} -> {}", text(key, k.as_ref()), text(value, v.as_ref())))
                .collect();
            format!("{{{}}}", entries.join(", "))
        }
        (Datum::Row(values), TypeKind::Row(fields)) => {
            let values: Vec<String> = fields.iter().zip(values).map(|(f, v)| text(&f.data_type, v.as_ref())).collect();
            format!("{{{}}}", values.join(", "))
        }
        (other, _) => crate::datum_json(data_type, Some(other)),
    }
}

/// DATE, TIME and timestamps as SQL's text; instants in UTC.
pub(crate) fn temporal_text(data_type: &DataType, value: &Datum) -> String {
    let mut out = String::new();
    let precision = match data_type.kind() {
        TypeKind::Time { precision }
        | TypeKind::Timestamp { precision }
        | TypeKind::LocalZonedTimestamp { precision } => *precision,
        _ => 0,
    };
    match value {
        Datum::Date(days) => civil::write_date(&mut out, i64::from(*days)),
        Datum::Time(millis) => {
            civil::write_clock(&mut out, i64::from(*millis) / 1000);
            if precision > 0 {
                let digits = format!("{:03}", millis % 1000);
                let digits = digits.get(..usize::from(precision.min(3))).unwrap_or(&digits);
                let digits = digits.trim_end_matches('0');
                // Writing to a string cannot fail.
                let _ = write!(out, ".{}", if digits.is_empty() { "0" } else { digits });
            }
        }
        Datum::Timestamp { millis, nanos } => {
            let (days, seconds, nanos) = civil::split(*millis, *nanos);
            civil::write_date(&mut out, days);
            out.push(' ');
            civil::write_clock(&mut out, seconds);
            let mut fraction = format!("{nanos:09}");
            while fraction.len() > usize::from(precision) && fraction.ends_with('0') {
                fraction.pop();
            }
            if !fraction.is_empty() {
                let _ = write!(out, ".{fraction}");
            }
        }
        _ => {}
    }
    out
}

/// UTF-8 or bytes, cut to the target's length; BINARY is filled with zeros.
pub(super) fn to_bytes(value: &Datum, _: &DataType, to: &DataType) -> Result<Option<Datum>> {
    let mut bytes = match value {
        Datum::String(text) => text.clone().into_bytes(),
        Datum::Bytes(bytes) => bytes.clone(),
        other => return Err(unparsable(&format!("{other:?}"), to)),
    };
    match to.kind() {
        TypeKind::Binary { length } => bytes.resize(usize::try_from(*length).unwrap_or(usize::MAX), 0),
        TypeKind::VarBinary { length } => bytes.truncate(usize::try_from(*length).unwrap_or(usize::MAX)),
        _ => {}
    }
    Ok(Some(Datum::Bytes(bytes)))
}

pub(super) fn to_boolean(value: &Datum, _: &DataType, to: &DataType) -> Result<Option<Datum>> {
    let text = text_of(value, to)?;
    match text.to_lowercase().as_str() {
        "t" | "true" | "y" | "yes" | "1" => Ok(Some(Datum::Boolean(true))),
        "f" | "false" | "n" | "no" | "0" => Ok(Some(Datum::Boolean(false))),
        _ => Err(unparsable(text, to)),
    }
}

pub(super) fn to_integer(value: &Datum, _: &DataType, to: &DataType) -> Result<Option<Datum>> {
    let text = text_of(value, to)?;
    let (whole, fraction) = text.split_once('.').unwrap_or((text, ""));
    let fail = || unparsable(text, to);
    if !fraction.bytes().all(|b| b.is_ascii_digit()) {
        return Err(fail());
    }
    Ok(Some(match to.kind() {
        TypeKind::TinyInt => Datum::TinyInt(whole.parse().map_err(|_| fail())?),
        TypeKind::SmallInt => Datum::SmallInt(whole.parse().map_err(|_| fail())?),
        TypeKind::Int => Datum::Int(whole.parse().map_err(|_| fail())?),
        _ => Datum::BigInt(whole.parse().map_err(|_| fail())?),
    }))
}

pub(super) fn to_float(value: &Datum, _: &DataType, to: &DataType) -> Result<Option<Datum>> {
    let text = text_of(value, to)?;
    let trimmed = text.trim().trim_end_matches(['d', 'D', 'f', 'F']);
    let fail = || unparsable(text, to);
    // Rust's own spellings (`inf`, `nan`) are not Java's.
    let plain = trimmed.strip_prefix(['+', '-']).unwrap_or(trimmed);
    if !plain.starts_with(|c: char| c.is_ascii_digit() || c == '.') && plain != "NaN" && plain != "Infinity" {
        return Err(fail());
    }
    Ok(Some(match to.kind() {
        TypeKind::Float => Datum::Float(trimmed.parse().map_err(|_| fail())?),
        _ => Datum::Double(trimmed.parse().map_err(|_| fail())?),
    }))
}

pub(super) fn to_decimal(value: &Datum, _: &DataType, to: &DataType) -> Result<Option<Datum>> {
    let text = text_of(value, to)?;
    let TypeKind::Decimal { precision, scale } = to.kind() else { return Err(unparsable(text, to)) };
    let parsed = super::number::parse_decimal(text, *precision, *scale).ok_or_else(|| unparsable(text, to))?;
    Ok(parsed.map(|unscaled| Datum::Decimal { unscaled, scale: *scale }))
}

pub(super) fn to_temporal(value: &Datum, _: &DataType, to: &DataType) -> Result<Option<Datum>> {
    let text = text_of(value, to)?;
    let parsed = match to.kind() {
        TypeKind::Date => parse_date_lenient(text),
        TypeKind::Time { .. } => parse_time(text),
        TypeKind::Timestamp { precision } => parse_timestamp(text, *precision, true),
        TypeKind::LocalZonedTimestamp { precision } => parse_timestamp(text, *precision, false),
        _ => None,
    };
    parsed.map(Some).ok_or_else(|| unparsable(text, to))
}

fn is_digits(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit())
}

/// The month or day that a shortened date leaves out.
const FIRST: Option<u32> = Some(1);

/// A day number, or year, month and day of which the later may be missing; text after a blank is ignored.
fn parse_date_lenient(text: &str) -> Option<Datum> {
    if is_digits(text) {
        return text.parse().ok().map(Datum::Date);
    }
    let text = text.split(' ').next()?;
    let mut parts = text.splitn(3, '-').map(|part| if is_digits(part) { part.parse::<u32>().ok() } else { None });
    let year = parts.next()??;
    let month = parts.next().unwrap_or(FIRST)?;
    let day = parts.next().unwrap_or(FIRST)?;
    i32::try_from(civil::days_of(i64::from(year), month, day)?).ok().map(Datum::Date)
}

/// Milliseconds of the day, or `H[:m[:s[.f]]]`.
fn parse_time(text: &str) -> Option<Datum> {
    if is_digits(text) {
        return text.parse().ok().map(Datum::Time);
    }
    let text = text.trim();
    let (clock, fraction) = text.split_once('.').unwrap_or((text, ""));
    let (seconds, nanos) = (parse_clock(clock, false)?, parse_fraction(fraction)?);
    i32::try_from(seconds * 1000 + nanos / 1_000_000).ok().map(Datum::Time)
}

fn parse_clock(text: &str, complete: bool) -> Option<i64> {
    let mut parts = text.splitn(3, ':');
    let mut part = |limit: i64| match parts.next() {
        Some(part) if is_digits(part) && part.len() <= 2 => part.parse().ok().filter(|v: &i64| *v < limit),
        None if !complete => Some(0),
        _ => None,
    };
    Some(part(24)? * 3600 + part(60)? * 60 + part(60)?)
}

/// Nanoseconds of up to nine digits.
fn parse_fraction(text: &str) -> Option<i64> {
    if text.is_empty() {
        return Some(0);
    }
    if !is_digits(text) || text.len() > 9 {
        return None;
    }
    format!("{text:0<9}").parse().ok()
}

/// `y-M-d[ H:m:s[.f]]`, also with `T`, or digits counting in the precision's unit.
fn parse_timestamp(text: &str, precision: u8, numeric: bool) -> Option<Datum> {
    if is_digits(text) {
        let count: i64 = text.parse().ok().filter(|_| numeric)?;
        let (millis, nanos) = match precision {
            0 => (count.checked_mul(1000)?, 0),
            3 => (count, 0),
            6 => (count.div_euclid(1000), count.rem_euclid(1000) * 1000),
            9 => (count.div_euclid(1_000_000), count.rem_euclid(1_000_000)),
            _ => return None,
        };
        return Some(Datum::Timestamp { millis, nanos: i32::try_from(nanos).ok()? });
    }
    let (date, clock) = match text.split_once([' ', 'T']) {
        Some((date, clock)) => (date, Some(clock)),
        None => (text, None),
    };
    let mut parts = date.splitn(3, '-');
    let mut part = || parts.next().filter(|p| is_digits(p)).and_then(|p| p.parse::<u32>().ok());
    let days = civil::days_of(i64::from(part()?), part()?, part()?)?;
    let (seconds, nanos) = match clock {
        None => (0, 0),
        Some(clock) => {
            let (clock, fraction) = clock.split_once('.').unwrap_or((clock, ""));
            (parse_clock(clock, true)?, parse_fraction(fraction)?)
        }
    };
    let millis = days * civil::MILLIS_PER_DAY + seconds * 1000 + nanos / 1_000_000;
    Some(time::truncate(millis, i32::try_from(nanos % 1_000_000).ok()?, precision))
}
