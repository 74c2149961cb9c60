//! What became of files that a writer handed to a committer of the same process.

use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError};

/// The fate of a file that was handed over.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Fate {
    /// No committer said anything yet.
    Open,
    /// It is part of a snapshot.
    Committed,
    /// It is a result of compaction that came too late; it was removed.
    Dropped,
}

/// Files on their way from writers to committers, by name. Shared by the clones of a table.
#[derive(Debug, Default)]
pub(crate) struct Handover(Mutex<BTreeMap<String, Fate>>);

impl Handover {
    /// A writer gives a file away.
    pub(crate) fn hand_out(&self, file: &str) {
        self.files().insert(file.to_owned(), Fate::Open);
    }

    /// A committer says what became of a file; files no writer waits for are not remembered.
    pub(crate) fn settle(&self, file: &str, fate: Fate) {
        if let Some(slot) = self.files().get_mut(file) {
            *slot = fate;
        }
    }

    /// The fate of a file; a settled one is forgotten.
    pub(crate) fn take(&self, file: &str) -> Fate {
        let mut files = self.files();
        match files.get(file).copied() {
            Some(Fate::Open) => Fate::Open,
            Some(settled) => {
                files.remove(file);
                settled
            }
            None => Fate::Committed,
        }
    }

    /// A writer is not interested any more.
    pub(crate) fn forget(&self, file: &str) {
        self.files().remove(file);
    }

    fn files(&self) -> std::sync::MutexGuard<'_, BTreeMap<String, Fate>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
