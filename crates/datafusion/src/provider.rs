//! A table as DataFusion reads it.

use std::fmt;
use std::sync::Arc;

use async_trait::async_trait;
use datafusion::arrow::datatypes::{Schema, SchemaRef};
use datafusion::catalog::{Session, TableProvider};
use datafusion::common::DataFusionError;
use datafusion::execution::{SendableRecordBatchStream, TaskContext};
use datafusion::logical_expr::{Expr, TableProviderFilterPushDown, TableType};
use datafusion::physical_plan::ExecutionPlan;
use datafusion::physical_plan::stream::RecordBatchStreamAdapter;
use datafusion::physical_plan::streaming::{PartitionStream, StreamingTableExec};
use futures::StreamExt as _;
use headwater_table::{ReadBuilder, ScanBuilder, Table};
use headwater_types::DataField;

use crate::filter::{is_convertible, to_predicate};
use crate::statement::TableVersion;
use crate::{Error, Result};

/// One version of a table.
pub(crate) struct HeadwaterTable {
    table: Table,
    version: Option<Version>,
    fields: Vec<DataField>,
    schema: SchemaRef,
}

/// A version whose text has been read.
#[derive(Clone, Debug)]
enum Version {
    Snapshot(i64),
    Tag(String),
    Timestamp(i64),
}

impl fmt::Debug for HeadwaterTable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("HeadwaterTable")
            .field("location", &self.table.location())
            .field("version", &self.version)
            .finish()
    }
}

impl HeadwaterTable {
    pub(crate) async fn open(table: Table, version: Option<TableVersion>) -> Result<Self> {
        let version = match version {
            None => None,
            Some(TableVersion::Snapshot(id)) => Some(Version::Snapshot(id)),
            Some(TableVersion::Tag(name)) => Some(Version::Tag(name)),
            Some(TableVersion::Timestamp(text)) => Some(Version::Timestamp(parse_time(&text)?)),
        };
        let fields = at(&table, version.as_ref()).schema().await?.fields.clone();
        let schema = nullable(&headwater_types::arrow_schema(&fields));
        Ok(Self { table, version, fields, schema })
    }
}

fn at(table: &Table, version: Option<&Version>) -> ScanBuilder {
    match version {
        None => table.scan(),
        Some(Version::Snapshot(id)) => table.scan().snapshot(*id),
        Some(Version::Tag(name)) => table.scan().tag(name),
        Some(Version::Timestamp(millis)) => table.scan().as_of_timestamp(*millis),
    }
}

/// Epoch milliseconds, or a timestamp taken as UTC.
fn parse_time(text: &str) -> Result<i64> {
    if let Ok(millis) = text.parse() {
        return Ok(millis);
    }
    let kind = headwater_types::TypeKind::Timestamp { precision: 3 };
    match headwater_types::parse_datum(text, &kind.into())? {
        headwater_types::Datum::Timestamp { millis, .. } => Ok(millis),
        _ => Err(Error::new(crate::ErrorKind::InvalidInput, format!("'{text}' is not a time"))),
    }
}

/// Files are left out by what can be said as a predicate of the format; rows are tested again.
pub(crate) fn push_down(filters: &[&Expr], fields: &[DataField]) -> Vec<TableProviderFilterPushDown> {
    let push = |filter: &&Expr| {
        if is_convertible(filter, fields) {
            TableProviderFilterPushDown::Inexact
        } else {
            TableProviderFilterPushDown::Unsupported
        }
    };
    filters.iter().map(push).collect()
}

/// Rows of old files may lack values of columns that are NOT NULL by now.
pub(crate) fn nullable(schema: &SchemaRef) -> SchemaRef {
    let fields: Vec<_> = schema.fields().iter().map(|f| f.as_ref().clone().with_nullable(true)).collect();
    Arc::new(Schema::new(fields))
}

#[async_trait]
impl TableProvider for HeadwaterTable {
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
        Ok(push_down(filters, &self.fields))
    }

    async fn scan(
        &self,
        _state: &dyn Session,
        projection: Option<&Vec<usize>>,
        filters: &[Expr],
        limit: Option<usize>,
    ) -> datafusion::error::Result<Arc<dyn ExecutionPlan>> {
        let predicate = to_predicate(filters, &self.fields);
        let mut scan = at(&self.table, self.version.as_ref()).filter(predicate.clone());
        if let Some(rows) = limit.filter(|_| filters.is_empty()) {
            scan = scan.limit(rows);
        }
        let plan = scan.plan().await.map_err(Error::from)?;
        let names: Vec<&str> = match projection {
            Some(indices) => indices.iter().filter_map(|i| self.fields.get(*i)).map(|f| f.name.as_str()).collect(),
            None => self.fields.iter().map(|f| f.name.as_str()).collect(),
        };
        let read = self.table.read(&plan).columns(&names).map_err(Error::from)?.filter(predicate);
        let schema = match projection {
            Some(indices) => Arc::new(self.schema.project(indices)?),
            None => Arc::clone(&self.schema),
        };
        let partitions = (0..read.split_count()).map(|index| -> Arc<dyn PartitionStream> {
            Arc::new(SplitStream { read: read.clone(), index, schema: Arc::clone(&schema), columns: None })
        });
        let partitions = partitions.collect();
        streaming(schema, partitions, limit)
    }
}

/// A plan of splits, perhaps of none.
pub(crate) fn streaming(
    schema: SchemaRef,
    partitions: Vec<Arc<dyn PartitionStream>>,
    limit: Option<usize>,
) -> datafusion::error::Result<Arc<dyn ExecutionPlan>> {
    if partitions.is_empty() {
        return Ok(Arc::new(datafusion::physical_plan::empty::EmptyExec::new(schema)));
    }
    Ok(Arc::new(StreamingTableExec::try_new(schema, partitions, None, [], false, limit)?))
}

/// One split of a scan.
pub(crate) struct SplitStream {
    pub(crate) read: ReadBuilder,
    pub(crate) index: usize,
    pub(crate) schema: SchemaRef,
    /// Which of the columns read are given, where they are not all of them in their order.
    pub(crate) columns: Option<Vec<usize>>,
}

impl fmt::Debug for SplitStream {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "split {}", self.index)
    }
}

impl PartitionStream for SplitStream {
    fn schema(&self) -> &SchemaRef {
        &self.schema
    }

    fn execute(&self, _context: Arc<TaskContext>) -> SendableRecordBatchStream {
        let schema = Arc::clone(&self.schema);
        let batches = match self.read.split(self.index) {
            Ok(batches) => batches,
            Err(error) => futures::stream::once(async { Err(error) }).boxed(),
        };
        let selected = self.columns.clone();
        let batches = batches.map(move |batch| {
            let mut batch = batch.map_err(|e| DataFusionError::from(Error::from(e)))?;
            if let Some(selected) = &selected {
                batch = batch.project(selected)?;
            }
            let options = datafusion::arrow::array::RecordBatchOptions::new().with_row_count(Some(batch.num_rows()));
            let columns = batch.columns().to_vec();
            Ok(datafusion::arrow::array::RecordBatch::try_new_with_options(Arc::clone(&schema), columns, &options)?)
        });
        Box::pin(RecordBatchStreamAdapter::new(Arc::clone(&self.schema), batches))
    }
}
