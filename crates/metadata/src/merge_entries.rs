//! Folding the entries of several manifests into what is left of them.

use std::collections::HashMap;

use crate::{Error, ErrorKind, FileKind, ManifestEntry, Result};

/// What is left when entries cancel: an ADD must be new, a DELETE takes away the ADD of the same identity, or stays when
/// there is none. The order is that of the entries left.
///
/// # Errors
/// `Corrupt` when a file is added that is there already.
///
/// # Source
/// Spec page 01 §9.3, page 05 §1; `paimon-core/…/manifest/FileEntry.java@release-2.0.0`, `mergeEntries`.
pub fn merge_entries(entries: Vec<ManifestEntry>) -> Result<Vec<ManifestEntry>> {
    let mut left: Vec<Option<ManifestEntry>> = Vec::with_capacity(entries.len());
    let mut places = HashMap::with_capacity(entries.len());
    for entry in entries {
        let identifier = entry.identifier();
        match entry.kind {
            FileKind::Add => {
                if places.contains_key(&identifier) {
                    let message = "a file is added to the table twice; the manifests contradict each other";
                    return Err(Error::new(ErrorKind::Corrupt, message)
                        .with("file", &entry.file.file_name)
                        .with("bucket", entry.bucket)
                        .with("level", entry.file.level));
                }
                places.insert(identifier, left.len());
                left.push(Some(entry));
            }
            FileKind::Delete => match places.remove(&identifier) {
                Some(place) => {
                    if let Some(slot) = left.get_mut(place) {
                        *slot = None;
                    }
                }
                None => {
                    places.insert(identifier, left.len());
                    left.push(Some(entry));
                }
            },
        }
    }
    Ok(left.into_iter().flatten().collect())
}
