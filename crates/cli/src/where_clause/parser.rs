//! A recursive-descent parser of filters. Negation is pushed down to the tests as it reads.

use headwater_types::{DataField, Datum, ErrorKind, Leaf, LeafTest, Predicate, parse_datum};

use super::tokens::Token;
use crate::error::{Error, Result, invalid};

pub(super) struct Parser<'a> {
    tokens: std::iter::Peekable<std::vec::IntoIter<Token>>,
    fields: &'a [DataField],
    depth: usize,
}

/// Parentheses and NOTs within each other; deeper ones would only serve to exhaust the stack.
const MAX_DEPTH: usize = 200;

impl<'a> Parser<'a> {
    pub(super) fn new(tokens: Vec<Token>, fields: &'a [DataField]) -> Self {
        Self { tokens: tokens.into_iter().peekable(), fields, depth: 0 }
    }

    pub(super) fn whole(mut self) -> Result<Predicate> {
        let predicate = self.any(false)?;
        match self.tokens.next() {
            None => Ok(predicate),
            Some(token) => Err(unexpected(Some(&token), "AND, OR or the end")),
        }
    }

    fn any(&mut self, negated: bool) -> Result<Predicate> {
        let mut left = self.all(negated)?;
        while self.word("OR") {
            let right = self.all(negated)?;
            left = if negated { left.and(right) } else { left.or(right) };
        }
        Ok(left)
    }

    fn all(&mut self, negated: bool) -> Result<Predicate> {
        let mut left = self.one(negated)?;
        while self.word("AND") {
            let right = self.one(negated)?;
            left = if negated { left.or(right) } else { left.and(right) };
        }
        Ok(left)
    }

    fn one(&mut self, negated: bool) -> Result<Predicate> {
        self.depth += 1;
        if self.depth > MAX_DEPTH {
            return Err(invalid("the filter is nested too deeply"));
        }
        let predicate = if self.word("NOT") {
            self.one(!negated)?
        } else if self.sign("(") {
            let inner = self.any(negated)?;
            self.expect_sign(")")?;
            inner
        } else {
            self.test(negated)?
        };
        self.depth -= 1;
        Ok(predicate)
    }

    fn test(&mut self, negated: bool) -> Result<Predicate> {
        let name = match self.tokens.next() {
            Some(Token::Quoted(name)) => name,
            Some(Token::Word(word)) if word.eq_ignore_ascii_case("true") || word.eq_ignore_ascii_case("false") => {
                if self.field(&word).is_none() {
                    let keeps = word.eq_ignore_ascii_case("true") != negated;
                    return Ok(if keeps { Predicate::True } else { Predicate::False });
                }
                word
            }
            Some(Token::Word(word)) => word,
            other => return Err(unexpected(other.as_ref(), "a column")),
        };
        let field = self.field(&name).ok_or_else(|| self.unknown(&name))?;
        if let Some(Token::Sign(sign)) = self.tokens.next_if(|token| matches!(token, Token::Sign(_))) {
            let literal = self.literal(field)?;
            return Ok(literal.map_or(Predicate::False, |value| compare(field, sign, value, negated)));
        }
        if self.word("IS") {
            let is_null = !self.word("NOT");
            self.expect_word("NULL")?;
            return Ok(leaf(field, if is_null == negated { LeafTest::IsNotNull } else { LeafTest::IsNull }));
        }
        let negated = self.word("NOT") != negated;
        if self.word("IN") {
            self.list(field, negated)
        } else if self.word("BETWEEN") {
            self.between(field, negated)
        } else if self.word("LIKE") {
            self.like(field, negated)
        } else {
            Err(unexpected(self.tokens.peek(), "a comparison, IS, IN, BETWEEN or LIKE"))
        }
    }

    fn list(&mut self, field: &DataField, negated: bool) -> Result<Predicate> {
        self.expect_sign("(")?;
        let mut values = Vec::new();
        let mut has_null = false;
        loop {
            match self.literal(field)? {
                Some(value) => values.push(value),
                None => has_null = true,
            }
            if !self.sign(",") {
                break;
            }
        }
        self.expect_sign(")")?;
        Ok(match (negated, has_null) {
            // Nothing is known to be different from null.
            (true, true) => Predicate::False,
            (true, false) => leaf(field, LeafTest::NotIn(values)),
            (false, _) if values.is_empty() => Predicate::False,
            (false, _) => leaf(field, LeafTest::In(values)),
        })
    }

    fn between(&mut self, field: &DataField, negated: bool) -> Result<Predicate> {
        let low = self.literal(field)?;
        self.expect_word("AND")?;
        let high = self.literal(field)?;
        let part =
            |sign, bound: Option<Datum>| bound.map_or(Predicate::False, |value| compare(field, sign, value, negated));
        let (above, below) = (part(">=", low), part("<=", high));
        Ok(if negated { above.or(below) } else { above.and(below) })
    }

    fn like(&mut self, field: &DataField, negated: bool) -> Result<Predicate> {
        let pattern = match self.tokens.next() {
            Some(Token::Text(pattern)) => pattern,
            other => return Err(unexpected(other.as_ref(), "a pattern in single quotes")),
        };
        let inner = pattern.trim_matches('%');
        if negated || inner.contains(['%', '_', '\\']) {
            return Err(Error::new(
                ErrorKind::Unsupported,
                "--where knows LIKE only with % at the ends and without NOT; use `headwater sql` for other patterns",
            )
            .with("pattern", pattern));
        }
        let value = || Datum::String(inner.to_owned());
        let test = match (pattern.starts_with('%'), pattern.ends_with('%')) {
            (false, false) => LeafTest::Equal(value()),
            (false, true) => LeafTest::StartsWith(value()),
            (true, false) => LeafTest::EndsWith(value()),
            (true, true) => LeafTest::Contains(value()),
        };
        Ok(leaf(field, test))
    }

    /// A literal of the column's type; `None` is NULL.
    fn literal(&mut self, field: &DataField) -> Result<Option<Datum>> {
        let mut token = self.tokens.next();
        // DATE '2024-01-01', TIMESTAMP '…': the column says the type anyway.
        let is_prefix = matches!(&token, Some(Token::Word(word))
            if ["DATE", "TIME", "TIMESTAMP", "X"].iter().any(|prefix| word.eq_ignore_ascii_case(prefix)));
        if is_prefix && matches!(self.tokens.peek(), Some(Token::Text(_))) {
            token = self.tokens.next();
        }
        let text = match token {
            Some(Token::Text(text) | Token::Number(text)) => text,
            Some(Token::Word(word)) if word.eq_ignore_ascii_case("NULL") => return Ok(None),
            Some(Token::Word(word)) if word.eq_ignore_ascii_case("true") || word.eq_ignore_ascii_case("false") => word,
            other => return Err(unexpected(other.as_ref(), "a literal such as 17 or 'text'")),
        };
        let parsed = parse_datum(&text, &field.data_type);
        parsed.map(Some).map_err(|e| Error::from(e).with("column", &field.name).with("literal", text))
    }

    fn field(&self, name: &str) -> Option<&'a DataField> {
        self.fields
            .iter()
            .find(|field| field.name == name)
            .or_else(|| self.fields.iter().find(|field| field.name.eq_ignore_ascii_case(name)))
    }

    fn unknown(&self, name: &str) -> Error {
        let columns: Vec<&str> = self.fields.iter().map(|field| field.name.as_str()).collect();
        invalid(format!("there is no column '{name}'; the table has {}", columns.join(", ")))
    }

    fn word(&mut self, keyword: &str) -> bool {
        self.tokens.next_if(|t| matches!(t, Token::Word(word) if word.eq_ignore_ascii_case(keyword))).is_some()
    }

    fn sign(&mut self, sign: &str) -> bool {
        self.tokens.next_if(|t| matches!(t, Token::Sign(found) if *found == sign)).is_some()
    }

    fn expect_word(&mut self, keyword: &str) -> Result<()> {
        if self.word(keyword) { Ok(()) } else { Err(unexpected(self.tokens.peek(), keyword)) }
    }

    fn expect_sign(&mut self, sign: &str) -> Result<()> {
        if self.sign(sign) { Ok(()) } else { Err(unexpected(self.tokens.peek(), sign)) }
    }
}

fn leaf(field: &DataField, test: LeafTest) -> Predicate {
    Predicate::Leaf(Leaf { column: field.name.clone(), data_type: field.data_type.clone(), test })
}

fn compare(field: &DataField, sign: &str, value: Datum, negated: bool) -> Predicate {
    let test = match (sign, negated) {
        ("=", false) | ("<>", true) => LeafTest::Equal(value),
        ("<>", false) | ("=", true) => LeafTest::NotEqual(value),
        ("<", false) | (">=", true) => LeafTest::LessThan(value),
        ("<=", false) | (">", true) => LeafTest::LessOrEqual(value),
        (">", false) | ("<=", true) => LeafTest::GreaterThan(value),
        _ => LeafTest::GreaterOrEqual(value),
    };
    leaf(field, test)
}

fn unexpected(token: Option<&Token>, wanted: &str) -> Error {
    let found = match token {
        None => "the end".to_owned(),
        Some(Token::Word(text) | Token::Number(text)) => format!("'{text}'"),
        Some(Token::Quoted(text)) => format!("\"{text}\""),
        Some(Token::Text(text)) => format!("the text '{text}'"),
        Some(Token::Sign(sign)) => format!("'{sign}'"),
    };
    invalid(format!("the filter needs {wanted} where {found} stands"))
}
