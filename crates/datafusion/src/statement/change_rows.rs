//! `DELETE FROM` and `UPDATE`.

use datafusion::sql::sqlparser::tokenizer::Token;
use headwater_types::ErrorKind;

use super::verbatim::Verbatim;
use crate::{Error, Result};

/// A table whose rows change, and the name its columns go by in the statement.
#[derive(Debug, Default, PartialEq)]
pub(crate) struct Target {
    pub(crate) table: Vec<String>,
    pub(crate) alias: Option<String>,
}

/// `DELETE FROM name [[AS] alias] [WHERE condition]`.
#[derive(Debug, Default, PartialEq)]
pub(crate) struct Delete {
    pub(crate) target: Target,
    /// As written; none for all rows.
    pub(crate) condition: Option<String>,
}

/// `UPDATE name [[AS] alias] SET column = expression, … [WHERE condition]`.
#[derive(Debug, Default, PartialEq)]
pub(crate) struct Update {
    pub(crate) target: Target,
    pub(crate) assignments: Vec<Assignment>,
    pub(crate) condition: Option<String>,
}

/// `column = expression`, the expression as written.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Assignment {
    pub(crate) column: String,
    pub(crate) expression: String,
}

impl Target {
    /// Reads a name and an alias, unless one of the words follows.
    pub(super) fn parse(tokens: &mut Verbatim, next: &[&str]) -> Result<Self> {
        let table = tokens.object_name("a table name")?;
        let alias = if tokens.take_word("AS") {
            Some(tokens.name("an alias")?)
        } else if tokens.is_done() || next.iter().any(|word| tokens.looking_at(&[word])) {
            None
        } else {
            Some(tokens.name("an alias")?)
        };
        Ok(Self { table, alias })
    }
}

impl Delete {
    /// Reads a whole statement that begins with DELETE.
    pub(crate) fn parse(sql: &str) -> Result<Self> {
        let mut tokens = Verbatim::new(sql)?;
        tokens.word("DELETE")?;
        tokens.word("FROM")?;
        let target = Target::parse(&mut tokens, &["WHERE", "USING"])?;
        refuse_other_tables(&mut tokens, "USING")?;
        Ok(Self { target, condition: condition(&mut tokens)? })
    }
}

impl Update {
    /// Reads a whole statement that begins with UPDATE.
    pub(crate) fn parse(sql: &str) -> Result<Self> {
        let mut tokens = Verbatim::new(sql)?;
        tokens.word("UPDATE")?;
        let target = Target::parse(&mut tokens, &["SET"])?;
        tokens.word("SET")?;
        let assignments = assignments(&mut tokens, &["WHERE", "FROM"])?;
        refuse_other_tables(&mut tokens, "FROM")?;
        Ok(Self { target, assignments, condition: condition(&mut tokens)? })
    }
}

fn refuse_other_tables(tokens: &mut Verbatim, word: &str) -> Result<()> {
    if tokens.looking_at(&[word]) {
        let text = format!("{word} in DELETE and UPDATE is not supported; use MERGE INTO, or a subquery in WHERE");
        return Err(Error::new(ErrorKind::Unsupported, text));
    }
    Ok(())
}

fn condition(tokens: &mut Verbatim) -> Result<Option<String>> {
    if tokens.is_done() {
        return Ok(None);
    }
    tokens.word("WHERE")?;
    match tokens.rest() {
        text if text.is_empty() => Err(Error::new(ErrorKind::InvalidInput, "WHERE needs a condition")),
        text => Ok(Some(text)),
    }
}

/// `column = expression, …` up to one of the words or the end.
pub(super) fn assignments(tokens: &mut Verbatim, until: &[&str]) -> Result<Vec<Assignment>> {
    let mut assignments: Vec<Assignment> = Vec::new();
    loop {
        let mut column = tokens.name("a column name")?;
        // `alias.column`; a member of a ROW looks the same and is told by the name that does not exist.
        if tokens.take(&Token::Period) {
            column = tokens.name("a column name")?;
            if tokens.peek() == Some(&Token::Period) {
                return Err(Error::new(ErrorKind::Unsupported, "assigning members of a ROW is not supported"));
            }
        }
        tokens.expect(&Token::Eq)?;
        let expression = tokens.text_until("an expression", until, Some(&Token::Comma))?;
        if assignments.iter().any(|a| a.column == column) {
            let text = format!("column '{column}' is assigned twice");
            return Err(Error::new(ErrorKind::InvalidInput, text));
        }
        assignments.push(Assignment { column, expression });
        if !tokens.take(&Token::Comma) {
            return Ok(assignments);
        }
    }
}
