//! Which columns of a primary-key table are key, order and value, and how data files name them.

use headwater_metadata::Schema;
use headwater_types::{CoreOptions, DataField, DataType, ErrorKind, TypeKind};

use crate::{Error, Result};

/// What the key columns are called in data files before their own names.
const KEY_PREFIX: &str = "_KEY_";
/// Column of the sequence number in data files.
pub(crate) const SEQUENCE_NUMBER: &str = "_SEQUENCE_NUMBER";
/// Column of the row kind in data files.
pub(crate) const VALUE_KIND: &str = "_VALUE_KIND";
/// What is added to the field id of a column for its key column.
const KEY_FIELD_ID_START: i32 = 1_073_741_823;
/// Field ids of the two system columns.
const SEQUENCE_NUMBER_ID: i32 = i32::MAX - 1;
const VALUE_KIND_ID: i32 = i32::MAX - 2;

/// The columns of a primary-key table as the merge tree sees them.
///
/// Value columns are the table's columns, or some of them after [`Self::project`]. Source: spec page 03 §0.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KeyValueLayout {
    keys: Vec<DataField>,
    values: Vec<DataField>,
    sequence_columns: Vec<usize>,
    sequence_descending: bool,
}

impl KeyValueLayout {
    /// The layout of a table: its trimmed primary key, its `sequence.field` columns, all its columns.
    ///
    /// # Errors
    /// `InvalidInput` when the table has no primary key, or key or sequence columns are not columns of it.
    pub fn new(schema: &Schema) -> Result<Self> {
        let options = CoreOptions::from_map(&schema.options)?;
        Self::from_parts(
            schema.fields.clone(),
            &schema.trimmed_primary_keys(),
            &options.sequence_field(),
            options.sequence_field_descending(),
        )
    }

    /// The layout of these value columns with the named key and sequence columns, in that order.
    ///
    /// # Errors
    /// `InvalidInput` when there is no key column or a name is not among `values`.
    pub fn from_parts(
        values: Vec<DataField>,
        keys: &[String],
        sequence_fields: &[String],
        sequence_descending: bool,
    ) -> Result<Self> {
        if keys.is_empty() {
            return Err(Error::new(
                ErrorKind::InvalidInput,
                "a merge tree needs a primary key with at least one column that is not a partition column",
            ));
        }
        let find = |name: &String| {
            values.iter().position(|f| &f.name == name).ok_or_else(|| {
                Error::new(ErrorKind::InvalidInput, "a key or sequence column is not a column of the table")
                    .with("column", name)
            })
        };
        let keys = keys
            .iter()
            .map(|name| find(name).map(|i| values.get(i).cloned()))
            .collect::<Result<Vec<_>>>()?
            .into_iter()
            .flatten()
            .map(|f| DataField { data_type: f.data_type.with_nullable(false), ..f })
            .collect();
        let sequence_columns = sequence_fields.iter().map(find).collect::<Result<_>>()?;
        Ok(Self { keys, values, sequence_columns, sequence_descending })
    }

    /// The layout that keeps only the named value columns, in that order, followed by the `sequence.field` columns
    /// when they are not among them (a merge cannot do without). Keys stay whole.
    ///
    /// # Errors
    /// `InvalidInput` naming a column the layout does not have.
    pub fn project(&self, columns: &[impl AsRef<str>]) -> Result<Self> {
        let mut values: Vec<DataField> = Vec::with_capacity(columns.len());
        for name in columns {
            let name = name.as_ref();
            let field = self.values.iter().find(|f| f.name == name).ok_or_else(|| {
                Error::new(ErrorKind::InvalidInput, "no such column in the table").with("column", name)
            })?;
            values.push(field.clone());
        }
        let mut sequence_columns = Vec::with_capacity(self.sequence_columns.len());
        for field in self.sequence_columns.iter().filter_map(|&i| self.values.get(i)) {
            let at = values.iter().position(|f| f.name == field.name).unwrap_or_else(|| {
                values.push(field.clone());
                values.len() - 1
            });
            sequence_columns.push(at);
        }
        Ok(Self { keys: self.keys.clone(), values, sequence_columns, sequence_descending: self.sequence_descending })
    }

    /// The key columns under their table names, not nullable, in primary-key order.
    #[must_use]
    pub fn keys(&self) -> &[DataField] {
        &self.keys
    }

    /// The value columns in table or projection order.
    #[must_use]
    pub fn values(&self) -> &[DataField] {
        &self.values
    }

    /// The types of the key columns.
    #[must_use]
    pub fn key_types(&self) -> Vec<DataType> {
        self.keys.iter().map(|f| f.data_type.clone()).collect()
    }

    /// Where each key column stands among the value columns; `None` when it was projected away.
    pub fn key_positions(&self) -> impl Iterator<Item = Option<usize>> + '_ {
        self.keys.iter().map(|key| self.values.iter().position(|v| v.name == key.name))
    }

    /// Where the `sequence.field` columns stand among the value columns, most significant first.
    #[must_use]
    pub fn sequence_columns(&self) -> &[usize] {
        &self.sequence_columns
    }

    /// Whether the smallest user sequence wins.
    #[must_use]
    pub fn sequence_descending(&self) -> bool {
        self.sequence_descending
    }

    /// The columns of a data file in file order: `_KEY_*` (unless thin), `_SEQUENCE_NUMBER`, `_VALUE_KIND`, values.
    /// Source: spec page 03 §0, page 02 §3.
    #[must_use]
    pub fn file_fields(&self, thin: bool) -> Vec<DataField> {
        let mut fields = if thin { Vec::new() } else { self.stored_keys() };
        fields.extend(system_fields());
        fields.extend(self.values.iter().cloned());
        fields
    }

    /// The columns to read from a data file to build a [`crate::KeyValueBatch`]: every key column once, the two system
    /// columns and the other value columns. Read batches go into [`crate::KeyValueBatch::from_read`].
    #[must_use]
    pub fn read_fields(&self, thin: bool) -> Vec<DataField> {
        let mut fields = if thin { self.keys.clone() } else { self.stored_keys() };
        fields.extend(system_fields());
        fields.extend(self.values.iter().filter(|v| !self.is_key(v)).cloned());
        fields
    }

    /// Columns of a data file in which nearly every value is another one: sequence numbers, and a key of one column.
    #[must_use]
    pub fn distinct_columns(&self) -> Vec<String> {
        let mut names = vec![SEQUENCE_NUMBER.to_owned()];
        if let [key] = self.keys.as_slice() {
            names.extend([format!("{KEY_PREFIX}{}", key.name), key.name.clone()]);
        }
        names
    }

    pub(crate) fn is_key(&self, field: &DataField) -> bool {
        self.keys.iter().any(|k| k.name == field.name)
    }

    fn stored_keys(&self) -> Vec<DataField> {
        let stored = |f: &DataField| {
            DataField::new(
                f.id.saturating_add(KEY_FIELD_ID_START),
                format!("{KEY_PREFIX}{}", f.name),
                f.data_type.clone(),
            )
        };
        self.keys.iter().map(stored).collect()
    }
}

fn system_fields() -> [DataField; 2] {
    [
        DataField::new(SEQUENCE_NUMBER_ID, SEQUENCE_NUMBER, DataType::new(TypeKind::BigInt, false)),
        DataField::new(VALUE_KIND_ID, VALUE_KIND, DataType::new(TypeKind::TinyInt, false)),
    ]
}

#[cfg(test)]
mod tests;
