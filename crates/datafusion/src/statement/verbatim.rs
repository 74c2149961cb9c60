//! A cursor over the tokens of a statement that prints them as they were written.

use std::collections::BTreeMap;

use datafusion::sql::sqlparser::tokenizer::Token;
use headwater_types::ErrorKind;

use super::insert::partition_value;
use super::tokens::{is_blank, is_word, tokenize_verbatim};
use crate::{Error, Result};

/// Tokens that print as they were written, blanks included.
pub(super) struct Verbatim {
    tokens: Vec<Token>,
    at: usize,
}

impl Verbatim {
    pub(super) fn new(sql: &str) -> Result<Self> {
        Ok(Self { tokens: tokenize_verbatim(sql)?, at: 0 })
    }

    fn skip_blanks(&mut self) {
        while self.tokens.get(self.at).is_some_and(is_blank) {
            self.at += 1;
        }
    }

    pub(super) fn next(&mut self) -> Option<Token> {
        self.skip_blanks();
        self.at += 1;
        self.tokens.get(self.at - 1).cloned()
    }

    pub(super) fn peek(&mut self) -> Option<&Token> {
        self.skip_blanks();
        self.tokens.get(self.at)
    }

    pub(super) fn take(&mut self, token: &Token) -> bool {
        let found = self.peek() == Some(token);
        self.at += usize::from(found);
        found
    }

    pub(super) fn take_word(&mut self, word: &str) -> bool {
        let found = self.peek().is_some_and(|t| is_word(t, word));
        self.at += usize::from(found);
        found
    }

    pub(super) fn word(&mut self, word: &str) -> Result<()> {
        if self.take_word(word) { Ok(()) } else { Err(self.unexpected(word)) }
    }

    pub(super) fn expect(&mut self, token: &Token) -> Result<()> {
        if self.take(token) { Ok(()) } else { Err(self.unexpected(&token.to_string())) }
    }

    pub(super) fn name(&mut self, what: &str) -> Result<String> {
        match self.peek() {
            Some(Token::Word(word)) => {
                let name = word.value.clone();
                self.at += 1;
                Ok(name)
            }
            _ => Err(self.unexpected(what)),
        }
    }

    pub(super) fn partition(&mut self) -> Result<BTreeMap<String, String>> {
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
    pub(super) fn columns_follow(&mut self) -> bool {
        if self.peek() != Some(&Token::LParen) {
            return false;
        }
        let first = self.tokens.iter().skip(self.at + 1).find(|t| !is_blank(t));
        first.is_some_and(|t| {
            matches!(t, Token::Word(_)) && !["SELECT", "VALUES", "WITH"].iter().any(|word| is_word(t, word))
        })
    }

    pub(super) fn columns(&mut self) -> Result<Vec<String>> {
        self.expect(&Token::LParen)?;
        let mut names = vec![self.name("a column name")?];
        while self.take(&Token::Comma) {
            names.push(self.name("a column name")?);
        }
        self.expect(&Token::RParen)?;
        Ok(names)
    }

    pub(super) fn rest(&mut self) -> String {
        let rest: String = self.tokens.iter().skip(self.at).map(ToString::to_string).collect();
        rest.trim().to_owned()
    }

    pub(super) fn unexpected(&mut self, wanted: &str) -> Error {
        let found = self.peek().map_or_else(|| "the end of the statement".to_owned(), |t| format!("'{t}'"));
        Error::new(ErrorKind::InvalidInput, format!("expected {wanted}, found {found}"))
    }

    /// Whether nothing is left.
    pub(super) fn is_done(&mut self) -> bool {
        self.peek().is_none()
    }

    /// Whether these words come next; nothing is taken.
    pub(super) fn looking_at(&mut self, words: &[&str]) -> bool {
        self.skip_blanks();
        let next = self.tokens.iter().skip(self.at).filter(|t| !is_blank(t));
        let mut found = next.take(words.len()).zip(words);
        let all = found.all(|(token, word)| is_word(token, word));
        all && self.tokens.iter().skip(self.at).filter(|t| !is_blank(t)).count() >= words.len()
    }

    /// Takes these words when they come next.
    pub(super) fn take_words(&mut self, words: &[&str]) -> bool {
        if !self.looking_at(words) {
            return false;
        }
        for word in words {
            self.take_word(word);
        }
        true
    }

    /// The text up to one of the words or the token, neither of which ends it inside parentheses or CASE … END.
    pub(super) fn text_until(&mut self, what: &str, words: &[&str], token: Option<&Token>) -> Result<String> {
        let (mut depth, mut text) = (0_i32, String::new());
        while let Some(next) = self.tokens.get(self.at) {
            if depth == 0 && (words.iter().any(|word| is_word(next, word)) || token.is_some_and(|t| t == next)) {
                break;
            }
            depth += match next {
                Token::LParen | Token::LBracket | Token::LBrace => 1,
                Token::RParen | Token::RBracket | Token::RBrace => -1,
                next if is_word(next, "CASE") => 1,
                next if is_word(next, "END") => -1,
                _ => 0,
            };
            if depth < 0 {
                break;
            }
            text.push_str(&next.to_string());
            self.at += 1;
        }
        match text.trim() {
            "" => Err(self.unexpected(what)),
            text => Ok(text.to_owned()),
        }
    }

    /// A name of one to three parts.
    pub(super) fn object_name(&mut self, what: &str) -> Result<Vec<String>> {
        let mut parts = vec![self.name(what)?];
        while self.take(&Token::Period) {
            parts.push(self.name(what)?);
        }
        Ok(parts)
    }

    /// Passes over `( … )`.
    pub(super) fn skip_parentheses(&mut self) -> Result<()> {
        self.expect(&Token::LParen)?;
        self.text_until("a query", &[], None)?;
        self.expect(&Token::RParen)
    }

    /// Passes over `[FOR] VERSION AS OF …` and its like.
    pub(super) fn skip_version(&mut self) {
        let at = self.at;
        self.take_word("FOR");
        let found = ["VERSION", "SYSTEM_VERSION", "TIMESTAMP", "SYSTEM_TIME"];
        if found.iter().any(|word| self.take_words(&[word, "AS", "OF"])) {
            self.next();
        } else {
            self.at = at;
        }
    }
}
