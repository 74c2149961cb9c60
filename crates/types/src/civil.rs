//! Calendar arithmetic on day and millisecond counts, and its texts.

use std::fmt::Write;

pub(crate) const MILLIS_PER_DAY: i64 = 86_400_000;

/// Year, month, day of a day count (proleptic Gregorian calendar).
pub(crate) fn date_of(days: i64) -> (i64, u32, u32) {
    let shifted = days + 719_468;
    let era = shifted.div_euclid(146_097);
    let day_of_era = shifted.rem_euclid(146_097);
    let year_of_era = (day_of_era - day_of_era / 1460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
    let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let month_index = (5 * day_of_year + 2) / 153;
    let day = day_of_year - (153 * month_index + 2) / 5 + 1;
    let month = if month_index < 10 { month_index + 3 } else { month_index - 9 };
    let year = year_of_era + era * 400 + i64::from(month <= 2);
    (year, u32::try_from(month).unwrap_or(1), u32::try_from(day).unwrap_or(1))
}

/// The day count of a date; `None` for one the calendar does not have.
pub(crate) fn days_of(year: i64, month: u32, day: u32) -> Option<i64> {
    let leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
    let length = match month {
        1 | 3 | 5 | 7 | 8 | 10 | 12 => 31,
        4 | 6 | 9 | 11 => 30,
        2 => 28 + u32::from(leap),
        _ => return None,
    };
    if !(1..=length).contains(&day) || year.abs() > 100_000_000 {
        return None;
    }
    let (month, day) = (i64::from(month), i64::from(day));
    let year = if month <= 2 { year - 1 } else { year };
    let (era, year_of_era) = (year.div_euclid(400), year.rem_euclid(400));
    let day_of_year = (153 * (if month > 2 { month - 3 } else { month + 9 }) + 2) / 5 + day - 1;
    Some(era * 146_097 + year_of_era * 365 + year_of_era / 4 - year_of_era / 100 + day_of_year - 719_468)
}

/// `2024-02-29`; years beyond four digits with a sign, as Java's `LocalDate`.
pub(crate) fn write_date(out: &mut String, days: i64) {
    let (year, month, day) = date_of(days);
    let sign = match year {
        ..0 => "-",
        10_000.. => "+",
        _ => "",
    };
    // Writing to a string cannot fail.
    let _ = write!(out, "{sign}{:04}-{month:02}-{day:02}", year.unsigned_abs());
}

/// `01:02:03`.
pub(crate) fn write_clock(out: &mut String, seconds: i64) {
    let _ = write!(out, "{:02}:{:02}:{:02}", seconds / 3600, seconds / 60 % 60, seconds % 60);
}

/// A day count, the second of the day and the nanosecond of the second.
pub(crate) fn split(millis: i64, nanos: i32) -> (i64, i64, u32) {
    let of_day = millis.rem_euclid(MILLIS_PER_DAY);
    let nanos = (of_day % 1000) * 1_000_000 + i64::from(nanos);
    (millis.div_euclid(MILLIS_PER_DAY), of_day / 1000, u32::try_from(nanos).unwrap_or(0))
}

/// The first `digits` digits of the fraction, without the point.
pub(crate) fn write_fraction(out: &mut String, nanos: u32, digits: u8) {
    let text = format!("{nanos:09}");
    out.push_str(text.get(..usize::from(digits.min(9))).unwrap_or(&text));
}
