//! Rows of one bucket into files of level 0.

use std::sync::Arc;

use headwater_lsm::{KeyValueBatch, SortBuffer};
use headwater_metadata::{DataFileMeta, FileSource};

use super::{BucketWriter, Rows};
use crate::write::files::{FileTarget, RollingFiles};
use crate::{Error, Result, error};

/// Bytes of a sorted batch, about.
const BATCH_BYTES: usize = 4 << 20;

/// A flush, ready to run in a task of its own.
pub(in crate::write) struct FlushJob {
    target: FileTarget,
    rows: Rows,
    /// Number of the first row, where rows are numbered now.
    first_sequence: i64,
}

impl FlushJob {
    pub(super) fn new(writer: &BucketWriter, rows: Rows, first_sequence: i64) -> Self {
        let target = FileTarget {
            context: Arc::clone(&writer.context),
            dir: writer.dir.clone(),
            names: Arc::clone(&writer.names),
            level: 0,
            source: FileSource::Append,
        };
        Self { target, rows, first_sequence }
    }

    /// The files written, durable. On an error none is left.
    pub(in crate::write) async fn run(self) -> Result<Vec<DataFileMeta>> {
        let env = self.target.context.env.clone();
        let mut files = RollingFiles::new(self.target);
        let written = match self.rows {
            Rows::Keyed(buffer) => write_sorted(&env, buffer, &mut files).await,
            Rows::Appended(batches, _) => {
                let mut sequence = self.first_sequence;
                let mut written = Ok(());
                for batch in batches {
                    written = files.write_rows(&batch, sequence).await;
                    if written.is_err() {
                        break;
                    }
                    sequence = sequence.saturating_add(i64::try_from(batch.num_rows()).unwrap_or(i64::MAX));
                }
                written
            }
        };
        match written {
            Ok(()) => files.finish().await,
            Err(error) => {
                files.abort().await;
                Err(error)
            }
        }
    }
}

/// Sorting runs on a thread for blocking work while batches that are sorted are encoded here.
async fn write_sorted(env: &headwater_io::Env, mut buffer: SortBuffer, files: &mut RollingFiles) -> Result<()> {
    let (sender, mut sorted) = tokio::sync::mpsc::channel::<Result<KeyValueBatch>>(2);
    let sorting = env.spawn_blocking(move || {
        let width = buffer.memory_bytes() / buffer.len().max(1);
        let batches = buffer.drain((BATCH_BYTES / width.max(1)).clamp(256, 8192));
        let batches = match batches {
            Ok(batches) => batches,
            Err(error) => return drop(sender.blocking_send(Err(error.into()))),
        };
        for batch in batches {
            let failed = batch.is_err();
            if sender.blocking_send(batch.map_err(Error::from)).is_err() || failed {
                return;
            }
        }
    });
    while let Some(batch) = sorted.recv().await {
        files.write_keyed(&batch?).await?;
    }
    sorting.await.map_err(error::task)
}
