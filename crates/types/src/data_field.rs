//! Named, numbered columns and ROW members.

use crate::DataType;

/// A column of a table or a member of a ROW. Ids are unique in a schema and never reused; old files are read by them.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct DataField {
    /// Field id, from 0.
    pub id: i32,
    /// Column name, case-sensitive.
    pub name: String,
    /// Type with nullability.
    pub data_type: DataType,
    /// The column's comment.
    pub description: Option<String>,
    /// Text cast to the column's type where a written value is null.
    pub default_value: Option<String>,
}

impl DataField {
    /// A field without comment and default.
    #[must_use]
    pub fn new(id: i32, name: impl Into<String>, data_type: impl Into<DataType>) -> Self {
        Self { id, name: name.into(), data_type: data_type.into(), description: None, default_value: None }
    }
}
