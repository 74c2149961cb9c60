//! `schema/`: the versions of a table's schema.

use std::sync::Arc;

use dashmap::DashMap;
use headwater_io::FileIo;

use super::{at, numbered};
use crate::{Error, ErrorKind, Result, Schema, TablePaths};

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

    fn path(&self, id: i64) -> String {
        TablePaths::schema(self.branch.as_deref(), id)
    }
}
