//! Numbers to numbers, with Java's narrowing.

#![expect(
    clippy::cast_possible_truncation,
    reason = "Java's narrowing is the rule here: integers wrap, floats saturate, and `as` does both"
)]

use crate::{DataType, Datum, Result, TypeKind};

/// A number on its way to another type.
enum Number {
    Integer(i64),
    Float(f64),
    Decimal(i128, u8),
}

pub(super) fn to_boolean(value: &Datum, _: &DataType, _: &DataType) -> Result<Option<Datum>> {
    Ok(match number_of(value) {
        Some(Number::Integer(v)) => Some(Datum::Boolean(v != 0)),
        _ => None,
    })
}

pub(super) fn to_number(value: &Datum, _: &DataType, to: &DataType) -> Result<Option<Datum>> {
    let Some(number) = number_of(value) else {
        return Err(super::unparsable(&format!("{value:?}"), to));
    };
    Ok(match to.kind() {
        TypeKind::TinyInt => Some(Datum::TinyInt(narrow_int(&number) as i8)),
        TypeKind::SmallInt => Some(Datum::SmallInt(narrow_int(&number) as i16)),
        TypeKind::Int => Some(Datum::Int(narrow_int(&number))),
        TypeKind::BigInt => Some(Datum::BigInt(match number {
            Number::Integer(v) => v,
            Number::Float(v) => v as i64,
            Number::Decimal(unscaled, scale) => whole(unscaled, scale),
        })),
        TypeKind::Float => Some(Datum::Float(match (value, &number) {
            (Datum::Float(v), _) => *v,
            (_, Number::Integer(v)) => *v as f32,
            (_, other) => float_of(other) as f32,
        })),
        TypeKind::Double => Some(Datum::Double(float_of(&number))),
        TypeKind::Decimal { precision, scale } => match number {
            Number::Integer(v) => rescale(i128::from(v), 0, *precision, *scale),
            Number::Decimal(unscaled, given) => rescale(unscaled, given, *precision, *scale),
            Number::Float(v) if v.is_finite() => parse_decimal(&format!("{v:e}"), *precision, *scale)
                .ok_or_else(|| super::unparsable(&v.to_string(), to))?,
            Number::Float(v) => return Err(super::unparsable(&v.to_string(), to)),
        }
        .map(|unscaled| Datum::Decimal { unscaled, scale: *scale }),
        _ => None,
    })
}

fn number_of(value: &Datum) -> Option<Number> {
    Some(match value {
        Datum::Boolean(v) => Number::Integer(i64::from(*v)),
        Datum::TinyInt(v) => Number::Integer(i64::from(*v)),
        Datum::SmallInt(v) => Number::Integer(i64::from(*v)),
        Datum::Int(v) => Number::Integer(i64::from(*v)),
        Datum::BigInt(v) => Number::Integer(*v),
        Datum::Float(v) => Number::Float(f64::from(*v)),
        Datum::Double(v) => Number::Float(*v),
        Datum::Decimal { unscaled, scale } => Number::Decimal(*unscaled, *scale),
        _ => return None,
    })
}

fn narrow_int(number: &Number) -> i32 {
    match number {
        Number::Integer(v) => *v as i32,
        Number::Float(v) => *v as i32,
        Number::Decimal(unscaled, scale) => whole(*unscaled, *scale) as i32,
    }
}

/// The digits before the point, low 64 bits.
fn whole(unscaled: i128, scale: u8) -> i64 {
    (unscaled / 10_i128.pow(u32::from(scale.min(38)))) as i64
}

fn float_of(number: &Number) -> f64 {
    match number {
        #[expect(clippy::cast_precision_loss, reason = "the nearest double is the cast")]
        Number::Integer(v) => *v as f64,
        Number::Float(v) => *v,
        // Correctly rounded through the text.
        Number::Decimal(unscaled, scale) => crate::json_rows::decimal_text(*unscaled, *scale).parse().unwrap_or(0.0),
    }
}

/// Another scale, rounding half up (away from zero); `None` when there are more than `precision` digits.
pub(super) fn rescale(unscaled: i128, from: u8, precision: u8, to: u8) -> Option<i128> {
    let rescaled = if to >= from {
        unscaled.checked_mul(10_i128.checked_pow(u32::from(to - from))?)?
    } else {
        let unit = 10_i128.checked_pow(u32::from(from - to))?;
        let rest = (unscaled % unit).unsigned_abs();
        let up = i128::from(rest >= unit.unsigned_abs() - rest);
        unscaled / unit + up * unscaled.signum()
    };
    (rescaled.unsigned_abs() < 10_u128.pow(u32::from(precision.min(38)))).then_some(rescaled)
}

/// A text in the syntax of Java's `BigDecimal`, rounded half up: outer `None` for other texts, inner for too many digits.
pub(super) fn parse_decimal(text: &str, precision: u8, scale: u8) -> Option<Option<i128>> {
    let (mantissa, exponent) = match text.split_once(['e', 'E']) {
        Some((mantissa, exponent)) => (mantissa, exponent.parse::<i64>().ok()?),
        None => (text, 0),
    };
    let (negative, mantissa) = match mantissa.strip_prefix('-') {
        Some(rest) => (true, rest),
        None => (false, mantissa.strip_prefix('+').unwrap_or(mantissa)),
    };
    let (integer, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let digits: Vec<u8> = integer.bytes().chain(fraction.bytes()).collect();
    if digits.is_empty() || !digits.iter().all(u8::is_ascii_digit) {
        return None;
    }
    let zeros = digits.iter().take_while(|d| **d == b'0').count();
    let significant = digits.get(zeros..).unwrap_or_default();
    // How many of the significant digits stay at that scale.
    let kept = i64::try_from(integer.len()).ok()? - i64::try_from(zeros).ok()?;
    let kept = kept.saturating_add(exponent).saturating_add(i64::from(scale));
    if significant.is_empty() || kept < 0 {
        return Some(Some(0));
    }
    let Some(kept) = usize::try_from(kept).ok().filter(|kept| *kept <= 38) else { return Some(None) };
    let mut value = 0_i128;
    for i in 0..kept {
        value = value * 10 + i128::from(significant.get(i).map_or(0, |d| d - b'0'));
    }
    value += i128::from(significant.get(kept).is_some_and(|d| *d >= b'5'));
    let fits = value.unsigned_abs() < 10_u128.pow(u32::from(precision.min(38)));
    Some(fits.then_some(if negative { -value } else { value }))
}
