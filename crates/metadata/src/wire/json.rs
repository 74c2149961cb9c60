//! JSON as the reference prints it, and lenient access to JSON as others print it.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use serde_json::{Map, Value};

use crate::{Error, ErrorKind, Result};

/// Prints like Jackson's default pretty printer: two blanks a level of objects, `"key" : value`, arrays on one line
/// with blanks inside the brackets, `{ }` and `[ ]`, no final newline.
pub(super) fn print(value: &Value) -> Vec<u8> {
    let mut out = String::new();
    print_value(value, 0, &mut out);
    out.into_bytes()
}

fn print_value(value: &Value, depth: usize, out: &mut String) {
    match value {
        Value::Object(map) if map.is_empty() => out.push_str("{ }"),
        Value::Object(map) => {
            for (i, (key, value)) in map.iter().enumerate() {
                out.push_str(if i == 0 { "{\n" } else { ",\n" });
                indent(depth + 1, out);
                print_string(key, out);
                out.push_str(" : ");
                print_value(value, depth + 1, out);
            }
            out.push('\n');
            indent(depth, out);
            out.push('}');
        }
        Value::Array(items) if items.is_empty() => out.push_str("[ ]"),
        Value::Array(items) => {
            for (i, item) in items.iter().enumerate() {
                out.push_str(if i == 0 { "[ " } else { ", " });
                print_value(item, depth, out);
            }
            out.push_str(" ]");
        }
        Value::String(text) => print_string(text, out),
        other => {
            let _ = write!(out, "{other}");
        }
    }
}

fn indent(depth: usize, out: &mut String) {
    for _ in 0..depth {
        out.push_str("  ");
    }
}

fn print_string(text: &str, out: &mut String) {
    out.push('"');
    for c in text.chars() {
        match c {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\u{8}' => out.push_str("\\b"),
            '\t' => out.push_str("\\t"),
            '\n' => out.push_str("\\n"),
            '\u{c}' => out.push_str("\\f"),
            '\r' => out.push_str("\\r"),
            c if c < ' ' => {
                let _ = write!(out, "\\u{:04X}", u32::from(c));
            }
            c => out.push(c),
        }
    }
    out.push('"');
}

/// A JSON object being read; `what` names the kind of file in errors.
pub(super) struct Reader {
    what: &'static str,
    map: Map<String, Value>,
}

impl Reader {
    pub(super) fn parse(what: &'static str, bytes: &[u8]) -> Result<Self> {
        match serde_json::from_slice(bytes) {
            Ok(Value::Object(map)) => Ok(Self { what, map }),
            Ok(_) => Err(Error::new(ErrorKind::Corrupt, format!("the {what} file is no JSON object"))),
            Err(e) => {
                Err(Error::new(ErrorKind::Corrupt, format!("the {what} file is not valid JSON: {e}")).with_source(e))
            }
        }
    }

    /// The value of a key; an explicit null is the same as no key.
    pub(super) fn get(&self, key: &str) -> Option<&Value> {
        self.map.get(key).filter(|v| !v.is_null())
    }

    pub(super) fn missing(&self, key: &str) -> Error {
        Error::new(ErrorKind::Corrupt, format!("the {} file has no '{key}'", self.what))
    }

    pub(super) fn wrong(&self, key: &str, value: &Value) -> Error {
        let mut shown = value.to_string();
        if let Some((end, _)) = shown.char_indices().nth(100) {
            shown.truncate(end);
        }
        Error::new(ErrorKind::Corrupt, format!("'{key}' of the {} file cannot be {shown}", self.what))
    }

    pub(super) fn long(&self, key: &str) -> Result<Option<i64>> {
        self.get(key).map(|v| v.as_i64().ok_or_else(|| self.wrong(key, v))).transpose()
    }

    pub(super) fn int(&self, key: &str) -> Result<Option<i32>> {
        let narrow = |v: &Value| v.as_i64().and_then(|n| i32::try_from(n).ok()).ok_or_else(|| self.wrong(key, v));
        self.get(key).map(narrow).transpose()
    }

    pub(super) fn text(&self, key: &str) -> Result<Option<String>> {
        self.get(key).map(|v| v.as_str().map(str::to_owned).ok_or_else(|| self.wrong(key, v))).transpose()
    }

    pub(super) fn required_text(&self, key: &str) -> Result<String> {
        self.text(key)?.ok_or_else(|| self.missing(key))
    }

    pub(super) fn array(&self, key: &str) -> Result<Option<&[Value]>> {
        self.get(key).map(|v| v.as_array().map(Vec::as_slice).ok_or_else(|| self.wrong(key, v))).transpose()
    }

    pub(super) fn texts(&self, key: &str) -> Result<Option<Vec<String>>> {
        let Some(items) = self.array(key)? else { return Ok(None) };
        let text = |v: &Value| v.as_str().map(str::to_owned).ok_or_else(|| self.wrong(key, v));
        items.iter().map(text).collect::<Result<Vec<_>>>().map(Some)
    }

    /// An object of strings; numbers and booleans become their text, nulls are left out.
    pub(super) fn text_map(&self, key: &str) -> Result<Option<BTreeMap<String, String>>> {
        let Some(value) = self.get(key) else { return Ok(None) };
        let object = value.as_object().ok_or_else(|| self.wrong(key, value))?;
        let mut map = BTreeMap::new();
        for (name, value) in object {
            match value {
                Value::Null => continue,
                Value::String(text) => map.insert(name.clone(), text.clone()),
                Value::Number(_) | Value::Bool(_) => map.insert(name.clone(), value.to_string()),
                Value::Array(_) | Value::Object(_) => return Err(self.wrong(key, value)),
            };
        }
        Ok(Some(map))
    }
}

/// Builds an object in the order of the calls.
#[derive(Default)]
pub(super) struct Builder(Map<String, Value>);

impl Builder {
    pub(super) fn put(mut self, key: &str, value: impl Into<Value>) -> Self {
        self.0.insert(key.to_owned(), value.into());
        self
    }

    /// Adds the key only when there is a value: the reference writes no null.
    pub(super) fn put_some(self, key: &str, value: Option<impl Into<Value>>) -> Self {
        match value {
            Some(value) => self.put(key, value),
            None => self,
        }
    }

    pub(super) fn build(self) -> Value {
        Value::Object(self.0)
    }
}

pub(super) fn text_object(map: &BTreeMap<String, String>) -> Value {
    Value::Object(map.iter().map(|(k, v)| (k.clone(), Value::String(v.clone()))).collect())
}
