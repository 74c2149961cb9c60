//! VARIANT values as JSON text. Source: the Parquet Variant binary encoding, version 1.

use std::fmt::Write;

use super::{decimal_text, write_string};
use crate::civil;

const MAX_DEPTH: usize = 200;

/// The JSON text of an encoded variant; `null` where its bytes are damaged.
pub(crate) fn variant_json(value: &[u8], metadata: &[u8]) -> String {
    let mut out = String::new();
    match write_value(&mut out, value, metadata, 0) {
        Some(()) => out,
        None => "null".to_owned(),
    }
}

/// An unsigned little-endian integer of `size` bytes at `at`.
fn unsigned(bytes: &[u8], at: usize, size: usize) -> Option<usize> {
    let part = bytes.get(at..at.checked_add(size)?)?;
    usize::try_from(part.iter().rev().fold(0_u64, |value, byte| (value << 8) | u64::from(*byte))).ok()
}

/// A signed little-endian integer of all of `bytes`.
fn signed(bytes: &[u8]) -> Option<i128> {
    let start = if bytes.last()?.cast_signed() < 0 { -1 } else { 0 };
    Some(bytes.iter().rev().fold(start, |value: i128, byte| (value << 8) | i128::from(*byte)))
}

fn field_name(metadata: &[u8], id: usize) -> Option<&str> {
    let size = usize::from(metadata.first()? >> 6) + 1;
    let count = unsigned(metadata, 1, size)?;
    if id >= count {
        return None;
    }
    let offsets = 1 + size;
    let start = unsigned(metadata, offsets + id * size, size)?;
    let end = unsigned(metadata, offsets + (id + 1) * size, size)?;
    let strings = metadata.get(offsets + (count + 1) * size..)?;
    std::str::from_utf8(strings.get(start..end)?).ok()
}

fn write_value(out: &mut String, value: &[u8], metadata: &[u8], depth: usize) -> Option<()> {
    if depth > MAX_DEPTH {
        return None;
    }
    let (head, rest) = value.split_first()?;
    let info = head >> 2;
    match head & 3 {
        0 => write_primitive(out, info, rest),
        1 => {
            write_string(out, std::str::from_utf8(rest.get(..usize::from(info))?).ok()?);
            Some(())
        }
        2 => write_object(out, info, rest, metadata, depth),
        _ => write_array(out, info, rest, metadata, depth),
    }
}

fn write_object(out: &mut String, info: u8, rest: &[u8], metadata: &[u8], depth: usize) -> Option<()> {
    let offset_size = usize::from(info & 3) + 1;
    let id_size = usize::from((info >> 2) & 3) + 1;
    let count_size = if info & 0x10 == 0 { 1 } else { 4 };
    let count = unsigned(rest, 0, count_size)?;
    let offsets = count_size.checked_add(count.checked_mul(id_size)?)?;
    let data = rest.get(offsets.checked_add((count + 1).checked_mul(offset_size)?)?..)?;
    out.push('{');
    for i in 0..count {
        let name = field_name(metadata, unsigned(rest, count_size + i * id_size, id_size)?)?;
        out.push_str(if i == 0 { "" } else { "," });
        write_string(out, name);
        out.push(':');
        write_value(out, data.get(unsigned(rest, offsets + i * offset_size, offset_size)?..)?, metadata, depth + 1)?;
    }
    out.push('}');
    Some(())
}

fn write_array(out: &mut String, info: u8, rest: &[u8], metadata: &[u8], depth: usize) -> Option<()> {
    let offset_size = usize::from(info & 3) + 1;
    let count_size = if info & 4 == 0 { 1 } else { 4 };
    let count = unsigned(rest, 0, count_size)?;
    let data = rest.get(count_size.checked_add((count + 1).checked_mul(offset_size)?)?..)?;
    out.push('[');
    for i in 0..count {
        out.push_str(if i == 0 { "" } else { "," });
        write_value(out, data.get(unsigned(rest, count_size + i * offset_size, offset_size)?..)?, metadata, depth + 1)?;
    }
    out.push(']');
    Some(())
}

fn write_primitive(out: &mut String, info: u8, rest: &[u8]) -> Option<()> {
    let integer = |size: usize| signed(rest.get(..size)?);
    match info {
        0 => out.push_str("null"),
        1 => out.push_str("true"),
        2 => out.push_str("false"),
        3..=6 => write!(out, "{}", integer(1 << (info - 3))?).ok()?,
        7 => write_double(out, f64::from_le_bytes(*rest.first_chunk()?)),
        8..=10 => {
            let (scale, digits) = rest.split_first()?;
            let unscaled = signed(digits.get(..4 << (info - 8))?)?;
            out.push_str(&plain_decimal(unscaled, *scale));
        }
        11 => {
            out.push('"');
            civil::write_date(out, i64::try_from(integer(4)?).ok()?);
            out.push('"');
        }
        12 | 13 => {
            let micros = i64::try_from(integer(8)?).ok()?;
            let nanos = i32::try_from(micros.rem_euclid(1000) * 1000).ok()?;
            let (days, seconds, nanos) = civil::split(micros.div_euclid(1000), nanos);
            out.push('"');
            civil::write_date(out, days);
            out.push(' ');
            civil::write_clock(out, seconds);
            let mut fraction = String::new();
            civil::write_fraction(&mut fraction, nanos, 6);
            let fraction = fraction.trim_end_matches('0');
            if !fraction.is_empty() {
                write!(out, ".{fraction}").ok()?;
            }
            out.push_str(if info == 12 { "+00:00\"" } else { "\"" });
        }
        14 => {
            let float = f32::from_le_bytes(*rest.first_chunk()?);
            if float.is_finite() { write!(out, "{float:?}").ok()? } else { write_double(out, f64::from(float)) }
        }
        15 | 16 => {
            let bytes = rest.get(4..4_usize.checked_add(unsigned(rest, 0, 4)?)?)?;
            if info == 16 {
                write_string(out, std::str::from_utf8(bytes).ok()?);
            } else {
                write_base64(out, bytes);
            }
        }
        _ => return None,
    }
    Some(())
}

fn write_double(out: &mut String, value: f64) {
    if value.is_finite() {
        let _ = write!(out, "{value:?}");
    } else {
        let _ = write!(out, "\"{}\"", super::not_finite(value));
    }
}

/// The decimal without trailing zeros of its fraction.
fn plain_decimal(unscaled: i128, scale: u8) -> String {
    let text = decimal_text(unscaled, scale.min(38));
    if text.contains('.') { text.trim_end_matches('0').trim_end_matches('.').to_owned() } else { text }
}

fn write_base64(out: &mut String, bytes: &[u8]) {
    const ALPHABET: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    out.push('"');
    for chunk in bytes.chunks(3) {
        let word = chunk.iter().fold(0_u32, |word, byte| (word << 8) | u32::from(*byte)) << (8 * (3 - chunk.len()));
        for i in 0..4 {
            let digit = usize::try_from((word >> (18 - 6 * i)) & 63).unwrap_or(0);
            let letter = ALPHABET.get(digit).map_or('=', |letter| char::from(*letter));
            out.push(if i <= chunk.len() { letter } else { '=' });
        }
    }
    out.push('"');
}
