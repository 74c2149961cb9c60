//! Merging sorted runs, without reading them: a machine that asks for batches.

use std::cmp::Ordering;

use headwater_types::ErrorKind;

use crate::codes::{Coder, Codes};
use crate::engine::{Groups, RecordRef};
use crate::gather::gather;
use crate::loser_tree::LoserTree;
use crate::{Engine, Error, KeyValueBatch, KeyValueLayout, Result};

/// Options of [`Merge::new`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct MergeOptions {
    /// Keys merged into one output batch.
    pub batch_rows: usize,
    /// Whether results that are retractions are left out: always when reading, and where a compaction says so.
    pub drop_deletes: bool,
}

impl Default for MergeOptions {
    fn default() -> Self {
        Self { batch_rows: 8192, drop_deletes: false }
    }
}

impl MergeOptions {
    /// Sets [`Self::drop_deletes`].
    #[must_use]
    pub fn with_drop_deletes(self, drop_deletes: bool) -> Self {
        Self { drop_deletes, ..self }
    }

    /// Sets [`Self::batch_rows`], at least 1.
    #[must_use]
    pub fn with_batch_rows(self, batch_rows: usize) -> Self {
        Self { batch_rows: batch_rows.max(1), ..self }
    }
}

/// What a [`Merge`] wants or has.
#[derive(Debug)]
#[expect(clippy::large_enum_variant, reason = "made once per batch")]
pub enum MergeStep {
    /// Call [`Merge::supply`] for this run.
    NeedBatch(usize),
    /// Merged records, in key order behind those before; never empty.
    Output(KeyValueBatch),
    /// All runs are merged.
    Done,
}

/// A k-way merge of sorted runs through a merge engine. Does no I/O: [`Self::step`] says which run's next batch it
/// needs, the caller supplies it.
///
/// Records of one key are fed to the engine by user sequence, then sequence number; only key, sequence and kind columns
/// are looked at for that, values are gathered once per output batch. Batches of all columns a run has been read to
/// are held, not more. Source: spec page 03 §3.1, §5.4.
#[derive(Debug)]
pub struct Merge {
    layout: KeyValueLayout,
    engine: Engine,
    options: MergeOptions,
    keys: Coder,
    sequences: Option<Coder>,
    runs: Vec<Run>,
    /// Codes of the runs' next keys, as far as a word holds them.
    heads: Vec<u64>,
    /// Built when every run has a batch or none left.
    tree: Option<LoserTree>,
    /// Batches that records in `groups` or runs still point to.
    live: Vec<Live>,
    groups: Groups,
    /// The last record of the group that is being collected.
    last: Option<RecordRef>,
}

#[derive(Clone, Copy, Debug)]
struct Run {
    state: RunState,
    batch: u32,
    row: u32,
    rows: u32,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum RunState {
    Waiting,
    Ready,
    Finished,
}

#[derive(Debug)]
struct Live {
    batch: KeyValueBatch,
    keys: Codes,
    sequences: Option<Codes>,
}

impl Merge {
    /// A merge of that many runs.
    ///
    /// # Errors
    /// `Unsupported` when columns of the key's or the sequence's types cannot be ordered.
    pub fn new(layout: &KeyValueLayout, engine: &Engine, runs: usize, options: MergeOptions) -> Result<Self> {
        let sequence_fields: Vec<_> =
            layout.sequence_columns().iter().filter_map(|&i| layout.values().get(i)).cloned().collect();
        let sequences = match sequence_fields.as_slice() {
            [] => None,
            fields => Some(Coder::of_sequence(fields, layout.sequence_descending())?),
        };
        Ok(Self {
            layout: layout.clone(),
            engine: engine.clone(),
            options: options.with_batch_rows(options.batch_rows),
            keys: Coder::of_keys(layout.keys())?,
            sequences,
            runs: vec![Run { state: RunState::Waiting, batch: 0, row: 0, rows: 0 }; runs],
            heads: vec![0; runs],
            tree: None,
            live: Vec::new(),
            groups: Groups::default(),
            last: None,
        })
    }

    /// The runs that need a batch now: all at the start, afterwards at most one.
    pub fn waiting(&self) -> impl Iterator<Item = usize> + '_ {
        self.runs.iter().enumerate().filter(|(_, run)| run.state == RunState::Waiting).map(|(i, _)| i)
    }

    /// Gives a waiting run its next batch, or `None` at its end. Batches must be in key order.
    ///
    /// # Errors
    /// `Corrupt` when the rows are not in key order, `InvalidInput` when columns are not the layout's, `Internal`
    /// when the run is not waiting.
    pub fn supply(&mut self, run: usize, batch: Option<KeyValueBatch>) -> Result<()> {
        let slot = self.runs.get(run).filter(|r| r.state == RunState::Waiting);
        let Some(&before) = slot else {
            return Err(Error::new(ErrorKind::Internal, "a batch was supplied to a run that needs none"));
        };
        let next = match batch {
            None => Run { state: RunState::Finished, ..before },
            Some(batch) if batch.num_rows() == 0 => return Ok(()),
            Some(batch) => self.accept(batch, before)?,
        };
        if let (Some(slot), Some(head)) = (self.runs.get_mut(run), self.heads.get_mut(run)) {
            *slot = next;
            let codes = self.live.get(next.batch as usize).map(|live| &live.keys);
            *head = if next.state == RunState::Ready { codes.map_or(0, |codes| codes.prefix_at(0)) } else { u64::MAX };
        }
        if let Some(tree) = &mut self.tree {
            tree.replay(run, |a, b| beats(&self.runs, &self.heads, &self.live, a, b));
        }
        Ok(())
    }

    /// Does as much as it can: returns what it needs, or an output batch.
    ///
    /// # Errors
    /// Whatever the engine fails with.
    pub fn step(&mut self) -> Result<MergeStep> {
        if let Some(run) = self.waiting().next() {
            return Ok(MergeStep::NeedBatch(run));
        }
        let mut tree = self.tree.take().unwrap_or_else(|| {
            LoserTree::new(self.runs.len(), |a, b| beats(&self.runs, &self.heads, &self.live, a, b))
        });
        let step = self.advance(&mut tree);
        self.tree = Some(tree);
        step
    }

    fn advance(&mut self, tree: &mut LoserTree) -> Result<MergeStep> {
        loop {
            let winner = tree.winner();
            let Some(&Run { state: RunState::Ready, batch, row, rows }) = self.runs.get(winner) else {
                self.close_group();
                return match self.emit()? {
                    Some(output) => Ok(MergeStep::Output(output)),
                    None => Ok(MergeStep::Done),
                };
            };
            let record = RecordRef { batch, row };
            if self.last.is_some_and(|last| !self.same_key(last, record)) {
                self.close_group();
                if self.groups.len() >= self.options.batch_rows
                    && let Some(output) = self.emit()?
                {
                    return Ok(MergeStep::Output(output));
                }
            }
            // Emitting may have renumbered the batches.
            let Some(run) = self.runs.get_mut(winner) else { return Ok(MergeStep::Done) };
            let record = RecordRef { batch: run.batch, row };
            self.groups.records.push(record);
            self.last = Some(record);
            run.row = row + 1;
            if run.row == rows {
                run.state = RunState::Waiting;
                return Ok(MergeStep::NeedBatch(winner));
            }
            let codes = self.live.get(record.batch as usize).map(|live| &live.keys);
            if let (Some(head), Some(codes)) = (self.heads.get_mut(winner), codes) {
                *head = codes.prefix_at(row as usize + 1);
            }
            tree.replay(winner, |a, b| beats(&self.runs, &self.heads, &self.live, a, b));
        }
    }

    /// Makes a batch live and checks that it continues the run in key order.
    fn accept(&mut self, batch: KeyValueBatch, before: Run) -> Result<Run> {
        let keys = self.keys.encode(&batch.keys)?;
        let sequences = match &self.sequences {
            None => None,
            Some(coder) => {
                let columns: Vec<_> =
                    self.layout.sequence_columns().iter().filter_map(|&i| batch.values.get(i)).cloned().collect();
                Some(coder.encode(&columns)?)
            }
        };
        let rows = batch.num_rows();
        let previous = self.live.get(before.batch as usize).filter(|_| before.row > 0);
        let continues = previous.is_none_or(|live| live.keys.compare(before.row as usize - 1, &keys, 0).is_le());
        if !continues || !(1..rows).all(|row| keys.compare(row - 1, &keys, row).is_le()) {
            return Err(Error::new(ErrorKind::Corrupt, "the records of a sorted run are not in key order"));
        }
        let too_many = |_| Error::new(ErrorKind::InvalidInput, "a batch has more than 2^32 rows");
        let rows = u32::try_from(rows).map_err(too_many)?;
        let slot = u32::try_from(self.live.len()).map_err(too_many)?;
        self.live.push(Live { batch, keys, sequences });
        Ok(Run { state: RunState::Ready, batch: slot, row: 0, rows })
    }

    #[inline]
    fn same_key(&self, a: RecordRef, b: RecordRef) -> bool {
        match (self.live.get(a.batch as usize), self.live.get(b.batch as usize)) {
            (Some(x), Some(y)) => x.keys.compare(a.row as usize, &y.keys, b.row as usize) == Ordering::Equal,
            _ => false,
        }
    }

    fn close_group(&mut self) {
        if self.last.take().is_some() {
            self.groups.ends.push(self.groups.records.len());
        }
    }

    /// Merges the collected groups; `None` when nothing is left of them. Afterwards only the batches runs are in stay.
    fn emit(&mut self) -> Result<Option<KeyValueBatch>> {
        let batches: Vec<&KeyValueBatch> = self.live.iter().map(|live| &live.batch).collect();
        let output = fold(&self.layout, &self.engine, &self.groups, &batches, self.options.drop_deletes)?;
        self.groups.clear();
        let mut kept = Vec::with_capacity(self.runs.len());
        let mut old: Vec<Option<Live>> = std::mem::take(&mut self.live).into_iter().map(Some).collect();
        for run in self.runs.iter_mut().filter(|run| run.state == RunState::Ready) {
            if let Some(live) = old.get_mut(run.batch as usize).and_then(Option::take) {
                run.batch = u32::try_from(kept.len()).unwrap_or(u32::MAX);
                kept.push(live);
            }
        }
        self.live = kept;
        Ok(output)
    }
}

/// Runs the engine over groups and gathers what is left; `None` when that is nothing.
pub(crate) fn fold(
    layout: &KeyValueLayout,
    engine: &Engine,
    groups: &Groups,
    batches: &[&KeyValueBatch],
    drop_deletes: bool,
) -> Result<Option<KeyValueBatch>> {
    let mut merged = engine.function().merge(groups, batches)?;
    if drop_deletes {
        merged.drop_retractions(batches)?;
    }
    if merged.rows.is_empty() {
        return Ok(None);
    }
    gather(layout, merged, batches).map(Some)
}

/// Whether run `a`'s next record comes before `b`'s. Runs at their end come last; all else equal, the smaller number
/// comes first.
#[inline]
fn beats(runs: &[Run], heads: &[u64], live: &[Live], a: usize, b: usize) -> bool {
    if let (Some(x), Some(y)) = (heads.get(a), heads.get(b))
        && x != y
    {
        return x < y;
    }
    let (Some(x), Some(y)) = (runs.get(a), runs.get(b)) else { return a < b };
    match (x.state, y.state) {
        (RunState::Ready, RunState::Ready) => {}
        (RunState::Ready, _) => return true,
        (_, RunState::Ready) => return false,
        _ => return a < b,
    }
    let (Some(l), Some(r)) = (live.get(x.batch as usize), live.get(y.batch as usize)) else { return a < b };
    let (i, j) = (x.row as usize, y.row as usize);
    l.keys
        .compare_rest(i, &r.keys, j)
        .then_with(|| match (&l.sequences, &r.sequences) {
            (Some(l), Some(r)) => l.compare(i, r, j),
            _ => Ordering::Equal,
        })
        .then_with(|| l.batch.sequence.values().get(i).cmp(&r.batch.sequence.values().get(j)))
        .then(a.cmp(&b))
        .is_lt()
}

#[cfg(test)]
mod tests;
