//! Writing the manifests of a plan and creating its snapshot.

use headwater_metadata::Snapshot;

use crate::merge_manifests::merge;
use crate::{Attempt, BaseState, Error, ErrorKind, FileStoreCommit, Plan, Result};

/// The version of snapshot files.
const SNAPSHOT_VERSION: i32 = 3;

/// How the creation of a snapshot ended.
pub(crate) enum Publication {
    /// It is there.
    Done(i64),
    /// Somebody else's snapshot of that id is there; nothing of ours is.
    LostRace,
    /// The store did not answer: it may be there, now or later.
    Unknown(Error),
}

impl FileStoreCommit {
    /// Writes manifests, lists and index manifest, then creates the snapshot. Files of a plan that certainly did not become
    /// a snapshot are removed; after an unknown outcome nothing is.
    pub(crate) async fn publish(&self, base: &BaseState, plan: Plan, attempt: &Attempt) -> Result<Publication> {
        let mut written = Vec::new();
        let snapshot = match self.prepare(base, plan, attempt, &mut written).await {
            Ok(snapshot) => snapshot,
            Err(error) => {
                self.remove(&written).await;
                return Err(error.with("table", self.io.location()));
            }
        };
        let outcome = match self.snapshots.create(&snapshot).await {
            Ok(()) => Publication::Done(snapshot.id),
            Err(error) => self.settle(&snapshot, error.into()).await,
        };
        match &outcome {
            Publication::Done(id) => self.write_hints(*id).await,
            Publication::LostRace => self.remove(&written).await,
            Publication::Unknown(_) => {}
        }
        Ok(outcome)
    }

    /// What a failed creation means: the snapshot is read back and decides.
    async fn settle(&self, ours: &Snapshot, error: Error) -> Publication {
        match self.snapshots.get(ours.id).await {
            Ok(found) if found == *ours => Publication::Done(ours.id),
            Ok(_) if error.kind() == ErrorKind::Exists => Publication::LostRace,
            _ => Publication::Unknown(error),
        }
    }

    async fn prepare(
        &self,
        base: &BaseState,
        plan: Plan,
        attempt: &Attempt,
        written: &mut Vec<String>,
    ) -> Result<Snapshot> {
        let mut metas = Vec::new();
        if let Some(latest) = &base.snapshot {
            metas = self.manifests.read_list(&latest.base_manifest_list, latest.base_manifest_list_size).await?;
            metas.extend(self.manifests.read_list(&latest.delta_manifest_list, latest.delta_manifest_list_size).await?);
        }
        let mut draft = self.manifests.draft();
        let before = merge(&self.manifests, metas, &self.sizes, &mut draft).await?;
        let (base_list, base_size) = draft.list(&before)?;
        let delta = draft.manifests(&plan.delta)?;
        let (delta_list, delta_size) = draft.list(&delta)?;
        let changelog = if plan.changelog.is_empty() {
            None
        } else {
            let changelog = draft.manifests(&plan.changelog)?;
            Some(draft.list(&changelog)?)
        };
        let index_manifest = match &plan.index {
            None => base.snapshot.as_ref().and_then(|s| s.index_manifest.clone()),
            Some(entries) => Some(draft.index_manifest(entries)?),
        };
        *written = draft.names();
        draft.write().await?;
        let schema = self.schemas.latest().await?;
        let schema = schema.ok_or_else(|| Error::new(ErrorKind::NotFound, "the table was dropped while committing"))?;
        let inherited = base.snapshot.as_ref().filter(|s| s.schema_id == schema.id);
        Ok(Snapshot {
            version: SNAPSHOT_VERSION,
            uuid: Some(self.env.uuid()),
            id: plan.snapshot_id,
            schema_id: schema.id,
            base_manifest_list: base_list,
            base_manifest_list_size: Some(base_size),
            delta_manifest_list: delta_list,
            delta_manifest_list_size: Some(delta_size),
            changelog_manifest_list_size: changelog.as_ref().map(|(_, size)| *size),
            changelog_manifest_list: changelog.map(|(name, _)| name),
            index_manifest,
            commit_user: attempt.user.clone(),
            commit_identifier: attempt.identifier,
            commit_kind: attempt.kind,
            time_millis: self.env.now_millis(),
            total_record_count: plan.total_record_count,
            delta_record_count: plan.delta_record_count,
            changelog_record_count: plan.changelog_record_count,
            watermark: plan.watermark,
            statistics: inherited.and_then(|s| s.statistics.clone()),
            properties: Some(attempt.properties.clone()).filter(|p| !p.is_empty()),
            next_row_id: Some(base.snapshot.as_ref().and_then(|s| s.next_row_id).unwrap_or(0)),
            operation: None,
        })
    }

    /// Removes files that nothing refers to; what cannot be removed is an orphan and harms nobody.
    async fn remove(&self, names: &[String]) {
        for name in names {
            if let Err(error) = self.manifests.delete(name).await {
                tracing::debug!(table = self.io.location(), file = name, %error, "an unused manifest stays behind");
            }
        }
    }

    /// Hints spare readers a listing; a snapshot without them is found all the same.
    async fn write_hints(&self, id: i64) {
        let mut result = self.snapshots.write_latest_hint(id).await;
        if id == 1 {
            result = result.and(self.snapshots.write_earliest_hint(id).await);
        }
        if let Err(error) = result {
            tracing::debug!(table = self.io.location(), snapshot_id = id, %error, "a hint was not written");
        }
    }
}
