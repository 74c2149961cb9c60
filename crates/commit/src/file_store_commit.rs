//! Committing to a table.

use std::collections::BTreeMap;

use headwater_io::{Env, FileIo};
use headwater_metadata::{
    CommitKind, CommitMessage, FileKind, IndexManifestEntry, ManifestCommittable, ManifestEntry, ManifestStore, Schema,
    SchemaStore, Snapshot, SnapshotStore, TablePaths, merge_entries,
};
use headwater_types::{BinaryRow, CoreOptions};

use crate::merge_manifests::MergeSizes;
use crate::overwrite::Scope;
use crate::publish::Publication;
use crate::{Attempt, BaseState, Changes, CollectedChanges, Error, ErrorKind, Result, TableFacts, is_outcome_of, plan};

/// How a commit behaves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CommitOptions {
    /// Whether a commit without changes makes no snapshot.
    pub ignore_empty: bool,
    /// Whether files that are appended are checked against the table: after a recovery, where they may be there already.
    pub check_append: bool,
}

impl Default for CommitOptions {
    fn default() -> Self {
        Self { ignore_empty: true, check_append: false }
    }
}

/// Commits for one user to one table. Any number of processes may do so at once.
///
/// Source: spec page 05 §3-§8, `paimon-core/…/operation/FileStoreCommitImpl.java@release-2.0.0`.
pub struct FileStoreCommit {
    pub(crate) io: FileIo,
    pub(crate) env: Env,
    pub(crate) facts: TableFacts,
    options: CoreOptions,
    user: String,
    pub(crate) schemas: SchemaStore,
    pub(crate) snapshots: SnapshotStore,
    pub(crate) manifests: ManifestStore,
    paths: TablePaths,
    pub(crate) sizes: MergeSizes,
}

/// Where the changes of an attempt come from: the same each time, or worked out anew on every base.
pub(crate) enum Source<'a> {
    Fixed(&'a Changes),
    Overwrite { scope: &'a Scope, added: &'a Changes },
}

impl FileStoreCommit {
    /// A committer for the table whose directory is the root of `io` (main branch).
    ///
    /// # Errors
    /// `Unsupported` for table modes whose commits need more than this crate does; `InvalidInput` for bad options and
    /// for a store that cannot create a file without overwriting.
    pub fn new(io: &FileIo, schema: &Schema, user: impl Into<String>, env: &Env) -> Result<Self> {
        if !io.supports_create_new() {
            let message = "this store cannot create a file without overwriting, which commits need";
            return Err(Error::new(ErrorKind::Unsupported, message).with("table", io.location()));
        }
        let options = schema.core_options()?;
        Ok(Self {
            facts: TableFacts::of(schema, &options)?,
            sizes: MergeSizes::of(&options),
            user: user.into(),
            schemas: SchemaStore::new(io.clone(), None),
            snapshots: SnapshotStore::new(io.clone(), None),
            manifests: ManifestStore::new(io.clone(), schema, env)?,
            paths: TablePaths::with_options(schema, &options)?,
            io: io.clone(),
            env: env.clone(),
            options,
        })
    }

    /// The user this commits for.
    #[must_use]
    pub fn user(&self) -> &str {
        &self.user
    }

    /// Commits what writers made: an APPEND snapshot for what they wrote, then a COMPACT snapshot for what they compacted.
    /// Returns the ids of the snapshots, at most two.
    ///
    /// # Errors
    /// `Conflict` when the changes cannot follow what others committed (the first snapshot may be there already);
    /// `Unavailable` when the table was busy or unreachable for all retries.
    pub async fn commit(&self, committable: &ManifestCommittable, options: CommitOptions) -> Result<Vec<i64>> {
        let changes = CollectedChanges::from_messages(&committable.messages, self.facts.bucket);
        let mut made = Vec::new();
        if !options.ignore_empty || !changes.append.is_empty() {
            let removes = changes.append.removes_rows();
            let kind = if removes { CommitKind::Overwrite } else { CommitKind::Append };
            let check = removes || options.check_append || changes.append.adds_global_index();
            let attempt = self.attempt(kind, committable, check);
            made.push(self.run(&attempt, &Source::Fixed(&changes.append)).await?);
        }
        made.extend(self.commit_compaction(committable, &changes.compact).await?);
        Ok(made)
    }

    async fn commit_compaction(&self, committable: &ManifestCommittable, changes: &Changes) -> Result<Option<i64>> {
        if changes.is_empty() {
            return Ok(None);
        }
        let attempt = self.attempt(CommitKind::Compact, committable, true);
        self.run(&attempt, &Source::Fixed(changes)).await.map(Some)
    }

    fn attempt(&self, kind: CommitKind, committable: &ManifestCommittable, detect_conflicts: bool) -> Attempt {
        Attempt {
            kind,
            user: self.user.clone(),
            identifier: committable.identifier,
            watermark: committable.watermark,
            properties: committable.properties.clone(),
            detect_conflicts,
        }
    }

    /// The committables that this user has not committed yet. `committables` are in the order of their identifiers.
    ///
    /// # Errors
    /// `InvalidInput` when they are not in order.
    pub async fn filter_committed(&self, committables: Vec<ManifestCommittable>) -> Result<Vec<ManifestCommittable>> {
        if !committables.is_sorted_by_key(|c| c.identifier) {
            return Err(Error::new(ErrorKind::InvalidInput, "committables must be in the order of their identifiers"));
        }
        let Some(last) = self.last_identifier().await? else { return Ok(committables) };
        Ok(committables.into_iter().filter(|c| c.identifier > last).collect())
    }

    async fn last_identifier(&self) -> Result<Option<i64>> {
        let mut next = self.snapshots.latest_id().await?;
        while let Some(id) = next.filter(|id| *id > 0) {
            match self.snapshots.get(id).await {
                Ok(snapshot) if snapshot.commit_user == self.user => return Ok(Some(snapshot.commit_identifier)),
                Ok(_) => next = Some(id - 1),
                Err(e) if e.kind() == ErrorKind::NotFound => return Ok(None),
                Err(e) => return Err(e.into()),
            }
        }
        Ok(None)
    }

    /// Replaces partitions by what writers made (which must not hold compaction of old files): with `dynamic` those that the
    /// new files lie in, otherwise those that `partition` matches (all with an empty one).
    ///
    /// # Errors
    /// As [`FileStoreCommit::commit`]; `InvalidInput` for a column that is no partition column, a value that is not of its
    /// type, or new files outside the partitions that are replaced.
    pub async fn overwrite(
        &self,
        partition: &BTreeMap<String, String>,
        dynamic: bool,
        committable: &ManifestCommittable,
    ) -> Result<Vec<i64>> {
        let changes = CollectedChanges::from_messages(&committable.messages, self.facts.bucket);
        let scope = if dynamic && !self.facts.partition_keys.is_empty() {
            Scope::Of(changes.append.changed_partitions())
        } else {
            Scope::matching(&self.facts, std::slice::from_ref(partition))?
        };
        scope.covers(&self.facts, &changes.append)?;
        let attempt = self.attempt(CommitKind::Overwrite, committable, true);
        let mut made = Vec::new();
        // Nothing to write and no partition named: a dynamic overwrite by no rows changes nothing.
        if !scope.is_empty() {
            made.push(self.run(&attempt, &Source::Overwrite { scope: &scope, added: &changes.append }).await?);
        }
        made.extend(self.commit_compaction(committable, &changes.compact).await?);
        Ok(made)
    }

    /// Removes all rows.
    ///
    /// # Errors
    /// As [`FileStoreCommit::commit`].
    pub async fn truncate(&self, identifier: i64) -> Result<Vec<i64>> {
        self.overwrite(&BTreeMap::new(), false, &empty(identifier)).await
    }

    /// Removes the partitions that any of the specs matches.
    ///
    /// # Errors
    /// As [`FileStoreCommit::overwrite`].
    pub async fn drop_partitions(&self, partitions: &[BTreeMap<String, String>], identifier: i64) -> Result<Vec<i64>> {
        if partitions.is_empty() {
            return Err(Error::new(ErrorKind::InvalidInput, "no partition to drop was named"));
        }
        let scope = Scope::matching(&self.facts, partitions)?;
        let attempt = self.attempt(CommitKind::Overwrite, &empty(identifier), true);
        let added = Changes::default();
        Ok(vec![self.run(&attempt, &Source::Overwrite { scope: &scope, added: &added }).await?])
    }

    /// Deletes the files of messages that were not committed and never will be.
    ///
    /// # Errors
    /// `Unavailable`; what could be deleted is.
    pub async fn abort(&self, messages: &[CommitMessage]) -> Result<()> {
        for message in messages {
            let data = &message.data_increment;
            let compact = &message.compact_increment;
            let kept: Vec<&String> = compact.compact_before.iter().map(|f| &f.file_name).collect();
            // An upgraded file is among both: it is still a file of the table.
            let made = data.new_files.iter().chain(&data.changelog_files).chain(&compact.changelog_files);
            let made = made.chain(compact.compact_after.iter().filter(|f| !kept.contains(&&f.file_name)));
            for file in made {
                for path in self.paths.data_file_and_extras(&message.partition, message.bucket, file)? {
                    self.io.delete(&path).await?;
                }
            }
            for file in data.new_index_files.iter().chain(&compact.new_index_files) {
                self.io.delete(&self.paths.index_file(&message.partition, message.bucket, file)?).await?;
            }
        }
        Ok(())
    }

    /// Tries until the snapshot is there, a conflict shows, or patience ends.
    async fn run(&self, attempt: &Attempt, source: &Source<'_>) -> Result<i64> {
        let started = self.env.monotonic();
        let mut retries = 0;
        // The base of the oldest attempt whose outcome is not known.
        let mut unknown_since: Option<i64> = None;
        loop {
            let latest = self.snapshots.latest().await?;
            if let (Some(base), Some(latest)) = (unknown_since, &latest)
                && let Some(id) = self.find_outcome(attempt, base + 1, latest.id).await?
            {
                return Ok(id);
            }
            let base_id = latest.as_ref().map_or(0, |s| s.id);
            let failure = match self.try_once(attempt, source, latest).await? {
                Publication::Done(id) => return Ok(id),
                Publication::LostRace => None,
                Publication::Unknown(error) => {
                    unknown_since.get_or_insert(base_id);
                    Some(error)
                }
            };
            let expired =
                self.options.commit_timeout().is_some_and(|t| self.env.monotonic().saturating_sub(started) > t);
            if expired || retries >= self.options.commit_max_retries() {
                let message = format!("the commit did not get through after {retries} retries; try again");
                let error = Error::new(ErrorKind::Unavailable, message).with("table", self.io.location());
                return Err(match failure {
                    Some(source) => error.with_source(source),
                    None => error,
                });
            }
            self.env.sleep(self.pause(retries)).await;
            retries += 1;
        }
    }

    fn pause(&self, retries: u32) -> std::time::Duration {
        let least = self.options.commit_min_retry_wait();
        let wait = least.saturating_mul(2u32.saturating_pow(retries)).min(self.options.commit_max_retry_wait());
        let jitter = self.env.random_u64() % 200;
        wait + wait.saturating_mul(u32::try_from(jitter).unwrap_or(0)) / 1000
    }

    async fn find_outcome(&self, attempt: &Attempt, from: i64, to: i64) -> Result<Option<i64>> {
        for id in from..=to {
            match self.snapshots.get(id).await {
                Ok(snapshot) if is_outcome_of(&snapshot, attempt) => return Ok(Some(id)),
                Ok(_) => {}
                Err(e) if e.kind() == ErrorKind::NotFound => {}
                Err(e) => return Err(e.into()),
            }
        }
        Ok(None)
    }

    async fn try_once(&self, attempt: &Attempt, source: &Source<'_>, latest: Option<Snapshot>) -> Result<Publication> {
        let base = self.base_state(attempt, source, latest).await?;
        let changes = match source {
            Source::Fixed(changes) => (*changes).clone(),
            Source::Overwrite { scope, added } => scope.replace(&base, added),
        };
        let located = |e: Error| e.with("table", self.io.location()).with("user", &attempt.user);
        let plan = plan(&self.facts, &base, &changes, attempt).map_err(|r| located(r.into_error(&self.facts)))?;
        self.publish(&base, plan, attempt).await
    }

    async fn base_state(&self, attempt: &Attempt, source: &Source<'_>, latest: Option<Snapshot>) -> Result<BaseState> {
        let Some(snapshot) = latest else { return Ok(BaseState::default()) };
        let index: Vec<IndexManifestEntry> = match &snapshot.index_manifest {
            Some(name) => self.manifests.read_index_manifest(name).await?.to_vec(),
            None => Vec::new(),
        };
        let files = match source {
            Source::Fixed(changes) if attempt.detect_conflicts => {
                let partitions = changes.changed_partitions();
                self.live_files(&snapshot, |p| partitions.binary_search(p).is_ok()).await?
            }
            Source::Fixed(_) => Vec::new(),
            Source::Overwrite { scope, .. } => self.live_files(&snapshot, |p| scope.matches(p)).await?,
        };
        Ok(BaseState { snapshot: Some(snapshot), files, index })
    }

    /// The live files of some partitions.
    async fn live_files(&self, snapshot: &Snapshot, wanted: impl Fn(&BinaryRow) -> bool) -> Result<Vec<ManifestEntry>> {
        let mut metas =
            self.manifests.read_list(&snapshot.base_manifest_list, snapshot.base_manifest_list_size).await?;
        metas.extend(self.manifests.read_list(&snapshot.delta_manifest_list, snapshot.delta_manifest_list_size).await?);
        let mut entries = Vec::new();
        for meta in metas {
            let manifest = self.manifests.read_manifest(&meta.file_name, meta.file_size).await?;
            entries.extend(manifest.iter().filter(|entry| wanted(&entry.partition)).cloned());
        }
        let mut live = merge_entries(entries)?;
        live.retain(|entry| entry.kind == FileKind::Add);
        Ok(live)
    }
}

fn empty(identifier: i64) -> ManifestCommittable {
    ManifestCommittable { identifier, watermark: None, properties: BTreeMap::new(), messages: Vec::new() }
}
