//! Completion of keywords and names in the shell.

use rustyline::completion::{Completer, Pair};
use rustyline::highlight::Highlighter;
use rustyline::hint::Hinter;
use rustyline::validate::{ValidationContext, ValidationResult, Validator};
use rustyline::{Context, Helper};

const KEYWORDS: [&str; 62] = [
    "ALTER",
    "AND",
    "AS",
    "ASC",
    "BETWEEN",
    "BIGINT",
    "BOOLEAN",
    "BY",
    "CALL",
    "CASE",
    "CAST",
    "COMMENT",
    "COUNT",
    "CREATE",
    "DATABASE",
    "DATABASES",
    "DATE",
    "DECIMAL",
    "DELETE",
    "DESC",
    "DESCRIBE",
    "DISTINCT",
    "DOUBLE",
    "DROP",
    "ELSE",
    "END",
    "ENFORCED",
    "EXISTS",
    "EXPLAIN",
    "FOR",
    "FROM",
    "GROUP",
    "HAVING",
    "IF",
    "IN",
    "INSERT",
    "INTO",
    "IS",
    "JOIN",
    "KEY",
    "LEFT",
    "LIKE",
    "LIMIT",
    "NOT",
    "NULL",
    "OF",
    "ON",
    "OR",
    "ORDER",
    "OVERWRITE",
    "PARTITIONED",
    "PRIMARY",
    "SELECT",
    "SHOW",
    "STRING",
    "TABLE",
    "TABLES",
    "TIMESTAMP",
    "VALUES",
    "VERSION",
    "WHERE",
    "WITH",
];

/// What the shell knows to complete.
pub(super) struct SqlHelper {
    names: Vec<String>,
}

impl SqlHelper {
    pub(super) fn new() -> Self {
        Self { names: Vec::new() }
    }

    /// Replaces the names of databases, tables and columns.
    pub(super) fn set_names(&mut self, mut names: Vec<String>) {
        names.sort();
        names.dedup();
        self.names = names;
    }
}

/// Where the word under the cursor starts.
fn word_start(line: &str, position: usize) -> usize {
    let before = line.get(..position).unwrap_or_default();
    before
        .rfind(|c: char| !(c.is_alphanumeric() || matches!(c, '_' | '.' | '$')))
        .map_or(0, |at| at + before.get(at..).and_then(|rest| rest.chars().next()).map_or(1, char::len_utf8))
}

impl Completer for SqlHelper {
    type Candidate = Pair;

    fn complete(&self, line: &str, position: usize, _: &Context<'_>) -> rustyline::Result<(usize, Vec<Pair>)> {
        let start = word_start(line, position);
        Ok((start, candidates(line.get(start..position).unwrap_or_default(), &self.names)))
    }
}

fn candidates(word: &str, names: &[String]) -> Vec<Pair> {
    if word.is_empty() {
        return Vec::new();
    }
    let starts = |candidate: &str| candidate.get(..word.len()).is_some_and(|head| head.eq_ignore_ascii_case(word));
    let pair = |text: String| Pair { display: text.clone(), replacement: text };
    let small = word.chars().all(|c| !c.is_uppercase());
    let keywords =
        KEYWORDS.iter().filter(|k| starts(k)).map(|k| if small { k.to_lowercase() } else { (*k).to_owned() });
    names.iter().filter(|name| starts(name)).cloned().chain(keywords).map(pair).collect()
}

impl Hinter for SqlHelper {
    type Hint = String;
}

impl Highlighter for SqlHelper {}

impl Validator for SqlHelper {
    /// Enter runs what ends with a semicolon or is a word of the shell itself; otherwise the statement goes on.
    fn validate(&self, context: &mut ValidationContext<'_>) -> rustyline::Result<ValidationResult> {
        let text = context.input().trim();
        let whole = text.is_empty() || text.ends_with(';') || is_shell_word(text);
        Ok(if whole { ValidationResult::Valid(None) } else { ValidationResult::Incomplete })
    }
}

/// `exit`, `quit`, `help` and what starts with a backslash.
pub(super) fn is_shell_word(text: &str) -> bool {
    text.starts_with('\\') || ["exit", "quit", "help"].iter().any(|word| text.eq_ignore_ascii_case(word))
}

impl Helper for SqlHelper {}

#[cfg(test)]
mod tests;
