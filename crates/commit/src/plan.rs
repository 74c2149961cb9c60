//! The snapshot that changes make of a base: values in, values out.

use std::collections::BTreeMap;

use headwater_metadata::{CommitKind, FileKind, IndexManifestEntry, ManifestEntry, Snapshot};

use crate::conflict::Refusal;
use crate::{Changes, Conflict, TableFacts, detect, index_combine};

#[cfg(test)]
mod tests;

/// One snapshot to be made.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Attempt {
    /// Why.
    pub kind: CommitKind,
    /// The logical writer.
    pub user: String,
    /// Its identifier of this commit.
    pub identifier: i64,
    /// Event-time watermark, epoch milliseconds.
    pub watermark: Option<i64>,
    /// Properties of the snapshot.
    pub properties: BTreeMap<String, String>,
    /// Whether changes are checked against the base; plain appends never conflict and need no look at it.
    pub detect_conflicts: bool,
}

/// What planning sees of the snapshot that a commit would follow.
#[derive(Clone, Debug, Default)]
pub struct BaseState {
    /// The snapshot, `None` for the first commit.
    pub snapshot: Option<Snapshot>,
    /// Live files of the partitions that change; only looked at when conflicts are detected.
    pub files: Vec<ManifestEntry>,
    /// Its index manifest.
    pub index: Vec<IndexManifestEntry>,
}

/// What a snapshot will hold, before its manifests are written.
#[derive(Clone, Debug, PartialEq)]
pub struct Plan {
    /// Id of the snapshot: the base's plus one.
    pub snapshot_id: i64,
    /// The delta.
    pub delta: Vec<ManifestEntry>,
    /// The changelog.
    pub changelog: Vec<ManifestEntry>,
    /// The next index manifest, `None` when the base's stays.
    pub index: Option<Vec<IndexManifestEntry>>,
    /// Physical rows added less rows of files removed.
    pub delta_record_count: i64,
    /// Physical rows of all live files.
    pub total_record_count: i64,
    /// Rows of changelog files, `None` without any.
    pub changelog_record_count: Option<i64>,
    /// The larger of the base's and the commit's.
    pub watermark: Option<i64>,
}

/// Decides whether changes may follow a base and what the snapshot will hold. Source: spec page 05 §4.
///
/// # Errors
/// The conflict, or metadata that cannot be decoded.
pub fn plan(facts: &TableFacts, base: &BaseState, changes: &Changes, attempt: &Attempt) -> Result<Plan, Refusal> {
    if attempt.detect_conflicts && base.snapshot.is_some() {
        detect::check(facts, attempt.kind, &base.files, &base.index, changes)?;
    }
    let rows = |entries: &[ManifestEntry]| -> i64 {
        let signed = entries.iter().map(|entry| match entry.kind {
            FileKind::Add => entry.file.row_count,
            FileKind::Delete => entry.file.row_count.saturating_neg(),
        });
        signed.fold(0, i64::saturating_add)
    };
    let delta_record_count = rows(&changes.table_files);
    let before = base.snapshot.as_ref().map_or(0, |s| s.total_record_count);
    let index = if changes.index_files.is_empty() {
        None
    } else {
        Some(index_combine::combine(facts, &base.index, &changes.index_files)?)
    };
    let plan = Plan {
        snapshot_id: base.snapshot.as_ref().map_or(1, |s| s.id + 1),
        delta: changes.table_files.clone(),
        changelog: changes.changelog.clone(),
        index,
        delta_record_count,
        total_record_count: before.saturating_add(delta_record_count),
        changelog_record_count: (!changes.changelog.is_empty()).then(|| rows(&changes.changelog)),
        watermark: attempt.watermark.max(base.snapshot.as_ref().and_then(|s| s.watermark)),
    };
    rows_do_not_vanish(&plan, base)?;
    Ok(plan)
}

/// A table cannot hold fewer than no rows: a file was removed that was never there.
fn rows_do_not_vanish(plan: &Plan, base: &BaseState) -> Result<(), Conflict> {
    let lost = plan.total_record_count < 0 && base.snapshot.as_ref().is_none_or(|s| s.total_record_count >= 0);
    match plan.delta.iter().find(|entry| entry.kind == FileKind::Delete).filter(|_| lost) {
        Some(entry) => Err(Conflict::FileGone(Box::new(entry.identifier()))),
        None => Ok(()),
    }
}

/// Whether a snapshot is the outcome of that attempt, made by this process or by one that lost its answer.
#[must_use]
pub fn is_outcome_of(snapshot: &Snapshot, attempt: &Attempt) -> bool {
    snapshot.commit_user == attempt.user
        && snapshot.commit_identifier == attempt.identifier
        && snapshot.commit_kind == attempt.kind
}
