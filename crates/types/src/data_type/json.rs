//! Types and fields as in schema files. Source: spec page 01 §2.1 and §2.2.

use std::str::FromStr;

use serde_json::{Map, Value, json};

use super::{DataType, TypeKind};
use crate::{DataField, Error, ErrorKind, Result};

impl DataType {
    /// The form of schema files: a string for atomic types, an object for constructed ones.
    #[must_use]
    pub fn to_json(&self) -> Value {
        let named = |name: &str| Value::String(format!("{name}{}", if self.nullable { "" } else { " NOT NULL" }));
        match &self.kind {
            TypeKind::Array(element) => json!({ "type": named("ARRAY"), "element": element.to_json() }),
            TypeKind::Multiset(element) => json!({ "type": named("MULTISET"), "element": element.to_json() }),
            TypeKind::Map { key, value } => {
                json!({ "type": named("MAP"), "key": key.to_json(), "value": value.to_json() })
            }
            TypeKind::Row(fields) => {
                let fields: Vec<Value> = fields.iter().map(DataField::to_json).collect();
                json!({ "type": named("ROW"), "fields": fields })
            }
            TypeKind::Vector { element, length } => {
                json!({ "type": named("VECTOR"), "element": element.to_json(), "length": length })
            }
            _ => Value::String(self.to_string()),
        }
    }

    /// Reads the form of schema files; unknown keys are ignored.
    ///
    /// # Errors
    /// `InvalidInput` for anything that is not a type.
    pub fn from_json(json: &Value) -> Result<Self> {
        Self::read_json(json, &mut -1)
    }

    /// `next_id` is the last id given to ROW members that carry none.
    fn read_json(json: &Value, next_id: &mut i32) -> Result<Self> {
        let object = match json {
            Value::String(text) => return Self::from_str(text),
            Value::Object(object) => object,
            _ => return Err(invalid(json)),
        };
        let name = object.get("type").and_then(Value::as_str).ok_or_else(|| invalid(json))?;
        let nullable = !name.contains("NOT NULL");
        let part = |key: &str, next_id: &mut i32| {
            object.get(key).ok_or_else(|| invalid(json)).and_then(|p| Self::read_json(p, next_id)).map(Box::new)
        };
        let kind = if name.starts_with("ARRAY") {
            TypeKind::Array(part("element", next_id)?)
        } else if name.starts_with("VECTOR") {
            let length = object.get("length").and_then(Value::as_u64).and_then(|l| u32::try_from(l).ok());
            TypeKind::vector(part("element", next_id)?, length.ok_or_else(|| invalid(json))?)?
        } else if name.starts_with("MULTISET") {
            TypeKind::Multiset(part("element", next_id)?)
        } else if name.starts_with("MAP") {
            TypeKind::Map { key: part("key", next_id)?, value: part("value", next_id)? }
        } else if name.starts_with("ROW") {
            let fields = object.get("fields").and_then(Value::as_array).ok_or_else(|| invalid(json))?;
            TypeKind::Row(fields.iter().map(|f| read_field(f, next_id)).collect::<Result<_>>()?)
        } else {
            return Err(invalid(json));
        };
        Ok(Self::new(kind, nullable))
    }
}

impl DataField {
    /// The form of schema files: `id`, `name`, `type`, and `description` and `defaultValue` where given.
    #[must_use]
    pub fn to_json(&self) -> Value {
        let mut object = Map::new();
        object.insert("id".into(), self.id.into());
        object.insert("name".into(), self.name.clone().into());
        object.insert("type".into(), self.data_type.to_json());
        for (key, text) in [("description", &self.description), ("defaultValue", &self.default_value)] {
            if let Some(text) = text {
                object.insert(key.into(), text.clone().into());
            }
        }
        Value::Object(object)
    }

    /// Reads the form of schema files; unknown keys are ignored, JSON null is absence.
    ///
    /// # Errors
    /// `InvalidInput` when name or type is missing or wrong.
    pub fn from_json(json: &Value) -> Result<Self> {
        read_field(json, &mut -1)
    }
}

fn read_field(json: &Value, next_id: &mut i32) -> Result<DataField> {
    let name = json.get("name").and_then(Value::as_str).ok_or_else(|| invalid(json))?;
    let data_type = DataType::read_json(json.get("type").ok_or_else(|| invalid(json))?, next_id)?;
    let id = match json.get("id").filter(|id| !id.is_null()) {
        Some(id) => id.as_i64().and_then(|id| i32::try_from(id).ok()).ok_or_else(|| invalid(json))?,
        None => {
            *next_id += 1;
            *next_id
        }
    };
    let text = |key: &str| json.get(key).and_then(Value::as_str).map(str::to_owned);
    Ok(DataField {
        id,
        name: name.to_owned(),
        data_type,
        description: text("description"),
        default_value: text("defaultValue"),
    })
}

fn invalid(json: &Value) -> Error {
    Error::new(ErrorKind::InvalidInput, format!("{json} is not a type or field of a schema"))
}

/// Gives new ids to columns and, in post-order, to the ROW members below each, counting up `highest`, the highest id in
/// use (-1 for none). Source: spec page 01 §2.3.
pub fn assign_field_ids(fields: &mut [DataField], highest: &mut i32) {
    for field in fields {
        *highest += 1;
        field.id = *highest;
        assign_below(&mut field.data_type, highest);
    }
}

fn assign_below(data_type: &mut DataType, highest: &mut i32) {
    match &mut data_type.kind {
        TypeKind::Array(element) | TypeKind::Multiset(element) | TypeKind::Vector { element, .. } => {
            assign_below(element, highest);
        }
        TypeKind::Map { key, value } => {
            assign_below(key, highest);
            assign_below(value, highest);
        }
        TypeKind::Row(fields) => {
            for field in fields {
                assign_below(&mut field.data_type, highest);
                *highest += 1;
                field.id = *highest;
            }
        }
        _ => {}
    }
}
