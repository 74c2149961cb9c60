//! Running a compaction. Source: spec page 03 §2.8.

use std::sync::Arc;

use futures::TryStreamExt;
use headwater_lsm::{CompactTask, Section};
use headwater_metadata::{DataFileMeta, FileSource};
use headwater_types::{BinaryRow, ErrorKind, Predicate};

use super::context::WriteContext;
use super::files::{FileNames, FileTarget, RollingFiles};
use crate::read::{Deletions, MergeRead, merge_sections, read_ahead, sum_rows};
use crate::{Error, Result};

/// A compaction of one bucket, ready to run in a task of its own.
pub(super) struct CompactJob {
    pub(super) context: Arc<WriteContext>,
    pub(super) partition: BinaryRow,
    pub(super) bucket: i32,
    pub(super) dir: String,
    pub(super) names: Arc<FileNames>,
    pub(super) task: CompactTask,
}

/// Files that go and files that come.
#[derive(Debug, Default)]
pub(super) struct Compacted {
    pub(super) before: Vec<DataFileMeta>,
    pub(super) after: Vec<DataFileMeta>,
}

impl CompactJob {
    /// Runs when it is its turn. On an error nothing it wrote is left.
    pub(super) async fn run(self) -> Result<Compacted> {
        let turns = Arc::clone(&self.context.compactions);
        let _turn = turns.acquire_owned().await.map_err(|source| {
            Error::new(ErrorKind::Internal, "the compactions of a writer were ended").with_source(source)
        })?;
        let mut result = Compacted::default();
        for sections in &self.task.rewrites {
            match self.rewrite(sections.clone()).await {
                Ok(files) => {
                    result.before.extend(sections.iter().flat_map(Section::files).cloned());
                    result.after.extend(files);
                }
                Err(error) => {
                    let written = result.after.iter().map(|file| file.file_name.as_str());
                    super::files::remove(&self.context, &self.dir, written).await;
                    return Err(error);
                }
            }
        }
        result.before.extend(self.task.upgrades.iter().cloned());
        result.after.extend(self.task.upgraded());
        tracing::debug!(
            dir = self.dir,
            level = self.task.output_level,
            before = result.before.len(),
            after = result.after.len(),
            upgraded = self.task.upgrades.len(),
            "compacted"
        );
        Ok(result)
    }

    async fn rewrite(&self, sections: Vec<Section>) -> Result<Vec<DataFileMeta>> {
        let Some(keyed) = &self.context.layout else {
            return Err(Error::new(ErrorKind::Internal, "a merge without keys"));
        };
        tracing::trace!(dir = self.dir, rows = sum_rows(&sections), "rewriting");
        let read = MergeRead {
            context: self.context.read.clone(),
            partition: self.partition.clone(),
            bucket: self.bucket,
            layout: keyed.layout.clone(),
            engine: keyed.engine.clone(),
            filter: Predicate::True,
            deletions: Deletions::default(),
            drop_deletes: self.task.drop_delete,
        };
        // Merging and encoding go on at the same time.
        let mut merged = read_ahead(&self.context.env, merge_sections(read, sections), 2);
        let mut files = RollingFiles::new(FileTarget {
            context: Arc::clone(&self.context),
            dir: self.dir.clone(),
            names: Arc::clone(&self.names),
            level: i32::try_from(self.task.output_level).unwrap_or(i32::MAX),
            source: FileSource::Compact,
        });
        let written = async {
            while let Some(batch) = merged.try_next().await? {
                files.write_keyed(&batch).await?;
            }
            Ok::<_, Error>(())
        };
        match written.await {
            Ok(()) => files.finish().await,
            Err(error) => {
                files.abort().await;
                Err(error)
            }
        }
    }
}
