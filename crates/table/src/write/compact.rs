//! Running a compaction. Source: spec page 03 §2.8.

use std::sync::Arc;

use futures::{StreamExt, TryStreamExt};
use headwater_lsm::{CompactTask, Section};
use headwater_metadata::{DataFileMeta, FileSource};
use headwater_types::{BinaryRow, ErrorKind, Predicate};

use super::context::WriteContext;
use super::files::{FileNames, FileTarget, RollingFiles};
use crate::read::{
    Deletions, FileRead, MergeRead, batch_rows, merge_sections, read_ahead, size_of, sum_rows, window_bytes,
};
use crate::{Error, Result};

/// A compaction of one bucket, ready to run in a task of its own.
pub(super) struct CompactJob {
    pub(super) context: Arc<WriteContext>,
    pub(super) partition: BinaryRow,
    pub(super) bucket: i32,
    pub(super) dir: String,
    pub(super) names: Arc<FileNames>,
    pub(super) work: CompactWork,
}

/// What a compaction does.
pub(super) enum CompactWork {
    /// Merges runs by key.
    Merge(CompactTask),
    /// Puts the rows of files without keys behind each other.
    Concatenate(Vec<DataFileMeta>),
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
        match &self.work {
            CompactWork::Merge(task) => self.merge(task).await,
            CompactWork::Concatenate(files) => {
                let after = self.concatenate(files.clone()).await?;
                tracing::debug!(dir = self.dir, before = files.len(), after = after.len(), "compacted");
                Ok(Compacted { before: files.clone(), after })
            }
        }
    }

    async fn merge(&self, task: &CompactTask) -> Result<Compacted> {
        let mut result = Compacted::default();
        for sections in &task.rewrites {
            match self.rewrite(task, sections.clone()).await {
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
        result.before.extend(task.upgrades.iter().cloned());
        result.after.extend(task.upgraded());
        tracing::debug!(
            dir = self.dir,
            level = task.output_level,
            before = result.before.len(),
            after = result.after.len(),
            upgraded = task.upgrades.len(),
            "compacted"
        );
        Ok(result)
    }

    /// The rows are numbered on from the first file's first. Source: spec page 03 §8.2.
    async fn concatenate(&self, before: Vec<DataFileMeta>) -> Result<Vec<DataFileMeta>> {
        let mut sequence = before.first().map_or(0, |file| file.min_sequence_number);
        let read = &self.context.read;
        let fields = &self.context.schema.fields;
        let rows_at_once = batch_rows(fields, before.iter().map(size_of), 1);
        let (context, partition, bucket, wanted) = (read.clone(), self.partition.clone(), self.bucket, fields.clone());
        let rows = futures::stream::iter(before)
            .then(move |file| {
                let opened = FileRead::of(&context, &partition, bucket, file, None);
                let wanted = wanted.clone();
                async move { opened?.open(&wanted, &Predicate::True, rows_at_once, window_bytes(1)).await }
            })
            .try_flatten()
            .boxed();
        // Reading and encoding go on at the same time.
        let mut rows = read_ahead(&self.context.env, rows, 2);
        let mut files = RollingFiles::new(self.target(0));
        let written = async {
            while let Some(batch) = rows.try_next().await? {
                files.write_rows(&batch, sequence).await?;
                sequence = sequence.saturating_add(i64::try_from(batch.num_rows()).unwrap_or(i64::MAX));
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

    fn target(&self, level: u32) -> FileTarget {
        FileTarget {
            context: Arc::clone(&self.context),
            dir: self.dir.clone(),
            names: Arc::clone(&self.names),
            level: i32::try_from(level).unwrap_or(i32::MAX),
            source: FileSource::Compact,
        }
    }

    async fn rewrite(&self, task: &CompactTask, sections: Vec<Section>) -> Result<Vec<DataFileMeta>> {
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
            drop_deletes: task.drop_delete,
        };
        // Merging and encoding go on at the same time.
        let mut merged = read_ahead(&self.context.env, merge_sections(read, sections), 2);
        let mut files = RollingFiles::new(self.target(task.output_level));
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
