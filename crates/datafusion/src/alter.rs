//! `ALTER TABLE`.

use headwater_catalog::Identifier;
use headwater_metadata::{Schema, SchemaChange};
use headwater_types::DataType;

use crate::session::{SqlSession, StatementResult, message};
use crate::statement::{AlterAction, AlterTable, ColumnChange};
use crate::{ErrorKind, Result};

/// Runs the statement.
pub(crate) async fn run(session: &SqlSession, statement: AlterTable) -> Result<StatementResult> {
    let AlterTable { name, if_exists, action } = statement;
    let identifier = session.resolve(&name)?;
    match session.warehouse.catalog.get_table(&identifier).await {
        Err(e) if e.kind() == ErrorKind::NotFound && if_exists => {
            message(format!("there is no table {identifier}; nothing is changed"))
        }
        Err(e) => Err(e.into()),
        Ok(found) => apply(session, &identifier, &found.schema, action).await,
    }
}

async fn apply(
    session: &SqlSession,
    identifier: &Identifier,
    schema: &Schema,
    action: AlterAction,
) -> Result<StatementResult> {
    let catalog = &session.warehouse.catalog;
    match action {
        AlterAction::Change(changes) => {
            let changes: Vec<SchemaChange> = changes.into_iter().filter_map(|change| resolve(schema, change)).collect();
            catalog.alter_table(identifier, &changes, false).await?;
            message(format!("table {identifier} is altered"))
        }
        AlterAction::RenameTo(name) => {
            // A bare name stays in the table's own database.
            let to = match name.as_slice() {
                [table] => Identifier::new(&identifier.database, table),
                name => session.resolve(name)?,
            };
            catalog.rename_table(identifier, &to, false).await?;
            message(format!("table {identifier} is now {to}"))
        }
        AlterAction::DropPartitions(specs) => {
            session.warehouse.table(identifier).await?.drop_partitions(&specs).await?;
            message("partitions are dropped".to_owned())
        }
    }
}

/// A change as the schema takes it; `None` when the column is so already.
fn resolve(schema: &Schema, change: ColumnChange) -> Option<SchemaChange> {
    match change {
        ColumnChange::Plain(change) => Some(change),
        ColumnChange::Retype { path, data_type, keep_nullability } => {
            let now: Option<&DataType> = match path.as_slice() {
                [name] => schema.field(name).map(|field| &field.data_type),
                _ => None,
            };
            match now {
                Some(now) if now.kind() == data_type.kind() => {
                    let nullable = data_type.is_nullable();
                    (!keep_nullability && now.is_nullable() != nullable)
                        .then_some(SchemaChange::UpdateColumnNullability { path, nullable })
                }
                _ => Some(SchemaChange::UpdateColumnType { path, data_type, keep_nullability }),
            }
        }
    }
}
