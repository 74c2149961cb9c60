//! The live files of a snapshot.

use std::collections::HashSet;
use std::sync::Arc;

use futures::{StreamExt, TryStreamExt};
use headwater_metadata::{FileKind, ManifestEntry, ManifestFileMeta, Snapshot};

use super::ScanFunnel;
use super::filter::FileFilter;
use crate::{Result, Table, error};

/// Manifests read at once.
const MANIFESTS_AT_ONCE: usize = 8;

/// The files of a snapshot that pass the filters which look at one entry alone, in manifest order.
/// Source: spec page 01 §9.2, page 05 §12.
pub(super) async fn read(
    table: &Table,
    snapshot: &Snapshot,
    filter: &FileFilter,
    funnel: &mut ScanFunnel,
) -> Result<Vec<ManifestEntry>> {
    let mut manifests = manifests_of(table, snapshot).await?;
    funnel.manifests = manifests.len() as u64;
    let mut kept = Vec::with_capacity(manifests.len());
    for manifest in manifests.drain(..) {
        if filter.may_hold(&manifest)? {
            kept.push(manifest);
        }
    }
    funnel.manifests_read = kept.len() as u64;
    let loaded = load(table, kept).await?;
    let live = live(&loaded);
    funnel.files = live.len() as u64;
    filter.entries(live, funnel).await
}

/// All live files of a snapshot, in manifest order.
pub(crate) async fn live_entries(table: &Table, snapshot: &Snapshot) -> Result<Vec<ManifestEntry>> {
    let manifests = manifests_of(table, snapshot).await?;
    let loaded = load(table, manifests).await?;
    Ok(live(&loaded).into_iter().cloned().collect())
}

async fn manifests_of(table: &Table, snapshot: &Snapshot) -> Result<Vec<ManifestFileMeta>> {
    let store = table.manifests();
    let mut manifests = store.read_list(&snapshot.base_manifest_list, snapshot.base_manifest_list_size).await?;
    manifests.extend(store.read_list(&snapshot.delta_manifest_list, snapshot.delta_manifest_list_size).await?);
    Ok(manifests)
}

async fn load(table: &Table, manifests: Vec<ManifestFileMeta>) -> Result<Vec<Arc<Vec<ManifestEntry>>>> {
    let read = manifests.into_iter().map(|meta| {
        let store = table.manifests();
        let task = table.env().spawn(async move { store.read_manifest(&meta.file_name, meta.file_size).await });
        async move { Ok::<_, crate::Error>(task.await.map_err(error::task)??) }
    });
    futures::stream::iter(read).buffered(MANIFESTS_AT_ONCE).try_collect().await
}

/// ADD entries that no DELETE entry takes away.
fn live(manifests: &[Arc<Vec<ManifestEntry>>]) -> Vec<&ManifestEntry> {
    let all = || manifests.iter().flat_map(|entries| entries.iter());
    let mut names = HashSet::new();
    let mut deleted = HashSet::new();
    for entry in all().filter(|entry| entry.kind == FileKind::Delete) {
        names.insert(entry.file.file_name.as_str());
        deleted.insert(entry.identifier());
    }
    let gone =
        |entry: &ManifestEntry| names.contains(entry.file.file_name.as_str()) && deleted.contains(&entry.identifier());
    all().filter(|entry| entry.kind == FileKind::Add && !gone(entry)).collect()
}
