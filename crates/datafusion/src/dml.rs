//! `DELETE`, `UPDATE` and `MERGE INTO`: a query finds the rows and what becomes of them, a writer writes that in one commit.
//!
//! Rows of a primary-key table are changed by writing rows of kind `-D` and `+U` with their keys. The query reads the latest
//! snapshot; rows that others write meanwhile are neither seen nor lost. In tables without primary key rows go by where they
//! are stored: the files that hold them are written again, unless somebody else removed one of them meanwhile.

mod addressed;
mod merge;
mod query;
mod write;

use headwater_catalog::Identifier;
use headwater_table::Table;

use self::query::Changed;
use self::write::Counts;
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
    let sql = |changed: &Changed<'_>| Ok(query::delete(changed, condition));
    let rows = changed(session, &table, &identifier, &statement.target, sql, write::Change::Delete).await?;
    message(format!("{} deleted from {identifier}", counted(rows.deleted)))
}

/// Runs UPDATE.
pub(crate) async fn update(session: &SqlSession, statement: Update) -> Result<StatementResult> {
    let (identifier, table) = open(session, &statement.target).await?;
    query::check_columns(&table, statement.assignments.iter().map(|a| a.column.as_str()))?;
    if let Some(key) = statement.assignments.iter().find(|a| table.schema().primary_keys.contains(&a.column)) {
        let text = "a column of the primary key cannot be updated; delete the row and insert another one";
        return Err(Error::new(ErrorKind::InvalidInput, text).with("column", &key.column));
    }
    let sql = |changed: &Changed<'_>| Ok(query::update(changed, &statement));
    let rows = changed(session, &table, &identifier, &statement.target, sql, write::Change::Update).await?;
    message(format!("{} updated in {identifier}", counted(rows.updated)))
}

/// Runs MERGE INTO.
pub(crate) async fn merge(session: &SqlSession, statement: Merge) -> Result<StatementResult> {
    let (identifier, table) = open(session, &statement.target).await?;
    if merge::deletes(&statement) {
        refuse_deletes(&table).map_err(|e| e.with("table", &identifier))?;
    }
    let sql = |changed: &Changed<'_>| merge::query(changed, &statement);
    let counts =
        changed(session, &table, &identifier, &statement.target, sql, write::Change::Merge(&statement)).await?;
    message(format!(
        "{} inserted, {} updated, {} deleted in {identifier}",
        counted(counts.inserted),
        counts.updated,
        counts.deleted
    ))
}

/// Runs the query over the table as it is now and writes what it found.
async fn changed(
    session: &SqlSession,
    table: &Table,
    identifier: &Identifier,
    target: &Target,
    sql: impl Fn(&Changed<'_>) -> Result<String>,
    change: write::Change<'_>,
) -> Result<Counts> {
    let located = |error: Error| error.with("table", identifier);
    let alias = query::alias(target, identifier);
    if table.has_primary_key() {
        let sql = sql(&Changed { table, relation: query::relation(identifier), alias })?;
        return write::by_key(session, table, &sql, change).await.map_err(located);
    }
    let changes = table.row_changes().await.map_err(|e| located(e.into()))?;
    let rows = addressed::register(session, changes.rows())?;
    let sql = sql(&Changed { table, relation: rows.relation(), alias })?;
    write::by_address(session, changes, table, &sql, change).await.map_err(located)
}

async fn open(session: &SqlSession, target: &Target) -> Result<(Identifier, Table)> {
    let identifier = session.resolve(&target.table)?;
    let table = session.warehouse.table(&identifier).await?;
    Ok((identifier, table))
}

/// Tables that would pass over the rows a delete writes.
fn refuse_deletes(table: &Table) -> Result<()> {
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
