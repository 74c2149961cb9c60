//! Keeping the number of manifests bounded while committing (spec page 05 §6, page 01 §7).

use std::collections::HashSet;

use headwater_metadata::{
    FileIdentifier, FileKind, ManifestDraft, ManifestEntry, ManifestFileMeta, ManifestStore, merge_entries,
};
use headwater_types::CoreOptions;

use crate::Result;

/// Sizes that decide when manifests are merged.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MergeSizes {
    /// `manifest.target-file-size`, bytes.
    pub target: i64,
    /// `manifest.full-compaction-threshold-size`, bytes.
    pub full_threshold: i64,
    /// `manifest.merge-min-count`.
    pub min_count: usize,
}

/// What to do with a list of manifests.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum MergeChoice {
    /// Rewrite all that have removals or are small, and forget removed files.
    Full,
    /// Merge these groups of neighbours; a group of one stays as it is.
    Minor(Vec<Vec<ManifestFileMeta>>),
}

impl MergeSizes {
    /// The sizes of a table's options.
    #[must_use]
    pub fn of(options: &CoreOptions) -> Self {
        Self {
            target: i64::try_from(options.manifest_target_file_size()).unwrap_or(i64::MAX),
            full_threshold: i64::try_from(options.manifest_full_compaction_threshold_size()).unwrap_or(i64::MAX),
            min_count: usize::try_from(options.manifest_merge_min_count()).unwrap_or(usize::MAX),
        }
    }

    fn must_change(&self, meta: &ManifestFileMeta) -> bool {
        meta.num_deleted_files > 0 || meta.file_size < self.target
    }
}

/// Chooses between full and minor merging.
#[must_use]
pub fn choose(metas: &[ManifestFileMeta], sizes: &MergeSizes) -> MergeChoice {
    let changing: i64 = metas.iter().filter(|m| sizes.must_change(m)).map(|m| m.file_size).sum();
    if changing >= sizes.full_threshold && metas.len() > 1 {
        return MergeChoice::Full;
    }
    let (mut groups, mut open, mut open_size) = (Vec::new(), Vec::new(), 0);
    for meta in metas {
        open.push(meta.clone());
        open_size += meta.file_size;
        if open_size >= sizes.target {
            groups.push(std::mem::take(&mut open));
            open_size = 0;
        }
    }
    if open.len() >= sizes.min_count {
        groups.push(open);
    } else {
        groups.extend(open.into_iter().map(|meta| vec![meta]));
    }
    MergeChoice::Minor(groups)
}

/// The manifests that take the place of `metas`; new ones are added to the draft.
pub(crate) async fn merge(
    store: &ManifestStore,
    metas: Vec<ManifestFileMeta>,
    sizes: &MergeSizes,
    draft: &mut ManifestDraft,
) -> Result<Vec<ManifestFileMeta>> {
    match choose(&metas, sizes) {
        MergeChoice::Full => full(store, metas, sizes, draft).await,
        MergeChoice::Minor(groups) => {
            let mut merged = Vec::new();
            for group in groups {
                if group.len() < 2 {
                    merged.extend(group);
                    continue;
                }
                let mut entries = Vec::new();
                for meta in &group {
                    entries.extend(store.read_manifest(&meta.file_name, meta.file_size).await?.iter().cloned());
                }
                merged.extend(draft.manifests(&merge_entries(entries)?)?);
            }
            Ok(merged)
        }
    }
}

async fn full(
    store: &ManifestStore,
    metas: Vec<ManifestFileMeta>,
    sizes: &MergeSizes,
    draft: &mut ManifestDraft,
) -> Result<Vec<ManifestFileMeta>> {
    let mut gone: HashSet<FileIdentifier> = HashSet::new();
    for meta in metas.iter().filter(|m| m.num_deleted_files > 0) {
        let entries = store.read_manifest(&meta.file_name, meta.file_size).await?;
        gone.extend(entries.iter().filter(|e| e.kind == FileKind::Delete).map(ManifestEntry::identifier));
    }
    let (mut kept, mut left) = (Vec::new(), Vec::new());
    for meta in metas {
        if gone.is_empty() && !sizes.must_change(&meta) {
            kept.push(meta);
            continue;
        }
        let entries = store.read_manifest(&meta.file_name, meta.file_size).await?;
        let added = entries.iter().filter(|e| e.kind == FileKind::Add).count();
        let live: Vec<&ManifestEntry> =
            entries.iter().filter(|e| e.kind == FileKind::Add && !gone.contains(&e.identifier())).collect();
        if sizes.must_change(&meta) || live.len() < added {
            left.extend(live.into_iter().cloned());
        } else {
            kept.push(meta);
        }
    }
    kept.extend(draft.manifests(&left)?);
    Ok(kept)
}
