//! Overlapping files merged by key, a section after the other.

use arrow_array::BooleanArray;
use arrow_array::cast::AsArray;
use arrow_select::filter::{FilterBuilder, FilterPredicate};
use futures::stream::BoxStream;
use futures::{StreamExt, TryStreamExt};
use headwater_lsm::{
    Engine, KeyValueBatch, KeyValueLayout, Merge, MergeOptions, MergeStep, Section, SortedRun, interval_partition,
};
use headwater_types::{BinaryRow, ErrorKind, Predicate, RowComparator};

use super::data_file::{Deletions, FileRead};
use super::{ReadContext, batch_rows, read_ahead, size_of, window_bytes};
use crate::{Error, Result, Split, error};

/// How the sections of one bucket are merged.
#[derive(Clone)]
pub(crate) struct MergeRead {
    pub(crate) context: ReadContext,
    pub(crate) partition: BinaryRow,
    pub(crate) bucket: i32,
    pub(crate) layout: KeyValueLayout,
    pub(crate) engine: Engine,
    /// Best effort: row groups that cannot match are left out, where that cannot bring old rows back.
    pub(crate) filter: Predicate,
    pub(crate) deletions: Deletions,
    pub(crate) drop_deletes: bool,
}

/// The key ranges of a split.
pub(crate) fn sections_of(context: &ReadContext, split: &Split) -> Result<Vec<Section>> {
    let comparator = RowComparator::new(&context.schema.trimmed_key_types()?)?;
    Ok(interval_partition(split.files.clone(), &comparator))
}

/// Rows stored in the sections.
pub(crate) fn sum_rows(sections: &[Section]) -> u64 {
    sections.iter().flat_map(Section::files).map(|file| size_of(file).1).sum()
}

/// The merged records of the sections, in key order.
pub(crate) fn merge_sections(read: MergeRead, sections: Vec<Section>) -> BoxStream<'static, Result<KeyValueBatch>> {
    futures::stream::iter(sections)
        .map(move |section| match <[SortedRun; 1]>::try_from(section.runs) {
            Ok([run]) => single(&read, run),
            Err(runs) => several(&read, runs),
        })
        .flatten()
        .boxed()
}

/// One run: every key is there once.
fn single(read: &MergeRead, run: SortedRun) -> BoxStream<'static, Result<KeyValueBatch>> {
    let rows = batch_rows(read.layout.values(), run.files.iter().map(size_of), 1);
    let drop_deletes = read.drop_deletes;
    records(read, run, read.filter.clone(), rows, window_bytes(1))
        .map(move |batch| if drop_deletes { without_retractions(batch?) } else { batch })
        .try_filter(|batch| futures::future::ready(batch.num_rows() > 0))
        .boxed()
}

/// Several runs: a filter over values could leave out the newest version of a row and so show an older one.
fn several(read: &MergeRead, runs: Vec<SortedRun>) -> BoxStream<'static, Result<KeyValueBatch>> {
    let files = runs.iter().flat_map(|run| &run.files).map(size_of);
    let rows = batch_rows(read.layout.values(), files, runs.len());
    let keys: Vec<String> = read.layout.keys().iter().map(|field| field.name.clone()).collect();
    let mut filter = Predicate::True;
    for part in read.filter.clone().into_conjuncts() {
        if part.columns().iter().all(|column| keys.contains(column)) {
            filter = filter.and(part);
        }
    }
    let options = MergeOptions::default().with_batch_rows(rows).with_drop_deletes(read.drop_deletes);
    let merge = match Merge::new(&read.layout, &read.engine, runs.len(), options) {
        Ok(merge) => merge,
        Err(error) => return futures::stream::once(async { Err(Error::from(error)) }).boxed(),
    };
    let env = &read.context.env;
    let window = window_bytes(runs.len());
    let runs =
        runs.into_iter().map(|run| read_ahead(env, records(read, run, filter.clone(), rows, window), 1)).collect();
    futures::stream::try_unfold(Merging { merge, runs }, |mut merging| async move {
        Ok(merging.next().await?.map(|batch| (batch, merging)))
    })
    .boxed()
}

struct Merging {
    merge: Merge,
    runs: Vec<BoxStream<'static, Result<KeyValueBatch>>>,
}

impl Merging {
    async fn next(&mut self) -> Result<Option<KeyValueBatch>> {
        let waiting: Vec<usize> = self.merge.waiting().collect();
        if waiting.len() > 1 {
            // At the start every run is opened at once.
            let first = self.runs.iter_mut().enumerate().filter(|(run, _)| waiting.contains(run));
            let first = first.map(|(run, batches)| async move { Ok::<_, Error>((run, batches.try_next().await?)) });
            for (run, batch) in futures::future::try_join_all(first).await? {
                self.merge.supply(run, batch)?;
            }
        }
        loop {
            match self.merge.step()? {
                MergeStep::Output(batch) => return Ok(Some(batch)),
                MergeStep::Done => return Ok(None),
                MergeStep::NeedBatch(run) => {
                    let batches = self
                        .runs
                        .get_mut(run)
                        .ok_or_else(|| Error::new(ErrorKind::Internal, "the merge asks for a run there is not"))?;
                    let batch = batches.try_next().await?;
                    self.merge.supply(run, batch)?;
                }
            }
        }
    }
}

/// The records of a run, file after file.
fn records(
    read: &MergeRead,
    run: SortedRun,
    filter: Predicate,
    batch_rows: usize,
    window_bytes: u64,
) -> BoxStream<'static, Result<KeyValueBatch>> {
    let read = read.clone();
    let layout = read.layout.clone();
    // Key columns are read from the value part, which files in thin mode have, too.
    let wanted = layout.read_fields(true);
    futures::stream::iter(run.files)
        .then(move |file| {
            let skip = read.deletions.of(&file);
            let opened = FileRead::of(&read.context, &read.partition, read.bucket, file, skip);
            let (wanted, filter) = (wanted.clone(), filter.clone());
            async move { opened?.open(&wanted, &filter, batch_rows, window_bytes).await }
        })
        .try_flatten()
        .map(move |batch| Ok(KeyValueBatch::from_read(&layout, &batch?)?))
        .boxed()
}

/// Leaves out `-U` and `-D`.
fn without_retractions(batch: KeyValueBatch) -> Result<KeyValueBatch> {
    if batch.retractions() == 0 {
        return Ok(batch);
    }
    let keep: BooleanArray = batch.kind.values().iter().map(|kind| Some(kind & 1 == 0)).collect();
    let keep: FilterPredicate = FilterBuilder::new(&keep).optimize().build();
    let cut = |columns: &[arrow_array::ArrayRef]| {
        columns
            .iter()
            .map(|c| keep.filter(c).map_err(error::arrow("leave out deleted rows")))
            .collect::<Result<Vec<_>>>()
    };
    let sequence = keep.filter(&batch.sequence).map_err(error::arrow("leave out deleted rows"))?;
    let kind = keep.filter(&batch.kind).map_err(error::arrow("leave out deleted rows"))?;
    Ok(KeyValueBatch::new(
        cut(&batch.keys)?,
        sequence.as_primitive().clone(),
        kind.as_primitive().clone(),
        cut(&batch.values)?,
    )?)
}
