//! Changes of a table's schema in words: `add a.b INT after c`, `type a BIGINT`, `rename a b`, `drop a`,
//! `nullable a false`, `comment a text`, `default a 5`, `move a first`, `set key=value`, `unset key`.

use headwater_metadata::{ColumnPosition, SchemaChange};
use headwater_types::DataType;
use serde_json::{Value, json};

use super::create::data_type_of;
use crate::{Error, ErrorKind, Result};

/// For the Java driver: the words, types as in schema files.
pub(super) fn words(text: &str) -> Result<Value> {
    let (verb, rest) = text.split_once(' ').unwrap_or((text, ""));
    Ok(match verb {
        "add" | "type" => {
            let (name, data_type, place) = column(rest)?;
            let words = [json!(verb), json!(name), data_type.to_json()];
            words.into_iter().chain(place.into_iter().map(|word| json!(word))).collect()
        }
        "set" => {
            let (key, value) = rest.split_once('=').unwrap_or((rest, ""));
            json!([verb, key, value])
        }
        _ => std::iter::once(verb).chain(rest.split_whitespace()).collect(),
    })
}

/// For Headwater.
pub(super) fn change(text: &str) -> Result<SchemaChange> {
    let words: Vec<&str> = text.split_whitespace().collect();
    let rest = text.split_once(' ').map_or("", |(_, rest)| rest);
    Ok(match words.as_slice() {
        ["add", ..] => {
            let (name, data_type, place) = column(rest)?;
            SchemaChange::AddColumn { path: path(name), data_type, comment: None, position: position(&place) }
        }
        ["type", ..] => {
            let (name, data_type, _) = column(rest)?;
            SchemaChange::UpdateColumnType { path: path(name), data_type, keep_nullability: true }
        }
        ["rename", name, to] => SchemaChange::RenameColumn { path: path(name), new_name: (*to).to_owned() },
        ["drop", name] => SchemaChange::DropColumn { path: path(name) },
        ["nullable", name, nullable] => {
            SchemaChange::UpdateColumnNullability { path: path(name), nullable: *nullable == "true" }
        }
        ["comment", name, comment] => {
            SchemaChange::UpdateColumnComment { path: path(name), comment: Some((*comment).to_owned()) }
        }
        ["default", name, value] => {
            SchemaChange::UpdateColumnDefault { path: path(name), default_value: Some((*value).to_owned()) }
        }
        ["move", name, place @ ..] => {
            let position = position(place).ok_or_else(|| no_change(text))?;
            SchemaChange::UpdateColumnPosition { name: (*name).to_owned(), position }
        }
        ["set", ..] => {
            let (key, value) = rest.split_once('=').unwrap_or((rest, ""));
            SchemaChange::SetOption { key: key.to_owned(), value: value.to_owned() }
        }
        ["unset", key] => SchemaChange::RemoveOption { key: (*key).to_owned() },
        _ => return Err(no_change(text)),
    })
}

/// `name TYPE [first | last | after name | before name]`
fn column(text: &str) -> Result<(&str, DataType, Vec<&str>)> {
    let (name, rest) = text.split_once(' ').unwrap_or((text, ""));
    let words: Vec<&str> = rest.split(' ').collect();
    let place = match words.as_slice() {
        [.., one @ ("first" | "last")] => vec![*one],
        [.., side @ ("after" | "before"), reference] => vec![*side, *reference],
        _ => Vec::new(),
    };
    let of = rest.strip_suffix(place.join(" ").as_str()).unwrap_or(rest);
    Ok((name, data_type_of(of.trim())?, place))
}

fn position(place: &[&str]) -> Option<ColumnPosition> {
    match place {
        ["first"] => Some(ColumnPosition::First),
        ["last"] => Some(ColumnPosition::Last),
        ["after", name] => Some(ColumnPosition::After((*name).to_owned())),
        ["before", name] => Some(ColumnPosition::Before((*name).to_owned())),
        _ => None,
    }
}

fn path(name: &str) -> Vec<String> {
    name.split('.').map(str::to_owned).collect()
}

fn no_change(text: &str) -> Error {
    Error::new(ErrorKind::InvalidInput, format!("'{text}' is no change of a schema"))
}
