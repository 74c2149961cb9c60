//! A warehouse as DataFusion's catalog: databases are schemas. Nothing is cached: every query sees the latest snapshots.

use std::fmt;
use std::sync::Arc;

use async_trait::async_trait;
use datafusion::catalog::{CatalogProvider, SchemaProvider, TableProvider};
use headwater_catalog::{Catalog, Identifier};
use headwater_io::Env;
use headwater_table::Table;

use crate::provider::HeadwaterTable;
use crate::statement::split_versioned_name;
use crate::{Error, ErrorKind, Result, system_table};

/// The catalog of a session. Any database name is taken; whether it exists shows when a table is looked for.
#[derive(Clone)]
pub(crate) struct Warehouse {
    pub(crate) catalog: Arc<dyn Catalog>,
    pub(crate) env: Env,
}

impl fmt::Debug for Warehouse {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Warehouse({:?})", self.catalog)
    }
}

impl CatalogProvider for Warehouse {
    fn schema_names(&self) -> Vec<String> {
        Vec::new()
    }

    fn schema(&self, name: &str) -> Option<Arc<dyn SchemaProvider>> {
        Some(Arc::new(Database { warehouse: self.clone(), name: name.to_owned() }))
    }
}

#[derive(Debug)]
struct Database {
    warehouse: Warehouse,
    name: String,
}

#[async_trait]
impl SchemaProvider for Database {
    fn table_names(&self) -> Vec<String> {
        Vec::new()
    }

    async fn table(&self, name: &str) -> datafusion::error::Result<Option<Arc<dyn TableProvider>>> {
        Ok(Some(self.open(name).await?))
    }

    fn table_exist(&self, _name: &str) -> bool {
        true
    }
}

impl Database {
    async fn open(&self, name: &str) -> Result<Arc<dyn TableProvider>> {
        let (name, version) = split_versioned_name(name);
        let (base, system) = name.split_once('$').map_or((name, None), |(base, system)| (base, Some(system)));
        let table = self.warehouse.table(&Identifier::new(&self.name, base)).await?;
        match (system, version) {
            (None, version) => Ok(Arc::new(HeadwaterTable::open(table, version).await?)),
            (Some(system), None) => system_table::open(&table, system).await,
            (Some(_), Some(_)) => {
                Err(Error::new(ErrorKind::Unsupported, "time travel on system tables").with("table", name))
            }
        }
    }
}

impl Warehouse {
    /// Opens a table.
    pub(crate) async fn table(&self, identifier: &Identifier) -> Result<Table> {
        let location = self.catalog.get_table(identifier).await?;
        Ok(Table::from_location(location, &self.env)?)
    }
}
