//! What every catalog offers.

use std::collections::BTreeMap;
use std::fmt;

use async_trait::async_trait;
use headwater_io::FileIo;
use headwater_metadata::{Schema, SchemaChange};
use headwater_types::DataField;

use crate::{Identifier, Result};

/// Where a table lies, and its newest schema.
#[derive(Clone)]
pub struct TableLocation {
    /// Its name.
    pub identifier: Identifier,
    /// Its directory.
    pub io: FileIo,
    /// Its newest schema.
    pub schema: Schema,
}

/// A table to be created. Field ids are assigned by the catalog.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct NewTable {
    /// Columns in table order.
    pub fields: Vec<DataField>,
    /// Partition columns, in directory order.
    pub partition_keys: Vec<String>,
    /// Primary key, partition columns included.
    pub primary_keys: Vec<String>,
    /// Options.
    pub options: BTreeMap<String, String>,
    /// Comment.
    pub comment: Option<String>,
}

/// Databases and tables of a warehouse.
///
/// Every call sees what other processes did before it; nothing is cached.
#[async_trait]
pub trait Catalog: Send + Sync + fmt::Debug {
    /// The databases, sorted.
    ///
    /// # Errors
    /// `Unavailable`.
    async fn list_databases(&self) -> Result<Vec<String>>;

    /// Creates a database.
    ///
    /// # Errors
    /// `Exists` unless `ignore_if_exists`; `InvalidInput` for a name that cannot be one.
    async fn create_database(&self, name: &str, ignore_if_exists: bool) -> Result<()>;

    /// Drops a database and, with `cascade`, its tables.
    ///
    /// # Errors
    /// `NotFound` unless `ignore_if_missing`; `InvalidInput` when it has tables and `cascade` is not set.
    async fn drop_database(&self, name: &str, ignore_if_missing: bool, cascade: bool) -> Result<()>;

    /// The tables of a database, sorted.
    ///
    /// # Errors
    /// `NotFound` when there is no such database.
    async fn list_tables(&self, database: &str) -> Result<Vec<String>>;

    /// Finds a table.
    ///
    /// # Errors
    /// `NotFound` naming what is missing, the database or the table.
    async fn get_table(&self, identifier: &Identifier) -> Result<TableLocation>;

    /// Creates a table.
    ///
    /// # Errors
    /// `Exists` unless `ignore_if_exists`; `NotFound` for the database; `InvalidInput` or `Unsupported` naming the column,
    /// key or option that is refused. Nothing is created then.
    async fn create_table(&self, identifier: &Identifier, table: NewTable, ignore_if_exists: bool) -> Result<()>;

    /// Changes the schema of a table; all changes or none.
    ///
    /// # Errors
    /// `NotFound` unless `ignore_if_missing`; `InvalidInput` or `Unsupported` naming the change that is refused.
    async fn alter_table(
        &self,
        identifier: &Identifier,
        changes: &[SchemaChange],
        ignore_if_missing: bool,
    ) -> Result<()>;

    /// Gives a table another name, or moves it to another database. Who reads or writes it under the old name at that
    /// moment fails with `NotFound`.
    ///
    /// # Errors
    /// `NotFound` for the table (unless `ignore_if_missing`) or the database it is to go to; `Exists` when the new name is
    /// taken; `Unsupported` where the store cannot move a directory at once.
    async fn rename_table(&self, from: &Identifier, to: &Identifier, ignore_if_missing: bool) -> Result<()>;

    /// Drops a table with all its files.
    ///
    /// # Errors
    /// `NotFound` unless `ignore_if_missing`.
    async fn drop_table(&self, identifier: &Identifier, ignore_if_missing: bool) -> Result<()>;
}
