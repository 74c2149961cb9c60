//! One version of a table's schema.

use std::collections::BTreeMap;

use headwater_types::DataField;

/// One version of a table's schema (`schema/schema-N`; `TableSchema` in the reference). Source: spec page 01 §2.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Schema {
    /// Format version: 3 since 0.9.
    pub version: i32,
    /// From 0.
    pub id: i64,
    /// Columns in table order.
    pub fields: Vec<DataField>,
    /// Highest field id ever used.
    pub highest_field_id: i32,
    /// Partition columns, in directory order.
    pub partition_keys: Vec<String>,
    /// Primary key, partition columns included.
    pub primary_keys: Vec<String>,
    /// Table options.
    pub options: BTreeMap<String, String>,
    /// Table comment.
    pub comment: Option<String>,
    /// Creation time, epoch milliseconds.
    pub time_millis: i64,
}

impl Schema {
    /// The primary key without partition columns, in primary-key order: the key stored in files.
    #[must_use]
    pub fn trimmed_primary_keys(&self) -> Vec<String> {
        self.primary_keys.iter().filter(|k| !self.partition_keys.contains(k)).cloned().collect()
    }

    /// The column of that name.
    #[must_use]
    pub fn field(&self, name: &str) -> Option<&DataField> {
        self.fields.iter().find(|f| f.name == name)
    }
}
