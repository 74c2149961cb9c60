//! `INSERT INTO` and `INSERT OVERWRITE`.

use std::collections::BTreeMap;

use datafusion::sql::sqlparser::tokenizer::Token;

use super::tokens::{is_blank, is_word, tokenize_verbatim};
use crate::{Error, Result};
use headwater_types::ErrorKind;

/// `INSERT {INTO | OVERWRITE} [TABLE] name [PARTITION (key = value, …)] [(columns)] query`.
#[derive(Debug, Default, PartialEq)]
pub(crate) struct Insert {
    pub(crate) table: Vec<String>,
    pub(crate) overwrite: bool,
    /// Static partition values as text; a key without value is dynamic and left out.
    pub(crate) partition: BTreeMap<String, String>,
    pub(crate) columns: Option<Vec<String>>,
    /// `SELECT …`, `VALUES …`, `WITH …` as written.
    pub(crate) query: String,
}

impl Insert {
    /// Reads a whole statement that begins with INSERT.
    pub(crate) fn parse(sql: &str) -> Result<Self> {
        let mut tokens = Verbatim::new(sql)?;
        tokens.word("INSERT")?;
        let mut insert = Self::default();
        if tokens.take_word("OVERWRITE") {
            insert.overwrite = true;
            tokens.take_word("INTO");
        } else {
            tokens.word("INTO")?;
        }
        tokens.take_word("TABLE");
        insert.table.push(tokens.name("a table name")?);
        while tokens.take(&Token::Period) {
            insert.table.push(tokens.name("a table name")?);
        }
        if tokens.take_word("PARTITION") {
            insert.partition = tokens.partition()?;
        }
        if tokens.columns_follow() {
            insert.columns = Some(tokens.columns()?);
        }
        insert.query = tokens.rest();
        if insert.query.is_empty() {
            return Err(Error::new(ErrorKind::InvalidInput, "INSERT needs VALUES or a SELECT"));
        }
        Ok(insert)
    }
}

/// The text of a partition value; `negative` when a minus stood before it.
pub(super) fn partition_value(key: &str, negative: bool, token: Option<Token>) -> Result<String> {
    match token {
        Some(Token::Number(text, _)) if negative => Ok(format!("-{text}")),
        Some(Token::Number(text, _)) => Ok(text),
        Some(Token::SingleQuotedString(text)) if !negative => Ok(text.replace("''", "'")),
        Some(token) if is_word(&token, "TRUE") || is_word(&token, "FALSE") => Ok(token.to_string().to_lowercase()),
        _ => {
            let text = format!(
                "PARTITION needs a number, TRUE, FALSE or a text in quotes for column '{key}'; null is the name of the \
                 default partition, '__DEFAULT_PARTITION__' unless partition.default-name says otherwise"
            );
            Err(Error::new(ErrorKind::InvalidInput, text))
        }
    }
}

/// Tokens that print as they were written, blanks included.
struct Verbatim {
    tokens: Vec<Token>,
    at: usize,
}

impl Verbatim {
    fn new(sql: &str) -> Result<Self> {
        Ok(Self { tokens: tokenize_verbatim(sql)?, at: 0 })
    }

    fn skip_blanks(&mut self) {
        while self.tokens.get(self.at).is_some_and(is_blank) {
            self.at += 1;
        }
    }

    fn next(&mut self) -> Option<Token> {
        self.skip_blanks();
        self.at += 1;
        self.tokens.get(self.at - 1).cloned()
    }

    fn peek(&mut self) -> Option<&Token> {
        self.skip_blanks();
        self.tokens.get(self.at)
    }

    fn take(&mut self, token: &Token) -> bool {
        let found = self.peek() == Some(token);
        self.at += usize::from(found);
        found
    }

    fn take_word(&mut self, word: &str) -> bool {
        let found = self.peek().is_some_and(|t| is_word(t, word));
        self.at += usize::from(found);
        found
    }

    fn word(&mut self, word: &str) -> Result<()> {
        if self.take_word(word) { Ok(()) } else { Err(self.unexpected(word)) }
    }

    fn expect(&mut self, token: &Token) -> Result<()> {
        if self.take(token) { Ok(()) } else { Err(self.unexpected(&token.to_string())) }
    }

    fn name(&mut self, what: &str) -> Result<String> {
        match self.peek() {
            Some(Token::Word(word)) => {
                let name = word.value.clone();
                self.at += 1;
                Ok(name)
            }
            _ => Err(self.unexpected(what)),
        }
    }

    fn partition(&mut self) -> Result<BTreeMap<String, String>> {
        let mut partition = BTreeMap::new();
        self.expect(&Token::LParen)?;
        loop {
            let key = self.name("a partition column")?;
            if self.take(&Token::Eq) {
                let negative = self.take(&Token::Minus);
                let value = partition_value(&key, negative, self.next())?;
                partition.insert(key, value);
            }
            if !self.take(&Token::Comma) {
                break;
            }
        }
        self.expect(&Token::RParen)?;
        Ok(partition)
    }

    /// Whether `(name, …)` follows and not a query in parentheses.
    fn columns_follow(&mut self) -> bool {
        if self.peek() != Some(&Token::LParen) {
            return false;
        }
        let first = self.tokens.iter().skip(self.at + 1).find(|t| !is_blank(t));
        first.is_some_and(|t| {
            matches!(t, Token::Word(_)) && !["SELECT", "VALUES", "WITH"].iter().any(|word| is_word(t, word))
        })
    }

    fn columns(&mut self) -> Result<Vec<String>> {
        self.expect(&Token::LParen)?;
        let mut names = vec![self.name("a column name")?];
        while self.take(&Token::Comma) {
            names.push(self.name("a column name")?);
        }
        self.expect(&Token::RParen)?;
        Ok(names)
    }

    fn rest(&mut self) -> String {
        let rest: String = self.tokens.iter().skip(self.at).map(ToString::to_string).collect();
        rest.trim().to_owned()
    }

    fn unexpected(&mut self, wanted: &str) -> Error {
        let found = self.peek().map_or_else(|| "the end of the statement".to_owned(), |t| format!("'{t}'"));
        Error::new(ErrorKind::InvalidInput, format!("expected {wanted}, found {found}"))
    }
}
