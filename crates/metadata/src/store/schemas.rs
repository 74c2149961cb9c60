//! `schema/`: the versions of a table's schema.

use std::sync::Arc;

use dashmap::DashMap;
use headwater_io::FileIo;

use super::{SnapshotStore, at, numbered};
use crate::{Error, ErrorKind, Result, Schema, SchemaChange, TablePaths};

/// How often a change is made anew because somebody else changed the schema at the same time.
const ALTER_TRIES: usize = 100;

/// The schemas of a table's main branch or of another branch; those read are kept. Clones are cheap and share them.
#[derive(Clone)]
pub struct SchemaStore {
    io: FileIo,
    branch: Option<String>,
    read: Arc<DashMap<i64, Arc<Schema>>>,
}

impl SchemaStore {
    /// The schemas below the table directory `io`; `None` is the main branch.
    #[must_use]
    pub fn new(io: FileIo, branch: Option<&str>) -> Self {
        Self { io, branch: branch.filter(|b| *b != "main").map(str::to_owned), read: Arc::default() }
    }

    /// The newest schema; `None` when the directory holds no table.
    ///
    /// # Errors
    /// `Unavailable`, `Corrupt`.
    pub async fn latest(&self) -> Result<Option<Arc<Schema>>> {
        match self.list().await?.last() {
            Some(id) => self.get(*id).await.map(Some),
            None => Ok(None),
        }
    }

    /// The schema with this id.
    ///
    /// # Errors
    /// `NotFound`, `Unavailable`, `Corrupt`.
    pub async fn get(&self, id: i64) -> Result<Arc<Schema>> {
        if let Some(schema) = self.read.get(&id) {
            return Ok(Arc::clone(&schema));
        }
        let path = self.path(id);
        let bytes = self.io.read(&path).await?;
        let schema = Schema::from_json(&bytes).map_err(at(&self.io, &path))?;
        if schema.id != id {
            let message = format!("the schema file of id {id} says its id is {}", schema.id);
            return Err(Error::new(ErrorKind::Corrupt, message).with("path", self.io.full_path(&path)));
        }
        let schema = Arc::new(schema);
        self.read.insert(id, Arc::clone(&schema));
        Ok(schema)
    }

    /// The ids of all schemas, ascending.
    ///
    /// # Errors
    /// `Unavailable`.
    pub async fn list(&self) -> Result<Vec<i64>> {
        let dir = format!("{}schema", TablePaths::branch_prefix(self.branch.as_deref()));
        numbered::ids(&self.io, &dir, "schema-").await
    }

    /// Publishes a schema under its id.
    ///
    /// # Errors
    /// `Exists` when somebody else has taken the id: read the latest and apply the change to that; `Unavailable`.
    pub async fn create(&self, schema: &Schema) -> Result<()> {
        Ok(self.io.create_new(&self.path(schema.id), schema.to_json().into()).await?)
    }

    /// Changes the newest schema and publishes the next one, which it returns. Of changes made at the same time each is
    /// applied to the outcome of those before it. `time_millis` is the time of the change, epoch milliseconds.
    ///
    /// # Errors
    /// `NotFound` when there is no table; those of [`Schema::with_changes`], and nothing is changed then; `Conflict` when
    /// others were faster again and again; `Unavailable`.
    pub async fn alter(&self, changes: &[SchemaChange], time_millis: i64) -> Result<Arc<Schema>> {
        let snapshots = SnapshotStore::new(self.io.clone(), self.branch.as_deref());
        for _ in 0..ALTER_TRIES {
            let missing = || Error::new(ErrorKind::NotFound, "there is no table").with("table", self.io.location());
            let base = self.latest().await?.ok_or_else(missing)?;
            let has_snapshots = snapshots.latest_id().await?.is_some();
            let schema = base.with_changes(changes, has_snapshots, time_millis)?;
            match self.create(&schema).await {
                Ok(()) => return Ok(Arc::new(schema)),
                Err(error) if !matches!(error.kind(), ErrorKind::Exists | ErrorKind::Unavailable) => return Err(error),
                Err(error) => match self.get(schema.id).await {
                    // Ours: only the answer was lost.
                    Ok(found) if *found == schema => return Ok(found),
                    Ok(_) if error.kind() == ErrorKind::Exists => {}
                    _ => return Err(error),
                },
            }
        }
        let message = "others changed the schema again and again; try once more";
        Err(Error::new(ErrorKind::Conflict, message).with("table", self.io.location()))
    }

    fn path(&self, id: i64) -> String {
        TablePaths::schema(self.branch.as_deref(), id)
    }
}
