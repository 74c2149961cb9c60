//! Random types and values, in the language of scenarios.

use std::fmt::Write as _;

use fastrand::Rng;

/// Types a key may have.
const KEYS: [&str; 12] = [
    "INT",
    "BIGINT",
    "STRING",
    "DATE",
    "SMALLINT",
    "TINYINT",
    "BOOLEAN",
    "DECIMAL(12, 3)",
    "DECIMAL(30, 2)",
    "BYTES",
    "TIMESTAMP(6)",
    "TIMESTAMP(3)",
];

/// Types only other columns have.
const VALUES: [&str; 14] = [
    "FLOAT",
    "DOUBLE",
    "CHAR(4)",
    "VARCHAR(8)",
    "BINARY(3)",
    "TIME(3)",
    "TIMESTAMP(9)",
    "TIMESTAMP(6) WITH LOCAL TIME ZONE",
    "ARRAY<INT>",
    "ARRAY<STRING>",
    "MAP<STRING, BIGINT>",
    "ROW<x INT, y STRING>",
    "ARRAY<ROW<n DECIMAL(5, 2), t DATE>>",
    "ROW<m MAP<INT, STRING>, a ARRAY<DOUBLE>>",
];

/// A type for a key or partition column.
pub(super) fn key_type(rng: &mut Rng) -> &'static str {
    KEYS.get(rng.usize(..KEYS.len())).unwrap_or(&"INT")
}

/// A type for any other column.
pub(super) fn value_type(rng: &mut Rng) -> &'static str {
    let at = rng.usize(..KEYS.len() + VALUES.len());
    KEYS.iter().chain(&VALUES).nth(at).unwrap_or(&"INT")
}

/// A value of the type, one in seven null where null may be. `few` values come up again and again.
pub(super) fn value(rng: &mut Rng, data_type: &str, few: Option<u64>, nullable: bool) -> String {
    if nullable && rng.u8(..7) == 0 {
        return "_".to_owned();
    }
    let mut drawn;
    let rng = match few {
        // The n-th of a few values: the same seed gives the same value again.
        Some(few) => {
            drawn = Rng::with_seed(rng.u64(..few));
            &mut drawn
        }
        None => rng,
    };
    atomic(rng, data_type).unwrap_or_else(|| nested(rng, data_type))
}

fn atomic(rng: &mut Rng, data_type: &str) -> Option<String> {
    let base = data_type.split(['(', '<']).next().unwrap_or_default();
    Some(match base {
        "BOOLEAN" => rng.bool().to_string(),
        "TINYINT" => rng.i8(..).to_string(),
        "SMALLINT" => rng.i16(..).to_string(),
        "INT" => edge(rng, i64::from(i32::MIN), i64::from(i32::MAX)).to_string(),
        "BIGINT" => edge(rng, i64::MIN, i64::MAX).to_string(),
        "FLOAT" => {
            let random = f32::from_bits(rng.u32(..));
            floating(rng, if random.is_finite() { random.to_string() } else { "2.5".to_owned() })
        }
        "DOUBLE" => {
            let random = rng.f64() * 1e12;
            floating(rng, random.to_string())
        }
        "DECIMAL" => decimal(rng, data_type),
        "STRING" => text(rng, 24),
        "CHAR" => text(rng, 4),
        "VARCHAR" => text(rng, 8),
        "BYTES" => bytes(rng, 12),
        "BINARY" => bytes(rng, 3),
        "DATE" => format!("{:04}-{:02}-{:02}", rng.u16(1900..2100), rng.u8(1..13), rng.u8(1..29)),
        "TIME" => format!("{:02}:{:02}:{:02}.{:03}", rng.u8(..24), rng.u8(..60), rng.u8(..60), rng.u16(..1000)),
        base if base.starts_with("TIMESTAMP") => timestamp(rng, data_type),
        _ => return None,
    })
}

fn edge(rng: &mut Rng, low: i64, high: i64) -> i64 {
    match rng.u8(..10) {
        0 => low,
        1 => high,
        2 => 0,
        3..7 => rng.i64(-9..100),
        _ => rng.i64(low..=high),
    }
}

fn floating(rng: &mut Rng, random: String) -> String {
    let known = ["NaN", "Infinity", "-Infinity", "-0.0", "0.0", "1.5", "1.0E-10"];
    match known.get(rng.usize(..20)) {
        Some(known) => (*known).to_owned(),
        None => random,
    }
}

fn decimal(rng: &mut Rng, data_type: &str) -> String {
    let digits: Vec<u32> = data_type.split(|c: char| !c.is_ascii_digit()).filter_map(|n| n.parse().ok()).collect();
    let (precision, scale) = (digits.first().copied().unwrap_or(5), digits.get(1).copied().unwrap_or(0));
    let whole = rng.usize(0..=usize::try_from(precision - scale).unwrap_or(0));
    let mut text = String::from(if rng.bool() { "-" } else { "" });
    text.push_str(&if whole == 0 { "0".to_owned() } else { number(rng, whole) });
    text.push('.');
    text.push_str(&number(rng, usize::try_from(scale).unwrap_or(0)));
    text
}

fn number(rng: &mut Rng, digits: usize) -> String {
    (0..digits).map(|_| rng.digit(10)).collect()
}

fn text(rng: &mut Rng, longest: usize) -> String {
    let alphabet = ['a', 'b', 'Z', '0', ' ', 'ü', '日', '"', '\\', '/', '=', '%', ';', ',', '\u{1f600}', '\n'];
    let length = rng.usize(..longest);
    let text: String = (0..length).filter_map(|_| alphabet.get(rng.usize(..alphabet.len()))).collect();
    serde_json::Value::String(text).to_string()
}

fn bytes(rng: &mut Rng, longest: usize) -> String {
    let length = rng.usize(..longest);
    (0..length).fold("0x".to_owned(), |mut text, _| {
        let _ = write!(text, "{:02x}", rng.u8(..));
        text
    })
}

fn timestamp(rng: &mut Rng, data_type: &str) -> String {
    let digits = data_type.chars().find(char::is_ascii_digit).and_then(|c| c.to_digit(10)).unwrap_or(3);
    let fraction = number(rng, usize::try_from(digits).unwrap_or(3));
    let date = format!("{:04}-{:02}-{:02}", rng.u16(1920..2100), rng.u8(1..13), rng.u8(1..29));
    format!("{date} {:02}:{:02}:{:02}.{fraction}", rng.u8(..24), rng.u8(..60), rng.u8(..60))
}

fn nested(rng: &mut Rng, data_type: &str) -> String {
    let (constructor, inside) = data_type.split_once('<').unwrap_or((data_type, ""));
    let inside = inside.strip_suffix('>').unwrap_or(inside);
    let parts = crate::scenario::top_level(inside);
    let part = |at: usize| parts.get(at).map_or("INT", String::as_str);
    match constructor {
        "ARRAY" => {
            let items: Vec<String> = (0..rng.usize(..4)).map(|_| value(rng, part(0), None, true)).collect();
            format!("[{}]", items.join("|"))
        }
        "MAP" => {
            let mut entries = std::collections::BTreeMap::new();
            for _ in 0..rng.usize(..4) {
                let key = value(rng, part(0), None, false);
                entries.insert(key, value(rng, part(1), None, true));
            }
            let entries: Vec<String> = entries.iter().map(|(key, item)| format!("{key}:{item}")).collect();
            format!("{{{}}}", entries.join("|"))
        }
        _ => {
            let fields: Vec<String> = parts
                .iter()
                .map(|field| value(rng, field.split_once(' ').map_or("INT", |(_, data_type)| data_type), None, true))
                .collect();
            format!("({})", fields.join("/"))
        }
    }
}
