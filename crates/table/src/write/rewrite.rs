//! Groups of files without buckets rewritten, each into files of the target size.

use std::sync::Arc;

use futures::StreamExt;
use headwater_metadata::{CommitMessage, CompactIncrement, DataFileMeta, DataIncrement};
use headwater_types::BinaryRow;

use super::WriteMode;
use super::compact::{CompactJob, CompactWork};
use super::context::WriteContext;
use super::files::{FileNames, remove};
use crate::{Error, Result, Table, error};

/// The bucket all files of a table without buckets lie in.
const UNAWARE_BUCKET: i32 = 0;

/// Rewrites each group; several at once. On an error nothing written is left.
pub(crate) async fn rewrite(
    table: &Table,
    user: &str,
    groups: Vec<(BinaryRow, Vec<DataFileMeta>)>,
) -> Result<Vec<CommitMessage>> {
    let context = Arc::new(WriteContext::new(table, user, WriteMode::Compact)?);
    let jobs =
        groups.into_iter().map(|(partition, files)| job(&context, partition, files)).collect::<Result<Vec<_>>>()?;
    let tasks = jobs.into_iter().map(|job| {
        let (context, partition) = (Arc::clone(&context), job.partition.clone());
        async move { Ok::<_, Error>((partition, context.env.spawn(job.run()).await.map_err(error::task)??)) }
    });
    let mut tasks = futures::stream::iter(tasks).buffered(table.env().parallelism());
    let mut messages = Vec::new();
    let mut failed = None;
    // All of them end before anything is removed.
    while let Some(done) = tasks.next().await {
        match done {
            Ok((partition, compacted)) => messages.push(CommitMessage {
                partition,
                bucket: UNAWARE_BUCKET,
                total_buckets: Some(context.total_buckets()),
                data_increment: DataIncrement::default(),
                compact_increment: CompactIncrement {
                    compact_before: compacted.before,
                    compact_after: compacted.after,
                    ..CompactIncrement::default()
                },
            }),
            Err(error) => failed = failed.or(Some(error)),
        }
    }
    let Some(error) = failed else { return Ok(messages) };
    for message in messages {
        let dir = context.paths.bucket_dir(&message.partition, message.bucket)?;
        remove(&context, &dir, message.compact_increment.compact_after.iter().map(|f| f.file_name.as_str())).await;
    }
    Err(error)
}

fn job(context: &Arc<WriteContext>, partition: BinaryRow, files: Vec<DataFileMeta>) -> Result<CompactJob> {
    Ok(CompactJob {
        dir: context.paths.bucket_dir(&partition, UNAWARE_BUCKET)?,
        bucket: UNAWARE_BUCKET,
        names: Arc::new(FileNames::new(context)),
        work: CompactWork::Concatenate(files),
        context: Arc::clone(context),
        partition,
    })
}
