//! How Java prints numbers: directory names and casts to text depend on it.

use std::fmt::Write;

/// `Double.toString`.
pub(crate) fn double_text(value: f64) -> String {
    text(value, &format!("{value:e}"))
}

/// `Float.toString`.
pub(crate) fn float_text(value: f32) -> String {
    text(f64::from(value), &format!("{value:e}"))
}

/// Java's notation of the shortest digits, given in Rust's exponent notation.
fn text(value: f64, scientific: &str) -> String {
    if value.is_nan() {
        return "NaN".into();
    }
    if value.is_infinite() {
        return if value > 0.0 { "Infinity".into() } else { "-Infinity".into() };
    }
    let (mantissa, exponent) = scientific.split_once('e').unwrap_or((scientific, "0"));
    let exponent: i32 = exponent.parse().unwrap_or(0);
    let (sign, mantissa) = mantissa.strip_prefix('-').map_or(("", mantissa), |rest| ("-", rest));
    let digits = mantissa.replace('.', "");
    let mut out = String::from(sign);
    match exponent {
        // 10^-3 to 10^7 are written plainly.
        -3..=-1 => {
            out.push_str("0.");
            (1..exponent.unsigned_abs()).for_each(|_| out.push('0'));
            out.push_str(&digits);
        }
        0..=6 => {
            let whole = usize::try_from(exponent).unwrap_or(0) + 1;
            let padded = format!("{digits:0<whole$}");
            let (integer, fraction) = padded.split_at(whole);
            let _ = write!(out, "{integer}.{}", if fraction.is_empty() { "0" } else { fraction });
        }
        _ => {
            let (first, rest) = digits.split_at(1);
            let _ = write!(out, "{first}.{}E{exponent}", if rest.is_empty() { "0" } else { rest });
        }
    }
    out
}
