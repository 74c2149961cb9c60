//! Dates, times and timestamps among each other. Instants are rendered in UTC.

use crate::civil::MILLIS_PER_DAY;
use crate::{DataType, Datum, Result, TypeKind};

pub(super) fn from_seconds(value: &Datum, _: &DataType, to: &DataType) -> Result<Option<Datum>> {
    let seconds = match value {
        Datum::Int(v) => i64::from(*v),
        Datum::BigInt(v) => *v,
        _ => return Ok(None),
    };
    let millis = seconds.checked_mul(1000).ok_or_else(|| super::unparsable(&seconds.to_string(), to))?;
    Ok(Some(Datum::Timestamp { millis, nanos: 0 }))
}

pub(super) fn to_seconds(value: &Datum, _: &DataType, to: &DataType) -> Result<Option<Datum>> {
    let Datum::Timestamp { millis, .. } = value else { return Ok(None) };
    let seconds = millis / 1000;
    if matches!(to.kind(), TypeKind::BigInt) {
        return Ok(Some(Datum::BigInt(seconds)));
    }
    super::number::to_number(&Datum::BigInt(seconds), &TypeKind::BigInt.into(), to)
}

pub(super) fn convert(value: &Datum, from: &DataType, to: &DataType) -> Result<Option<Datum>> {
    Ok(match (value, to.kind()) {
        (Datum::Timestamp { millis, .. }, TypeKind::Date) => {
            // Wall clocks are cut toward zero, instants go through the calendar.
            let days = match from.kind() {
                TypeKind::Timestamp { .. } => millis / MILLIS_PER_DAY,
                _ => millis.div_euclid(MILLIS_PER_DAY),
            };
            i32::try_from(days).ok().map(Datum::Date)
        }
        (Datum::Timestamp { millis, .. }, TypeKind::Time { .. }) => {
            i32::try_from(millis.rem_euclid(MILLIS_PER_DAY)).ok().map(Datum::Time)
        }
        (
            Datum::Timestamp { millis, nanos },
            TypeKind::Timestamp { precision } | TypeKind::LocalZonedTimestamp { precision },
        ) => {
            let given = match from.kind() {
                TypeKind::Timestamp { precision } | TypeKind::LocalZonedTimestamp { precision } => *precision,
                _ => 9,
            };
            Some(if *precision < given { truncate(*millis, *nanos, *precision) } else { value.clone() })
        }
        (Datum::Date(days), TypeKind::Timestamp { .. } | TypeKind::LocalZonedTimestamp { .. }) => {
            Some(Datum::Timestamp { millis: i64::from(*days) * MILLIS_PER_DAY, nanos: 0 })
        }
        (Datum::Time(millis), TypeKind::Timestamp { .. } | TypeKind::LocalZonedTimestamp { .. }) => {
            Some(Datum::Timestamp { millis: i64::from(*millis), nanos: 0 })
        }
        _ => None,
    })
}

/// Fewer digits; milliseconds are cut toward zero, as the reference does.
pub(super) fn truncate(millis: i64, nanos: i32, precision: u8) -> Datum {
    match precision {
        0..=3 => {
            let unit = 10_i64.pow(u32::from(3 - precision));
            Datum::Timestamp { millis: millis / unit * unit, nanos: 0 }
        }
        4..=8 => {
            let unit = 10_i32.pow(u32::from(9 - precision));
            Datum::Timestamp { millis, nanos: nanos / unit * unit }
        }
        _ => Datum::Timestamp { millis, nanos },
    }
}
