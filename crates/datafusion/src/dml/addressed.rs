//! A table without primary key as the queries of DELETE, UPDATE and MERGE INTO see it: with the address of every row.

use std::sync::Arc;

use async_trait::async_trait;
use datafusion::arrow::datatypes::{Schema, SchemaRef};
use datafusion::catalog::{
    CatalogProvider, MemoryCatalogProvider, MemorySchemaProvider, SchemaProvider, Session, TableProvider,
};
use datafusion::logical_expr::{Expr, TableProviderFilterPushDown, TableType};
use datafusion::physical_plan::ExecutionPlan;
use datafusion::physical_plan::streaming::PartitionStream;
use headwater_table::AddressedRows;

use super::query::quoted;
use crate::filter::to_predicate;
use crate::provider::{SplitStream, nullable, push_down, streaming};
use crate::session::SqlSession;
use crate::{Error, Result};

/// The catalog that holds these tables while a statement runs.
const CATALOG: &str = "__headwater_changes";
const SCHEMA: &str = "tables";

/// Makes the rows a relation of the session, under a name of its own; returns the name for a FROM clause.
pub(super) fn register(session: &SqlSession, rows: AddressedRows) -> Result<Registration<'_>> {
    let name = session.warehouse.env.uuid();
    let catalog = match session.context.catalog(CATALOG) {
        Some(catalog) => catalog,
        None => {
            let catalog = Arc::new(MemoryCatalogProvider::new());
            catalog.register_schema(SCHEMA, Arc::new(MemorySchemaProvider::new()))?;
            session.context.register_catalog(CATALOG, Arc::<MemoryCatalogProvider>::clone(&catalog));
            catalog
        }
    };
    if let Some(schema) = catalog.schema(SCHEMA) {
        schema.register_table(name.clone(), Arc::new(AddressedTable::new(rows)))?;
    }
    Ok(Registration { session, name })
}

/// The relation, until it is dropped.
pub(super) struct Registration<'a> {
    session: &'a SqlSession,
    name: String,
}

impl Registration<'_> {
    pub(super) fn relation(&self) -> String {
        format!("{}.{}.{}", quoted(CATALOG), quoted(SCHEMA), quoted(&self.name))
    }
}

impl Drop for Registration<'_> {
    fn drop(&mut self) {
        let schema: Option<Arc<dyn SchemaProvider>> =
            self.session.context.catalog(CATALOG).and_then(|catalog| catalog.schema(SCHEMA));
        if let Some(Err(error)) = schema.map(|schema| schema.deregister_table(&self.name)) {
            tracing::warn!(%error, "could not forget a table of a statement");
        }
    }
}

/// Columns: the two of the address, then the table's.
#[derive(Debug)]
struct AddressedTable {
    rows: AddressedRows,
    schema: SchemaRef,
}

/// Columns of an address.
const ADDRESS: usize = 2;

impl AddressedTable {
    fn new(rows: AddressedRows) -> Self {
        let own = nullable(&headwater_types::arrow_schema(rows.fields()));
        let address = [headwater_table::ROW_FILE, headwater_table::ROW_POSITION].map(|name| {
            Arc::new(datafusion::arrow::datatypes::Field::new(
                name,
                datafusion::arrow::datatypes::DataType::Int64,
                false,
            ))
        });
        let fields: Vec<_> = address.into_iter().chain(own.fields().iter().cloned()).collect();
        Self { rows, schema: Arc::new(Schema::new(fields)) }
    }
}

#[async_trait]
impl TableProvider for AddressedTable {
    fn schema(&self) -> SchemaRef {
        Arc::clone(&self.schema)
    }

    fn table_type(&self) -> TableType {
        TableType::Base
    }

    fn supports_filters_pushdown(
        &self,
        filters: &[&Expr],
    ) -> datafusion::error::Result<Vec<TableProviderFilterPushDown>> {
        Ok(push_down(filters, self.rows.fields()))
    }

    async fn scan(
        &self,
        _state: &dyn Session,
        projection: Option<&Vec<usize>>,
        filters: &[Expr],
        limit: Option<usize>,
    ) -> datafusion::error::Result<Arc<dyn ExecutionPlan>> {
        let all: Vec<usize> = (0..self.schema.fields().len()).collect();
        let wanted = projection.unwrap_or(&all);
        let predicate = to_predicate(filters, self.rows.fields());
        let plan = self.rows.scan().filter(predicate.clone()).plan().await.map_err(Error::from)?;
        let mut names = Vec::new();
        let mut columns = Vec::with_capacity(wanted.len());
        for index in wanted {
            match index.checked_sub(ADDRESS).and_then(|at| self.rows.fields().get(at)) {
                None => columns.push(*index),
                Some(field) => {
                    columns.push(ADDRESS + names.len());
                    names.push(field.name.as_str());
                }
            }
        }
        let read = self.rows.read(&plan).columns(&names).map_err(Error::from)?.filter(predicate);
        let schema = Arc::new(self.schema.project(wanted)?);
        let partitions = (0..read.split_count()).map(|index| -> Arc<dyn PartitionStream> {
            let (schema, columns) = (Arc::clone(&schema), Some(columns.clone()));
            Arc::new(SplitStream { read: read.clone(), index, schema, columns })
        });
        let partitions = partitions.collect();
        streaming(schema, partitions, limit)
    }
}
