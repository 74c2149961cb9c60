//! The directory of a partition below its table. Source: spec page 01 §1.2.

#[cfg(test)]
mod tests;

use std::fmt::Write;

use crate::cast::temporal_text;
use crate::java_text::{double_text, float_text};
use crate::json_rows::decimal_text;
use crate::{BinaryRow, DataType, Datum, Error, ErrorKind, Result, civil};

/// Turns partition rows into paths such as `dt=2024-01-01/hr=1`.
#[derive(Clone, Debug)]
pub struct PartitionPath {
    keys: Vec<String>,
    types: Vec<DataType>,
    default_name: String,
    legacy: bool,
}

impl PartitionPath {
    /// Paths of partitions by these keys, in partition-key order. `default_name` stands for null and blank values
    /// (`partition.default-name`), `legacy` is `partition.legacy-name`: Java's `toString` instead of SQL's cast.
    #[must_use]
    pub fn new(keys: &[String], types: &[DataType], default_name: &str, legacy: bool) -> Self {
        Self { keys: keys.to_vec(), types: types.to_vec(), default_name: default_name.to_owned(), legacy }
    }

    /// The escaped path of a partition without trailing slash, empty for an unpartitioned table.
    ///
    /// # Errors
    /// `Corrupt` when the row is not of the partition's types, `Unsupported` for types without a usable name.
    pub fn of(&self, partition: &BinaryRow) -> Result<String> {
        let mut out = String::new();
        for (key, value) in self.keys.iter().zip(self.values(partition)?) {
            if !out.is_empty() {
                out.push('/');
            }
            escape(&mut out, key);
            out.push('=');
            escape(&mut out, &value);
        }
        Ok(out)
    }

    /// The unescaped names of the partition's values, in key order.
    ///
    /// # Errors
    /// As [`PartitionPath::of`].
    pub fn values(&self, partition: &BinaryRow) -> Result<Vec<String>> {
        let values = partition.to_datums(&self.types)?;
        self.types.iter().zip(values).map(|(data_type, value)| self.name(data_type, value.as_ref())).collect()
    }

    fn name(&self, data_type: &DataType, value: Option<&Datum>) -> Result<String> {
        let Some(value) = value else { return Ok(self.default_name.clone()) };
        let name = match value {
            Datum::Boolean(v) => v.to_string(),
            Datum::TinyInt(v) => v.to_string(),
            Datum::SmallInt(v) => v.to_string(),
            Datum::Int(v) => v.to_string(),
            Datum::BigInt(v) => v.to_string(),
            Datum::Float(v) => float_text(*v),
            Datum::Double(v) => double_text(*v),
            Datum::Decimal { unscaled, scale } => decimal_text(*unscaled, *scale),
            Datum::String(v) => v.clone(),
            Datum::Date(v) | Datum::Time(v) if self.legacy => v.to_string(),
            Datum::Timestamp { millis, nanos } if self.legacy => java_date_time(*millis, *nanos),
            Datum::Date(_) | Datum::Time(_) | Datum::Timestamp { .. } => temporal_text(data_type, value),
            Datum::Bytes(v) if !self.legacy => String::from_utf8_lossy(v).into_owned(),
            _ => {
                return Err(Error::new(
                    ErrorKind::Unsupported,
                    format!("a partition by {data_type} has no stable directory name"),
                ));
            }
        };
        // Java's `Character.isWhitespace`, as far as directory names go.
        Ok(if name.chars().all(char::is_whitespace) { self.default_name.clone() } else { name })
    }
}

/// Java's `LocalDateTime.toString`: seconds only when they or the fraction are not zero, the fraction in groups of three.
fn java_date_time(millis: i64, nanos: i32) -> String {
    let (days, seconds, nanos) = civil::split(millis, nanos);
    let mut out = String::new();
    civil::write_date(&mut out, days);
    // Writing to a string cannot fail.
    let _ = write!(out, "T{:02}:{:02}", seconds / 3600, seconds / 60 % 60);
    if seconds % 60 != 0 || nanos != 0 {
        let _ = write!(out, ":{:02}", seconds % 60);
    }
    if nanos != 0 {
        out.push('.');
        let digits = if nanos % 1_000_000 == 0 {
            3
        } else if nanos % 1000 == 0 {
            6
        } else {
            9
        };
        civil::write_fraction(&mut out, nanos, digits);
    }
    out
}

fn escape(out: &mut String, text: &str) {
    for c in text.chars() {
        if c.is_ascii_control() || "\"#%'*/:=?[\\]^{}".contains(c) {
            let _ = write!(out, "%{:02X}", u32::from(c));
        } else {
            out.push(c);
        }
    }
}
