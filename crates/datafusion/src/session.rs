//! A session: a current database, and statements one after the other.

use std::sync::{Arc, PoisonError, RwLock};

use datafusion::arrow::array::RecordBatch;
use datafusion::arrow::datatypes::SchemaRef;
use datafusion::prelude::{SessionConfig, SessionContext};
use futures::StreamExt as _;
use futures::stream::BoxStream;
use headwater_catalog::{Catalog, Identifier, NewTable};
use headwater_io::Env;

use crate::catalog::Warehouse;
use crate::statement::{CreateTable, Statement, parse, rewrite_time_travel, split_statements};
use crate::{Error, ErrorKind, Result, alter, call, describe, dml, insert};

/// The name queries know the warehouse by.
const CATALOG: &str = "headwater";

/// Choices of a session.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SessionOptions {
    /// The database of names without one.
    pub database: String,
    /// Rows of a batch.
    pub batch_rows: usize,
    /// Parts of a query that run at once; 0 for one a core.
    pub parallelism: usize,
}

impl Default for SessionOptions {
    fn default() -> Self {
        Self { database: "default".to_owned(), batch_rows: 8192, parallelism: 0 }
    }
}

/// What a statement gave.
pub enum StatementResult {
    /// Rows, as they are made, and their columns.
    Rows(BoxStream<'static, Result<RecordBatch>>, SchemaRef),
    /// One sentence saying what was done.
    Message(String),
}

/// Runs SQL over a catalog.
pub struct SqlSession {
    pub(crate) context: SessionContext,
    pub(crate) warehouse: Warehouse,
    database: RwLock<String>,
}

impl SqlSession {
    /// A session over that catalog.
    ///
    /// # Errors
    /// None today.
    pub fn new(catalog: Arc<dyn Catalog>, env: Env, options: SessionOptions) -> Result<Self> {
        let mut config = SessionConfig::new()
            .with_batch_size(options.batch_rows)
            .with_information_schema(false)
            .with_default_catalog_and_schema(CATALOG, &options.database)
            .with_create_default_catalog_and_schema(false);
        if options.parallelism > 0 {
            config = config.with_target_partitions(options.parallelism);
        }
        // Names are case-sensitive, as they are in the format.
        config.options_mut().sql_parser.enable_ident_normalization = false;
        let context = SessionContext::new_with_config(config);
        let warehouse = Warehouse { catalog, env };
        context.register_catalog(CATALOG, Arc::new(warehouse.clone()));
        Ok(Self { context, warehouse, database: RwLock::new(options.database) })
    }

    /// The database of names without one.
    #[must_use]
    pub fn database(&self) -> String {
        self.database.read().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// The statements of a script: split at semicolons outside quotes and comments.
    ///
    /// # Errors
    /// None today.
    pub fn split(&self, script: &str) -> Result<Vec<String>> {
        Ok(split_statements(script).into_iter().map(str::to_owned).collect())
    }

    /// Runs the statements of a script one after the other and returns what each gave. Rows are made while they are
    /// read; everything else is done on return.
    ///
    /// # Errors
    /// Of the first statement that fails; those before it took effect.
    pub async fn execute(&self, script: &str) -> Result<Vec<StatementResult>> {
        let mut results = Vec::new();
        for statement in split_statements(script) {
            results.push(Box::pin(self.run(parse(statement)?)).await?);
        }
        Ok(results)
    }

    async fn run(&self, statement: Statement) -> Result<StatementResult> {
        let catalog = &self.warehouse.catalog;
        match statement {
            Statement::Query(sql) => self.query(&sql).await,
            Statement::Insert(statement) => insert::run(self, statement).await,
            Statement::Delete(statement) => dml::delete(self, statement).await,
            Statement::Update(statement) => dml::update(self, statement).await,
            Statement::Merge(statement) => dml::merge(self, statement).await,
            Statement::CreateTable(statement) => self.create_table(statement).await,
            Statement::AlterTable(statement) => alter::run(self, statement).await,
            Statement::CreateDatabase { name, if_not_exists } => {
                catalog.create_database(&name, if_not_exists).await?;
                message(format!("database {name} is there"))
            }
            Statement::DropDatabase { name, if_exists, cascade } => {
                catalog.drop_database(&name, if_exists, cascade).await?;
                message(format!("database {name} is dropped"))
            }
            Statement::DropTable { name, if_exists } => {
                let identifier = self.resolve(&name)?;
                catalog.drop_table(&identifier, if_exists).await?;
                message(format!("table {identifier} is dropped"))
            }
            Statement::Truncate { name } => {
                let identifier = self.resolve(&name)?;
                call::truncate(&self.warehouse.table(&identifier).await?).await?;
                message(format!("table {identifier} is empty"))
            }
            Statement::Use { database } => {
                self.use_database(&database).await?;
                message(format!("using database {database}"))
            }
            Statement::ShowDatabases => describe::list("database", catalog.list_databases().await?),
            Statement::ShowTables { database } => {
                let database = database.unwrap_or_else(|| self.database());
                describe::list("table", catalog.list_tables(&database).await?)
            }
            Statement::ShowCreateTable { name } => describe::show_create(&self.location(&name).await?),
            Statement::Describe { name } => describe::columns(&self.location(&name).await?),
            Statement::Call(statement) => call::run(self, &statement).await,
        }
    }

    async fn location(&self, name: &[String]) -> Result<headwater_catalog::TableLocation> {
        Ok(self.warehouse.catalog.get_table(&self.resolve(name)?).await?)
    }

    /// The table that a name of one to three parts means.
    pub(crate) fn resolve(&self, name: &[String]) -> Result<Identifier> {
        match name {
            [table] => Ok(Identifier::new(self.database(), table)),
            [database, table] => Ok(Identifier::new(database, table)),
            [catalog, database, table] if catalog == CATALOG => Ok(Identifier::new(database, table)),
            _ => Err(Error::new(
                ErrorKind::InvalidInput,
                format!("'{}' is not a table name: write DATABASE.TABLE", name.join(".")),
            )),
        }
    }

    async fn use_database(&self, database: &str) -> Result<()> {
        // Listing tells a database that does not exist.
        self.warehouse.catalog.list_tables(database).await?;
        database.clone_into(&mut self.database.write().unwrap_or_else(PoisonError::into_inner));
        let state = self.context.state_ref();
        let mut state = state.write();
        database.clone_into(&mut state.config_mut().options_mut().catalog.default_schema);
        Ok(())
    }

    async fn query(&self, sql: &str) -> Result<StatementResult> {
        let frame = self.context.sql(&rewrite_time_travel(sql)?).await?;
        let schema = Arc::clone(frame.schema().inner());
        let stream = frame.execute_stream().await?;
        Ok(StatementResult::Rows(stream.map(|batch| Ok(batch?)).boxed(), schema))
    }

    async fn create_table(&self, statement: CreateTable) -> Result<StatementResult> {
        let identifier = self.resolve(&statement.name)?;
        let table = NewTable {
            fields: statement.fields,
            partition_keys: statement.partition_keys,
            primary_keys: statement.primary_keys,
            options: statement.options,
            comment: statement.comment,
        };
        self.warehouse.catalog.create_table(&identifier, table, statement.if_not_exists).await?;
        message(format!("table {identifier} is there"))
    }
}

#[expect(clippy::unnecessary_wraps, reason = "every statement of the session is fallible")]
pub(crate) fn message(text: String) -> Result<StatementResult> {
    Ok(StatementResult::Message(text))
}

/// A result of one batch that is here already.
pub(crate) fn rows(batch: RecordBatch) -> StatementResult {
    let schema = batch.schema();
    let stream = futures::stream::iter([Ok(batch)]);
    StatementResult::Rows(stream.boxed(), schema)
}
