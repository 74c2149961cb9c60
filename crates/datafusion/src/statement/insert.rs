//! `INSERT INTO` and `INSERT OVERWRITE`.

use std::collections::BTreeMap;

use datafusion::sql::sqlparser::tokenizer::Token;

use super::tokens::is_word;
use super::verbatim::Verbatim;
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
        insert.table = tokens.object_name("a table name")?;
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
