//! How the records of one key become one.

use std::fmt;
use std::sync::Arc;

use arrow_array::{ArrayRef, BooleanArray};
use arrow_select::filter::filter;
use headwater_types::{CoreOptions, ErrorKind, MergeEngine};

use crate::batch::is_retract;
use crate::{Error, KeyValueBatch, Result, error};

/// A merge engine with its options: `deduplicate` for now. Cheap to clone.
///
/// Every engine obeys the reducer rule: a key with exactly one record keeps that record untouched.
/// Source: spec page 03 §3.1.
#[derive(Clone)]
pub struct Engine {
    function: Arc<dyn MergeFunction>,
    folds_partially: bool,
}

impl Engine {
    /// The engine a table's options ask for.
    ///
    /// # Errors
    /// `Unsupported` for `partial-update`, `aggregation` and `first-row`.
    pub fn new(options: &CoreOptions) -> Result<Self> {
        match options.merge_engine() {
            MergeEngine::Deduplicate => Ok(Self::deduplicate(options.ignore_delete())),
            other => Err(Error::new(ErrorKind::Unsupported, format!("merge-engine '{other}' is not supported yet"))
                .with("option", "merge-engine")),
        }
    }

    /// The newest record of a key wins; with `ignore_delete`, the newest that is no retraction.
    #[must_use]
    pub fn deduplicate(ignore_delete: bool) -> Self {
        Self { function: Arc::new(Deduplicate { ignore_delete }), folds_partially: !ignore_delete }
    }

    /// Every record stays: for sorting what is merged later.
    pub(crate) fn keep_all() -> Self {
        Self { function: Arc::new(KeepAll), folds_partially: true }
    }

    /// Whether merging some neighbouring records of a key first never changes the result.
    pub(crate) fn folds_partially(&self) -> bool {
        self.folds_partially
    }

    pub(crate) fn function(&self) -> &dyn MergeFunction {
        &*self.function
    }
}

impl fmt::Debug for Engine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Engine({})", self.function.name())
    }
}

/// Where a record is: a batch of the merge at work, and a row of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub(crate) struct RecordRef {
    pub(crate) batch: u32,
    pub(crate) row: u32,
}

/// Records grouped by key: keys ascending, within a key oldest to newest.
#[derive(Debug, Default)]
pub(crate) struct Groups {
    pub(crate) records: Vec<RecordRef>,
    /// Where each group ends in `records`.
    pub(crate) ends: Vec<usize>,
}

impl Groups {
    pub(crate) fn clear(&mut self) {
        self.records.clear();
        self.ends.clear();
    }

    pub(crate) fn len(&self) -> usize {
        self.ends.len()
    }

    fn iter(&self) -> impl Iterator<Item = &[RecordRef]> {
        let mut start = 0;
        self.ends.iter().map(move |&end| {
            let group = self.records.get(start..end).unwrap_or_default();
            start = end;
            group
        })
    }
}

/// What the groups became, one row per group that is left.
#[derive(Debug, Default)]
pub(crate) struct Merged {
    /// The record that gives key and sequence number, and kind and values unless said otherwise below.
    pub(crate) rows: Vec<RecordRef>,
    /// Kinds, when they are not those of `rows`.
    pub(crate) kinds: Option<Vec<i8>>,
    /// Where each value column comes from; empty when all come from `rows`.
    pub(crate) columns: Vec<ColumnSource>,
}

impl Merged {
    /// Leaves out results that are retractions.
    pub(crate) fn drop_retractions(&mut self, batches: &[&KeyValueBatch]) -> Result<()> {
        let keep: BooleanArray = match &self.kinds {
            Some(kinds) => kinds.iter().map(|&kind| Some(!is_retract(kind))).collect(),
            None => self.rows.iter().map(|&record| Some(!is_retract(kind_of(batches, record)))).collect(),
        };
        if keep.true_count() == self.rows.len() {
            return Ok(());
        }
        retain(&mut self.rows, &keep);
        if let Some(kinds) = &mut self.kinds {
            retain(kinds, &keep);
        }
        for column in &mut self.columns {
            match column {
                ColumnSource::Row => {}
                ColumnSource::Records(records) => retain(records, &keep),
                ColumnSource::Values(values) => {
                    *values = filter(values, &keep).map_err(error::arrow("leave out retractions"))?;
                }
            }
        }
        Ok(())
    }
}

fn retain<T>(items: &mut Vec<T>, keep: &BooleanArray) {
    let mut keep = keep.values().iter();
    items.retain(|_| keep.next().unwrap_or(true));
}

/// Where the merged values of one column come from.
#[derive(Debug)]
#[cfg_attr(not(test), expect(dead_code, reason = "deduplicate takes whole rows; engines by column construct these"))]
pub(crate) enum ColumnSource {
    /// The record of [`Merged::rows`].
    Row,
    /// A record of its own for each row; `None` is null.
    Records(Vec<Option<RecordRef>>),
    /// Computed values.
    Values(ArrayRef),
}

/// The work of an engine on many keys at once. It sees where records are, decides with the columns it needs, and says
/// where the results come from; the merge gathers values afterwards, once.
pub(crate) trait MergeFunction: Send + Sync {
    /// As in the option `merge-engine`.
    fn name(&self) -> &'static str;

    /// Merges each group. Groups of one record must pass through as they are.
    fn merge(&self, groups: &Groups, batches: &[&KeyValueBatch]) -> Result<Merged>;
}

/// Source: spec page 03 §3.2.
struct Deduplicate {
    ignore_delete: bool,
}

impl MergeFunction for Deduplicate {
    fn name(&self) -> &'static str {
        "deduplicate"
    }

    fn merge(&self, groups: &Groups, batches: &[&KeyValueBatch]) -> Result<Merged> {
        let mut rows = Vec::with_capacity(groups.len());
        if !self.ignore_delete {
            rows.extend(groups.ends.iter().filter_map(|&end| groups.records.get(end.wrapping_sub(1))));
            return Ok(Merged { rows, ..Merged::default() });
        }
        for group in groups.iter() {
            match group {
                [only] => rows.push(*only),
                _ => rows.extend(group.iter().rev().find(|record| !is_retract(kind_of(batches, **record)))),
            }
        }
        Ok(Merged { rows, ..Merged::default() })
    }
}

struct KeepAll;

impl MergeFunction for KeepAll {
    fn name(&self) -> &'static str {
        "none"
    }

    fn merge(&self, groups: &Groups, _batches: &[&KeyValueBatch]) -> Result<Merged> {
        Ok(Merged { rows: groups.records.clone(), ..Merged::default() })
    }
}

/// The kind of a record.
pub(crate) fn kind_of(batches: &[&KeyValueBatch], record: RecordRef) -> i8 {
    let kinds = batches.get(record.batch as usize).map(|batch| batch.kind.values());
    kinds.and_then(|kinds| kinds.get(record.row as usize)).copied().unwrap_or_default()
}
