//! The writer's schema, kept to what is needed to read or skip values.

use std::collections::HashMap;
use std::sync::Arc;

use serde_json::Value;

use super::corrupt;
use crate::Result;

/// A writer's type. Logical types are read as the type below them.
#[derive(Clone, Debug)]
pub(crate) enum AvroType {
    Null,
    Boolean,
    Int,
    Long,
    Float,
    Double,
    Bytes,
    String,
    Fixed(usize),
    Enum,
    Array(Arc<AvroType>),
    Map(Arc<AvroType>),
    Union(Arc<[AvroType]>),
    Record(Arc<RecordType>),
}

/// A record of the writer: fields in the order of their values.
#[derive(Debug)]
pub(crate) struct RecordType {
    pub(crate) fields: Vec<(String, AvroType)>,
}

impl AvroType {
    /// Parses the text of a schema. Types that contain themselves are refused: no manifest has them.
    pub(crate) fn parse(text: &[u8]) -> Result<Self> {
        let json: Value =
            serde_json::from_slice(text).map_err(|e| corrupt("the Avro schema is not valid JSON").with_source(e))?;
        parse(&json, &mut HashMap::new(), 0)
    }

    /// The record this is, also below a union with null.
    pub(crate) fn as_record(&self) -> Option<&RecordType> {
        match self {
            Self::Record(record) => Some(record),
            Self::Union(branches) => branches.iter().find_map(|branch| match branch {
                Self::Record(record) => Some(&**record),
                _ => None,
            }),
            _ => None,
        }
    }

    /// The item type of the array this is, also below a union with null.
    pub(crate) fn as_array(&self) -> Option<&AvroType> {
        match self {
            Self::Array(items) => Some(items),
            Self::Union(branches) => branches.iter().find_map(|branch| match branch {
                Self::Array(items) => Some(&**items),
                _ => None,
            }),
            _ => None,
        }
    }
}

const MAX_DEPTH: usize = 64;

fn parse(json: &Value, named: &mut HashMap<String, AvroType>, depth: usize) -> Result<AvroType> {
    if depth > MAX_DEPTH {
        return Err(corrupt("the Avro schema is nested too deeply"));
    }
    match json {
        Value::String(name) => primitive(name)
            .or_else(|| named.get(name.rsplit('.').next().unwrap_or(name)).cloned())
            .ok_or_else(|| corrupt(format!("the Avro schema names the unknown type '{name}'"))),
        Value::Array(branches) => {
            let branches = branches.iter().map(|b| parse(b, named, depth + 1)).collect::<Result<Vec<_>>>()?;
            Ok(AvroType::Union(branches.into()))
        }
        Value::Object(object) => {
            let kind = object.get("type").ok_or_else(|| corrupt("a type of the Avro schema has no 'type'"))?;
            let below = |key: &str| object.get(key).ok_or_else(|| corrupt(format!("an Avro type has no '{key}'")));
            let parsed = match kind.as_str() {
                Some("record") => AvroType::Record(Arc::new(record(below("fields")?, named, depth)?)),
                Some("array") => return Ok(AvroType::Array(Arc::new(parse(below("items")?, named, depth + 1)?))),
                Some("map") => return Ok(AvroType::Map(Arc::new(parse(below("values")?, named, depth + 1)?))),
                Some("enum") => AvroType::Enum,
                Some("fixed") => {
                    let size = below("size")?.as_u64().and_then(|n| usize::try_from(n).ok());
                    AvroType::Fixed(size.ok_or_else(|| corrupt("a fixed Avro type has no size"))?)
                }
                _ => return parse(kind, named, depth + 1),
            };
            if let Some(name) = object.get("name").and_then(Value::as_str) {
                named.insert(name.rsplit('.').next().unwrap_or(name).to_owned(), parsed.clone());
            }
            Ok(parsed)
        }
        _ => Err(corrupt("the Avro schema holds something that is no type")),
    }
}

fn record(fields: &Value, named: &mut HashMap<String, AvroType>, depth: usize) -> Result<RecordType> {
    let fields = fields.as_array().ok_or_else(|| corrupt("the fields of an Avro record are no array"))?;
    let mut parsed = Vec::with_capacity(fields.len());
    for field in fields {
        let name = field.get("name").and_then(Value::as_str).ok_or_else(|| corrupt("an Avro field has no name"))?;
        let kind = field.get("type").ok_or_else(|| corrupt("an Avro field has no type"))?;
        parsed.push((name.to_owned(), parse(kind, named, depth + 1)?));
    }
    Ok(RecordType { fields: parsed })
}

fn primitive(name: &str) -> Option<AvroType> {
    Some(match name {
        "null" => AvroType::Null,
        "boolean" => AvroType::Boolean,
        "int" => AvroType::Int,
        "long" => AvroType::Long,
        "float" => AvroType::Float,
        "double" => AvroType::Double,
        "bytes" => AvroType::Bytes,
        "string" => AvroType::String,
        _ => return None,
    })
}

/// How to read a record: each writer field in turn goes to a slot of the reader or is skipped.
pub(crate) struct Plan<S> {
    pub(crate) steps: Vec<(Option<S>, AvroType)>,
}

impl<S: Copy> Plan<S> {
    /// Matches the writer's fields by name. `required` slots must be there.
    pub(crate) fn new(record: &RecordType, known: &[(&str, S)], required: usize) -> Result<Self> {
        let slot = |name: &str| known.iter().find(|(known, _)| *known == name).map(|(_, slot)| *slot);
        let steps = record.fields.iter().map(|(name, kind)| (slot(name), kind.clone())).collect();
        for (name, _) in known.iter().take(required) {
            if !record.fields.iter().any(|(field, _)| field == name) {
                return Err(corrupt(format!("the Avro schema has no field '{name}'")));
            }
        }
        Ok(Self { steps })
    }
}
