//! Which files a read needs: a snapshot's manifests, pruned, grouped into splits.

mod entries;
mod filter;
mod funnel;
mod split;
mod stats;
mod version;

use std::sync::Arc;

use headwater_metadata::{Schema, Snapshot};
use headwater_types::{CoreOptions, Predicate};

use crate::{Result, Table, support};

pub(crate) use entries::live_entries;
pub(crate) use filter::partition_matches;
pub use funnel::ScanFunnel;
pub use split::Split;
use version::Version;

/// A scan being put together; [`ScanBuilder::plan`] reads manifests, nothing before does.
#[derive(Clone, Debug)]
pub struct ScanBuilder {
    table: Table,
    version: Version,
    /// The state of the table to read whatever came later; it may have no snapshot.
    pinned: Option<Option<Snapshot>>,
    filter: Predicate,
    limit: Option<usize>,
}

/// The files to read and how.
#[derive(Clone, Debug)]
pub struct ScanPlan {
    /// The snapshot that is read; `None` for a table never written to.
    pub snapshot: Option<Snapshot>,
    /// The schema rows are read with: the table's latest, or the snapshot's when one was named.
    pub schema: Arc<Schema>,
    /// Independent parts of the read.
    pub splits: Vec<Arc<Split>>,
    /// How many files were left out, and why.
    pub funnel: ScanFunnel,
    pub(crate) options: CoreOptions,
}

impl ScanBuilder {
    pub(crate) fn new(table: Table) -> Self {
        Self { table, version: Version::Latest, pinned: None, filter: Predicate::True, limit: None }
    }

    /// Leaves out files without a row for which the predicate is true. Several filters must all hold. Rows are not
    /// filtered: give the same predicate to [`crate::ReadBuilder::filter`].
    #[must_use]
    pub fn filter(mut self, predicate: Predicate) -> Self {
        self.filter = self.filter.and(predicate);
        self
    }

    /// Reads the snapshot of that id.
    #[must_use]
    pub fn snapshot(mut self, id: i64) -> Self {
        self.version = Version::Snapshot(id);
        self
    }

    /// Reads the snapshot a tag names.
    #[must_use]
    pub fn tag(mut self, name: impl AsRef<str>) -> Self {
        self.version = Version::Tag(name.as_ref().to_owned());
        self
    }

    /// Reads the newest snapshot that is not younger than that many milliseconds since 1970 UTC.
    #[must_use]
    pub fn as_of_timestamp(mut self, millis: i64) -> Self {
        self.version = Version::Timestamp(millis);
        self
    }

    /// Reads that state of the table, with the schema of the table handle.
    pub(crate) fn pinned(mut self, snapshot: Option<Snapshot>) -> Self {
        self.pinned = Some(snapshot);
        self
    }

    /// Plans only as much as is needed for that many rows; more may be planned, never fewer. Ignored with a filter.
    #[must_use]
    pub fn limit(mut self, rows: usize) -> Self {
        self.limit = Some(rows);
        self
    }

    /// The schema the rows will be read with.
    ///
    /// # Errors
    /// `NotFound` for an unknown snapshot or tag, or none that old.
    pub async fn schema(&self) -> Result<Arc<Schema>> {
        Ok(self.resolve().await?.1)
    }

    async fn resolve(&self) -> Result<(Option<Snapshot>, Arc<Schema>, CoreOptions)> {
        if let Some(snapshot) = &self.pinned {
            return Ok((snapshot.clone(), self.table.shared_schema(), self.table.options().clone()));
        }
        let version = self.version.clone().or_options(&self.table).await?;
        let snapshot = version.resolve(&self.table).await?;
        match &snapshot {
            Some(snapshot) if version != Version::Latest && snapshot.schema_id != self.table.schema().id => {
                let stored = self.table.schemas().get(snapshot.schema_id).await?;
                let (schema, options) = self.table.with_handle_options(&stored)?;
                Ok((Some(snapshot.clone()), schema, options))
            }
            _ => Ok((snapshot, self.table.shared_schema(), self.table.options().clone())),
        }
    }

    /// Reads the manifests and groups the files that are left into splits.
    ///
    /// # Errors
    /// `NotFound` for an unknown snapshot, tag or time; `Unsupported` naming a feature of the table without which rows
    /// would come out wrong; `Corrupt` for damaged metadata.
    pub async fn plan(&self) -> Result<ScanPlan> {
        let (snapshot, schema, options) = self.resolve().await?;
        support::check_readable(&schema, &options)?;
        let mut funnel = ScanFunnel::default();
        let splits = match &snapshot {
            None => Vec::new(),
            Some(snapshot) => {
                let filter = filter::FileFilter::new(&self.table, &schema, &options, &self.filter)?;
                let entries = entries::read(&self.table, snapshot, &filter, &mut funnel).await?;
                let buckets = filter.by_bucket(entries, &mut funnel).await?;
                let deletions = split::DeletionFiles::load(&self.table, snapshot, &options).await?;
                let limit = self.limit.filter(|_| self.filter == Predicate::True);
                split::generate(buckets, &schema, &options, &deletions, limit)?
            }
        };
        funnel.splits = splits.len() as u64;
        funnel.raw_splits = splits.iter().filter(|split| split.raw_convertible).count() as u64;
        tracing::debug!(table = self.table.location(), snapshot = snapshot.as_ref().map(|s| s.id), %funnel, "planned a scan");
        Ok(ScanPlan { snapshot, schema, splits, funnel, options })
    }
}
