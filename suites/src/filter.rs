//! The filters of the recorded expectations: `a = 4`, `s isnull`, `id in 7|14`, joined by `AND`.

use headwater_metadata::Schema;
use headwater_types::{Datum, Leaf, LeafTest, Predicate, parse_datum};

use crate::{Error, ErrorKind, Result};

/// Reads the filter of one line of `filters.jsonl`; literals take the type of their column.
///
/// # Errors
/// `InvalidInput` when the text is no such filter or names no column of the schema.
pub fn parse_filter(text: &str, schema: &Schema) -> Result<Predicate> {
    let mut leaves = Vec::new();
    for part in text.split(" AND ") {
        leaves.push(Predicate::Leaf(parse_leaf(part.trim(), schema)?));
    }
    Ok(Predicate::And(leaves))
}

fn parse_leaf(text: &str, schema: &Schema) -> Result<Leaf> {
    let wrong = || Error::new(ErrorKind::InvalidInput, "not a filter of the fixtures").with("filter", text);
    let (column, test) = text.split_once(' ').ok_or_else(wrong)?;
    let field = schema.fields.iter().find(|field| field.name == column).ok_or_else(wrong)?;
    let datum = |literal: &str| -> Result<Datum> {
        let literal = literal.strip_prefix('"').and_then(|rest| rest.strip_suffix('"')).unwrap_or(literal);
        Ok(parse_datum(literal, &field.data_type)?)
    };
    let (operator, literal) = test.split_once(' ').unwrap_or((test, ""));
    let test = match operator {
        "isnull" => LeafTest::IsNull,
        "=" => LeafTest::Equal(datum(literal)?),
        "<" => LeafTest::LessThan(datum(literal)?),
        "<=" => LeafTest::LessOrEqual(datum(literal)?),
        ">" => LeafTest::GreaterThan(datum(literal)?),
        ">=" => LeafTest::GreaterOrEqual(datum(literal)?),
        "in" => LeafTest::In(literal.split('|').map(datum).collect::<Result<_>>()?),
        _ => return Err(wrong()),
    };
    Ok(Leaf { column: column.to_owned(), data_type: field.data_type.clone(), test })
}
