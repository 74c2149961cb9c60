//! `tag/tag-NAME` and `consumer/consumer-ID`.

use std::time::Duration;

use chrono::{DateTime, Datelike, NaiveDate, NaiveDateTime, Timelike};
use serde_json::Value;

use super::json::{Builder, Reader, print};
use super::snapshot;
use crate::{Result, Tag, WallTime};

impl Tag {
    /// Reads a tag.
    ///
    /// # Errors
    /// `Corrupt` when it is no tag, `Unsupported` for a kind of commit this version does not know.
    ///
    /// # Source
    /// Spec page 01 §4.3, `paimon-core/…/tag/Tag.java@release-2.0.0`.
    pub fn from_json(bytes: &[u8]) -> Result<Self> {
        let json = Reader::parse("tag", bytes)?;
        let time = |v: &Value| wall_time(v).ok_or_else(|| json.wrong("tagCreateTime", v));
        let retained = |v: &Value| duration(v).ok_or_else(|| json.wrong("tagTimeRetained", v));
        Ok(Self {
            snapshot: snapshot::read(&json)?,
            create_time: json.get("tagCreateTime").map(time).transpose()?,
            time_retained: json.get("tagTimeRetained").map(retained).transpose()?,
        })
    }

    /// Writes the tag as the reference does.
    #[must_use]
    pub fn to_json(&self) -> Vec<u8> {
        let mut text = self.snapshot.to_json();
        let mut add = |line: String| {
            text.truncate(text.len() - "\n}".len());
            text.extend_from_slice(line.as_bytes());
            text.extend_from_slice(b"\n}");
        };
        if let Some(parts) = self.create_time.and_then(time_parts) {
            add(format!(",\n  \"tagCreateTime\" : [ {} ]", parts.join(", ")));
        }
        if let Some(retained) = self.time_retained {
            // Nine decimals: not a number that JSON libraries would print.
            add(format!(",\n  \"tagTimeRetained\" : {}.{:09}", retained.as_secs(), retained.subsec_nanos()));
        }
        text
    }
}

/// Year to minute, then the seconds and nanoseconds unless they are zero.
fn time_parts(time: WallTime) -> Option<Vec<String>> {
    let time = DateTime::from_timestamp(time.seconds, time.nanos)?.naive_utc();
    let mut parts = vec![time.year().to_string()];
    parts.extend([time.month(), time.day(), time.hour(), time.minute()].map(|n| n.to_string()));
    if time.second() != 0 || time.nanosecond() != 0 {
        parts.push(time.second().to_string());
    }
    if time.nanosecond() != 0 {
        parts.push(time.nanosecond().to_string());
    }
    Some(parts)
}

fn wall_time(value: &Value) -> Option<WallTime> {
    let time = match value {
        Value::String(text) => text.parse::<NaiveDateTime>().ok()?,
        Value::Array(items) => {
            let part = |i: usize| items.get(i).map_or(Some(0), |v| v.as_u64().and_then(|n| u32::try_from(n).ok()));
            let year = i32::try_from(items.first()?.as_i64()?).ok()?;
            NaiveDate::from_ymd_opt(year, part(1)?, part(2)?)?.and_hms_nano_opt(
                part(3)?,
                part(4)?,
                part(5)?,
                part(6)?,
            )?
        }
        _ => return None,
    };
    let time = time.and_utc();
    Some(WallTime { seconds: time.timestamp(), nanos: time.timestamp_subsec_nanos() })
}

fn duration(value: &Value) -> Option<Duration> {
    match value {
        Value::Number(number) => match number.as_u64() {
            Some(seconds) => Some(Duration::from_secs(seconds)),
            None => Duration::try_from_secs_f64(number.as_f64()?).ok(),
        },
        Value::String(text) => headwater_types::options::parse_duration(text).ok().or_else(|| iso_duration(text)),
        _ => None,
    }
}

/// `PT24H`, `PT1H30M`, `PT0.5S`: what Java prints for a duration.
fn iso_duration(text: &str) -> Option<Duration> {
    let mut rest = text.strip_prefix("PT")?;
    let mut total = Duration::ZERO;
    while !rest.is_empty() {
        let at = rest.find(|c: char| c.is_ascii_alphabetic())?;
        let (number, tail) = rest.split_at_checked(at)?;
        let factor = match tail.chars().next()? {
            'H' => 3600.0,
            'M' => 60.0,
            'S' => 1.0,
            _ => return None,
        };
        total = total.checked_add(Duration::try_from_secs_f64(number.parse::<f64>().ok()? * factor).ok()?)?;
        rest = tail.get(1..)?;
    }
    Some(total)
}

/// Reads a consumer file: the id of the next snapshot to read.
///
/// # Errors
/// `Corrupt` when it is no consumer file. Source: spec page 01 §4.6.
pub fn consumer_from_json(bytes: &[u8]) -> Result<i64> {
    let json = Reader::parse("consumer", bytes)?;
    json.long("nextSnapshot")?.ok_or_else(|| json.missing("nextSnapshot"))
}

/// Writes a consumer file as the reference does.
#[must_use]
pub fn consumer_to_json(next_snapshot: i64) -> Vec<u8> {
    print(&Builder::default().put("nextSnapshot", next_snapshot).build())
}
