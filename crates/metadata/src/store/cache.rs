//! Decoded manifests kept in memory.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use crate::ManifestEntry;

/// Keeps decoded manifests up to a number of bytes, least recently used out first.
pub(super) struct EntryCache {
    capacity_bytes: usize,
    state: Mutex<State>,
}

#[derive(Default)]
struct State {
    kept: HashMap<String, Kept>,
    bytes: usize,
    clock: u64,
}

struct Kept {
    entries: Arc<Vec<ManifestEntry>>,
    bytes: usize,
    used: u64,
}

impl EntryCache {
    pub(super) fn new(capacity_bytes: usize) -> Self {
        Self { capacity_bytes, state: Mutex::default() }
    }

    pub(super) fn get(&self, name: &str) -> Option<Arc<Vec<ManifestEntry>>> {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        state.clock += 1;
        let now = state.clock;
        let kept = state.kept.get_mut(name)?;
        kept.used = now;
        Some(Arc::clone(&kept.entries))
    }

    pub(super) fn put(&self, name: &str, entries: &Arc<Vec<ManifestEntry>>) {
        let bytes = entries.iter().map(weight).sum();
        if bytes > self.capacity_bytes {
            return;
        }
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        state.clock += 1;
        let kept = Kept { entries: Arc::clone(entries), bytes, used: state.clock };
        state.bytes += bytes;
        if let Some(before) = state.kept.insert(name.to_owned(), kept) {
            state.bytes -= before.bytes;
        }
        while state.bytes > self.capacity_bytes {
            let oldest = state.kept.iter().min_by_key(|(_, kept)| kept.used).map(|(name, _)| name.clone());
            let Some(gone) = oldest.and_then(|name| state.kept.remove(&name)) else { break };
            state.bytes -= gone.bytes;
        }
    }
}

/// Roughly the bytes an entry takes in memory.
fn weight(entry: &ManifestEntry) -> usize {
    let file = &entry.file;
    let rows = [
        &entry.partition,
        &file.min_key,
        &file.max_key,
        &file.key_stats.min_values,
        &file.key_stats.max_values,
        &file.value_stats.min_values,
        &file.value_stats.max_values,
    ];
    let names = |names: &[String]| names.iter().map(|name| name.len() + 24).sum::<usize>();
    size_of::<ManifestEntry>()
        + rows.iter().map(|row| row.bytes().len() + 16).sum::<usize>()
        + 16 * (file.key_stats.null_counts.len() + file.value_stats.null_counts.len())
        + file.file_name.len()
        + file.embedded_index.as_ref().map_or(0, Vec::len)
        + names(&file.extra_files)
        + names(file.value_stats_cols.as_deref().unwrap_or_default())
        + names(file.write_cols.as_deref().unwrap_or_default())
}
