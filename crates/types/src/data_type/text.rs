//! The spelling of types. Source: spec page 01 §2.2.

use std::fmt;
use std::str::FromStr;

use super::{DataType, TypeKind};
use crate::{Error, ErrorKind, Result};

impl fmt::Display for TypeKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Boolean => f.write_str("BOOLEAN"),
            Self::TinyInt => f.write_str("TINYINT"),
            Self::SmallInt => f.write_str("SMALLINT"),
            Self::Int => f.write_str("INT"),
            Self::BigInt => f.write_str("BIGINT"),
            Self::Float => f.write_str("FLOAT"),
            Self::Double => f.write_str("DOUBLE"),
            Self::Decimal { precision, scale } => write!(f, "DECIMAL({precision}, {scale})"),
            Self::Char { length } => write!(f, "CHAR({length})"),
            Self::VarChar { length: Self::MAX_LENGTH } => f.write_str("STRING"),
            Self::VarChar { length } => write!(f, "VARCHAR({length})"),
            Self::Binary { length } => write!(f, "BINARY({length})"),
            Self::VarBinary { length: Self::MAX_LENGTH } => f.write_str("BYTES"),
            Self::VarBinary { length } => write!(f, "VARBINARY({length})"),
            Self::Date => f.write_str("DATE"),
            Self::Time { precision } => write!(f, "TIME({precision})"),
            Self::Timestamp { precision } => write!(f, "TIMESTAMP({precision})"),
            Self::LocalZonedTimestamp { precision } => write!(f, "TIMESTAMP({precision}) WITH LOCAL TIME ZONE"),
            Self::Array(element) => write!(f, "ARRAY<{element}>"),
            Self::Vector { element, length } => write!(f, "VECTOR<{element}, {length}>"),
            Self::Map { key, value } => write!(f, "MAP<{key}, {value}>"),
            Self::Multiset(element) => write!(f, "MULTISET<{element}>"),
            Self::Row(fields) => {
                f.write_str("ROW<")?;
                for (i, field) in fields.iter().enumerate() {
                    let comma = if i == 0 { "" } else { ", " };
                    write!(f, "{comma}`{}` {}", field.name, field.data_type)?;
                }
                f.write_str(">")
            }
            Self::Variant => f.write_str("VARIANT"),
            Self::Blob => f.write_str("BLOB"),
        }
    }
}

impl fmt::Display for DataType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", self.kind, if self.nullable { "" } else { " NOT NULL" })
    }
}

impl FromStr for DataType {
    type Err = Error;

    /// Reads an atomic type, as in a schema file's string: `INT NOT NULL`, `DECIMAL(10, 2)`, `VECTOR<FLOAT, 3>`,
    /// `INT NOT NULL ARRAY`. Constructed types are JSON objects there, see [`DataType::from_json`].
    fn from_str(text: &str) -> Result<Self> {
        let mut parser = Parser { tokens: tokens(text), position: 0, text };
        let parsed = parser.data_type()?;
        if parser.position < parser.tokens.len() {
            return Err(parser.error("has text after its end"));
        }
        Ok(parsed)
    }
}

#[derive(Clone, Debug, PartialEq)]
enum Token {
    Word(String),
    Number(String),
    Symbol(char),
}

fn tokens(text: &str) -> Vec<Token> {
    let mut out = Vec::new();
    let mut chars = text.chars().peekable();
    while let Some(c) = chars.next() {
        if c.is_whitespace() {
            continue;
        }
        let same = |c: char| if c.is_ascii_digit() { 0 } else { usize::from(c.is_ascii_alphabetic() || c == '_') };
        if c.is_ascii_digit() {
            let mut number = String::from(c);
            while let Some(next) = chars.next_if(|n| n.is_ascii_digit()) {
                number.push(next);
            }
            out.push(Token::Number(number));
        } else if same(c) == 1 {
            let mut word = String::from(c.to_ascii_uppercase());
            while let Some(next) = chars.next_if(|n| n.is_ascii_alphanumeric() || *n == '_') {
                word.push(next.to_ascii_uppercase());
            }
            out.push(Token::Word(word));
        } else {
            out.push(Token::Symbol(c));
        }
    }
    out
}

struct Parser<'a> {
    tokens: Vec<Token>,
    position: usize,
    text: &'a str,
}

impl Parser<'_> {
    fn error(&self, problem: &str) -> Error {
        Error::new(ErrorKind::InvalidInput, format!("the type '{}' {problem}", self.text))
    }

    fn word(&mut self, word: &str) -> bool {
        let found = matches!(self.tokens.get(self.position), Some(Token::Word(w)) if w == word);
        self.position += usize::from(found);
        found
    }

    fn symbol(&mut self, symbol: char) -> bool {
        let found = self.tokens.get(self.position) == Some(&Token::Symbol(symbol));
        self.position += usize::from(found);
        found
    }

    fn expect_words(&mut self, words: &[&str]) -> Result<()> {
        for word in words {
            if !self.word(word) {
                return Err(self.error(&format!("lacks the word {word}")));
            }
        }
        Ok(())
    }

    fn expect_symbol(&mut self, symbol: char) -> Result<()> {
        if self.symbol(symbol) { Ok(()) } else { Err(self.error(&format!("lacks '{symbol}'"))) }
    }

    fn number(&mut self) -> Result<u32> {
        let number = match self.tokens.get(self.position) {
            Some(Token::Number(number)) => number.parse().ok(),
            _ => None,
        };
        self.position += 1;
        number.ok_or_else(|| self.error("lacks a number"))
    }

    /// `NOT NULL`, `NULL` or nothing.
    fn nullable(&mut self) -> Result<bool> {
        if self.word("NOT") {
            self.expect_words(&["NULL"])?;
            return Ok(false);
        }
        self.word("NULL");
        Ok(true)
    }

    fn data_type(&mut self) -> Result<DataType> {
        let kind = self.base()?;
        let base = DataType::new(kind, self.nullable()?);
        let wrap: fn(Box<DataType>) -> TypeKind = if self.word("ARRAY") {
            TypeKind::Array
        } else if self.word("MULTISET") {
            TypeKind::Multiset
        } else {
            return Ok(base);
        };
        Ok(DataType::new(wrap(Box::new(base)), self.nullable()?))
    }

    fn base(&mut self) -> Result<TypeKind> {
        let Some(Token::Word(word)) = self.tokens.get(self.position).cloned() else {
            return Err(self.error("does not start with the name of a type"));
        };
        self.position += 1;
        Ok(match word.as_str() {
            "BOOLEAN" => TypeKind::Boolean,
            "TINYINT" => TypeKind::TinyInt,
            "SMALLINT" => TypeKind::SmallInt,
            "INT" | "INTEGER" => TypeKind::Int,
            "BIGINT" => TypeKind::BigInt,
            "FLOAT" => TypeKind::Float,
            "DOUBLE" => {
                self.word("PRECISION");
                TypeKind::Double
            }
            "DATE" => TypeKind::Date,
            "STRING" => TypeKind::STRING,
            "BYTES" => TypeKind::BYTES,
            "VARIANT" => TypeKind::Variant,
            "BLOB" => TypeKind::Blob,
            "CHAR" => TypeKind::Char { length: self.length()? },
            "VARCHAR" => TypeKind::VarChar { length: self.length()? },
            "BINARY" => TypeKind::Binary { length: self.length()? },
            "VARBINARY" => TypeKind::VarBinary { length: self.length()? },
            "DECIMAL" | "NUMERIC" | "DEC" => self.decimal()?,
            "TIME" => {
                let precision = self.precision(0)?;
                if self.word("WITHOUT") {
                    self.expect_words(&["TIME", "ZONE"])?;
                }
                TypeKind::Time { precision }
            }
            "TIMESTAMP" => self.timestamp()?,
            "TIMESTAMP_LTZ" => TypeKind::LocalZonedTimestamp { precision: self.precision(6)? },
            "VECTOR" => self.vector()?,
            _ => return Err(self.error("is not known")),
        })
    }

    fn length(&mut self) -> Result<u32> {
        if !self.symbol('(') {
            return Ok(1);
        }
        let length = self.number()?;
        self.expect_symbol(')')?;
        if (1..=TypeKind::MAX_LENGTH).contains(&length) {
            Ok(length)
        } else {
            Err(self.error("has a length outside 1 to 2147483647"))
        }
    }

    fn precision(&mut self, default: u8) -> Result<u8> {
        if !self.symbol('(') {
            return Ok(default);
        }
        let precision = self.number()?;
        self.expect_symbol(')')?;
        match u8::try_from(precision) {
            Ok(precision) if precision <= 9 => Ok(precision),
            _ => Err(self.error("has a precision outside 0 to 9")),
        }
    }

    fn decimal(&mut self) -> Result<TypeKind> {
        let (mut precision, mut scale) = (10, 0);
        if self.symbol('(') {
            precision = self.number()?;
            if self.symbol(',') {
                scale = self.number()?;
            }
            self.expect_symbol(')')?;
        }
        match (u8::try_from(precision), u8::try_from(scale)) {
            (Ok(precision), Ok(scale)) if (1..=38).contains(&precision) && scale <= precision => {
                Ok(TypeKind::Decimal { precision, scale })
            }
            _ => Err(self.error("needs a precision of 1 to 38 and a scale of 0 to the precision")),
        }
    }

    fn timestamp(&mut self) -> Result<TypeKind> {
        let precision = self.precision(6)?;
        if self.word("WITHOUT") {
            self.expect_words(&["TIME", "ZONE"])?;
        } else if self.word("WITH") {
            if !self.word("LOCAL") {
                return Err(self.error("is not known: Paimon has TIMESTAMP WITH LOCAL TIME ZONE only"));
            }
            self.expect_words(&["TIME", "ZONE"])?;
            return Ok(TypeKind::LocalZonedTimestamp { precision });
        }
        Ok(TypeKind::Timestamp { precision })
    }

    fn vector(&mut self) -> Result<TypeKind> {
        self.expect_symbol('<')?;
        let element = Box::new(self.data_type()?);
        self.expect_symbol(',')?;
        let length = self.number()?;
        self.expect_symbol('>')?;
        TypeKind::vector(element, length)
    }
}

impl TypeKind {
    /// A checked VECTOR.
    pub(super) fn vector(element: Box<DataType>, length: u32) -> Result<Self> {
        let fits = matches!(
            element.kind(),
            Self::Boolean | Self::TinyInt | Self::SmallInt | Self::Int | Self::BigInt | Self::Float | Self::Double
        );
        if fits && (1..=Self::MAX_LENGTH).contains(&length) {
            return Ok(Self::Vector { element, length });
        }
        Err(Error::new(
            ErrorKind::InvalidInput,
            format!(
                "VECTOR<{element}, {length}> needs a BOOLEAN, integer, FLOAT or DOUBLE element and a length of at least 1"
            ),
        ))
    }
}
