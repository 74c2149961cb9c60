//! From what the user names to an open table.

use std::collections::BTreeMap;
use std::path::Path;

use headwater_catalog::{Catalog, FilesystemCatalog, Identifier};
use headwater_io::{Env, FileIo};
use headwater_table::Table;
use headwater_types::ErrorKind;

use crate::error::{Error, Result, invalid};

/// What every command shares: the warehouse, settings of the store, effects.
#[derive(Clone, Debug)]
pub(crate) struct Session {
    pub(crate) warehouse: Option<String>,
    pub(crate) store: BTreeMap<String, String>,
    pub(crate) env: Env,
}

impl Session {
    /// The warehouse, or what to do about having none.
    pub(crate) fn warehouse(&self) -> Result<&str> {
        self.warehouse.as_deref().ok_or_else(|| {
            invalid("no warehouse is named; add --warehouse DIR, set HEADWATER_WAREHOUSE, or name the table by its directory")
        })
    }

    pub(crate) fn catalog(&self) -> Result<FilesystemCatalog> {
        Ok(FilesystemCatalog::open(self.warehouse()?, &self.store, &self.env)?)
    }

    /// Opens `DATABASE.TABLE` of the warehouse, or a table directory when the name looks like a path or is one.
    pub(crate) async fn table(&self, name: &str) -> Result<Table> {
        if is_path(name) {
            return self.table_at(name, None).await;
        }
        let location = self.catalog()?.get_table(&name.parse::<Identifier>()?).await?;
        Ok(Table::open(location.io, &self.env).await?)
    }

    /// Opens a table directory, or a branch of it.
    pub(crate) async fn table_at(&self, location: &str, branch: Option<&str>) -> Result<Table> {
        let io = FileIo::open(location, &self.store, &self.env)?;
        let opened = match branch {
            Some(branch) => Table::open_branch(io, branch, &self.env).await,
            None => Table::open(io, &self.env).await,
        };
        opened.map_err(|error| {
            let error = Error::from(error);
            if error.kind() == ErrorKind::NotFound {
                return error.with(
                    "hint",
                    "a table directory holds schema/schema-0; list the warehouse with `headwater sql 'SHOW TABLES'`",
                );
            }
            error
        })
    }
}

/// Whether a table is named by its directory.
pub(crate) fn is_path(name: &str) -> bool {
    name.contains('/') || name.starts_with('.') || name.contains(':') || Path::new(name).is_dir()
}

/// Splits `k1=v1/k2=v2` (or with commas) into the values of a partition.
pub(crate) fn partition(text: &str) -> Result<BTreeMap<String, String>> {
    text.split(['/', ','])
        .filter(|part| !part.is_empty())
        .map(|part| match part.split_once('=') {
            Some((key, value)) => Ok((key.trim().to_owned(), value.to_owned())),
            None => Err(invalid("a partition is written k=v, several levels k1=v1/k2=v2").with("partition", text)),
        })
        .collect()
}
