//! The handle of one table.

use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;

use arrow_schema::SchemaRef;
use headwater_catalog::TableLocation;
use headwater_io::{Env, FileIo};
use headwater_metadata::{ManifestStore, Schema, SchemaStore, SnapshotStore, TablePaths, TagStore};
use headwater_types::{CoreOptions, ErrorKind, arrow_schema};

use crate::handover::Handover;
use crate::{Error, ReadBuilder, Result, ScanBuilder, ScanPlan};

/// A table: its files, its latest schema, its options. Cheap to clone; clones share caches.
///
/// # Examples
/// ```
/// # async fn look() -> headwater_table::Result<()> {
/// use std::collections::BTreeMap;
/// use headwater_io::{Env, FileIo};
/// use headwater_table::Table;
///
/// let env = Env::system();
/// let table = Table::open(FileIo::open("/data/db.db/users", &BTreeMap::new(), &env)?, &env).await?;
/// let plan = table.scan().plan().await?;
/// println!("{} splits; {}", plan.splits.len(), plan.funnel);
/// # Ok(()) }
/// ```
#[derive(Clone)]
pub struct Table(Arc<Inner>);

struct Inner {
    io: FileIo,
    env: Env,
    branch: Option<String>,
    schema: Arc<Schema>,
    options: CoreOptions,
    /// Options given after opening; they win over stored ones.
    dynamic: BTreeMap<String, String>,
    schemas: Arc<SchemaStore>,
    manifests: ManifestStore,
    handover: Arc<Handover>,
}

impl fmt::Debug for Table {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Table")
            .field("location", &self.location())
            .field("schema", &self.0.schema.id)
            .field("branch", &self.0.branch)
            .finish_non_exhaustive()
    }
}

impl Table {
    /// Opens the table in that directory with its latest schema.
    ///
    /// # Errors
    /// `NotFound` when there is no schema; `Corrupt` or `InvalidInput` when the schema or its options do not parse.
    pub async fn open(io: FileIo, env: &Env) -> Result<Self> {
        Self::open_at(io, None, env).await
    }

    /// Opens a branch of the table in that directory.
    ///
    /// # Errors
    /// As [`Table::open`].
    pub async fn open_branch(io: FileIo, branch: &str, env: &Env) -> Result<Self> {
        let branch = (branch != "main").then(|| branch.to_owned());
        Self::open_at(io, branch, env).await
    }

    async fn open_at(io: FileIo, branch: Option<String>, env: &Env) -> Result<Self> {
        let schemas = SchemaStore::new(io.clone(), branch.as_deref());
        let Some(schema) = schemas.latest().await? else {
            let what = if branch.is_some() { "there is no such branch" } else { "there is no table (no schema file)" };
            return Err(Error::new(ErrorKind::NotFound, what).with("path", io.full_path("schema")));
        };
        Self::assemble(io, branch, &schema, BTreeMap::new(), schemas, env)
    }

    /// The table a catalog found.
    ///
    /// # Errors
    /// `InvalidInput` when the schema's options do not parse.
    pub fn from_location(location: TableLocation, env: &Env) -> Result<Self> {
        let schemas = SchemaStore::new(location.io.clone(), None);
        Self::assemble(location.io, None, &Arc::new(location.schema), BTreeMap::new(), schemas, env)
    }

    fn assemble(
        io: FileIo,
        branch: Option<String>,
        schema: &Arc<Schema>,
        dynamic: BTreeMap<String, String>,
        schemas: SchemaStore,
        env: &Env,
    ) -> Result<Self> {
        let (schema, options) = with_dynamic(schema, &dynamic)?;
        let manifests = ManifestStore::new(io.clone(), &schema, env)?;
        Ok(Self(Arc::new(Inner {
            io,
            env: env.clone(),
            branch,
            schema,
            options,
            dynamic,
            schemas: Arc::new(schemas),
            manifests,
            handover: Arc::default(),
        })))
    }

    /// The same table with options for this handle only; they win over stored ones.
    ///
    /// # Errors
    /// `InvalidInput` for an unknown option, a value that does not parse or an option that is fixed at creation;
    /// `Unsupported` for a refused one.
    pub fn with_options(&self, dynamic: BTreeMap<String, String>) -> Result<Self> {
        for (key, value) in &dynamic {
            headwater_types::options::validate_dynamic(&self.0.schema.options, key, value)?;
        }
        let mut all = self.0.dynamic.clone();
        all.extend(dynamic);
        let (schema, options) = with_dynamic(&self.0.schema, &all)?;
        let manifests = ManifestStore::new(self.0.io.clone(), &schema, &self.0.env)?;
        Ok(Self(Arc::new(Inner {
            io: self.0.io.clone(),
            env: self.0.env.clone(),
            branch: self.0.branch.clone(),
            schema,
            options,
            dynamic: all,
            schemas: Arc::clone(&self.0.schemas),
            manifests,
            handover: Arc::clone(&self.0.handover),
        })))
    }

    /// The latest schema when the table was opened; its options include those of [`Table::with_options`].
    #[must_use]
    pub fn schema(&self) -> &Schema {
        &self.0.schema
    }

    pub(crate) fn shared_schema(&self) -> Arc<Schema> {
        Arc::clone(&self.0.schema)
    }

    /// The table's options, typed.
    #[must_use]
    pub fn options(&self) -> &CoreOptions {
        &self.0.options
    }

    /// The Arrow schema of [`Table::schema`].
    #[must_use]
    pub fn arrow_schema(&self) -> SchemaRef {
        arrow_schema(&self.0.schema.fields)
    }

    /// The table's directory.
    #[must_use]
    pub fn io(&self) -> &FileIo {
        &self.0.io
    }

    /// Where the table is, as a path or address.
    #[must_use]
    pub fn location(&self) -> &str {
        self.0.io.location()
    }

    /// Clock, ids and tasks the table works with.
    #[must_use]
    pub fn env(&self) -> &Env {
        &self.0.env
    }

    /// The branch this handle reads and writes; `None` is main.
    #[must_use]
    pub fn branch(&self) -> Option<&str> {
        self.0.branch.as_deref()
    }

    /// The snapshots of the table's branch.
    #[must_use]
    pub fn snapshots(&self) -> SnapshotStore {
        SnapshotStore::new(self.0.io.clone(), self.branch())
    }

    /// The tags of the table's branch.
    #[must_use]
    pub fn tags(&self) -> TagStore {
        TagStore::new(self.0.io.clone(), self.branch())
    }

    /// The schema versions of the table's branch.
    #[must_use]
    pub fn schemas(&self) -> &SchemaStore {
        &self.0.schemas
    }

    pub(crate) fn shared_schemas(&self) -> Arc<SchemaStore> {
        Arc::clone(&self.0.schemas)
    }

    /// The manifests of the table, with a cache that its clones share.
    #[must_use]
    pub fn manifests(&self) -> ManifestStore {
        self.0.manifests.clone()
    }

    /// Where the table's files lie.
    ///
    /// # Errors
    /// `InvalidInput` when a partition key is no column.
    pub fn paths(&self) -> Result<TablePaths> {
        Ok(TablePaths::with_options(&self.0.schema, &self.0.options)?)
    }

    pub(crate) fn handover(&self) -> Arc<Handover> {
        Arc::clone(&self.0.handover)
    }

    /// Whether the table has a primary key.
    #[must_use]
    pub fn has_primary_key(&self) -> bool {
        !self.0.schema.primary_keys.is_empty()
    }

    /// A stored schema with the options of this handle.
    pub(crate) fn with_handle_options(&self, schema: &Arc<Schema>) -> Result<(Arc<Schema>, CoreOptions)> {
        with_dynamic(schema, &self.0.dynamic)
    }

    /// Starts a scan: which files must be read.
    #[must_use]
    pub fn scan(&self) -> ScanBuilder {
        ScanBuilder::new(self.clone())
    }

    /// Starts reading the rows of a plan.
    #[must_use]
    pub fn read(&self, plan: &ScanPlan) -> ReadBuilder {
        ReadBuilder::new(self, plan)
    }
}

fn with_dynamic(schema: &Arc<Schema>, dynamic: &BTreeMap<String, String>) -> Result<(Arc<Schema>, CoreOptions)> {
    if dynamic.is_empty() {
        return Ok((Arc::clone(schema), schema.core_options()?));
    }
    let mut changed = Schema::clone(schema);
    changed.options.extend(dynamic.iter().map(|(k, v)| (k.clone(), v.clone())));
    let options = changed.core_options()?;
    Ok((Arc::new(changed), options))
}
