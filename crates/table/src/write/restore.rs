//! What is in the table when a writer starts, and what others have done since.

use std::collections::HashMap;
use std::sync::Arc;

use headwater_metadata::DataFileMeta;
use headwater_types::ErrorKind;

use super::context::WriteContext;
use super::route::BucketKey;
use crate::scan::live_entries;
use crate::{Error, Result, Table};

/// The live files of one snapshot by bucket.
#[derive(Default)]
pub(super) struct Live {
    snapshot: i64,
    files: HashMap<BucketKey, Vec<DataFileMeta>>,
    /// Buckets of each partition, as its files say.
    buckets: HashMap<headwater_types::BinaryRow, i32>,
}

impl Live {
    pub(super) fn files(&self, key: &BucketKey) -> Vec<DataFileMeta> {
        self.files.get(key).cloned().unwrap_or_default()
    }

    /// Whether the partition was written with as many buckets as the table has now.
    pub(super) fn check_buckets(&self, context: &WriteContext, key: &BucketKey) -> Result<()> {
        match self.buckets.get(&key.partition) {
            Some(&before) if before != context.total_buckets() => Err(Error::new(
                ErrorKind::InvalidInput,
                format!(
                    "the partition has {before} buckets, the table's option bucket says {}: INSERT OVERWRITE the \
                     partition to give it the new number",
                    context.total_buckets()
                ),
            )
            .with("partition", context.paths.partitions().of(&key.partition)?)),
            _ => Ok(()),
        }
    }
}

/// Reads the live files of the table when they are needed, and again when the table has moved on.
pub(super) struct Restore {
    table: Table,
    user: String,
    live: Option<Arc<Live>>,
    /// The newest snapshot that was looked at.
    seen: i64,
}

impl Restore {
    pub(super) fn new(table: &Table, user: &str) -> Self {
        Self { table: table.clone(), user: user.to_owned(), live: None, seen: 0 }
    }

    /// The live files of the latest snapshot.
    pub(super) async fn live(&mut self, context: &WriteContext) -> Result<Arc<Live>> {
        let latest = self.table.snapshots().latest().await?;
        let id = latest.as_ref().map_or(0, |snapshot| snapshot.id);
        if let Some(live) = self.live.as_ref().filter(|live| live.snapshot == id) {
            return Ok(Arc::clone(live));
        }
        let mut live = Live { snapshot: id, ..Live::default() };
        if let Some(snapshot) = &latest {
            for entry in live_entries(&self.table, snapshot).await? {
                if entry.bucket < 0 {
                    continue;
                }
                live.buckets.insert(entry.partition.clone(), entry.total_buckets);
                let key = BucketKey { partition: entry.partition, bucket: entry.bucket };
                live.files.entry(key).or_default().push(entry.file);
            }
        }
        tracing::trace!(table = %context.location, snapshot = id, "read the live files for writing");
        self.seen = id;
        let live = Arc::new(live);
        self.live = Some(Arc::clone(&live));
        Ok(live)
    }

    /// The next call of [`Restore::live`] reads again.
    pub(super) fn forget(&mut self) {
        self.live = None;
    }

    /// Whether another user committed since the last look.
    pub(super) async fn others_committed(&mut self) -> Result<bool> {
        let snapshots = self.table.snapshots();
        let latest = snapshots.latest_id().await?.unwrap_or(0);
        let mut others = latest < self.seen;
        while self.seen < latest && !others {
            self.seen += 1;
            match snapshots.get(self.seen).await {
                Ok(snapshot) => others = snapshot.commit_user != self.user,
                // Expired while we were away: somebody else is at work.
                Err(error) if error.kind() == ErrorKind::NotFound => others = true,
                Err(error) => return Err(error.into()),
            }
        }
        self.seen = latest;
        Ok(others)
    }
}
