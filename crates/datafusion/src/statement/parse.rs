//! Telling our statements from queries.

use std::collections::BTreeMap;

use datafusion::sql::sqlparser::tokenizer::{Token, Whitespace};
use headwater_types::ErrorKind;

use super::tokens::{Tokens, tokenize};
use super::{AlterTable, CreateTable, Delete, Insert, Merge, Update};
use crate::{Error, Result};

/// One statement.
#[derive(Debug, PartialEq)]
pub(crate) enum Statement {
    CreateDatabase {
        name: String,
        if_not_exists: bool,
    },
    DropDatabase {
        name: String,
        if_exists: bool,
        cascade: bool,
    },
    CreateTable(CreateTable),
    AlterTable(AlterTable),
    DropTable {
        name: Vec<String>,
        if_exists: bool,
    },
    Insert(Insert),
    Delete(Delete),
    Update(Update),
    Merge(Merge),
    Truncate {
        name: Vec<String>,
    },
    Use {
        database: String,
    },
    ShowDatabases,
    ShowTables {
        database: Option<String>,
    },
    ShowCreateTable {
        name: Vec<String>,
    },
    Describe {
        name: Vec<String>,
    },
    Call(Call),
    /// Anything else, for DataFusion.
    Query(String),
}

/// `CALL sys.procedure(value, name => value, …)`.
#[derive(Debug, PartialEq)]
pub(crate) struct Call {
    pub(crate) procedure: String,
    pub(crate) positional: Vec<String>,
    pub(crate) named: BTreeMap<String, String>,
}

/// Statements of other engines that would be wrong to hand on: the first word and what to say.
const UNSUPPORTED: &[(&[&str], &str)] = &[
    (&["ALTER", "DATABASE"], "ALTER DATABASE"),
    (&["ALTER", "VIEW"], "ALTER VIEW"),
    (&["ANALYZE"], "ANALYZE"),
    (&["CREATE", "VIEW"], "CREATE VIEW"),
    (&["CREATE", "EXTERNAL"], "CREATE EXTERNAL TABLE"),
    (&["CREATE", "TEMPORARY"], "CREATE TEMPORARY"),
    (&["COPY"], "COPY"),
    (&["GRANT"], "GRANT"),
];

/// Reads one statement.
pub(crate) fn parse(sql: &str) -> Result<Statement> {
    refuse_option_hints(sql)?;
    let mut tokens = Tokens::new(sql)?;
    for (words, feature) in UNSUPPORTED {
        if tokens.looking_at(words) {
            return Err(Error::new(
                ErrorKind::Unsupported,
                format!("{feature} is not supported; docs/compatibility.md lists what is"),
            ));
        }
    }
    if tokens.looking_at(&["INSERT"]) {
        return Insert::parse(sql).map(Statement::Insert);
    }
    if tokens.looking_at(&["DELETE"]) {
        return Delete::parse(sql).map(Statement::Delete);
    }
    if tokens.looking_at(&["UPDATE"]) {
        return Update::parse(sql).map(Statement::Update);
    }
    if tokens.looking_at(&["MERGE"]) {
        return Merge::parse(sql).map(Statement::Merge);
    }
    let statement = if tokens.take(&["CREATE"]) {
        create(&mut tokens)?
    } else if tokens.take(&["DROP"]) {
        drop(&mut tokens)?
    } else if tokens.take(&["ALTER", "TABLE"]) {
        Statement::AlterTable(AlterTable::parse(&mut tokens)?)
    } else if tokens.take(&["COMMENT", "ON"]) {
        Statement::AlterTable(AlterTable::parse_comment_on(&mut tokens)?)
    } else if tokens.take(&["TRUNCATE"]) {
        tokens.take(&["TABLE"]);
        Statement::Truncate { name: tokens.object_name("a table name")? }
    } else if tokens.take(&["USE"]) {
        Statement::Use { database: tokens.identifier("a database name")? }
    } else if tokens.take(&["CALL"]) {
        Statement::Call(call(&mut tokens)?)
    } else if let Some(statement) = show(&mut tokens)? {
        statement
    } else {
        return Ok(Statement::Query(sql.to_owned()));
    };
    tokens.expect_end()?;
    Ok(statement)
}

/// Flink users change what a query reads by a comment; as a comment it would be passed over.
fn refuse_option_hints(sql: &str) -> Result<()> {
    let is_hint = |token: &Token| match token {
        Token::Whitespace(Whitespace::MultiLineComment(text)) => {
            text.trim_start().strip_prefix('+').is_some_and(|hint| hint.to_ascii_uppercase().contains("OPTIONS"))
        }
        _ => false,
    };
    if tokenize(sql)?.iter().any(is_hint) {
        let text = "the hint /*+ OPTIONS(…) */ is not supported; write FOR VERSION AS OF, or set options on the table";
        return Err(Error::new(ErrorKind::Unsupported, text));
    }
    Ok(())
}

fn create(tokens: &mut Tokens) -> Result<Statement> {
    if tokens.take(&["DATABASE"]) || tokens.take(&["SCHEMA"]) {
        let if_not_exists = tokens.take(&["IF", "NOT", "EXISTS"]);
        return Ok(Statement::CreateDatabase { name: tokens.identifier("a database name")?, if_not_exists });
    }
    tokens.expect_words(&["TABLE"])?;
    CreateTable::parse(tokens).map(Statement::CreateTable)
}

fn drop(tokens: &mut Tokens) -> Result<Statement> {
    if tokens.take(&["DATABASE"]) || tokens.take(&["SCHEMA"]) {
        let if_exists = tokens.take(&["IF", "EXISTS"]);
        let name = tokens.identifier("a database name")?;
        let cascade = tokens.take(&["CASCADE"]);
        if !cascade {
            tokens.take(&["RESTRICT"]);
        }
        return Ok(Statement::DropDatabase { name, if_exists, cascade });
    }
    tokens.expect_words(&["TABLE"])?;
    let if_exists = tokens.take(&["IF", "EXISTS"]);
    Ok(Statement::DropTable { name: tokens.object_name("a table name")?, if_exists })
}

fn show(tokens: &mut Tokens) -> Result<Option<Statement>> {
    if tokens.take(&["SHOW", "DATABASES"]) || tokens.take(&["SHOW", "SCHEMAS"]) {
        return Ok(Some(Statement::ShowDatabases));
    }
    if tokens.take(&["SHOW", "TABLES"]) {
        let named = tokens.take(&["IN"]) || tokens.take(&["FROM"]);
        let database = if named { Some(tokens.identifier("a database name")?) } else { None };
        return Ok(Some(Statement::ShowTables { database }));
    }
    if tokens.take(&["SHOW", "CREATE", "TABLE"]) {
        return Ok(Some(Statement::ShowCreateTable { name: tokens.object_name("a table name")? }));
    }
    if tokens.take(&["DESCRIBE"]) || tokens.take(&["DESC"]) {
        tokens.take(&["TABLE"]);
        return Ok(Some(Statement::Describe { name: tokens.object_name("a table name")? }));
    }
    if tokens.take(&["SHOW"]) {
        let what = tokens.peek().map_or_else(String::new, ToString::to_string);
        let text = format!("SHOW {what} is not supported; SHOW DATABASES, TABLES and CREATE TABLE are");
        return Err(Error::new(ErrorKind::Unsupported, text));
    }
    Ok(None)
}

fn call(tokens: &mut Tokens) -> Result<Call> {
    let name = tokens.object_name("a procedure such as sys.compact")?;
    let procedure = match name.as_slice() {
        [sys, procedure] if sys.eq_ignore_ascii_case("sys") => procedure.clone(),
        _ => {
            return Err(Error::new(
                ErrorKind::InvalidInput,
                format!("'{}' is not a procedure; procedures are called as sys.NAME(…)", name.join(".")),
            ));
        }
    };
    let mut call = Call { procedure, positional: Vec::new(), named: BTreeMap::new() };
    tokens.expect(&Token::LParen)?;
    while !tokens.take_token(&Token::RParen) {
        match tokens.next() {
            Some(Token::SingleQuotedString(text) | Token::Number(text, _)) => call.positional.push(text),
            Some(Token::Word(word)) if tokens.take_token(&Token::RArrow) => match tokens.next() {
                Some(Token::SingleQuotedString(text) | Token::Number(text, _)) => {
                    call.named.insert(word.value, text);
                }
                Some(Token::Word(value)) => {
                    call.named.insert(word.value, value.value);
                }
                _ => return Err(tokens.unexpected("a literal")),
            },
            Some(Token::Word(word)) => call.positional.push(word.value),
            _ => return Err(tokens.unexpected("an argument")),
        }
        tokens.take_token(&Token::Comma);
    }
    Ok(call)
}
