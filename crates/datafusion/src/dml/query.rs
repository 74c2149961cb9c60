//! The queries behind DELETE and UPDATE.

use datafusion::arrow::datatypes::DataType as ArrowType;
use headwater_catalog::Identifier;
use headwater_table::Table;
use headwater_types::{DataField, arrow_field};

use crate::statement::{Target, Update};
use crate::{Error, ErrorKind, Result};

/// What a statement changes.
pub(super) struct Changed<'a> {
    pub(super) table: &'a Table,
    /// Its name in a FROM clause.
    pub(super) relation: String,
    /// The name its columns go by.
    pub(super) alias: String,
}

impl Changed<'_> {
    /// The columns that tell a row from all others.
    pub(super) fn identity(&self) -> Vec<String> {
        if self.table.has_primary_key() {
            self.table.schema().primary_keys.clone()
        } else {
            [headwater_table::ROW_FILE, headwater_table::ROW_POSITION].map(str::to_owned).to_vec()
        }
    }
}

/// The rows that shall go: all their columns, or their addresses.
pub(super) fn delete(changed: &Changed<'_>, condition: &str) -> String {
    let alias = &changed.alias;
    let columns: Vec<String> = if changed.table.has_primary_key() {
        changed.table.schema().fields.iter().map(|field| of(alias, &field.name)).collect()
    } else {
        changed.identity().iter().map(|column| of(alias, column)).collect()
    };
    format!("SELECT {} FROM {} AS {alias} WHERE {condition}", columns.join(", "), changed.relation)
}

/// All columns of the rows as they shall be, after their addresses where there is no key.
pub(super) fn update(changed: &Changed<'_>, statement: &Update) -> String {
    let alias = &changed.alias;
    let column = |field: &DataField| {
        let assigned = statement.assignments.iter().find(|assignment| assignment.column == field.name);
        match assigned {
            Some(assignment) => format!("({}) AS {}", assignment.expression, quoted(&field.name)),
            None => of(alias, &field.name),
        }
    };
    let mut columns = Vec::new();
    if !changed.table.has_primary_key() {
        columns.extend(changed.identity().iter().map(|name| of(alias, name)));
    }
    columns.extend(changed.table.schema().fields.iter().map(column));
    let condition = statement.condition.as_deref().unwrap_or("TRUE");
    format!("SELECT {} FROM {} AS {alias} WHERE {condition}", columns.join(", "), changed.relation)
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
