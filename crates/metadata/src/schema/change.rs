//! Changes of a schema.

use headwater_types::DataType;

/// One change of a table's schema. A column is named by its path: the name, then names of ROW members; below an ARRAY
/// `element` and below a MAP `value` stand for what is in it. Source: spec page 01 §3.1, `SchemaChange` of the reference.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SchemaChange {
    /// Sets an option.
    SetOption {
        /// Its key.
        key: String,
        /// Its value.
        value: String,
    },
    /// Takes an option back to its default.
    RemoveOption {
        /// Its key.
        key: String,
    },
    /// Sets the comment of the table, or removes it.
    UpdateComment {
        /// The new one.
        comment: Option<String>,
    },
    /// Adds a column or a member of a ROW.
    AddColumn {
        /// Where, and its name.
        path: Vec<String>,
        /// Its type, nullable. Field ids inside are placeholders.
        data_type: DataType,
        /// Its comment.
        comment: Option<String>,
        /// Its place; `None` for the end, or before the partition columns when the table says so.
        position: Option<ColumnPosition>,
    },
    /// Gives a column another name.
    RenameColumn {
        /// Which.
        path: Vec<String>,
        /// The last part of its new path.
        new_name: String,
    },
    /// Removes a column; its values stay in old files, unread.
    DropColumn {
        /// Which.
        path: Vec<String>,
    },
    /// Changes the type of a column; old files are cast when read.
    UpdateColumnType {
        /// Which.
        path: Vec<String>,
        /// The new type.
        data_type: DataType,
        /// Whether nullability stays as it was, whatever the new type says.
        keep_nullability: bool,
    },
    /// Changes whether a column may hold nulls.
    UpdateColumnNullability {
        /// Which.
        path: Vec<String>,
        /// Whether it may.
        nullable: bool,
    },
    /// Sets the comment of a column, or removes it.
    UpdateColumnComment {
        /// Which.
        path: Vec<String>,
        /// The new one.
        comment: Option<String>,
    },
    /// Sets the default value of a column, or removes it. Rows that are there already keep what they have.
    UpdateColumnDefault {
        /// Which.
        path: Vec<String>,
        /// The new one, as text.
        default_value: Option<String>,
    },
    /// Moves a column.
    UpdateColumnPosition {
        /// Which; columns of the table only.
        name: String,
        /// Where to.
        position: ColumnPosition,
    },
    /// Takes the primary key off a table that has no rows yet.
    DropPrimaryKey,
}

/// A place among the columns of a table or the members of a ROW.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ColumnPosition {
    /// Before all others.
    First,
    /// Behind all others.
    Last,
    /// Right behind the one of that name.
    After(String),
    /// Right before the one of that name.
    Before(String),
}
