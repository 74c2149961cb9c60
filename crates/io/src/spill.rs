//! Temporary files on the local disk for data that does not fit in memory.

use std::fs::{File, OpenOptions};
use std::io::{self, Read, Write};
use std::os::unix::fs::FileExt;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use bytes::Bytes;

use crate::{Env, Error, Result};

const BUFFER_BYTES: usize = 256 << 10;

/// A place for spill files. A file loses its name the moment it is made, so that nothing is left behind, however the
/// process ends. Clones share the count of bytes in use. All calls block.
#[derive(Clone, Debug)]
pub struct SpillDir {
    parent: PathBuf,
    used: Arc<AtomicU64>,
    env: Env,
}

impl SpillDir {
    pub(crate) fn new(parent: PathBuf, env: Env) -> Result<Self> {
        std::fs::create_dir_all(&parent)
            .map_err(|e| Error::from_os(e, "make the directory for temporary files", parent.display()))?;
        Ok(Self { parent, used: Arc::default(), env })
    }

    /// The directory the files are made in.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.parent
    }

    /// Bytes of all files that are alive.
    #[must_use]
    pub fn used_bytes(&self) -> u64 {
        self.used.load(Ordering::Relaxed)
    }

    /// A new, empty file; its space is free again when the file and its readers are dropped.
    ///
    /// # Errors
    /// `InvalidInput` when the directory cannot be written to, `Unavailable` when the disk is full.
    pub fn create(&self) -> Result<SpillFile> {
        let path = self.parent.join(format!("headwater-spill-{}", self.env.uuid()));
        let file = OpenOptions::new()
            .read(true)
            .write(true)
            .create_new(true)
            .open(&path)
            .map_err(|e| Error::from_os(e, "make a temporary file", path.display()))?;
        std::fs::remove_file(&path).map_err(|e| Error::from_os(e, "unlink a temporary file", path.display()))?;
        let stored = Stored { file, path, len: AtomicU64::new(0), used: Arc::clone(&self.used) };
        Ok(SpillFile { stored: Arc::new(stored), buffer: Vec::with_capacity(BUFFER_BYTES) })
    }
}

#[derive(Debug)]
struct Stored {
    file: File,
    path: PathBuf,
    len: AtomicU64,
    used: Arc<AtomicU64>,
}

impl Stored {
    fn append(&self, bytes: &[u8]) -> io::Result<()> {
        let at = self.len.load(Ordering::Relaxed);
        self.file.write_all_at(bytes, at)?;
        self.len.fetch_add(bytes.len() as u64, Ordering::Relaxed);
        self.used.fetch_add(bytes.len() as u64, Ordering::Relaxed);
        Ok(())
    }

    fn read_at(&self, offset: u64, buffer: &mut [u8]) -> io::Result<()> {
        self.file.read_exact_at(buffer, offset)
    }
}

impl Drop for Stored {
    fn drop(&mut self) {
        self.used.fetch_sub(self.len.load(Ordering::Relaxed), Ordering::Relaxed);
    }
}

/// One temporary file: appended to, then read in any order.
#[derive(Debug)]
pub struct SpillFile {
    stored: Arc<Stored>,
    buffer: Vec<u8>,
}

impl SpillFile {
    /// Appends bytes.
    ///
    /// # Errors
    /// `Unavailable` when the disk is full.
    pub fn write(&mut self, bytes: &[u8]) -> Result<()> {
        if self.buffer.len() + bytes.len() > BUFFER_BYTES {
            self.flush_buffer()?;
        }
        if bytes.len() >= BUFFER_BYTES {
            return self.stored.append(bytes).map_err(|e| self.failed(e, "write a temporary file"));
        }
        self.buffer.extend_from_slice(bytes);
        Ok(())
    }

    /// Bytes appended so far.
    #[must_use]
    pub fn len(&self) -> u64 {
        self.stored.len.load(Ordering::Relaxed) + self.buffer.len() as u64
    }

    /// Whether nothing was appended yet.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// `len` bytes from `offset`.
    ///
    /// # Errors
    /// `Corrupt` past the end of the file, `Unavailable` when the disk fails.
    pub fn read_at(&mut self, offset: u64, len: usize) -> Result<Bytes> {
        self.flush_buffer()?;
        let mut content = vec![0; len];
        self.stored.read_at(offset, &mut content).map_err(|e| self.failed(e, "read a temporary file"))?;
        Ok(content.into())
    }

    /// A reader of everything written so far, with a position of its own; it outlives the file.
    ///
    /// # Errors
    /// `Unavailable` when the disk is full.
    pub fn reader(&mut self) -> Result<SpillReader> {
        self.flush_buffer()?;
        let end = self.len();
        Ok(SpillReader { stored: Arc::clone(&self.stored), position: 0, end })
    }

    fn flush_buffer(&mut self) -> Result<()> {
        self.stored.append(&self.buffer).map_err(|e| self.failed(e, "write a temporary file"))?;
        self.buffer.clear();
        Ok(())
    }

    fn failed(&self, error: io::Error, doing: &str) -> Error {
        Error::from_os(error, doing, self.stored.path.display())
    }
}

impl Write for SpillFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        Self::write(self, bytes).map_err(io::Error::other)?;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.flush_buffer().map_err(io::Error::other)
    }
}

/// Reads a [`SpillFile`] from its start; unbuffered, so ask for large pieces.
#[derive(Debug)]
pub struct SpillReader {
    stored: Arc<Stored>,
    position: u64,
    end: u64,
}

impl Read for SpillReader {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let left = usize::try_from(self.end - self.position).unwrap_or(usize::MAX);
        let wanted = buffer.len().min(left);
        let Some(target) = buffer.get_mut(..wanted) else { return Ok(0) };
        let read = self.stored.file.read_at(target, self.position)?;
        self.position += read as u64;
        Ok(read)
    }
}

#[cfg(test)]
mod tests;
