//! Conflict detection: may these changes follow that base?

use std::cmp::Ordering;
use std::collections::{BTreeMap, HashMap};

use headwater_metadata::{CommitKind, FileIdentifier, FileKind, IndexManifestEntry, ManifestEntry};
use headwater_types::{BinaryRow, RowComparator};

use crate::changes::DELETION_VECTORS;
use crate::conflict::Refusal;
use crate::fold::fold;
use crate::{Changes, Conflict, TableFacts};

/// A file with the index file that holds its deletion vector, in tables where that is part of its identity.
type TaggedEntry = ((FileIdentifier, Option<String>), ManifestEntry);

/// Checks changes against the live files of the partitions they touch, in the reference's order: bucket count,
/// deletions, key ranges. `base_index` is the base's index manifest.
pub(crate) fn check(
    facts: &TableFacts,
    kind: CommitKind,
    base: &[ManifestEntry],
    base_index: &[IndexManifestEntry],
    changes: &Changes,
) -> Result<(), Refusal> {
    if kind != CommitKind::Overwrite {
        bucket_counts(base.iter().chain(&changes.table_files))?;
    }
    let (base, delta) = tag(facts, base, base_index, changes)?;
    fold(delta.iter().cloned())?;
    let merged = fold(base.into_iter().chain(delta))?;
    if let Some(gone) = merged.iter().find(|e| e.kind == FileKind::Delete) {
        return Err(Conflict::FileGone(Box::new(gone.identifier())).into());
    }
    key_ranges(facts, &merged)
}

/// Files of one partition agree in their bucket count; counts of 0 and below say nothing.
pub(crate) fn bucket_counts<'a>(entries: impl Iterator<Item = &'a ManifestEntry>) -> Result<(), Conflict> {
    let mut counts: HashMap<&BinaryRow, i32> = HashMap::new();
    for entry in entries.filter(|e| e.total_buckets > 0) {
        let first = *counts.entry(&entry.partition).or_insert(entry.total_buckets);
        if first != entry.total_buckets {
            return Err(Conflict::BucketCountChanged {
                partition: entry.partition.clone(),
                from: first,
                to: entry.total_buckets,
            });
        }
    }
    Ok(())
}

/// No two files of one level above 0 of a bucket overlap in their keys.
fn key_ranges(facts: &TableFacts, merged: &[ManifestEntry]) -> Result<(), Refusal> {
    if facts.key_types.is_empty() {
        return Ok(());
    }
    let comparator = RowComparator::new(&facts.key_types)?;
    let mut levels: BTreeMap<(&BinaryRow, i32, i32), Vec<&ManifestEntry>> = BTreeMap::new();
    for entry in merged.iter().filter(|e| e.file.level >= 1) {
        levels.entry((&entry.partition, entry.bucket, entry.file.level)).or_default().push(entry);
    }
    for ((partition, bucket, level), mut files) in levels {
        files.sort_by(|a, b| comparator.compare(&a.file.min_key, &b.file.min_key));
        for (a, b) in files.iter().zip(files.iter().skip(1)) {
            if comparator.compare(&a.file.max_key, &b.file.min_key) != Ordering::Less {
                return Err(Conflict::KeyRangesOverlap {
                    partition: partition.clone(),
                    bucket,
                    level,
                    files: [a.file.file_name.clone(), b.file.file_name.clone()],
                }
                .into());
            }
        }
    }
    Ok(())
}

/// Extends the identity of files by the index file of their deletion vector, so that two commits that replace the
/// vector of one file meet. Only append tables without buckets do so. Source: spec page 05 §5.1.
fn tag(
    facts: &TableFacts,
    base: &[ManifestEntry],
    base_index: &[IndexManifestEntry],
    changes: &Changes,
) -> Result<(Vec<TaggedEntry>, Vec<TaggedEntry>), Conflict> {
    let plain = |e: &ManifestEntry| ((e.identifier(), None), e.clone());
    if !(facts.deletion_vectors && facts.is_bucket_unaware()) {
        return Ok((base.iter().map(plain).collect(), changes.table_files.iter().map(plain).collect()));
    }
    let vectors_of_base = vectors_of_base(base_index)?;
    let mut vectors_of_delta: BTreeMap<(&BinaryRow, &str), Vec<(FileKind, &str)>> = BTreeMap::new();
    for (entry, data_file) in vectors(&changes.index_files) {
        vectors_of_delta
            .entry((&entry.partition, data_file))
            .or_default()
            .push((entry.kind, entry.file.file_name.as_str()));
    }
    let tagged_base: Vec<TaggedEntry> = base
        .iter()
        .map(|e| {
            let vector = vectors_of_base.get(&(&e.partition, e.file.file_name.as_str()));
            ((e.identifier(), vector.map(|v| (*v).to_owned())), e.clone())
        })
        .collect();
    let mut tagged_delta = Vec::with_capacity(changes.table_files.len());
    let mut in_delta = std::collections::HashSet::new();
    for entry in &changes.table_files {
        let key = (&entry.partition, entry.file.file_name.as_str());
        in_delta.insert(key);
        let vector = match vectors_of_delta.get(&key).map(Vec::as_slice) {
            None => None,
            Some([(_, file)]) => Some((*file).to_owned()),
            Some(_) => return Err(Conflict::DeletionVectorTwice { data_file: entry.file.file_name.clone() }),
        };
        tagged_delta.push(((entry.identifier(), vector), entry.clone()));
    }
    for (key, vectors) in vectors_of_delta.iter().filter(|(key, _)| !in_delta.contains(*key)) {
        let Some(entry) =
            base.iter().find(|e| e.kind == FileKind::Add && &e.partition == key.0 && e.file.file_name == key.1)
        else {
            return Err(Conflict::DeletionVectorWithoutFile { data_file: key.1.to_owned() });
        };
        let change = |kind, vector: Option<&str>| {
            ((entry.identifier(), vector.map(str::to_owned)), ManifestEntry { kind, ..entry.clone() })
        };
        tagged_delta.extend(vectors.iter().map(|(kind, vector)| change(*kind, Some(vector))));
        if let [(FileKind::Add, _)] = vectors.as_slice() {
            tagged_delta.push(change(FileKind::Delete, None));
        }
    }
    Ok((tagged_base, tagged_delta))
}

fn vectors_of_base(index: &[IndexManifestEntry]) -> Result<HashMap<(&BinaryRow, &str), &str>, Conflict> {
    let mut out = HashMap::new();
    for (entry, data_file) in vectors(index).filter(|(e, _)| e.kind == FileKind::Add) {
        if out.insert((&entry.partition, data_file), entry.file.file_name.as_str()).is_some() {
            return Err(Conflict::DeletionVectorTwice { data_file: data_file.to_owned() });
        }
    }
    Ok(out)
}

/// Every deletion vector of index entries, by the data file it belongs to.
fn vectors(index: &[IndexManifestEntry]) -> impl Iterator<Item = (&IndexManifestEntry, &str)> {
    index
        .iter()
        .filter(|e| e.file.index_type == DELETION_VECTORS)
        .flat_map(|e| e.file.dv_ranges.iter().flatten().map(move |range| (e, range.data_file_name.as_str())))
}
