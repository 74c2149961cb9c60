//! Columns, keys and options.

use headwater_table::Table;
use serde_json::{Value, json};

use crate::error::Result;
use crate::output::Out;

pub(super) fn print(table: &Table, out: &mut Out) -> Result<()> {
    let schema = table.schema();
    if out.is_json() {
        let fields: Vec<Value> = schema
            .fields
            .iter()
            .map(|field| {
                json!({"id": field.id, "name": field.name, "type": field.data_type.to_string(),
                       "comment": field.description, "default": field.default_value})
            })
            .collect();
        return out.object(&json!({"schema": {
            "id": schema.id, "fields": fields, "primaryKeys": schema.primary_keys,
            "partitionKeys": schema.partition_keys, "options": schema.options, "comment": schema.comment,
        }}));
    }
    let rows: Vec<Vec<Value>> = schema
        .fields
        .iter()
        .map(|field| {
            let mut roles = Vec::new();
            if schema.primary_keys.contains(&field.name) {
                roles.push("primary key");
            }
            if schema.partition_keys.contains(&field.name) {
                roles.push("partition");
            }
            vec![
                field.name.clone().into(),
                field.data_type.to_string().into(),
                roles.join(", ").into(),
                field.description.clone().unwrap_or_default().into(),
            ]
        })
        .collect();
    out.say(&format!("schema {}", schema.id))?;
    out.table(&["column", "type", "role", "comment"], &rows)?;
    for (key, value) in &schema.options {
        out.say(&format!("  {key} = {value}"))?;
    }
    Ok(())
}
