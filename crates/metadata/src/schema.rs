//! What follows from a schema: keys and their types, options, and the rules a new schema must keep.

mod alter;
mod change;
mod create;
#[cfg(test)]
mod tests;
mod validate;

pub use change::{ColumnPosition, SchemaChange};
use headwater_types::{CoreOptions, DataField, DataType, TypeKind};

use crate::{Error, ErrorKind, Result, Schema};

/// Added to the id of a key column for its `_KEY_` copy in data files.
const KEY_FIELD_ID_OFFSET: i32 = 1_073_741_823;

impl Schema {
    /// The table options, typed.
    ///
    /// # Errors
    /// `InvalidInput` naming the option that does not parse.
    pub fn core_options(&self) -> Result<CoreOptions> {
        Ok(CoreOptions::from_map(&self.options)?)
    }

    /// The columns that decide the bucket: option `bucket-key`, else the trimmed primary key.
    #[must_use]
    pub fn bucket_keys(&self) -> Vec<String> {
        match self.options.get("bucket-key").filter(|keys| !keys.trim().is_empty()) {
            Some(keys) => keys.split(',').map(str::to_owned).collect(),
            None => self.trimmed_primary_keys(),
        }
    }

    /// The columns of these names, in this order.
    ///
    /// # Errors
    /// `InvalidInput` naming the one that is no column.
    pub fn fields_of(&self, names: &[String]) -> Result<Vec<DataField>> {
        let field = |name: &String| {
            let missing = || Error::new(ErrorKind::InvalidInput, "the table has no such column").with("column", name);
            self.field(name).cloned().ok_or_else(missing)
        };
        names.iter().map(field).collect()
    }

    /// The types of the partition columns, in directory order.
    ///
    /// # Errors
    /// `InvalidInput` when a partition key is no column.
    pub fn partition_types(&self) -> Result<Vec<DataType>> {
        self.types_of(&self.partition_keys)
    }

    /// The types of the trimmed primary key.
    ///
    /// # Errors
    /// `InvalidInput` when a key is no column.
    pub fn trimmed_key_types(&self) -> Result<Vec<DataType>> {
        self.types_of(&self.trimmed_primary_keys())
    }

    /// The types of the columns that decide the bucket.
    ///
    /// # Errors
    /// `InvalidInput` when a key is no column.
    pub fn bucket_key_types(&self) -> Result<Vec<DataType>> {
        self.types_of(&self.bucket_keys())
    }

    /// The key columns as data files of primary-key tables hold them: `_KEY_x` with the column's id + 1073741823.
    ///
    /// # Errors
    /// `InvalidInput` when a key is no column.
    pub fn key_fields(&self) -> Result<Vec<DataField>> {
        let mut fields = self.fields_of(&self.trimmed_primary_keys())?;
        for field in &mut fields {
            field.name = format!("_KEY_{}", field.name);
            field.id = field.id.saturating_add(KEY_FIELD_ID_OFFSET);
            field.description = None;
            field.default_value = None;
        }
        Ok(fields)
    }

    /// Whether a row can move to another partition by an update: some partition column is not in the primary key.
    #[must_use]
    pub fn is_cross_partition_update(&self) -> bool {
        !self.primary_keys.is_empty() && self.partition_keys.iter().any(|key| !self.primary_keys.contains(key))
    }

    fn types_of(&self, names: &[String]) -> Result<Vec<DataType>> {
        Ok(self.fields_of(names)?.into_iter().map(|field| field.data_type).collect())
    }
}

/// All ids of columns and of ROW members below them.
pub(crate) fn collect_ids(fields: &[DataField], ids: &mut Vec<i32>) {
    for field in fields {
        ids.push(field.id);
        collect_below(&field.data_type, ids);
    }
}

fn collect_below(data_type: &DataType, ids: &mut Vec<i32>) {
    match data_type.kind() {
        TypeKind::Row(fields) => collect_ids(fields, ids),
        TypeKind::Array(element) | TypeKind::Multiset(element) | TypeKind::Vector { element, .. } => {
            collect_below(element, ids);
        }
        TypeKind::Map { key, value } => {
            collect_below(key, ids);
            collect_below(value, ids);
        }
        _ => {}
    }
}
