//! New names of columns in keys and options.

use std::collections::BTreeMap;

use crate::SchemaChange;

/// Options whose value lists columns.
const LISTS: [&str; 2] = ["bucket-key", "sequence.field"];

/// `fields.COLUMN.SUFFIX`: the key names one column.
const OF_COLUMN: [&str; 7] = [
    "aggregate-function",
    "ignore-retract",
    "distinct",
    "list-agg-delimiter",
    "map.storage-layout",
    "map.shared-shredding.max-columns",
    "map.shared-shredding.column-placement-policy",
];

/// `fields.COLUMN,COLUMN.SUFFIX`: key and value list columns.
const OF_COLUMNS: [&str; 2] = ["sequence-group", "nested-key"];

/// Columns of the table that get another name. Source: spec page 01 §3.3.
pub(super) struct Renames<'a>(BTreeMap<&'a str, &'a str>);

impl<'a> Renames<'a> {
    /// Those among the changes; members of ROWs are in no option.
    pub(super) fn of(changes: &'a [SchemaChange]) -> Self {
        let rename = |change: &'a SchemaChange| match change {
            SchemaChange::RenameColumn { path, new_name } => match path.as_slice() {
                [name] => Some((name.as_str(), new_name.as_str())),
                _ => None,
            },
            _ => None,
        };
        Self(changes.iter().filter_map(rename).collect())
    }

    pub(super) fn in_names(&self, names: Vec<String>) -> Vec<String> {
        names.into_iter().map(|name| self.new_name(&name).to_owned()).collect()
    }

    pub(super) fn in_options(&self, options: BTreeMap<String, String>) -> BTreeMap<String, String> {
        if self.0.is_empty() {
            return options;
        }
        options.into_iter().map(|(key, value)| self.in_option(key, value)).collect()
    }

    fn in_option(&self, key: String, value: String) -> (String, String) {
        if LISTS.contains(&key.as_str()) {
            let value = self.in_list(&value);
            return (key, value);
        }
        let Some(rest) = key.strip_prefix("fields.") else { return (key, value) };
        for suffix in OF_COLUMN {
            if let Some(column) = before(rest, suffix) {
                return (format!("fields.{}.{suffix}", self.new_name(column)), value);
            }
        }
        for suffix in OF_COLUMNS {
            if let Some(columns) = before(rest, suffix) {
                return (format!("fields.{}.{suffix}", self.in_list(columns)), self.in_list(&value));
            }
        }
        (key, value)
    }

    fn in_list(&self, list: &str) -> String {
        list.split(',').map(|name| self.new_name(name)).collect::<Vec<_>>().join(",")
    }

    fn new_name<'b>(&self, name: &'b str) -> &'b str
    where
        'a: 'b,
    {
        self.0.get(name).copied().unwrap_or(name)
    }
}

/// What stands before `.suffix`.
fn before<'a>(text: &'a str, suffix: &str) -> Option<&'a str> {
    text.strip_suffix(suffix)?.strip_suffix('.')
}
