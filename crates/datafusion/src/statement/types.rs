//! Column types as Flink, Spark and Paimon users write them.

use datafusion::sql::sqlparser::tokenizer::Token;
use headwater_types::{DataField, DataType, ErrorKind, TypeKind};

use super::tokens::Tokens;
use crate::{Error, Result};

/// Reads a type with its `[NOT] NULL`. Field ids inside ROW types are placeholders; the catalog assigns them.
pub(crate) fn parse_type(tokens: &mut Tokens) -> Result<DataType> {
    let kind = parse_kind(tokens)?;
    let nullable = if tokens.take(&["NOT", "NULL"]) {
        false
    } else {
        tokens.take(&["NULL"]);
        true
    };
    Ok(DataType::new(kind, nullable))
}

fn parse_kind(tokens: &mut Tokens) -> Result<TypeKind> {
    let name = tokens.identifier("a column type")?;
    Ok(match name.to_ascii_uppercase().as_str() {
        "BOOLEAN" | "BOOL" => TypeKind::Boolean,
        "TINYINT" | "BYTE" => TypeKind::TinyInt,
        "SMALLINT" | "SHORT" => TypeKind::SmallInt,
        "INT" | "INTEGER" => TypeKind::Int,
        "BIGINT" | "LONG" => TypeKind::BigInt,
        "FLOAT" | "REAL" => TypeKind::Float,
        "DOUBLE" => {
            tokens.take(&["PRECISION"]);
            TypeKind::Double
        }
        "DECIMAL" | "NUMERIC" | "DEC" => parse_decimal(tokens)?,
        "CHAR" => TypeKind::Char { length: parameter(tokens)?.unwrap_or(1) },
        "VARCHAR" => TypeKind::VarChar { length: parameter(tokens)?.unwrap_or(TypeKind::MAX_LENGTH) },
        "STRING" | "TEXT" => TypeKind::STRING,
        "BINARY" => match parameter(tokens)? {
            Some(length) => TypeKind::Binary { length },
            None => TypeKind::BYTES,
        },
        "VARBINARY" => TypeKind::VarBinary { length: parameter(tokens)?.unwrap_or(TypeKind::MAX_LENGTH) },
        "BYTES" => TypeKind::BYTES,
        "DATE" => TypeKind::Date,
        "TIME" => {
            let precision = precision(tokens, 0)?;
            tokens.take(&["WITHOUT", "TIME", "ZONE"]);
            TypeKind::Time { precision }
        }
        "TIMESTAMP" | "TIMESTAMP_NTZ" => parse_timestamp(tokens)?,
        "TIMESTAMP_LTZ" => TypeKind::LocalZonedTimestamp { precision: precision(tokens, 6)? },
        "ARRAY" => TypeKind::Array(Box::new(angled(tokens)?)),
        "MULTISET" => TypeKind::Multiset(Box::new(angled(tokens)?)),
        "MAP" => {
            tokens.expect(&Token::Lt)?;
            let key = Box::new(parse_type(tokens)?);
            tokens.expect(&Token::Comma)?;
            let value = Box::new(parse_type(tokens)?);
            close_angle(tokens)?;
            TypeKind::Map { key, value }
        }
        "ROW" | "STRUCT" => TypeKind::Row(parse_members(tokens)?),
        "VARIANT" => TypeKind::Variant,
        "VECTOR" | "BLOB" => {
            let text = format!("creating columns of type {} is not supported", name.to_ascii_uppercase());
            return Err(Error::new(ErrorKind::Unsupported, text));
        }
        _ => {
            return Err(Error::new(
                ErrorKind::InvalidInput,
                format!(
                    "'{name}' is not a column type; examples: INT, BIGINT, DOUBLE, STRING, DECIMAL(10, 2), TIMESTAMP(3), ARRAY<INT>"
                ),
            ));
        }
    })
}

fn parse_decimal(tokens: &mut Tokens) -> Result<TypeKind> {
    if !tokens.take_token(&Token::LParen) {
        return Ok(TypeKind::Decimal { precision: 10, scale: 0 });
    }
    let precision = tokens.number("a precision")?;
    let scale = if tokens.take_token(&Token::Comma) { tokens.number("a scale")? } else { 0 };
    tokens.expect(&Token::RParen)?;
    match (u8::try_from(precision), u8::try_from(scale)) {
        (Ok(precision @ 1..=38), Ok(scale)) if scale <= precision => Ok(TypeKind::Decimal { precision, scale }),
        _ => Err(Error::new(
            ErrorKind::InvalidInput,
            format!("DECIMAL({precision}, {scale}) is out of range: precision 1 to 38, scale 0 to precision"),
        )),
    }
}

fn parse_timestamp(tokens: &mut Tokens) -> Result<TypeKind> {
    let precision = precision(tokens, 6)?;
    if tokens.take(&["WITH", "LOCAL", "TIME", "ZONE"]) {
        return Ok(TypeKind::LocalZonedTimestamp { precision });
    }
    tokens.take(&["WITHOUT", "TIME", "ZONE"]);
    Ok(TypeKind::Timestamp { precision })
}

fn parameter(tokens: &mut Tokens) -> Result<Option<u32>> {
    if !tokens.take_token(&Token::LParen) {
        return Ok(None);
    }
    let number = tokens.number("a length")?;
    tokens.expect(&Token::RParen)?;
    if number == 0 || number > TypeKind::MAX_LENGTH {
        return Err(Error::new(ErrorKind::InvalidInput, format!("length {number} is out of range: 1 to 2147483647")));
    }
    Ok(Some(number))
}

fn precision(tokens: &mut Tokens, default: u8) -> Result<u8> {
    if !tokens.take_token(&Token::LParen) {
        return Ok(default);
    }
    let number = tokens.number("a precision")?;
    tokens.expect(&Token::RParen)?;
    u8::try_from(number)
        .ok()
        .filter(|p| *p <= 9)
        .ok_or_else(|| Error::new(ErrorKind::InvalidInput, format!("precision {number} is out of range: 0 to 9")))
}

fn angled(tokens: &mut Tokens) -> Result<DataType> {
    tokens.expect(&Token::Lt)?;
    let inner = parse_type(tokens)?;
    close_angle(tokens)?;
    Ok(inner)
}

/// `>`; two that the tokenizer read as one `>>` are taken apart.
fn close_angle(tokens: &mut Tokens) -> Result<()> {
    tokens.close_angle()
}

/// `<name type [COMMENT '…'], …>` or, as Flink also allows, in parentheses.
fn parse_members(tokens: &mut Tokens) -> Result<Vec<DataField>> {
    let parentheses = tokens.take_token(&Token::LParen);
    if !parentheses {
        tokens.expect(&Token::Lt)?;
    }
    let mut members = Vec::new();
    loop {
        let name = tokens.identifier("a member name")?;
        tokens.take_token(&Token::Colon);
        let mut member = DataField::new(0, name, parse_type(tokens)?);
        if tokens.take(&["COMMENT"]) {
            member.description = Some(tokens.string("a comment in quotes")?);
        }
        members.push(member);
        if !tokens.take_token(&Token::Comma) {
            break;
        }
    }
    if parentheses {
        tokens.expect(&Token::RParen)?
    } else {
        close_angle(tokens)?
    }
    Ok(members)
}
