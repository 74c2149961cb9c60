//! A small cache for files that never change.

use std::collections::{BTreeMap, HashMap};
use std::sync::{Arc, Mutex, PoisonError};

use bytes::Bytes;

use crate::{FileIo, Result};

/// Whole small files that never change once written, kept in memory up to a number of bytes, least recently used out
/// first. Clones share the cache.
#[derive(Clone, Debug)]
pub struct CachedReads {
    io: FileIo,
    state: Arc<Mutex<State>>,
    capacity_bytes: u64,
}

#[derive(Debug, Default)]
struct State {
    files: HashMap<String, (Bytes, u64)>,
    by_use: BTreeMap<u64, String>,
    bytes: u64,
    clock: u64,
}

impl CachedReads {
    /// Keeps up to `capacity_bytes` of files of `io`; 0 keeps nothing.
    #[must_use]
    pub fn new(io: FileIo, capacity_bytes: u64) -> Self {
        Self { io, state: Arc::default(), capacity_bytes }
    }

    /// The whole file, from memory if it was read before.
    ///
    /// # Errors
    /// As [`FileIo::read`]; failures are not remembered.
    pub async fn read(&self, path: &str) -> Result<Bytes> {
        if let Some(content) = self.with(|state| state.touch(path)) {
            return Ok(content);
        }
        let content = self.io.read(path).await?;
        // A file over a quarter of the room would push out everything else.
        if content.len() as u64 <= self.capacity_bytes / 4 {
            self.with(|state| state.insert(path, content.clone(), self.capacity_bytes));
        }
        Ok(content)
    }

    /// Bytes kept now.
    #[must_use]
    pub fn bytes(&self) -> u64 {
        self.with(|state| state.bytes)
    }

    fn with<R>(&self, work: impl FnOnce(&mut State) -> R) -> R {
        work(&mut self.state.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

impl State {
    fn touch(&mut self, path: &str) -> Option<Bytes> {
        let (content, used) = self.files.get_mut(path)?;
        self.clock += 1;
        let name = self.by_use.remove(used).unwrap_or_else(|| path.to_owned());
        self.by_use.insert(self.clock, name);
        *used = self.clock;
        Some(content.clone())
    }

    fn insert(&mut self, path: &str, content: Bytes, capacity_bytes: u64) {
        if self.files.contains_key(path) {
            return;
        }
        self.clock += 1;
        self.bytes += content.len() as u64;
        self.by_use.insert(self.clock, path.to_owned());
        self.files.insert(path.to_owned(), (content, self.clock));
        while self.bytes > capacity_bytes {
            let Some((_, oldest)) = self.by_use.pop_first() else { break };
            if let Some((gone, _)) = self.files.remove(&oldest) {
                self.bytes -= gone.len() as u64;
            }
        }
    }
}

#[cfg(test)]
mod tests;
