//! `DELETE`, `UPDATE` and `MERGE INTO`: a query finds the rows and what becomes of them, a writer writes that in one commit.
//!
//! Rows of a primary-key table are changed by writing rows of kind `-D` and `+U` with their keys. The query reads the latest
//! snapshot; rows that others write meanwhile are neither seen nor lost.

mod merge;
mod query;
mod write;

use headwater_catalog::Identifier;
use headwater_table::Table;
use headwater_types::RowKind;

use crate::session::{SqlSession, StatementResult, message};
use crate::statement::{Delete, Merge, Target, Update};
use crate::{Error, ErrorKind, Result, call};

/// Runs DELETE.
pub(crate) async fn delete(session: &SqlSession, statement: Delete) -> Result<StatementResult> {
    let (identifier, table) = open(session, &statement.target).await?;
    let Some(condition) = &statement.condition else {
        call::truncate(&table).await?;
        return message(format!("all rows deleted from {identifier}"));
    };
    refuse_deletes(&table).map_err(|e| e.with("table", &identifier))?;
    let sql = query::delete(&table, &identifier, &statement.target, condition);
    let rows = write::kind(session, &table, &sql, RowKind::Delete).await.map_err(|e| e.with("table", &identifier))?;
    message(format!("{} deleted from {identifier}", counted(rows)))
}

/// Runs UPDATE.
pub(crate) async fn update(session: &SqlSession, statement: Update) -> Result<StatementResult> {
    let (identifier, table) = open(session, &statement.target).await?;
    refuse_keyless(&table).map_err(|e| e.with("table", &identifier))?;
    query::check_columns(&table, statement.assignments.iter().map(|a| a.column.as_str()))?;
    if let Some(key) = statement.assignments.iter().find(|a| table.schema().primary_keys.contains(&a.column)) {
        let text = "a column of the primary key cannot be updated; delete the row and insert another one";
        return Err(Error::new(ErrorKind::InvalidInput, text).with("column", &key.column));
    }
    let sql = query::update(&table, &identifier, &statement);
    let rows =
        write::kind(session, &table, &sql, RowKind::UpdateAfter).await.map_err(|e| e.with("table", &identifier))?;
    message(format!("{} updated in {identifier}", counted(rows)))
}

/// Runs MERGE INTO.
pub(crate) async fn merge(session: &SqlSession, statement: Merge) -> Result<StatementResult> {
    let (identifier, table) = open(session, &statement.target).await?;
    refuse_keyless(&table).map_err(|e| e.with("table", &identifier))?;
    if merge::deletes(&statement) {
        refuse_deletes(&table).map_err(|e| e.with("table", &identifier))?;
    }
    let sql = merge::query(&table, &identifier, &statement)?;
    let counts = write::merged(session, &table, &sql, &statement).await.map_err(|e| e.with("table", &identifier))?;
    message(format!(
        "{} inserted, {} updated, {} deleted in {identifier}",
        counted(counts.inserted),
        counts.updated,
        counts.deleted
    ))
}

async fn open(session: &SqlSession, target: &Target) -> Result<(Identifier, Table)> {
    let identifier = session.resolve(&target.table)?;
    let table = session.warehouse.table(&identifier).await?;
    Ok((identifier, table))
}

fn refuse_keyless(table: &Table) -> Result<()> {
    if table.has_primary_key() {
        return Ok(());
    }
    let text = "changing rows of tables without primary key is not supported yet";
    Err(Error::new(ErrorKind::Unsupported, text))
}

/// Tables that would pass over the rows a delete writes.
fn refuse_deletes(table: &Table) -> Result<()> {
    refuse_keyless(table)?;
    let options = table.options();
    let text = if options.ignore_delete() {
        "the table has 'ignore-delete' = 'true' and would keep the rows"
    } else if options.rowkind_field().is_some() {
        "the table takes the kind of a row from its 'rowkind.field', so a statement cannot delete rows"
    } else {
        return Ok(());
    };
    Err(Error::new(ErrorKind::InvalidInput, text))
}

fn counted(rows: u64) -> String {
    format!("{rows} {}", if rows == 1 { "row" } else { "rows" })
}
