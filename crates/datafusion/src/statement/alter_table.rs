//! `ALTER TABLE` and `COMMENT ON`, as Flink and Spark users write them.

use std::collections::BTreeMap;

use datafusion::sql::sqlparser::tokenizer::Token;
use headwater_metadata::{ColumnPosition, SchemaChange};
use headwater_types::{DataType, ErrorKind};

use super::create_table::{default_text, options};
use super::insert::partition_value;
use super::tokens::Tokens;
use super::types::parse_type;
use crate::{Error, Result};

/// `ALTER TABLE [IF EXISTS] name action`.
#[derive(Debug, PartialEq)]
pub(crate) struct AlterTable {
    pub(crate) name: Vec<String>,
    pub(crate) if_exists: bool,
    pub(crate) action: AlterAction,
}

/// What is done to the table.
#[derive(Debug, PartialEq)]
pub(crate) enum AlterAction {
    /// Changes of the schema, in order.
    Change(Vec<ColumnChange>),
    /// `RENAME TO`.
    RenameTo(Vec<String>),
    /// `DROP PARTITION (…), PARTITION (…)`.
    DropPartitions(Vec<BTreeMap<String, String>>),
}

/// A change, or one that depends on what the column is now.
#[derive(Debug, PartialEq)]
pub(crate) enum ColumnChange {
    Plain(SchemaChange),
    /// A column shall have that type. `ALTER COLUMN … TYPE` keeps its nullability, `MODIFY` does not.
    Retype {
        path: Vec<String>,
        data_type: DataType,
        keep_nullability: bool,
    },
}

impl From<SchemaChange> for ColumnChange {
    fn from(change: SchemaChange) -> Self {
        Self::Plain(change)
    }
}

impl AlterTable {
    /// Reads what follows `ALTER TABLE`.
    pub(crate) fn parse(tokens: &mut Tokens) -> Result<Self> {
        let if_exists = tokens.take(&["IF", "EXISTS"]);
        let name = tokens.object_name("a table name")?;
        Ok(Self { name, if_exists, action: action(tokens)? })
    }

    /// Reads what follows `COMMENT ON`.
    pub(crate) fn parse_comment_on(tokens: &mut Tokens) -> Result<Self> {
        let of_column = tokens.take(&["COLUMN"]);
        if !of_column {
            tokens.expect_words(&["TABLE"])?;
        }
        let mut name = tokens.object_name("a name")?;
        let column = if of_column { name.pop() } else { None };
        tokens.expect_words(&["IS"])?;
        let comment = if tokens.take(&["NULL"]) { None } else { Some(tokens.string("a comment in quotes")?) };
        let change = match column {
            Some(column) => SchemaChange::UpdateColumnComment { path: vec![column], comment },
            None => SchemaChange::UpdateComment { comment },
        };
        if name.is_empty() {
            return Err(Error::new(ErrorKind::InvalidInput, "COMMENT ON COLUMN needs TABLE.COLUMN"));
        }
        Ok(Self { name, if_exists: false, action: AlterAction::Change(vec![change.into()]) })
    }
}

fn action(tokens: &mut Tokens) -> Result<AlterAction> {
    if tokens.take(&["RENAME", "TO"]) {
        return Ok(AlterAction::RenameTo(tokens.object_name("a table name")?));
    }
    if tokens.looking_at(&["DROP", "PARTITION"]) || tokens.looking_at(&["DROP", "IF", "EXISTS", "PARTITION"]) {
        tokens.take(&["DROP"]);
        tokens.take(&["IF", "EXISTS"]);
        return drop_partitions(tokens);
    }
    let mut changes = Vec::new();
    if tokens.take(&["SET"]) {
        tokens.take(&["TBLPROPERTIES"]);
        changes.extend(options(tokens)?.into_iter().map(|(key, value)| set(key, value).into()));
    } else if tokens.take(&["RESET"]) || tokens.take(&["UNSET", "TBLPROPERTIES"]) {
        tokens.take(&["IF", "EXISTS"]);
        reset(tokens, &mut changes)?;
    } else if tokens.take(&["ADD"]) {
        refuse_constraints(tokens)?;
        let several = tokens.take(&["COLUMNS"]) || (!tokens.take(&["COLUMN"]));
        definitions(tokens, several, &mut changes, add)?;
    } else if tokens.take(&["MODIFY"]) {
        refuse_constraints(tokens)?;
        let several = !tokens.take(&["COLUMN"]);
        definitions(tokens, several, &mut changes, modify)?;
    } else if tokens.take(&["CHANGE"]) {
        tokens.take(&["COLUMN"]);
        let old = path(tokens)?;
        let definition = Definition::parse(tokens)?;
        rename_and_modify(old, definition, &mut changes)?;
    } else if tokens.take(&["RENAME"]) {
        tokens.take(&["COLUMN"]);
        let path = path(tokens)?;
        tokens.expect_words(&["TO"])?;
        let new_name = tokens.identifier("a column name")?;
        changes.push(SchemaChange::RenameColumn { path, new_name }.into());
    } else if tokens.take(&["DROP", "PRIMARY", "KEY"]) {
        changes.push(SchemaChange::DropPrimaryKey.into());
    } else if tokens.take(&["DROP"]) {
        drop_columns(tokens, &mut changes)?;
    } else if tokens.take(&["ALTER"]) {
        tokens.take(&["COLUMN"]);
        changes.push(alter_column(tokens)?);
    } else {
        return Err(tokens.unexpected("SET, RESET, ADD, MODIFY, CHANGE, RENAME, DROP or ALTER COLUMN"));
    }
    Ok(AlterAction::Change(changes))
}

/// The comment of a table is an option in both languages.
fn set(key: String, value: String) -> SchemaChange {
    if key == "comment" {
        return SchemaChange::UpdateComment { comment: Some(value) };
    }
    SchemaChange::SetOption { key, value }
}

fn reset(tokens: &mut Tokens, changes: &mut Vec<ColumnChange>) -> Result<()> {
    tokens.expect(&Token::LParen)?;
    loop {
        let key = match tokens.peek() {
            Some(Token::SingleQuotedString(_)) => tokens.string("an option key")?,
            _ => tokens.object_name("an option key")?.join("."),
        };
        let comment = key == "comment";
        let change =
            if comment { SchemaChange::UpdateComment { comment: None } } else { SchemaChange::RemoveOption { key } };
        changes.push(change.into());
        if !tokens.take_token(&Token::Comma) {
            return tokens.expect(&Token::RParen);
        }
    }
}

fn refuse_constraints(tokens: &Tokens) -> Result<()> {
    let refused: [(&[&str], &str); 4] = [
        (&["PRIMARY", "KEY"], "adding or changing a primary key"),
        (&["CONSTRAINT"], "constraints"),
        (&["WATERMARK"], "WATERMARK definitions"),
        (&["PARTITION"], "ADD PARTITION: partitions come into being with their rows, and adding them by name"),
    ];
    for (words, feature) in refused {
        if tokens.looking_at(words) {
            return Err(Error::new(ErrorKind::Unsupported, format!("{feature} is not supported")));
        }
    }
    Ok(())
}

/// `path TYPE [NOT NULL] [COMMENT '…'] [FIRST | AFTER name]`.
struct Definition {
    path: Vec<String>,
    data_type: DataType,
    comment: Option<String>,
    position: Option<ColumnPosition>,
}

impl Definition {
    fn parse(tokens: &mut Tokens) -> Result<Self> {
        let path = path(tokens)?;
        let mut definition = Self { path, data_type: parse_type(tokens)?, comment: None, position: None };
        loop {
            if tokens.take(&["COMMENT"]) {
                definition.comment = Some(tokens.string("a comment in quotes")?);
            } else if tokens.looking_at(&["DEFAULT"]) {
                let text = "DEFAULT in a column definition of ALTER TABLE is not supported, for rows that are there \
                            would not have it; use ALTER COLUMN … SET DEFAULT for rows to come";
                return Err(Error::new(ErrorKind::Unsupported, text));
            } else if let Some(position) = position(tokens)? {
                definition.position = Some(position);
            } else {
                return Ok(definition);
            }
        }
    }
}

fn position(tokens: &mut Tokens) -> Result<Option<ColumnPosition>> {
    Ok(if tokens.take(&["FIRST"]) {
        Some(ColumnPosition::First)
    } else if tokens.take(&["LAST"]) {
        Some(ColumnPosition::Last)
    } else if tokens.take(&["AFTER"]) {
        Some(ColumnPosition::After(tokens.identifier("a column name")?))
    } else if tokens.take(&["BEFORE"]) {
        Some(ColumnPosition::Before(tokens.identifier("a column name")?))
    } else {
        None
    })
}

/// A column, or what lies in it: names with dots between.
fn path(tokens: &mut Tokens) -> Result<Vec<String>> {
    let mut path = vec![tokens.identifier("a column name")?];
    while tokens.take_token(&Token::Period) {
        path.push(tokens.identifier("a member name")?);
    }
    Ok(path)
}

type Apply = fn(Definition, &mut Vec<ColumnChange>) -> Result<()>;

fn definitions(tokens: &mut Tokens, several: bool, changes: &mut Vec<ColumnChange>, apply: Apply) -> Result<()> {
    if !(several && tokens.take_token(&Token::LParen)) {
        return apply(Definition::parse(tokens)?, changes);
    }
    loop {
        refuse_constraints(tokens)?;
        apply(Definition::parse(tokens)?, changes)?;
        if !tokens.take_token(&Token::Comma) {
            return tokens.expect(&Token::RParen);
        }
    }
}

#[expect(clippy::unnecessary_wraps, reason = "one of several ways to apply a definition")]
fn add(definition: Definition, changes: &mut Vec<ColumnChange>) -> Result<()> {
    let Definition { path, data_type, comment, position } = definition;
    changes.push(SchemaChange::AddColumn { path, data_type, comment, position }.into());
    Ok(())
}

fn modify(definition: Definition, changes: &mut Vec<ColumnChange>) -> Result<()> {
    let Definition { path, data_type, comment, position } = definition;
    changes.push(ColumnChange::Retype { path: path.clone(), data_type, keep_nullability: false });
    if comment.is_some() {
        changes.push(SchemaChange::UpdateColumnComment { path: path.clone(), comment }.into());
    }
    if let Some(position) = position {
        changes.push(move_to(path, position)?);
    }
    Ok(())
}

fn rename_and_modify(old: Vec<String>, mut definition: Definition, changes: &mut Vec<ColumnChange>) -> Result<()> {
    let new_name = definition.path.pop().unwrap_or_default();
    let renamed = old.last() != Some(&new_name);
    let rename = SchemaChange::RenameColumn { path: old.clone(), new_name };
    definition.path = old;
    modify(definition, changes)?;
    if renamed {
        changes.push(rename.into());
    }
    Ok(())
}

fn move_to(path: Vec<String>, position: ColumnPosition) -> Result<ColumnChange> {
    match <[String; 1]>::try_from(path) {
        Ok([name]) => Ok(SchemaChange::UpdateColumnPosition { name, position }.into()),
        Err(_) => Err(Error::new(ErrorKind::Unsupported, "moving members of a ROW is not supported")),
    }
}

fn drop_columns(tokens: &mut Tokens, changes: &mut Vec<ColumnChange>) -> Result<()> {
    if tokens.looking_at(&["CONSTRAINT"]) || tokens.looking_at(&["WATERMARK"]) {
        return Err(Error::new(ErrorKind::Unsupported, "dropping constraints and watermarks is not supported"));
    }
    let _one_or_more = tokens.take(&["COLUMNS"]) || tokens.take(&["COLUMN"]);
    let parentheses = tokens.take_token(&Token::LParen);
    loop {
        changes.push(SchemaChange::DropColumn { path: path(tokens)? }.into());
        if !tokens.take_token(&Token::Comma) {
            break;
        }
    }
    if parentheses { tokens.expect(&Token::RParen) } else { Ok(()) }
}

fn alter_column(tokens: &mut Tokens) -> Result<ColumnChange> {
    let path = path(tokens)?;
    Ok(if tokens.take(&["TYPE"]) || tokens.take(&["SET", "DATA", "TYPE"]) {
        ColumnChange::Retype { path, data_type: parse_type(tokens)?, keep_nullability: true }
    } else if tokens.take(&["COMMENT"]) {
        SchemaChange::UpdateColumnComment { path, comment: Some(tokens.string("a comment in quotes")?) }.into()
    } else if tokens.take(&["SET", "NOT", "NULL"]) {
        SchemaChange::UpdateColumnNullability { path, nullable: false }.into()
    } else if tokens.take(&["DROP", "NOT", "NULL"]) {
        SchemaChange::UpdateColumnNullability { path, nullable: true }.into()
    } else if tokens.take(&["SET", "DEFAULT"]) {
        SchemaChange::UpdateColumnDefault { path, default_value: Some(default_text(tokens)?) }.into()
    } else if tokens.take(&["DROP", "DEFAULT"]) {
        SchemaChange::UpdateColumnDefault { path, default_value: None }.into()
    } else if let Some(position) = position(tokens)? {
        move_to(path, position)?
    } else {
        return Err(tokens.unexpected("TYPE, COMMENT, SET, DROP, FIRST or AFTER"));
    })
}

fn drop_partitions(tokens: &mut Tokens) -> Result<AlterAction> {
    let mut specs = Vec::new();
    loop {
        tokens.expect_words(&["PARTITION"])?;
        tokens.expect(&Token::LParen)?;
        let mut spec = BTreeMap::new();
        loop {
            let key = tokens.identifier("a partition column")?;
            tokens.expect(&Token::Eq)?;
            let negative = tokens.take_token(&Token::Minus);
            let value = partition_value(&key, negative, tokens.next())?;
            spec.insert(key, value);
            if !tokens.take_token(&Token::Comma) {
                break;
            }
        }
        tokens.expect(&Token::RParen)?;
        specs.push(spec);
        if !tokens.take_token(&Token::Comma) {
            return Ok(AlterAction::DropPartitions(specs));
        }
    }
}
