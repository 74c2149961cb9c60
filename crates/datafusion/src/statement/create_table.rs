//! `CREATE TABLE`.

use std::collections::BTreeMap;

use datafusion::sql::sqlparser::tokenizer::Token;
use headwater_types::{DataField, ErrorKind};

use super::tokens::Tokens;
use super::types::parse_type;
use crate::{Error, Result};

/// `CREATE TABLE [IF NOT EXISTS] name (columns, PRIMARY KEY (…) [NOT ENFORCED]) [COMMENT '…']
/// [PARTITIONED BY (…)] [WITH ('key' = 'value', …)]`, in Flink's order or any other.
#[derive(Debug, Default, PartialEq)]
pub(crate) struct CreateTable {
    pub(crate) name: Vec<String>,
    pub(crate) if_not_exists: bool,
    pub(crate) fields: Vec<DataField>,
    pub(crate) primary_keys: Vec<String>,
    pub(crate) partition_keys: Vec<String>,
    pub(crate) options: BTreeMap<String, String>,
    pub(crate) comment: Option<String>,
}

impl CreateTable {
    /// Reads what follows `CREATE TABLE`.
    pub(crate) fn parse(tokens: &mut Tokens) -> Result<Self> {
        let mut table = Self { if_not_exists: tokens.take(&["IF", "NOT", "EXISTS"]), ..Self::default() };
        table.name = tokens.object_name("a table name")?;
        if tokens.looking_at(&["AS"]) || tokens.looking_at(&["LIKE"]) {
            return Err(Error::new(
                ErrorKind::Unsupported,
                "CREATE TABLE … AS and LIKE are not supported: create the table with its columns, then INSERT INTO it",
            ));
        }
        tokens.expect(&Token::LParen)?;
        loop {
            table.column_or_key(tokens)?;
            if !tokens.take_token(&Token::Comma) {
                break;
            }
        }
        tokens.expect(&Token::RParen)?;
        while table.clause(tokens)? {}
        tokens.expect_end()?;
        Ok(table)
    }

    fn column_or_key(&mut self, tokens: &mut Tokens) -> Result<()> {
        if tokens.take(&["CONSTRAINT"]) {
            tokens.identifier("a constraint name")?;
        }
        if tokens.take(&["PRIMARY", "KEY"]) {
            let keys = tokens.names_in_parentheses("a key column")?;
            tokens.take(&["NOT", "ENFORCED"]);
            return self.set_primary_key(keys);
        }
        if tokens.looking_at(&["WATERMARK", "FOR"]) {
            return Err(Error::new(ErrorKind::Unsupported, "WATERMARK definitions are not supported"));
        }
        self.column(tokens)
    }

    fn column(&mut self, tokens: &mut Tokens) -> Result<()> {
        let name = tokens.identifier("a column name")?;
        if tokens.looking_at(&["AS"]) {
            return Err(Error::new(ErrorKind::Unsupported, format!("computed column '{name}' is not supported")));
        }
        let mut field = DataField::new(0, name, parse_type(tokens)?);
        loop {
            if tokens.take(&["COMMENT"]) {
                field.description = Some(tokens.string("a comment in quotes")?);
            } else if tokens.take(&["DEFAULT"]) {
                field.default_value = Some(default_text(tokens)?);
            } else if tokens.take(&["PRIMARY", "KEY"]) {
                tokens.take(&["NOT", "ENFORCED"]);
                self.set_primary_key(vec![field.name.clone()])?;
            } else if tokens.take(&["NOT", "NULL"]) {
                field.data_type = field.data_type.with_nullable(false);
            } else {
                break;
            }
        }
        self.fields.push(field);
        Ok(())
    }

    fn set_primary_key(&mut self, keys: Vec<String>) -> Result<()> {
        if !self.primary_keys.is_empty() {
            return Err(Error::new(ErrorKind::InvalidInput, "a table has one PRIMARY KEY; name all key columns in it"));
        }
        self.primary_keys = keys;
        Ok(())
    }

    /// One clause after the columns; false at the end.
    fn clause(&mut self, tokens: &mut Tokens) -> Result<bool> {
        if tokens.take(&["COMMENT"]) {
            tokens.take_token(&Token::Eq);
            self.comment = Some(tokens.string("a comment in quotes")?);
        } else if tokens.take(&["PARTITIONED", "BY"]) {
            self.partition_keys = tokens.names_in_parentheses("a partition column")?;
        } else if tokens.take(&["WITH"]) || tokens.take(&["TBLPROPERTIES"]) || tokens.take(&["OPTIONS"]) {
            self.options.extend(options(tokens)?);
        } else if tokens.take(&["USING"]) {
            let engine = tokens.identifier("paimon")?;
            if !engine.eq_ignore_ascii_case("paimon") {
                return Err(Error::new(
                    ErrorKind::Unsupported,
                    format!("USING {engine}: only paimon tables exist here"),
                ));
            }
        } else {
            return Ok(false);
        }
        Ok(true)
    }
}

pub(super) fn default_text(tokens: &mut Tokens) -> Result<String> {
    let negative = tokens.take_token(&Token::Minus);
    match tokens.next() {
        Some(Token::SingleQuotedString(text)) if !negative => Ok(text),
        Some(Token::Number(text, _)) => Ok(if negative { format!("-{text}") } else { text }),
        Some(Token::Word(word))
            if matches!(word.value.to_ascii_lowercase().as_str(), "true" | "false") && !negative =>
        {
            Ok(word.value.to_ascii_lowercase())
        }
        _ => Err(Error::new(
            ErrorKind::Unsupported,
            "DEFAULT takes a literal: a number, a text in quotes, TRUE or FALSE",
        )),
    }
}

/// `('key' = 'value', …)`; keys may also be bare words with dots, as Spark users write them.
pub(super) fn options(tokens: &mut Tokens) -> Result<BTreeMap<String, String>> {
    let mut options = BTreeMap::new();
    tokens.expect(&Token::LParen)?;
    while !tokens.take_token(&Token::RParen) {
        let key = match tokens.peek() {
            Some(Token::SingleQuotedString(_)) => tokens.string("an option key")?,
            _ => tokens.object_name("an option key")?.join("."),
        };
        tokens.expect(&Token::Eq)?;
        let value = match tokens.next() {
            Some(Token::SingleQuotedString(text) | Token::Number(text, _)) => text,
            Some(Token::Word(word)) => word.value,
            _ => return Err(Error::new(ErrorKind::InvalidInput, format!("option '{key}' needs a value in quotes"))),
        };
        if options.insert(key.clone(), value).is_some() {
            return Err(Error::new(ErrorKind::InvalidInput, format!("option '{key}' is given twice")));
        }
        tokens.take_token(&Token::Comma);
    }
    Ok(options)
}
