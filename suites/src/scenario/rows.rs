//! Rows of scenarios.

use headwater_types::{DataField, Datum, RowKind};

use super::script::invalid;
use super::values::value;
use crate::{Error, Result};

/// A row: its kind and one value a column.
#[derive(Clone, Debug, PartialEq)]
pub struct Row {
    /// What the row does.
    pub kind: RowKind,
    /// Values in the order of the columns.
    pub values: Vec<Option<Datum>>,
}

/// Replaces `gen(A,B)<TEMPLATE>>` by the rows it stands for.
pub(super) fn expand(text: &str) -> Result<String> {
    let Some((before, rest)) = text.split_once("gen(") else { return Ok(text.to_owned()) };
    let wrong = || invalid("gen is written gen(A,B)<TEMPLATE>>");
    let (range, rest) = rest.split_once(")<").ok_or_else(wrong)?;
    let (template, after) = rest.split_once(">>").ok_or_else(wrong)?;
    let (from, to) = range.split_once(',').ok_or_else(wrong)?;
    let number = |text: &str| text.trim().parse::<i64>().map_err(|_| wrong());
    let rows = (number(from)?..=number(to)?).map(|i| fill(template, i)).collect::<Result<Vec<_>>>()?;
    Ok(format!("{before}{}{}", rows.join(" ; "), expand(after)?))
}

/// The template for one `i`.
fn fill(template: &str, i: i64) -> Result<String> {
    let mut text = template.replace("$i", &i.to_string());
    while let Some(start) = text.find("${") {
        let Some(end) = text.get(start..).and_then(|rest| rest.find('}')).map(|at| start + at) else { break };
        let value = formula(text.get(start + 2..end).unwrap_or_default(), i)?;
        text.replace_range(start..=end, &value.to_string());
    }
    Ok(text)
}

/// `M*i+C%D`.
fn formula(text: &str, i: i64) -> Result<i64> {
    let parse = || {
        let (factor, rest) = text.split_once("*i+")?;
        let (offset, modulus) = rest.split_once('%')?;
        let number = |text: &str| text.trim().parse::<i64>().ok();
        Some((number(factor)?, number(offset)?, number(modulus).filter(|modulus| *modulus != 0)?))
    };
    let (factor, offset, modulus) = parse().ok_or_else(|| invalid("a formula is written ${M*i+C%D}"))?;
    Ok((factor * i + offset).rem_euclid(modulus))
}

/// Rows as text, as values of the columns.
pub(super) fn parse(text: &str, fields: &[DataField]) -> Result<Vec<Row>> {
    split(text, ';').iter().filter(|row| !row.trim().is_empty()).map(|row| one(row.trim(), fields)).collect()
}

fn one(text: &str, fields: &[DataField]) -> Result<Row> {
    let (kind, rest) = match text.get(..2) {
        Some(kind @ ("+I" | "-U" | "+U" | "-D")) => {
            (RowKind::from_short_string(kind)?, text.get(2..).unwrap_or_default())
        }
        _ => (RowKind::Insert, text),
    };
    let texts = split(rest.trim(), ',');
    if texts.len() != fields.len() {
        let message = format!("a row of {} values for {} columns", texts.len(), fields.len());
        return Err(invalid(&message).with("row", text));
    }
    let values = texts.iter().zip(fields).map(|(text, field)| {
        value(text.trim(), &field.data_type).map_err(|e: Error| e.with("column", &field.name).with("row", rest))
    });
    Ok(Row { kind, values: values.collect::<Result<_>>()? })
}

/// Splits outside JSON strings and brackets.
pub(super) fn split(text: &str, separator: char) -> Vec<String> {
    let mut parts = vec![String::new()];
    let (mut quoted, mut escaped, mut depth) = (false, false, 0_u32);
    for c in text.chars() {
        if c == separator && !quoted && depth == 0 {
            parts.push(String::new());
            continue;
        }
        match c {
            '"' if !escaped => quoted = !quoted,
            '[' | '{' | '(' if !quoted => depth += 1,
            ']' | '}' | ')' if !quoted => depth = depth.saturating_sub(1),
            _ => {}
        }
        escaped = c == '\\' && !escaped;
        if let Some(last) = parts.last_mut() {
            last.push(c);
        }
    }
    parts
}
