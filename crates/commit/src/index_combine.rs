//! The next index manifest: the previous one with a commit's changes applied.

use std::collections::BTreeMap;

use headwater_metadata::{FileKind, GlobalIndexMeta, IndexManifestEntry};

use crate::changes::DELETION_VECTORS;
use crate::{Conflict, TableFacts};

/// The type name of hash index files.
const HASH: &str = "HASH";

/// Applies index changes to the previous index manifest (ADD entries only) and gives the next one (ADD entries only,
/// grouped by index type). Source: spec page 05 §4 "Index manifest combine".
pub(crate) fn combine(
    facts: &TableFacts,
    previous: &[IndexManifestEntry],
    changes: &[IndexManifestEntry],
) -> Result<Vec<IndexManifestEntry>, Conflict> {
    let mut by_type: BTreeMap<&str, (Vec<&IndexManifestEntry>, Vec<&IndexManifestEntry>)> = BTreeMap::new();
    for entry in previous.iter().filter(|e| e.kind == FileKind::Add) {
        by_type.entry(entry.file.index_type.as_str()).or_default().0.push(entry);
    }
    for entry in changes {
        by_type.entry(entry.file.index_type.as_str()).or_default().1.push(entry);
    }
    let mut out = Vec::new();
    for (index_type, (previous, changes)) in by_type {
        let combined = match index_type {
            HASH => by_bucket(previous, &changes),
            DELETION_VECTORS if !facts.is_bucket_unaware() => by_bucket(previous, &changes),
            DELETION_VECTORS => vectors_by_name(previous, &changes)?,
            _ => global_by_name(previous, &changes)?,
        };
        out.extend(combined.into_iter().cloned());
    }
    Ok(out)
}

/// One file per bucket: all removals, then all additions; an addition silently takes the place of its predecessor.
fn by_bucket<'a>(
    mut kept: Vec<&'a IndexManifestEntry>,
    changes: &[&'a IndexManifestEntry],
) -> Vec<&'a IndexManifestEntry> {
    let same = |a: &IndexManifestEntry, b: &IndexManifestEntry| a.partition == b.partition && a.bucket == b.bucket;
    kept.retain(|e| !changes.iter().any(|c| same(e, c)));
    let additions: Vec<_> = changes.iter().copied().filter(|c| c.kind == FileKind::Add).collect();
    for (i, addition) in additions.iter().enumerate() {
        if !additions.iter().skip(i + 1).any(|later| same(addition, later)) {
            kept.push(addition);
        }
    }
    kept
}

/// Several deletion-vector files per bucket: a data file has one vector, and nothing is replaced silently.
fn vectors_by_name<'a>(
    mut kept: Vec<&'a IndexManifestEntry>,
    changes: &[&'a IndexManifestEntry],
) -> Result<Vec<&'a IndexManifestEntry>, Conflict> {
    for change in changes {
        let place = kept.iter().position(|e| e.file.file_name == change.file.file_name);
        match (change.kind, place) {
            (FileKind::Add, Some(_)) => {
                return Err(Conflict::IndexFileAddedTwice { file: change.file.file_name.clone() });
            }
            (FileKind::Add, None) => kept.push(change),
            (FileKind::Delete, Some(place)) => {
                kept.remove(place);
            }
            (FileKind::Delete, None) => {
                return Err(Conflict::IndexFileGone { file: change.file.file_name.clone() });
            }
        }
    }
    let mut seen = std::collections::HashSet::new();
    for entry in &kept {
        for range in entry.file.dv_ranges.iter().flatten() {
            if !seen.insert((&entry.partition, range.data_file_name.as_str())) {
                return Err(Conflict::DeletionVectorTwice { data_file: range.data_file_name.clone() });
            }
        }
    }
    Ok(kept)
}

/// Global indexes: removals by name, then additions that must not cover rows of a retained file of their column.
fn global_by_name<'a>(
    mut kept: Vec<&'a IndexManifestEntry>,
    changes: &[&'a IndexManifestEntry],
) -> Result<Vec<&'a IndexManifestEntry>, Conflict> {
    let removed = |e: &IndexManifestEntry| {
        changes.iter().any(|c| c.kind == FileKind::Delete && c.file.file_name == e.file.file_name)
    };
    kept.retain(|e| !removed(e));
    let retained = kept.clone();
    for addition in changes.iter().copied().filter(|c| c.kind == FileKind::Add) {
        let overlap = retained.iter().find(|e| match (&e.file.global_index, &addition.file.global_index) {
            (Some(a), Some(b)) => overlaps(a, b),
            _ => false,
        });
        if let Some(other) = overlap {
            return Err(Conflict::GlobalIndexOverlap {
                file: addition.file.file_name.clone(),
                other: other.file.file_name.clone(),
            });
        }
        kept.retain(|e| e.file.file_name != addition.file.file_name);
        kept.push(addition);
    }
    Ok(kept)
}

fn overlaps(a: &GlobalIndexMeta, b: &GlobalIndexMeta) -> bool {
    let both_have_source = a.source_meta.is_some() && b.source_meta.is_some();
    !both_have_source
        && a.index_field_id == b.index_field_id
        && (a.extra_field_ids != b.extra_field_ids
            || (a.row_range_start <= b.row_range_end && b.row_range_start <= a.row_range_end))
}
