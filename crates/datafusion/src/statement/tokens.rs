//! A cursor over the tokens of one statement.

use datafusion::sql::sqlparser::dialect::GenericDialect;
use datafusion::sql::sqlparser::tokenizer::{Token, Tokenizer};
use headwater_types::ErrorKind;

use crate::{Error, Result};

/// The tokens of one statement without blanks and comments, read from the left.
pub(crate) struct Tokens {
    tokens: Vec<Token>,
    at: usize,
}

impl Tokens {
    /// The tokens of a statement.
    pub(crate) fn new(sql: &str) -> Result<Self> {
        Ok(Self { tokens: tokenize(sql)?.into_iter().filter(|t| !matches!(t, Token::Whitespace(_))).collect(), at: 0 })
    }

    pub(crate) fn peek(&self) -> Option<&Token> {
        self.tokens.get(self.at)
    }

    pub(crate) fn next(&mut self) -> Option<Token> {
        let token = self.tokens.get(self.at).cloned();
        self.at += 1;
        token
    }

    pub(crate) fn is_done(&self) -> bool {
        self.at >= self.tokens.len()
    }

    /// Whether the next tokens are those keywords; nothing is taken.
    pub(crate) fn looking_at(&self, words: &[&str]) -> bool {
        words.iter().enumerate().all(|(i, word)| self.tokens.get(self.at + i).is_some_and(|t| is_word(t, word)))
    }

    /// Takes the keywords when they come next.
    pub(crate) fn take(&mut self, words: &[&str]) -> bool {
        let found = self.looking_at(words);
        if found {
            self.at += words.len();
        }
        found
    }

    /// Takes a punctuation token when it comes next.
    pub(crate) fn take_token(&mut self, token: &Token) -> bool {
        let found = self.peek() == Some(token);
        if found {
            self.at += 1;
        }
        found
    }

    pub(crate) fn expect(&mut self, token: &Token) -> Result<()> {
        if self.take_token(token) { Ok(()) } else { Err(self.unexpected(&format!("'{token}'"))) }
    }

    pub(crate) fn expect_words(&mut self, words: &[&str]) -> Result<()> {
        if self.take(words) { Ok(()) } else { Err(self.unexpected(&words.join(" "))) }
    }

    /// An identifier, quoted or not, in the case it was written.
    pub(crate) fn identifier(&mut self, what: &str) -> Result<String> {
        match self.peek() {
            Some(Token::Word(word)) => {
                let name = word.value.clone();
                self.at += 1;
                Ok(name)
            }
            _ => Err(self.unexpected(what)),
        }
    }

    /// `name` or `database.name` (a leading catalog name is accepted and dropped).
    pub(crate) fn object_name(&mut self, what: &str) -> Result<Vec<String>> {
        let mut parts = vec![self.identifier(what)?];
        while self.take_token(&Token::Period) {
            parts.push(self.identifier(what)?);
        }
        Ok(parts)
    }

    /// A string literal.
    pub(crate) fn string(&mut self, what: &str) -> Result<String> {
        match self.next() {
            Some(Token::SingleQuotedString(text)) => Ok(text),
            _ => {
                self.at -= 1;
                Err(self.unexpected(what))
            }
        }
    }

    /// A whole number.
    pub(crate) fn number(&mut self, what: &str) -> Result<u32> {
        match self.peek() {
            Some(Token::Number(text, _)) => {
                let number = text.parse().map_err(|_| self.unexpected(what))?;
                self.at += 1;
                Ok(number)
            }
            _ => Err(self.unexpected(what)),
        }
    }

    /// `( name, name, … )`
    pub(crate) fn names_in_parentheses(&mut self, what: &str) -> Result<Vec<String>> {
        self.expect(&Token::LParen)?;
        let mut names = vec![self.identifier(what)?];
        while self.take_token(&Token::Comma) {
            names.push(self.identifier(what)?);
        }
        self.expect(&Token::RParen)?;
        Ok(names)
    }

    /// Takes a `>`; of a `>>` that closes two types at once, the first half.
    pub(crate) fn close_angle(&mut self) -> Result<()> {
        if self.take_token(&Token::Gt) {
            return Ok(());
        }
        if let Some(token) = self.tokens.get_mut(self.at)
            && *token == Token::ShiftRight
        {
            *token = Token::Gt;
            return Ok(());
        }
        Err(self.unexpected("'>'"))
    }

    /// The statement must end here.
    pub(crate) fn expect_end(&self) -> Result<()> {
        if self.is_done() { Ok(()) } else { Err(self.unexpected("the end of the statement")) }
    }

    pub(crate) fn unexpected(&self, wanted: &str) -> Error {
        let found = self.peek().map_or_else(|| "the end of the statement".to_owned(), |t| format!("'{t}'"));
        Error::new(ErrorKind::InvalidInput, format!("expected {wanted}, found {found}"))
    }
}

/// All tokens of a text, blanks included.
pub(crate) fn tokenize(sql: &str) -> Result<Vec<Token>> {
    Tokenizer::new(&GenericDialect {}, sql)
        .tokenize()
        .map_err(|e| Error::new(ErrorKind::InvalidInput, format!("the statement cannot be read: {e}")))
}

/// All tokens of a text with string literals as they were written, so that printing them gives the text again.
pub(crate) fn tokenize_verbatim(sql: &str) -> Result<Vec<Token>> {
    Tokenizer::new(&GenericDialect {}, sql)
        .with_unescape(false)
        .tokenize()
        .map_err(|e| Error::new(ErrorKind::InvalidInput, format!("the statement cannot be read: {e}")))
}

/// Whether a token is that unquoted keyword.
pub(crate) fn is_word(token: &Token, word: &str) -> bool {
    matches!(token, Token::Word(w) if w.quote_style.is_none() && w.value.eq_ignore_ascii_case(word))
}

/// Whether a token is a blank or a comment.
pub(crate) fn is_blank(token: &Token) -> bool {
    matches!(token, Token::Whitespace(_))
}
