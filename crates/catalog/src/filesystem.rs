//! The catalog of a directory: databases are directories `NAME.db`, tables directories in them.

use std::collections::BTreeMap;

use async_trait::async_trait;
use headwater_io::{Env, FileIo};
use headwater_metadata::{Schema, SchemaChange, SchemaStore};

use crate::identifier::check_name;
use crate::{Catalog, Error, ErrorKind, Identifier, NewTable, Result, TableLocation};

#[cfg(test)]
mod tests;

const DATABASE_SUFFIX: &str = ".db";

/// The catalog of a warehouse directory or bucket. Source: spec page 06, `FileSystemCatalog@release-2.0.0`.
#[derive(Clone)]
pub struct FilesystemCatalog {
    warehouse: FileIo,
    env: Env,
}

impl std::fmt::Debug for FilesystemCatalog {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "FilesystemCatalog({})", self.warehouse.location())
    }
}

impl FilesystemCatalog {
    /// The catalog of that warehouse; the directory need not exist yet.
    ///
    /// # Errors
    /// `InvalidInput` or `Unsupported` for a location no store serves.
    pub fn open(warehouse: &str, options: &BTreeMap<String, String>, env: &Env) -> Result<Self> {
        Ok(Self { warehouse: FileIo::open(warehouse, options, env)?, env: env.clone() })
    }

    /// The catalog of a warehouse that is open already.
    #[must_use]
    pub fn new(warehouse: FileIo, env: &Env) -> Self {
        Self { warehouse, env: env.clone() }
    }

    fn database_dir(name: &str) -> String {
        format!("{name}{DATABASE_SUFFIX}")
    }

    fn table_io(&self, identifier: &Identifier) -> FileIo {
        self.warehouse.child(&format!("{}/{}", Self::database_dir(&identifier.database), identifier.table))
    }

    async fn has_database(&self, name: &str) -> Result<bool> {
        Ok(self.list_databases().await?.iter().any(|found| found == name))
    }

    async fn require_database(&self, name: &str) -> Result<()> {
        if self.has_database(name).await? {
            return Ok(());
        }
        let message = format!("there is no database '{name}'; CREATE DATABASE {name} makes one");
        Err(Error::new(ErrorKind::NotFound, message).with("warehouse", self.warehouse.location()))
    }

    async fn latest_schema(io: &FileIo) -> Result<Option<Schema>> {
        Ok(SchemaStore::new(io.clone(), None).latest().await?.map(|schema| schema.as_ref().clone()))
    }

    async fn has_table(&self, database: &str, table: &str) -> Result<bool> {
        let io = self.table_io(&Identifier::new(database, table));
        Ok(io.list("schema").await?.iter().any(|file| file.path.starts_with("schema/schema-")))
    }
}

#[async_trait]
impl Catalog for FilesystemCatalog {
    async fn list_databases(&self) -> Result<Vec<String>> {
        let dirs = self.warehouse.list_dirs("").await?;
        let mut names: Vec<String> =
            dirs.iter().filter_map(|dir| dir.strip_suffix(DATABASE_SUFFIX)).map(str::to_owned).collect();
        names.sort();
        Ok(names)
    }

    async fn create_database(&self, name: &str, ignore_if_exists: bool) -> Result<()> {
        check_name("database", name)?;
        if self.has_database(name).await? {
            return if ignore_if_exists {
                Ok(())
            } else {
                Err(Error::new(ErrorKind::Exists, format!("database '{name}' exists already")))
            };
        }
        let dir = Self::database_dir(name);
        self.warehouse.create_dir(&dir).await?;
        if !self.has_database(name).await? {
            // Object stores have no empty directories; every reader passes over a hidden file.
            self.warehouse.overwrite(&format!("{dir}/.keep"), Vec::new().into()).await?;
        }
        Ok(())
    }

    async fn drop_database(&self, name: &str, ignore_if_missing: bool, cascade: bool) -> Result<()> {
        if !self.has_database(name).await? {
            return if ignore_if_missing { Ok(()) } else { self.require_database(name).await };
        }
        let tables = self.list_tables(name).await?;
        if !tables.is_empty() && !cascade {
            let message = format!("database '{name}' has {} tables; drop them first or say CASCADE", tables.len());
            return Err(Error::new(ErrorKind::InvalidInput, message));
        }
        Ok(self.warehouse.delete_dir(&Self::database_dir(name)).await?)
    }

    async fn list_tables(&self, database: &str) -> Result<Vec<String>> {
        self.require_database(database).await?;
        let mut tables = Vec::new();
        for dir in self.warehouse.list_dirs(&Self::database_dir(database)).await? {
            let name = dir.rsplit('/').next().unwrap_or(&dir).to_owned();
            if self.has_table(database, &name).await? {
                tables.push(name);
            }
        }
        tables.sort();
        Ok(tables)
    }

    async fn get_table(&self, identifier: &Identifier) -> Result<TableLocation> {
        check_name("database", &identifier.database)?;
        check_name("table", &identifier.table)?;
        let io = self.table_io(identifier);
        if let Some(schema) = Self::latest_schema(&io).await? {
            return Ok(TableLocation { identifier: identifier.clone(), io, schema });
        }
        self.require_database(&identifier.database).await?;
        let known = self.list_tables(&identifier.database).await?;
        let hint =
            if known.is_empty() { "it has no tables yet".to_owned() } else { format!("it has {}", known.join(", ")) };
        let message = format!("there is no table '{}' in database '{}'; {hint}", identifier.table, identifier.database);
        Err(Error::new(ErrorKind::NotFound, message).with("warehouse", self.warehouse.location()))
    }

    async fn create_table(&self, identifier: &Identifier, table: NewTable, ignore_if_exists: bool) -> Result<()> {
        check_name("table", &identifier.table)?;
        self.require_database(&identifier.database).await?;
        let exists = || Error::new(ErrorKind::Exists, format!("table '{identifier}' exists already"));
        if self.has_table(&identifier.database, &identifier.table).await? {
            return if ignore_if_exists { Ok(()) } else { Err(exists()) };
        }
        let NewTable { fields, partition_keys, primary_keys, options, comment } = table;
        let schema = Schema::create(fields, partition_keys, primary_keys, options, comment, self.env.now_millis())
            .map_err(|e| Error::from(e).with("table", identifier))?;
        match SchemaStore::new(self.table_io(identifier), None).create(&schema).await {
            Err(e) if e.kind() == ErrorKind::Exists && ignore_if_exists => Ok(()),
            Err(e) if e.kind() == ErrorKind::Exists => Err(exists()),
            other => Ok(other?),
        }
    }

    async fn alter_table(
        &self,
        identifier: &Identifier,
        changes: &[SchemaChange],
        ignore_if_missing: bool,
    ) -> Result<()> {
        match self.get_table(identifier).await {
            Err(e) if e.kind() == ErrorKind::NotFound && ignore_if_missing => return Ok(()),
            found => drop(found?),
        }
        let schemas = SchemaStore::new(self.table_io(identifier), None);
        let altered = schemas.alter(changes, self.env.now_millis()).await;
        altered.map_err(|e| Error::from(e).with("table", identifier))?;
        Ok(())
    }

    async fn rename_table(&self, from: &Identifier, to: &Identifier, ignore_if_missing: bool) -> Result<()> {
        check_name("table", &to.table)?;
        match self.get_table(from).await {
            Err(e) if e.kind() == ErrorKind::NotFound && ignore_if_missing => return Ok(()),
            found => drop(found?),
        }
        self.require_database(&to.database).await?;
        let dir = |table: &Identifier| format!("{}/{}", Self::database_dir(&table.database), table.table);
        match self.warehouse.rename_dir(&dir(from), &dir(to)).await.map_err(Error::from) {
            Err(e) if e.kind() == ErrorKind::Exists => {
                Err(Error::new(ErrorKind::Exists, format!("table '{to}' exists already")))
            }
            other => other.map_err(|e| e.with("table", from)),
        }
    }

    async fn drop_table(&self, identifier: &Identifier, ignore_if_missing: bool) -> Result<()> {
        match self.get_table(identifier).await {
            Ok(found) => Ok(found.io.delete_dir("").await?),
            Err(e) if e.kind() == ErrorKind::NotFound && ignore_if_missing => Ok(()),
            Err(e) => Err(e),
        }
    }
}
