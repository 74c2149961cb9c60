//! `--where`: a filter as a person writes it, turned into a predicate on typed columns.

mod parser;
mod tokens;

use headwater_types::{DataField, Predicate};

use crate::error::Result;

/// Parses a filter over `fields`.
///
/// Tests are `= <> != < <= > >=`, `IS [NOT] NULL`, `[NOT] IN (…)`, `[NOT] BETWEEN … AND …` and `LIKE` with `%` at the
/// ends, joined by `AND`, `OR`, `NOT` and parentheses. Literals are numbers, `'text'`, `TRUE`, `FALSE`; every literal is
/// read as the column's type.
pub(crate) fn parse(text: &str, fields: &[DataField]) -> Result<Predicate> {
    parser::Parser::new(tokens::tokens(text)?, fields).whole()
}

#[cfg(test)]
mod tests;
