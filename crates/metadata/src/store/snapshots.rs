//! `snapshot/`: the versions of a table or branch.

use headwater_io::FileIo;

use super::{at, numbered};
use crate::{Error, ErrorKind, Result, Snapshot, TablePaths};

/// How many ids after the earliest are tried when snapshots expire while being looked for.
const EARLIEST_TRIES: i64 = 300;

/// The snapshots of a table's main branch or of another branch. Clones are cheap.
#[derive(Clone)]
pub struct SnapshotStore {
    io: FileIo,
    branch: Option<String>,
}

impl SnapshotStore {
    /// The snapshots below the table directory `io`; `None` is the main branch.
    #[must_use]
    pub fn new(io: FileIo, branch: Option<&str>) -> Self {
        Self { io, branch: branch.filter(|b| *b != "main").map(str::to_owned) }
    }

    /// The id of the newest snapshot, `None` for a table never written.
    ///
    /// The hint file is trusted only while the snapshot after it does not exist; otherwise the directory is listed.
    ///
    /// # Errors
    /// `Unavailable` when the store does not answer.
    ///
    /// # Source
    /// Spec page 05 §7.5.
    pub async fn latest_id(&self) -> Result<Option<i64>> {
        if let Some(hinted) = numbered::hint(&self.io, &self.hint_path("LATEST")).await
            && let Some(next) = hinted.checked_add(1)
            && !self.exists(next).await?
        {
            return Ok(Some(hinted));
        }
        Ok(self.list().await?.last().copied())
    }

    /// The newest snapshot.
    ///
    /// # Errors
    /// `Unavailable`; `Corrupt` or `Unsupported` when it cannot be understood.
    pub async fn latest(&self) -> Result<Option<Snapshot>> {
        let Some(id) = self.latest_id().await? else { return Ok(None) };
        match self.get(id).await {
            // The hint named a snapshot that is gone, as after a rollback: only the directory tells.
            Err(e) if e.kind() == ErrorKind::NotFound => match self.list().await?.last() {
                Some(id) => self.get(*id).await.map(Some),
                None => Ok(None),
            },
            found => found.map(Some),
        }
    }

    /// The id of the oldest snapshot kept.
    ///
    /// # Errors
    /// `Unavailable`.
    pub async fn earliest_id(&self) -> Result<Option<i64>> {
        if let Some(hinted) = numbered::hint(&self.io, &self.hint_path("EARLIEST")).await
            && self.exists(hinted).await?
        {
            return Ok(Some(hinted));
        }
        Ok(self.list().await?.first().copied())
    }

    /// The oldest snapshot kept, also while an expiry removes some.
    ///
    /// # Errors
    /// As [`SnapshotStore::latest`].
    pub async fn earliest(&self) -> Result<Option<Snapshot>> {
        let Some(first) = self.earliest_id().await? else { return Ok(None) };
        for id in first..first.saturating_add(EARLIEST_TRIES) {
            match self.get(id).await {
                Err(e) if e.kind() == ErrorKind::NotFound => {}
                found => return found.map(Some),
            }
        }
        Ok(None)
    }

    /// Whether there is such a snapshot.
    ///
    /// # Errors
    /// `Unavailable`.
    pub async fn exists(&self, id: i64) -> Result<bool> {
        Ok(self.io.exists(&self.path(id)).await?)
    }

    /// The snapshot with this id.
    ///
    /// # Errors
    /// `NotFound` when it never was or has expired, `Unavailable`, `Corrupt`, `Unsupported`.
    pub async fn get(&self, id: i64) -> Result<Snapshot> {
        let path = self.path(id);
        let bytes = match self.io.read(&path).await {
            Err(e) if e.kind() == headwater_io::ErrorKind::NotFound => {
                return Err(Error::new(ErrorKind::NotFound, format!("there is no snapshot {id}, or it has expired"))
                    .with("snapshot", id)
                    .with("path", self.io.full_path(&path)));
            }
            read => read?,
        };
        Snapshot::from_json(&bytes).map_err(at(&self.io, &path))
    }

    /// The ids of all snapshots kept, ascending.
    ///
    /// # Errors
    /// `Unavailable`.
    pub async fn list(&self) -> Result<Vec<i64>> {
        numbered::ids(&self.io, &format!("{}snapshot", self.prefix()), "snapshot-").await
    }

    /// The newest snapshot made at or before a time (epoch milliseconds); `None` when all are later.
    ///
    /// # Errors
    /// As [`SnapshotStore::latest`].
    ///
    /// # Source
    /// Spec page 05 §11.
    pub async fn at_or_before(&self, time_millis: i64) -> Result<Option<Snapshot>> {
        let ids = self.list().await?;
        // Times grow with ids; `low..high` holds the first id that is too late.
        let (mut low, mut high) = (0, ids.len());
        let mut found = None;
        while low < high {
            let middle = low + (high - low) / 2;
            let Some(id) = ids.get(middle) else { break };
            match self.get(*id).await {
                Ok(snapshot) if snapshot.time_millis <= time_millis => {
                    found = Some(snapshot);
                    low = middle + 1;
                }
                Ok(_) => high = middle,
                // Expired meanwhile: everything older is gone, too.
                Err(e) if e.kind() == ErrorKind::NotFound => low = middle + 1,
                Err(e) => return Err(e),
            }
        }
        Ok(found)
    }

    /// Publishes a snapshot under its id.
    ///
    /// # Errors
    /// `Exists` when somebody else has taken the id, `Unavailable` when it may or may not be there.
    pub async fn create(&self, snapshot: &Snapshot) -> Result<()> {
        Ok(self.io.create_new(&self.path(snapshot.id), snapshot.to_json().into()).await?)
    }

    /// Writes the hint `LATEST`. It is advice: a failure leaves the table as good as before.
    ///
    /// # Errors
    /// `Unavailable`.
    pub async fn write_latest_hint(&self, id: i64) -> Result<()> {
        Ok(self.io.overwrite(&self.hint_path("LATEST"), id.to_string().into()).await?)
    }

    /// Writes the hint `EARLIEST`, as expiry does.
    ///
    /// # Errors
    /// `Unavailable`.
    pub async fn write_earliest_hint(&self, id: i64) -> Result<()> {
        Ok(self.io.overwrite(&self.hint_path("EARLIEST"), id.to_string().into()).await?)
    }

    fn path(&self, id: i64) -> String {
        TablePaths::snapshot(self.branch.as_deref(), id)
    }

    fn prefix(&self) -> String {
        TablePaths::branch_prefix(self.branch.as_deref())
    }

    fn hint_path(&self, name: &str) -> String {
        format!("{}snapshot/{name}", self.prefix())
    }
}
