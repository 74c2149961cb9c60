//! The text forms of option values: booleans, numbers, sizes, durations, maps.

use std::collections::BTreeMap;
use std::time::Duration;

use crate::{Error, ErrorKind, Result};

/// The type of an option's value, which decides how its text is read. Source: spec page 07, "Value syntax".
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OptionKind {
    /// `true` or `false`, any case.
    Bool,
    /// A decimal 32-bit number.
    Int,
    /// A decimal 64-bit number.
    Long,
    /// A decimal fraction of single precision.
    Float,
    /// A decimal fraction.
    Double,
    /// Any text.
    String,
    /// One of the listed texts, any case.
    Enum(&'static [&'static str]),
    /// An amount of time: `10 s`, `1 h`; a bare number is milliseconds.
    Duration,
    /// An amount of memory: `64 mb`, `128kb`; a bare number is bytes; units are powers of 1024.
    Bytes,
    /// `key:value,key:value`.
    Map,
}

impl OptionKind {
    /// The name spec page 07 gives this type.
    #[must_use]
    pub fn name(&self) -> &'static str {
        match self {
            Self::Bool => "bool",
            Self::Int => "int",
            Self::Long => "long",
            Self::Float => "float",
            Self::Double => "double",
            Self::String => "string",
            Self::Enum(_) => "enum",
            Self::Duration => "duration",
            Self::Bytes => "bytes",
            Self::Map => "map",
        }
    }

    /// Reads a value of this type.
    ///
    /// # Errors
    /// `InvalidInput` saying what was expected; the caller adds which option it was.
    pub fn parse(&self, text: &str) -> Result<OptionValue> {
        let trimmed = text.trim();
        match self {
            Self::Bool => parse_bool(trimmed).map(OptionValue::Bool),
            Self::Int => number::<i32>(trimmed, "a whole number of 32 bits").map(|n| OptionValue::Long(n.into())),
            Self::Long => number::<i64>(trimmed, "a whole number of 64 bits").map(OptionValue::Long),
            Self::Float | Self::Double => number::<f64>(trimmed, "a decimal number").map(OptionValue::Double),
            Self::String => Ok(OptionValue::Text(text.to_owned())),
            Self::Enum(allowed) => allowed
                .iter()
                .find(|choice| choice.eq_ignore_ascii_case(trimmed))
                .map(|choice| OptionValue::Choice(choice))
                .ok_or_else(|| invalid(format!("'{text}' is not one of {}", allowed.join(", ")))),
            Self::Duration => parse_duration(trimmed).map(OptionValue::Duration),
            Self::Bytes => parse_memory_size(trimmed).map(OptionValue::Bytes),
            Self::Map => parse_map(trimmed).map(OptionValue::Map),
        }
    }
}

/// A parsed option value.
#[derive(Clone, Debug, PartialEq)]
pub enum OptionValue {
    /// Of a `Bool` option.
    Bool(bool),
    /// Of an `Int` or `Long` option.
    Long(i64),
    /// Of a `Float` or `Double` option.
    Double(f64),
    /// Of a `String` option.
    Text(String),
    /// Of an `Enum` option: the spelling of the registry.
    Choice(&'static str),
    /// Of a `Duration` option.
    Duration(Duration),
    /// Of a `Bytes` option.
    Bytes(u64),
    /// Of a `Map` option.
    Map(BTreeMap<String, String>),
}

pub(super) fn invalid(message: impl Into<String>) -> Error {
    Error::new(ErrorKind::InvalidInput, message)
}

fn parse_bool(text: &str) -> Result<bool> {
    if text.eq_ignore_ascii_case("true") {
        Ok(true)
    } else if text.eq_ignore_ascii_case("false") {
        Ok(false)
    } else {
        Err(invalid(format!("'{text}' is neither true nor false")))
    }
}

fn number<T: std::str::FromStr>(text: &str, expected: &str) -> Result<T> {
    text.parse().map_err(|_| invalid(format!("'{text}' is not {expected}")))
}

/// Splits `128 kb` into the number and the lower-cased unit.
fn amount(text: &str) -> Option<(u64, String)> {
    let text = text.trim();
    let digits = text.bytes().take_while(u8::is_ascii_digit).count();
    let (number, unit) = text.split_at(digits);
    Some((number.parse().ok()?, unit.trim().to_lowercase()))
}

/// An amount of memory in bytes: `64mb`, `128 kb`, `1 gibibytes`; no unit means bytes.
/// Source: `paimon-api/…/options/MemorySize.java@release-2.0.0`.
///
/// # Errors
/// `InvalidInput` when there is no number, the unit is unknown or the amount exceeds 2^63 - 1 bytes.
pub fn parse_memory_size(text: &str) -> Result<u64> {
    let (number, unit) =
        amount(text).ok_or_else(|| invalid(format!("'{text}' is not an amount of memory such as '64 mb'")))?;
    let shift = match unit.as_str() {
        "" | "b" | "bytes" => 0,
        "k" | "kb" | "kibibytes" => 10,
        "m" | "mb" | "mebibytes" => 20,
        "g" | "gb" | "gibibytes" => 30,
        "t" | "tb" | "tebibytes" => 40,
        _ => {
            let message = format!("'{unit}' in '{text}' is not a unit of memory; known are b, kb, mb, gb, tb");
            return Err(invalid(message));
        }
    };
    number
        .checked_mul(1_u64 << shift)
        .filter(|bytes| i64::try_from(*bytes).is_ok())
        .ok_or_else(|| invalid(format!("'{text}' is more than 2^63 - 1 bytes")))
}

/// An amount of time: `10 s`, `1 h`, `500ms`; no unit means milliseconds.
/// Source: `paimon-common/…/utils/TimeUtils.java@release-2.0.0`.
///
/// # Errors
/// `InvalidInput` when there is no number, the unit is unknown or the amount overflows.
pub fn parse_duration(text: &str) -> Result<Duration> {
    let (number, unit) =
        amount(text).ok_or_else(|| invalid(format!("'{text}' is not an amount of time such as '10 min'")))?;
    let seconds = |factor: u64| number.checked_mul(factor).map(Duration::from_secs);
    let duration = match unit.as_str() {
        "d" | "day" | "days" => seconds(86_400),
        "h" | "hour" | "hours" => seconds(3_600),
        "min" | "m" | "minute" | "minutes" => seconds(60),
        "s" | "sec" | "secs" | "second" | "seconds" => seconds(1),
        "" | "ms" | "milli" | "millis" | "millisecond" | "milliseconds" => Some(Duration::from_millis(number)),
        "µs" | "μs" | "micro" | "micros" | "microsecond" | "microseconds" => Some(Duration::from_micros(number)),
        "ns" | "nano" | "nanos" | "nanosecond" | "nanoseconds" => Some(Duration::from_nanos(number)),
        _ => {
            let message = format!("'{unit}' in '{text}' is not a unit of time; known are d, h, min, s, ms, µs, ns");
            return Err(invalid(message));
        }
    };
    duration.ok_or_else(|| invalid(format!("'{text}' is too long a time")))
}

/// `k:v,k:v`; a part in single or double quotes may hold `:` and `,`.
fn parse_map(text: &str) -> Result<BTreeMap<String, String>> {
    let mut map = BTreeMap::new();
    for entry in split_outside_quotes(text, ',')? {
        if entry.trim().is_empty() {
            continue;
        }
        let mut parts = split_outside_quotes(&entry, ':')?.into_iter();
        match (parts.next(), parts.next(), parts.next()) {
            (Some(key), Some(value), None) => map.insert(unquote(&key), unquote(&value)),
            _ => return Err(invalid(format!("'{entry}' is not one key:value pair"))),
        };
    }
    Ok(map)
}

fn split_outside_quotes(text: &str, separator: char) -> Result<Vec<String>> {
    let mut parts = vec![String::new()];
    let mut quote = None;
    for c in text.chars() {
        match quote {
            None if c == separator => {
                parts.push(String::new());
                continue;
            }
            None if c == '\'' || c == '"' => quote = Some(c),
            Some(open) if c == open => quote = None,
            _ => {}
        }
        if let Some(last) = parts.last_mut() {
            last.push(c);
        }
    }
    match quote {
        None => Ok(parts),
        Some(open) => Err(invalid(format!("a quote {open} in '{text}' is not closed"))),
    }
}

fn unquote(text: &str) -> String {
    let text = text.trim();
    for quote in ['\'', '"'] {
        if let Some(inner) = text.strip_prefix(quote).and_then(|rest| rest.strip_suffix(quote)) {
            return inner.replace(&format!("{quote}{quote}"), &quote.to_string());
        }
    }
    text.to_owned()
}

/// The columns of a comma list, blanks around them removed, empty entries left out.
#[must_use]
pub fn parse_column_list(text: &str) -> Vec<String> {
    text.split(',').map(str::trim).filter(|part| !part.is_empty()).map(str::to_owned).collect()
}
