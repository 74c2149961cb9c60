//! The file access of one directory.

use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::Arc;

use bytes::Bytes;
use object_store::memory::InMemory;

use crate::object::ObjectStorage;
use crate::{Env, Error, ErrorKind, FileStatus, FileWriter, PutMode, Result, Store, location};

/// Files below one directory, wherever that is. Clones are cheap and share the store.
///
/// All paths are relative to that directory, with `/` between components; `""` is the directory itself. `.`, `..`, empty
/// components and a slash at either end are `InvalidInput`.
#[derive(Clone, Debug)]
pub struct FileIo {
    store: Arc<dyn Store>,
    /// How the store's root is written.
    root: Arc<str>,
    /// Where below the store's root this one is rooted; no slash at the ends.
    prefix: Arc<str>,
    location: Arc<str>,
}

impl FileIo {
    /// Opens a location; nothing is read or made yet.
    ///
    /// | location | store |
    /// |---|---|
    /// | `/abs/dir`, `./rel`, `file:///abs/dir` | local disk; option `local.durable=false` skips syncing |
    /// | `memory://name/dir` | memory, shared by everything opened with the same `env` |
    /// | `s3://bucket/dir`, `s3a://…` | S3 and kin: `s3.endpoint`, `s3.access-key`, `s3.secret-key`, `s3.session-token`, `s3.region`, `s3.path.style.access`, else the `AWS_*` variables |
    ///
    /// Options of other systems (other prefixes) are ignored.
    ///
    /// # Errors
    /// `InvalidInput` for a location or option that makes no sense, `Unsupported` for another scheme.
    pub fn open(location: &str, options: &BTreeMap<String, String>, env: &Env) -> Result<Self> {
        let opened = location::open(location, options, env)?;
        Ok(Self::rooted(opened.store, &opened.root, &opened.prefix))
    }

    /// A fresh, empty store in memory.
    #[must_use]
    pub fn memory() -> Self {
        Self::rooted(Arc::new(ObjectStorage::new(Arc::new(InMemory::new()), true)), "memory://", "")
    }

    /// Files of a store of your own; `root` is how its root is written in paths shown to people.
    #[must_use]
    pub fn from_store(store: Arc<dyn Store>, root: &str) -> Self {
        Self::rooted(store, root, "")
    }

    fn rooted(store: Arc<dyn Store>, root: &str, prefix: &str) -> Self {
        let location = join(root, prefix);
        Self { store, root: root.into(), prefix: prefix.into(), location: location.into() }
    }

    /// The files below a directory of this one.
    #[must_use]
    pub fn child(&self, dir: &str) -> Self {
        Self::rooted(Arc::clone(&self.store), &self.root, &join(&self.prefix, dir.trim_matches('/')))
    }

    /// The directory this is rooted at, as a path or URL.
    #[must_use]
    pub fn location(&self) -> &str {
        &self.location
    }

    /// A path as a person or another program would write it.
    #[must_use]
    pub fn full_path(&self, path: &str) -> String {
        join(&self.location, path)
    }

    /// Whether [`FileIo::create_new`] works here.
    #[must_use]
    pub fn supports_create_new(&self) -> bool {
        self.store.supports_create_new()
    }

    /// The same files through a script of faults.
    #[cfg(feature = "testing")]
    #[must_use]
    pub fn with_faults(&self, faults: &crate::Faults) -> Self {
        let store = crate::FaultStore::new(Arc::clone(&self.store), faults.clone());
        Self::rooted(Arc::new(store), &self.root, &self.prefix)
    }

    /// The whole file.
    ///
    /// # Errors
    /// `NotFound`, `Unavailable`, `InvalidInput`.
    pub async fn read(&self, path: &str) -> Result<Bytes> {
        self.store.read(&self.file(path)?).await.map_err(|e| self.shown(e))
    }

    /// The bytes `range` of a file.
    ///
    /// # Errors
    /// `NotFound`, `Unavailable`, `InvalidInput`; `Corrupt` when the file ends before the range does.
    pub async fn read_range(&self, path: &str, range: Range<u64>) -> Result<Bytes> {
        let mut parts = self.read_ranges(path, std::slice::from_ref(&range)).await?;
        parts.pop().ok_or_else(|| Error::new(ErrorKind::Internal, "the store returned no range").with("path", path))
    }

    /// Several parts of a file in the order asked for; neighbours are fetched together.
    ///
    /// # Errors
    /// As for [`FileIo::read_range`].
    pub async fn read_ranges(&self, path: &str, ranges: &[Range<u64>]) -> Result<Vec<Bytes>> {
        if let Some(range) = ranges.iter().find(|range| range.start > range.end) {
            return Err(Error::new(ErrorKind::InvalidInput, format!("the range {range:?} ends before it starts"))
                .with("path", self.full_path(path)));
        }
        if ranges.is_empty() {
            return Ok(Vec::new());
        }
        self.store.read_ranges(&self.file(path)?, ranges).await.map_err(|e| self.shown(e))
    }

    /// Size and time of a file.
    ///
    /// # Errors
    /// `NotFound` (a directory is not a file), `Unavailable`, `InvalidInput`.
    pub async fn status(&self, path: &str) -> Result<FileStatus> {
        let status = self.store.status(&self.file(path)?).await.map_err(|e| self.shown(e))?;
        Ok(FileStatus { path: path.to_owned(), ..status })
    }

    /// Whether there is such a file.
    ///
    /// # Errors
    /// `Unavailable`, `InvalidInput`.
    pub async fn exists(&self, path: &str) -> Result<bool> {
        match self.status(path).await {
            Ok(_) => Ok(true),
            Err(error) if error.kind() == ErrorKind::NotFound => Ok(false),
            Err(error) => Err(error),
        }
    }

    /// Creates a file with this content unless it is there. It appears whole or not at all, one of several creators
    /// succeeds, and on a local disk file and directories are synced before the call returns.
    ///
    /// # Errors
    /// `Exists` when the file is there: somebody else's, or one's own when a store's answer was lost and its client asked
    /// again, so that a caller who must know compares the content. `Unavailable`: the file may or may not be there.
    /// `Unsupported` when the store cannot create without overwriting.
    pub async fn create_new(&self, path: &str, content: Bytes) -> Result<()> {
        if !self.supports_create_new() {
            return Err(Error::new(
                ErrorKind::Unsupported,
                "this store cannot create a file without overwriting, so tables cannot be written to it safely",
            )
            .with("path", self.full_path(path)));
        }
        self.put(path, content, PutMode::CreateNew).await
    }

    /// Writes a file whose name is known to be new (it holds a UUID); durable on return.
    ///
    /// # Errors
    /// `Unavailable`, `InvalidInput`.
    pub async fn write_durable(&self, path: &str, content: Bytes) -> Result<()> {
        self.put(path, content, PutMode::Durable).await
    }

    /// Writes several files whose names are known to be new; all are durable on return. Cheaper than one after the other.
    ///
    /// # Errors
    /// `Unavailable`, `InvalidInput`; any of the files may then be there.
    pub async fn write_all_durable(&self, files: Vec<(String, Bytes)>) -> Result<()> {
        let named = files.into_iter().map(|(path, content)| Ok((self.file(&path)?, content)));
        let named = named.collect::<Result<Vec<_>>>()?;
        self.store.put_all(named).await.map_err(|e| self.shown(e))
    }

    /// Replaces a file whose loss would not matter, such as a hint; readers see the old or the new content.
    ///
    /// # Errors
    /// `Unavailable`, `InvalidInput`.
    pub async fn overwrite(&self, path: &str, content: Bytes) -> Result<()> {
        self.put(path, content, PutMode::Overwrite).await
    }

    async fn put(&self, path: &str, content: Bytes, mode: PutMode) -> Result<()> {
        self.store.put(&self.file(path)?, content, mode).await.map_err(|e| self.shown(e))
    }

    /// Starts a file that is written piece by piece under a name known to be new.
    ///
    /// # Errors
    /// `Unavailable`, `InvalidInput`.
    pub async fn create(&self, path: &str) -> Result<FileWriter> {
        let sink = self.store.create(&self.file(path)?).await.map_err(|e| self.shown(e))?;
        Ok(FileWriter::new(sink, path.to_owned()))
    }

    /// Removes a file; a missing one is fine.
    ///
    /// # Errors
    /// `Unavailable`, `InvalidInput`.
    pub async fn delete(&self, path: &str) -> Result<()> {
        self.store.delete(&self.file(path)?).await.map_err(|e| self.shown(e))
    }

    /// The files directly below a directory, in the order of their paths; none for a missing directory.
    ///
    /// # Errors
    /// `Unavailable`, `InvalidInput`.
    pub async fn list(&self, dir: &str) -> Result<Vec<FileStatus>> {
        self.listing(dir, false).await
    }

    /// All files below a directory at any depth, in the order of their paths; none for a missing directory.
    ///
    /// # Errors
    /// `Unavailable`, `InvalidInput`.
    pub async fn list_recursive(&self, dir: &str) -> Result<Vec<FileStatus>> {
        self.listing(dir, true).await
    }

    async fn listing(&self, dir: &str, recursive: bool) -> Result<Vec<FileStatus>> {
        let mut files = self.store.list(&self.dir(dir)?, recursive).await.map_err(|e| self.shown(e))?;
        let skip = if self.prefix.is_empty() { 0 } else { self.prefix.len() + 1 };
        for file in &mut files {
            file.path.drain(..skip.min(file.path.len()));
        }
        Ok(files)
    }

    /// The names of the directories directly below a directory, sorted; none for a missing directory.
    ///
    /// # Errors
    /// `Unavailable`, `InvalidInput`.
    pub async fn list_dirs(&self, dir: &str) -> Result<Vec<String>> {
        self.store.list_dirs(&self.dir(dir)?).await.map_err(|e| self.shown(e))
    }

    /// Removes a directory and everything below it; a missing one is fine.
    ///
    /// # Errors
    /// `Unavailable` when something may be left, `InvalidInput`.
    pub async fn delete_dir(&self, dir: &str) -> Result<()> {
        self.store.delete_dir(&self.dir(dir)?).await.map_err(|e| self.shown(e))
    }

    /// Makes a directory and its parents on a local disk; object stores have none, there it does nothing.
    ///
    /// # Errors
    /// `Unavailable`, `InvalidInput`.
    pub async fn create_dir(&self, dir: &str) -> Result<()> {
        self.store.create_dir(&self.dir(dir)?).await.map_err(|e| self.shown(e))
    }

    /// Gives a directory another name at once: readers see all its files under one name or the other.
    ///
    /// # Errors
    /// `Exists` when the new name is taken, `NotFound` when the old one is not there, `Unsupported` on object stores,
    /// `Unavailable`, `InvalidInput`.
    pub async fn rename_dir(&self, from: &str, to: &str) -> Result<()> {
        self.store.rename_dir(&self.dir(from)?, &self.dir(to)?).await.map_err(|e| self.shown(e))
    }

    /// The path in the store of a file.
    fn file(&self, path: &str) -> Result<String> {
        if path.is_empty() {
            return Err(Error::new(ErrorKind::InvalidInput, "a file needs a name").with("path", &self.location));
        }
        self.dir(path)
    }

    /// The path in the store of a directory or file.
    fn dir(&self, path: &str) -> Result<String> {
        let wrong = |part: &str| part.is_empty() || part == "." || part == ".." || part.contains('\0');
        if !path.is_empty() && path.split('/').any(wrong) {
            return Err(Error::new(
                ErrorKind::InvalidInput,
                "a path must be relative, without '.', '..' and empty parts",
            )
            .with("path", path));
        }
        Ok(join(&self.prefix, path))
    }

    /// The error with full paths instead of those in the store.
    fn shown(&self, error: Error) -> Error {
        error.map_path(|path| if path.starts_with('/') { path.to_owned() } else { join(&self.root, path) })
    }
}

fn join(left: &str, right: &str) -> String {
    if left.is_empty() {
        right.to_owned()
    } else if right.is_empty() {
        left.to_owned()
    } else if left.ends_with('/') {
        format!("{left}{right}")
    } else {
        format!("{left}/{right}")
    }
}
