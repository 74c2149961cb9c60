//! `t FOR VERSION AS OF 3` and `t FOR TIMESTAMP AS OF '…'`, carried to the schema provider inside the table's name.

use datafusion::sql::sqlparser::tokenizer::Token;
use headwater_types::ErrorKind;

use super::tokens::{is_blank, is_word, tokenize_verbatim};
use crate::{Error, Result};

/// Separates a table's name from the version asked for; no table name can hold it.
const MARK: char = '\u{1}';

/// The version of a table that a query names.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum TableVersion {
    /// `FOR VERSION AS OF 3`
    Snapshot(i64),
    /// `FOR VERSION AS OF 'name'`
    Tag(String),
    /// `FOR TIMESTAMP AS OF '2024-02-29 01:02:03'` (UTC) or epoch milliseconds, as written
    Timestamp(String),
}

/// A name that may carry a version, taken apart.
pub(crate) fn split_versioned_name(name: &str) -> (&str, Option<TableVersion>) {
    let Some((table, version)) = name.split_once(MARK) else { return (name, None) };
    let version = match version.split_once(MARK) {
        Some(("s", id)) => id.parse().ok().map(TableVersion::Snapshot),
        Some(("t", tag)) => Some(TableVersion::Tag(tag.to_owned())),
        Some(("m", time)) => Some(TableVersion::Timestamp(time.to_owned())),
        _ => None,
    };
    (table, version)
}

/// Moves every `[FOR] {VERSION | SYSTEM_VERSION | TIMESTAMP | SYSTEM_TIME} AS OF value` into the name before it.
pub(crate) fn rewrite_time_travel(sql: &str) -> Result<String> {
    let mut tokens = tokenize_verbatim(sql)?;
    let mut from = 0;
    while let Some(clause) = find_clause(&tokens, from)? {
        let name_at = (0..clause.start).rev().find(|i| tokens.get(*i).is_some_and(|t| !is_blank(t)));
        let Some((at, Token::Word(name))) = name_at.and_then(|i| tokens.get(i).map(|t| (i, t.clone()))) else {
            return Err(Error::new(ErrorKind::InvalidInput, "AS OF must follow the name of a table"));
        };
        let quoted = |text: &str| format!("\"{}\"", text.replace('"', "\"\""));
        let versioned = quoted(&format!("{}{MARK}{}", name.value, clause.version));
        let alias =
            if alias_follows(&tokens, clause.end) { String::new() } else { format!(" AS {}", quoted(&name.value)) };
        let replacement = [Token::make_word(&format!("{versioned}{alias}"), None)];
        tokens.splice(at..clause.end, replacement);
        from = at + 1;
    }
    Ok(tokens.iter().map(ToString::to_string).collect())
}

struct Clause {
    start: usize,
    end: usize,
    version: String,
}

fn find_clause(tokens: &[Token], from: usize) -> Result<Option<Clause>> {
    let solid: Vec<usize> = (from..tokens.len()).filter(|i| tokens.get(*i).is_some_and(|t| !is_blank(t))).collect();
    let word = |position: usize, text: &str| {
        solid.get(position).and_then(|i| tokens.get(*i)).is_some_and(|t| is_word(t, text))
    };
    for position in 1..solid.len() {
        let first = position + usize::from(word(position, "FOR"));
        let by_version = word(first, "VERSION") || word(first, "SYSTEM_VERSION");
        let by_time = word(first, "TIMESTAMP") || word(first, "SYSTEM_TIME");
        if !(by_version || by_time) || !word(first + 1, "AS") || !word(first + 2, "OF") {
            continue;
        }
        let mut value_at = first + 3;
        if by_time && word(value_at, "TIMESTAMP") {
            value_at += 1;
        }
        let value = solid.get(value_at).and_then(|i| tokens.get(*i));
        // `SELECT version AS of FROM t` names a column.
        if first == position && value.is_none_or(|token| *token == Token::Comma || is_word(token, "FROM")) {
            continue;
        }
        let version = match value {
            Some(Token::Number(text, _)) if by_version && text.parse::<i64>().is_ok() => format!("s{MARK}{text}"),
            Some(Token::SingleQuotedString(text)) if by_version => format!("t{MARK}{}", text.replace("''", "'")),
            Some(Token::Number(text, _) | Token::SingleQuotedString(text)) if by_time => format!("m{MARK}{text}"),
            found => {
                let wanted = if by_version {
                    "VERSION AS OF takes the number of a snapshot or the name of a tag in quotes"
                } else {
                    "TIMESTAMP AS OF takes a time in quotes or milliseconds since 1970"
                };
                let found = found.map_or_else(|| "nothing".to_owned(), ToString::to_string);
                return Err(Error::new(ErrorKind::InvalidInput, format!("{wanted}, not {found}")));
            }
        };
        let (Some(start), Some(last)) = (solid.get(position), solid.get(value_at)) else { return Ok(None) };
        return Ok(Some(Clause { start: *start, end: last + 1, version }));
    }
    Ok(None)
}

/// Whether the query names the table itself after the clause.
fn alias_follows(tokens: &[Token], from: usize) -> bool {
    const CLAUSES: [&str; 22] = [
        "WHERE",
        "GROUP",
        "ORDER",
        "LIMIT",
        "JOIN",
        "INNER",
        "LEFT",
        "RIGHT",
        "FULL",
        "CROSS",
        "ON",
        "UNION",
        "HAVING",
        "EXCEPT",
        "INTERSECT",
        "OFFSET",
        "NATURAL",
        "USING",
        "WINDOW",
        "FETCH",
        "QUALIFY",
        "LATERAL",
    ];
    let next = tokens.iter().skip(from).find(|t| !is_blank(t));
    next.is_some_and(|t| matches!(t, Token::Word(_)) && !CLAUSES.iter().any(|word| is_word(t, word)))
}
