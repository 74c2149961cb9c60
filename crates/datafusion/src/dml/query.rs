//! The queries behind DELETE and UPDATE.

use datafusion::arrow::datatypes::DataType as ArrowType;
use headwater_catalog::Identifier;
use headwater_table::Table;
use headwater_types::{DataField, arrow_field};

use crate::statement::{Target, Update};
use crate::{Error, ErrorKind, Result};

/// All columns of the rows that shall go.
pub(super) fn delete(table: &Table, identifier: &Identifier, target: &Target, condition: &str) -> String {
    let alias = alias(target, identifier);
    let columns: Vec<String> = table.schema().fields.iter().map(|field| of(&alias, &field.name)).collect();
    format!("SELECT {} FROM {} AS {alias} WHERE {condition}", columns.join(", "), relation(identifier))
}

/// All columns of the rows as they shall be.
pub(super) fn update(table: &Table, identifier: &Identifier, statement: &Update) -> String {
    let alias = alias(&statement.target, identifier);
    let column = |field: &DataField| {
        let assigned = statement.assignments.iter().find(|assignment| assignment.column == field.name);
        match assigned {
            Some(assignment) => format!("({}) AS {}", assignment.expression, quoted(&field.name)),
            None => of(&alias, &field.name),
        }
    };
    let columns: Vec<String> = table.schema().fields.iter().map(column).collect();
    let condition = statement.condition.as_deref().unwrap_or("TRUE");
    format!("SELECT {} FROM {} AS {alias} WHERE {condition}", columns.join(", "), relation(identifier))
}

/// Refuses names that are no columns.
pub(super) fn check_columns<'a>(table: &Table, names: impl IntoIterator<Item = &'a str>) -> Result<()> {
    for name in names {
        if table.schema().field(name).is_none() {
            let known: Vec<&str> = table.schema().fields.iter().map(|f| f.name.as_str()).collect();
            let text = format!("there is no column '{name}'; the columns are {}", known.join(", "));
            return Err(Error::new(ErrorKind::InvalidInput, text));
        }
    }
    Ok(())
}

/// The name the target's columns go by.
pub(super) fn alias(target: &Target, identifier: &Identifier) -> String {
    quoted(target.alias.as_deref().unwrap_or(&identifier.table))
}

/// The table in a FROM clause.
pub(super) fn relation(identifier: &Identifier) -> String {
    format!("{}.{}", quoted(&identifier.database), quoted(&identifier.table))
}

pub(super) fn quoted(name: &str) -> String {
    format!("\"{}\"", name.replace('"', "\"\""))
}

/// A column of a quoted relation.
pub(super) fn of(relation: &str, column: &str) -> String {
    format!("{relation}.{}", quoted(column))
}

/// An expression as a value of a column, so that all branches of a CASE have one type; what does not fit is refused. Nested
/// types have no name in SQL and are taken as they are.
pub(super) fn typed(expression: &str, field: &DataField) -> String {
    match arrow_field(field).data_type() {
        ArrowType::List(_) | ArrowType::Map(..) | ArrowType::Struct(_) | ArrowType::FixedSizeList(..) => {
            format!("({expression})")
        }
        arrow => format!("arrow_cast(({expression}), '{arrow}')"),
    }
}
