//! Words, numbers, strings and signs of a filter.

use crate::error::{Result, invalid};

#[derive(Clone, Debug, PartialEq)]
pub(super) enum Token {
    /// A bare word: a keyword or a column.
    Word(String),
    /// A column in double or back quotes.
    Quoted(String),
    /// A literal in single quotes.
    Text(String),
    /// A number as it was written.
    Number(String),
    /// `= <> < <= > >= ( ) ,`
    Sign(&'static str),
}

/// Longer signs first.
const SIGNS: [(&str, &str); 11] = [
    ("<=", "<="),
    (">=", ">="),
    ("<>", "<>"),
    ("!=", "<>"),
    ("==", "="),
    ("=", "="),
    ("<", "<"),
    (">", ">"),
    ("(", "("),
    (")", ")"),
    (",", ","),
];

pub(super) fn tokens(text: &str) -> Result<Vec<Token>> {
    let mut found = Vec::new();
    let mut rest = text.trim_start();
    while let Some(first) = rest.chars().next() {
        let (token, after) = match first {
            '\'' => quoted(rest, '\'').map(|(content, after)| (Token::Text(content), after))?,
            '"' | '`' => quoted(rest, first).map(|(content, after)| (Token::Quoted(content), after))?,
            c if c.is_ascii_digit() || starts_number(rest) => {
                let (number, after) = split(rest, |c| c.is_ascii_alphanumeric() || matches!(c, '.' | '-' | '+'));
                (Token::Number(number.to_owned()), after)
            }
            c if c.is_alphabetic() || c == '_' => {
                let (word, after) = split(rest, |c| c.is_alphanumeric() || matches!(c, '_' | '$' | '.'));
                (Token::Word(word.to_owned()), after)
            }
            _ => sign(rest)?,
        };
        found.push(token);
        rest = after.trim_start();
    }
    Ok(found)
}

fn starts_number(rest: &str) -> bool {
    let mut chars = rest.chars();
    matches!(chars.next(), Some('-' | '+' | '.')) && chars.next().is_some_and(|c| c.is_ascii_digit() || c == '.')
}

fn split(text: &str, belongs: impl Fn(char) -> bool) -> (&str, &str) {
    text.split_at(text.find(|c| !belongs(c)).unwrap_or(text.len()))
}

fn sign(rest: &str) -> Result<(Token, &str)> {
    SIGNS
        .iter()
        .find_map(|(written, meant)| rest.strip_prefix(written).map(|after| (Token::Sign(meant), after)))
        .ok_or_else(|| invalid(format!("the filter cannot be read from '{rest}' on")))
}

/// The content between quotes (doubled quotes stand for one) and what follows.
fn quoted(text: &str, quote: char) -> Result<(String, &str)> {
    let mut content = String::new();
    let mut chars = text.char_indices().skip(1).peekable();
    while let Some((at, c)) = chars.next() {
        if c != quote {
            content.push(c);
        } else if chars.peek().is_some_and(|(_, next)| *next == quote) {
            content.push(quote);
            chars.next();
        } else {
            return Ok((content, text.get(at + c.len_utf8()..).unwrap_or_default()));
        }
    }
    Err(invalid(format!("the filter has no closing {quote} for {text}")))
}
