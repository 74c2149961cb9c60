//! What a place for files has to offer.

use std::fmt::Debug;
use std::ops::Range;

use async_trait::async_trait;
use bytes::Bytes;

use crate::Result;

/// A file as a listing shows it.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct FileStatus {
    /// The path, relative to where the listing [`FileIo`](crate::FileIo) is rooted.
    pub path: String,
    /// Bytes of the file.
    pub size: u64,
    /// When it was last written, in milliseconds since 1970-01-01T00:00:00Z.
    pub modified_millis: i64,
}

impl FileStatus {
    /// The last component of the path.
    #[must_use]
    pub fn name(&self) -> &str {
        self.path.rsplit_once('/').map_or(self.path.as_str(), |(_, name)| name)
    }
}

/// How [`Store::put`] treats a file that is there already, and how sure the caller wants to be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PutMode {
    /// Fails with `Exists`; of several callers one wins; durable on return.
    CreateNew,
    /// The caller knows the name to be new; durable on return.
    Durable,
    /// Replaces the file at once, readers see the old or the new content; may be lost in a crash of the machine.
    Overwrite,
}

/// A place for files: paths relative to its root, with `/`, without `.`, `..`, empty components or a slash at the ends.
///
/// Directories come into being with the files in them. [`store_conformance`](crate::FileIo) (feature `testing`) checks
/// every rule stated here; an implementation is correct when that passes.
///
/// # Errors
/// `NotFound` for a file that is not there, `Unavailable` when trying again may help, `InvalidInput` when the user has to
/// change something; every error has the context `path`.
#[async_trait]
pub trait Store: Debug + Send + Sync {
    /// The whole file.
    async fn read(&self, path: &str) -> Result<Bytes>;

    /// Parts of a file in the order asked for. `Corrupt` when a range goes past the end of the file.
    async fn read_ranges(&self, path: &str, ranges: &[Range<u64>]) -> Result<Vec<Bytes>>;

    /// Size and time of a file; directories are `NotFound`.
    async fn status(&self, path: &str) -> Result<FileStatus>;

    /// Writes a whole file. After `Unavailable` the file may or may not be there.
    async fn put(&self, path: &str, content: Bytes, mode: PutMode) -> Result<()>;

    /// Writes several whole files under names the caller knows to be new; all are durable on return. After an error any of
    /// them may or may not be there.
    async fn put_all(&self, files: Vec<(String, Bytes)>) -> Result<()>;

    /// Starts a file that is written piece by piece under a name the caller knows to be new.
    async fn create(&self, path: &str) -> Result<Box<dyn Sink>>;

    /// Removes a file; a missing one is fine.
    async fn delete(&self, path: &str) -> Result<()>;

    /// The files directly below a directory, or all below it, in the order of their paths; none for a missing directory.
    async fn list(&self, dir: &str, recursive: bool) -> Result<Vec<FileStatus>>;

    /// The names of the directories directly below a directory, sorted; none for a missing directory.
    async fn list_dirs(&self, dir: &str) -> Result<Vec<String>>;

    /// Removes a directory and everything below it; a missing one is fine.
    async fn delete_dir(&self, dir: &str) -> Result<()>;

    /// Makes a directory and its parents where directories exist by themselves; nothing elsewhere.
    async fn create_dir(&self, dir: &str) -> Result<()>;

    /// Gives a directory another name at once: readers see all its files under one name or the other. `Exists` when the
    /// new name is taken, `NotFound` when the old one is not there, `Unsupported` where directories are only prefixes.
    async fn rename_dir(&self, from: &str, to: &str) -> Result<()>;

    /// Whether [`PutMode::CreateNew`] works here. Tables are not written where it does not.
    fn supports_create_new(&self) -> bool;
}

/// A file being written.
#[async_trait]
pub trait Sink: Send + Sync {
    /// Appends bytes. After an error only `abort` makes sense.
    async fn write(&mut self, content: Bytes) -> Result<()>;

    /// Makes the file durable and visible; returns its size in bytes.
    async fn close(self: Box<Self>) -> Result<u64>;

    /// Gives the file up and removes what was written.
    async fn abort(self: Box<Self>) -> Result<()>;
}
