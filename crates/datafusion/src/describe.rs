//! `SHOW` and `DESCRIBE`.

use std::fmt::Write as _;
use std::sync::Arc;

use datafusion::arrow::array::{ArrayRef, BooleanArray, RecordBatch, StringArray};
use headwater_catalog::TableLocation;
use headwater_types::{DataField, DataType, TypeKind};

use crate::session::{StatementResult, rows};
use crate::{Error, Result};

fn result(columns: Vec<(&str, ArrayRef)>) -> Result<StatementResult> {
    let columns = columns.into_iter().map(|(name, array)| (name, array, true));
    Ok(rows(RecordBatch::try_from_iter_with_nullable(columns).map_err(Error::from_arrow)?))
}

/// One column of names.
pub(crate) fn list(column: &str, names: Vec<String>) -> Result<StatementResult> {
    result(vec![(column, Arc::new(StringArray::from(names)))])
}

/// The columns of a table.
pub(crate) fn columns(table: &TableLocation) -> Result<StatementResult> {
    let schema = &table.schema;
    let fields = || schema.fields.iter();
    let key = |name: &String| match (schema.primary_keys.contains(name), schema.partition_keys.contains(name)) {
        (true, true) => Some("primary key, partition"),
        (true, false) => Some("primary key"),
        (false, true) => Some("partition"),
        (false, false) => None,
    };
    let kinds = fields().map(|f| f.data_type.with_nullable(true).to_string());
    result(vec![
        ("column", Arc::new(fields().map(|f| Some(f.name.as_str())).collect::<StringArray>())),
        ("type", Arc::new(kinds.map(Some).collect::<StringArray>())),
        ("nullable", Arc::new(fields().map(|f| Some(f.data_type.is_nullable())).collect::<BooleanArray>())),
        ("key", Arc::new(fields().map(|f| key(&f.name)).collect::<StringArray>())),
        ("default", Arc::new(fields().map(|f| f.default_value.as_deref()).collect::<StringArray>())),
        ("comment", Arc::new(fields().map(|f| f.description.as_deref()).collect::<StringArray>())),
    ])
}

/// The statement that makes such a table.
pub(crate) fn show_create(table: &TableLocation) -> Result<StatementResult> {
    let schema = &table.schema;
    let mut lines: Vec<String> = Vec::new();
    for field in &schema.fields {
        let mut line = format!("  {} {}", named(&field.name), type_text(&field.data_type));
        if let Some(default) = &field.default_value {
            let _infallible = write!(line, " DEFAULT '{}'", quoted(default));
        }
        if let Some(comment) = &field.description {
            let _infallible = write!(line, " COMMENT '{}'", quoted(comment));
        }
        lines.push(line);
    }
    let names = |names: &[String]| names.iter().map(|n| named(n)).collect::<Vec<_>>().join(", ");
    if !schema.primary_keys.is_empty() {
        lines.push(format!("  PRIMARY KEY ({}) NOT ENFORCED", names(&schema.primary_keys)));
    }
    let mut text = format!("CREATE TABLE {} (\n{}\n)", table.identifier, lines.join(",\n"));
    if let Some(comment) = &schema.comment {
        let _infallible = write!(text, " COMMENT '{}'", quoted(comment));
    }
    if !schema.partition_keys.is_empty() {
        let _infallible = write!(text, " PARTITIONED BY ({})", names(&schema.partition_keys));
    }
    if !schema.options.is_empty() {
        let options = schema.options.iter().map(|(k, v)| format!("  '{}' = '{}'", quoted(k), quoted(v)));
        let _infallible = write!(text, " WITH (\n{}\n)", options.collect::<Vec<_>>().join(",\n"));
    }
    list("statement", vec![text])
}

/// The inside of a text literal.
fn quoted(text: &str) -> String {
    text.replace('\'', "''")
}

fn named(name: &str) -> String {
    format!("\"{}\"", name.replace('"', "\"\""))
}

/// A type as CREATE TABLE reads it, comments of members included.
fn type_text(data_type: &DataType) -> String {
    let kind = match data_type.kind() {
        TypeKind::Array(element) => format!("ARRAY<{}>", type_text(element)),
        TypeKind::Multiset(element) => format!("MULTISET<{}>", type_text(element)),
        TypeKind::Map { key, value } => format!("MAP<{}, {}>", type_text(key), type_text(value)),
        TypeKind::Row(members) => {
            format!("ROW<{}>", members.iter().map(member_text).collect::<Vec<_>>().join(", "))
        }
        other => other.to_string(),
    };
    if data_type.is_nullable() { kind } else { format!("{kind} NOT NULL") }
}

fn member_text(member: &DataField) -> String {
    let mut text = format!("{} {}", named(&member.name), type_text(&member.data_type));
    if let Some(comment) = &member.description {
        let _infallible = write!(text, " COMMENT '{}'", quoted(comment));
    }
    text
}
