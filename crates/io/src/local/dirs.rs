//! Directories that survive a crash of the machine.

use std::collections::HashSet;
use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use crate::{Error, Result};

/// Makes and syncs directories below a root.
///
/// A file is durable when its own directory and all directories above were synced since they got their names. This
/// process syncs those above once a directory, however they came to be, and a directory itself after each new file.
#[derive(Debug)]
pub(super) struct Dirs {
    root: PathBuf,
    durable: bool,
    anchored: Mutex<HashSet<PathBuf>>,
}

impl Dirs {
    pub(super) fn new(root: PathBuf, durable: bool) -> Self {
        Self { root, durable, anchored: Mutex::default() }
    }

    /// Makes a directory and those above it.
    pub(super) fn make(&self, dir: &Path) -> Result<()> {
        let first_new = dir.ancestors().take_while(|above| !above.is_dir()).last().map(Path::to_path_buf);
        fs::create_dir_all(dir).map_err(|e| Error::from_os(e, "make the directory", dir.display()))?;
        // Above the root only what was just made needs care; below it `anchor` sees to everything.
        if let Some(first) = first_new.filter(|first| self.durable && !first.starts_with(&self.root)) {
            for made in self.root.ancestors().take_while(|above| above.starts_with(&first)) {
                if let Some(parent) = made.parent() {
                    sync(parent)?;
                }
            }
        }
        if self.durable { self.anchor(dir) } else { Ok(()) }
    }

    /// Makes the entry of `target` in its directory durable.
    pub(super) fn sync_parent(&self, target: &Path) -> Result<()> {
        let Some(dir) = target.parent().filter(|_| self.durable) else { return Ok(()) };
        sync(dir)?;
        self.anchor(dir)
    }

    /// Syncs the directories above `dir` up to the one that holds the root, once.
    fn anchor(&self, dir: &Path) -> Result<()> {
        if self.anchored().contains(dir) {
            return Ok(());
        }
        for above in dir.ancestors().take_while(|above| above.starts_with(&self.root)) {
            if let Some(parent) = above.parent() {
                sync_if_readable(parent)?;
            }
        }
        self.anchored().insert(dir.to_path_buf());
        Ok(())
    }

    /// Forgets what is about to be removed.
    pub(super) fn forget(&self, dir: &Path) {
        self.anchored().retain(|known| !known.starts_with(dir));
    }

    fn anchored(&self) -> std::sync::MutexGuard<'_, HashSet<PathBuf>> {
        self.anchored.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn sync(dir: &Path) -> Result<()> {
    let synced = File::open(dir).and_then(|open| open.sync_all());
    synced.map_err(|e| Error::from_os(e, "sync the directory", dir.display()))
}

/// Directories above the table may be closed to this user; they were there before and are not ours to sync.
fn sync_if_readable(dir: &Path) -> Result<()> {
    match File::open(dir) {
        Err(error) if error.kind() == std::io::ErrorKind::PermissionDenied => Ok(()),
        Err(error) => Err(Error::from_os(error, "sync the directory", dir.display())),
        Ok(open) => open.sync_all().map_err(|e| Error::from_os(e, "sync the directory", dir.display())),
    }
}
