//! Folding additions and removals of files into what is left of them.

use std::collections::HashMap;
use std::hash::Hash;

use headwater_metadata::{FileKind, ManifestEntry};

use crate::Conflict;

/// Folds entries in order: an addition of a key that is present fails, a removal takes a present key away or stays.
/// The result keeps the order of insertion. Source: spec page 05 §1 "mergeEntries".
pub(crate) fn fold<K: Hash + Eq>(
    entries: impl IntoIterator<Item = (K, ManifestEntry)>,
) -> Result<Vec<ManifestEntry>, Conflict> {
    let mut places: HashMap<K, usize> = HashMap::new();
    let mut slots: Vec<Option<ManifestEntry>> = Vec::new();
    for (key, entry) in entries {
        match entry.kind {
            FileKind::Add => {
                if places.contains_key(&key) {
                    return Err(Conflict::AddedTwice(Box::new(entry.identifier())));
                }
                places.insert(key, slots.len());
                slots.push(Some(entry));
            }
            FileKind::Delete => match places.remove(&key) {
                Some(place) => {
                    if let Some(slot) = slots.get_mut(place) {
                        *slot = None;
                    }
                }
                None => {
                    places.insert(key, slots.len());
                    slots.push(Some(entry));
                }
            },
        }
    }
    Ok(slots.into_iter().flatten().collect())
}
