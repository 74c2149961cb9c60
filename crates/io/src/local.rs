//! Files on a local disk: never overwritten, durable before a call returns.

mod dirs;
mod sink;

use std::fs::{self, File, OpenOptions};
use std::io::{self, Write};
use std::ops::Range;
use std::os::unix::fs::FileExt;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::UNIX_EPOCH;

use async_trait::async_trait;
use bytes::Bytes;

use crate::object::too_short;
use crate::{Env, Error, ErrorKind, FileStatus, PutMode, Result, Sink, Store};
use dirs::Dirs;
use sink::LocalSink;

/// A directory of the local disk behind [`Store`]. Blocking calls run on the runtime's blocking threads, one hop a call.
#[derive(Clone, Debug)]
pub(crate) struct LocalStore {
    root: PathBuf,
    dirs: Arc<Dirs>,
    durable: bool,
    env: Env,
}

impl LocalStore {
    pub(crate) fn new(root: PathBuf, durable: bool, env: Env) -> Self {
        let dirs = Arc::new(Dirs::new(root.clone(), durable));
        Self { root, dirs, durable, env }
    }

    fn at(&self, path: &str) -> PathBuf {
        if path.is_empty() { self.root.clone() } else { self.root.join(path) }
    }

    async fn blocking<R: Send + 'static>(&self, work: impl FnOnce(&Self) -> Result<R> + Send + 'static) -> Result<R> {
        let store = self.clone();
        match self.env.spawn_blocking(move || work(&store)).await {
            Ok(outcome) => outcome,
            Err(error) => Err(Error::new(ErrorKind::Internal, "a file operation did not finish").with_source(error)),
        }
    }

    /// A file for writing under that name; the directory is made if it is missing.
    fn open_new(&self, target: &Path, exclusive: bool) -> Result<File> {
        let open = || {
            let mut options = OpenOptions::new();
            options.write(true);
            if exclusive {
                options.create_new(true)
            } else {
                options.create(true).truncate(true)
            };
            options.open(target)
        };
        let parent = target.parent().unwrap_or(&self.root);
        let opened = match open() {
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                self.dirs.make(parent)?;
                open()
            }
            other => other,
        };
        opened.map_err(|e| Error::from_os(e, "create the file", target.display()))
    }

    fn write_whole(&self, target: &Path, content: &[u8], exclusive: bool, sync: bool) -> Result<()> {
        let mut file = self.open_new(target, exclusive)?;
        let written = file.write_all(content).and_then(|()| if sync { file.sync_data() } else { Ok(()) });
        written.map_err(|e| {
            drop(fs::remove_file(target));
            Error::from_os(e, "write the file", target.display())
        })
    }

    /// Writes all files before it syncs the first, so that the disk can take them together, and each directory once.
    fn write_all_whole(&self, files: &[(String, Bytes)]) -> Result<()> {
        let mut open = Vec::with_capacity(files.len());
        for (path, content) in files {
            let target = self.at(path);
            let mut file = self.open_new(&target, false)?;
            file.write_all(content).map_err(|e| Error::from_os(e, "write the file", target.display()))?;
            open.push((file, target));
        }
        if !self.durable {
            return Ok(());
        }
        for (file, target) in &open {
            file.sync_data().map_err(|e| Error::from_os(e, "write the file", target.display()))?;
        }
        let mut synced: Vec<&Path> = Vec::new();
        for (_, target) in &open {
            let parent = target.parent().unwrap_or(&self.root);
            if !synced.contains(&parent) {
                self.dirs.sync_parent(target)?;
                synced.push(parent);
            }
        }
        Ok(())
    }

    /// The name of a temporary file beside `target`.
    fn temporary(&self, target: &Path) -> PathBuf {
        let name = target.file_name().and_then(|name| name.to_str()).unwrap_or_default();
        target.with_file_name(format!(".{name}.{}.tmp", self.env.uuid()))
    }

    fn create_new(&self, path: &str, content: &[u8]) -> Result<()> {
        let target = self.at(path);
        // Saves the losers of a race a synced temporary file; the link below decides.
        if fs::symlink_metadata(&target).is_ok() {
            return Err(Error::new(ErrorKind::Exists, "the file is there already").with("path", target.display()));
        }
        let temporary = self.temporary(&target);
        self.write_whole(&temporary, content, true, self.durable)?;
        let placed = place(&temporary, &target);
        if placed.is_err() {
            drop(fs::remove_file(&temporary));
        }
        placed?;
        let synced = self.dirs.sync_parent(&target);
        // The file is in place under its name; a temporary name left over is an orphan and no failure.
        drop(fs::remove_file(&temporary));
        synced
    }

    fn overwrite(&self, path: &str, content: &[u8]) -> Result<()> {
        let target = self.at(path);
        let temporary = self.temporary(&target);
        self.write_whole(&temporary, content, true, false)?;
        fs::rename(&temporary, &target).map_err(|e| {
            drop(fs::remove_file(&temporary));
            Error::from_os(e, "replace the file", target.display())
        })
    }
}

/// Gives the finished temporary file its name unless that is taken.
fn place(temporary: &Path, target: &Path) -> Result<()> {
    let error = match fs::hard_link(temporary, target) {
        Ok(()) => return Ok(()),
        Err(error) => error,
    };
    let no_links = matches!(error.kind(), io::ErrorKind::PermissionDenied | io::ErrorKind::Unsupported);
    if no_links && fs::symlink_metadata(temporary).is_ok() {
        // File systems without hard links may still rename without replacing.
        return rename_without_replacing(temporary, target).map_err(|second| match second.kind() {
            io::ErrorKind::AlreadyExists => Error::from_os(second, "create the file", target.display()),
            _ => Error::new(
                ErrorKind::Unsupported,
                "this file system has neither hard links nor renames that do not replace, so tables cannot be written to it safely",
            )
            .with("path", target.display())
            .with_source(second),
        });
    }
    Err(Error::from_os(error, "create the file", target.display()))
}

#[cfg(any(target_os = "linux", target_os = "android", target_vendor = "apple"))]
fn rename_without_replacing(from: &Path, to: &Path) -> io::Result<()> {
    use rustix::fs::{CWD, RenameFlags, renameat_with};
    renameat_with(CWD, from, CWD, to, RenameFlags::NOREPLACE).map_err(io::Error::from)
}

#[cfg(not(any(target_os = "linux", target_os = "android", target_vendor = "apple")))]
fn rename_without_replacing(_: &Path, _: &Path) -> io::Result<()> {
    Err(io::ErrorKind::Unsupported.into())
}

fn status_of(path: String, metadata: &fs::Metadata) -> FileStatus {
    let modified = metadata.modified().ok().and_then(|time| time.duration_since(UNIX_EPOCH).ok()).unwrap_or_default();
    FileStatus { path, size: metadata.len(), modified_millis: i64::try_from(modified.as_millis()).unwrap_or(i64::MAX) }
}

fn read_ranges(target: &Path, ranges: &[Range<u64>]) -> Result<Vec<Bytes>> {
    let shown = || target.display();
    let file = File::open(target).map_err(|e| Error::from_os(e, "read the file", shown()))?;
    let longest = ranges.iter().map(|range| range.end).max().unwrap_or(0);
    // Checked first, so that a wrong length in a broken file does not allocate it.
    let size = file.metadata().map_err(|e| Error::from_os(e, "read the file", shown()))?.len();
    if longest > size {
        return Err(too_short(&shown().to_string(), ranges).with("size", size));
    }
    let mut parts = Vec::with_capacity(ranges.len());
    for range in ranges {
        let length = usize::try_from(range.end - range.start).map_err(|_| {
            Error::new(ErrorKind::InvalidInput, "the range does not fit in memory").with("path", shown())
        })?;
        let mut content = vec![0; length];
        file.read_exact_at(&mut content, range.start).map_err(|e| Error::from_os(e, "read the file", shown()))?;
        parts.push(Bytes::from(content));
    }
    Ok(parts)
}

/// Appends the files below `dir`; `shown` is the path of `dir` in the store. Missing directories hold nothing.
fn walk(dir: &Path, shown: &str, recursive: bool, found: &mut Vec<FileStatus>) -> Result<()> {
    let Some(entries) = entries(dir)? else { return Ok(()) };
    for entry in entries {
        let entry = entry.map_err(|e| Error::from_os(e, "list the directory", dir.display()))?;
        let Ok(name) = entry.file_name().into_string() else { continue };
        let path = if shown.is_empty() { name } else { format!("{shown}/{name}") };
        // Follows links; what vanished since the listing is left out.
        let Ok(metadata) = fs::metadata(entry.path()) else { continue };
        if metadata.is_file() {
            found.push(status_of(path, &metadata));
        } else if recursive {
            walk(&entry.path(), &path, true, found)?;
        }
    }
    Ok(())
}

fn entries(dir: &Path) -> Result<Option<fs::ReadDir>> {
    match fs::read_dir(dir) {
        Ok(entries) => Ok(Some(entries)),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(Error::from_os(error, "list the directory", dir.display())),
    }
}

#[async_trait]
impl Store for LocalStore {
    async fn read(&self, path: &str) -> Result<Bytes> {
        let target = self.at(path);
        self.blocking(move |_| {
            fs::read(&target).map(Bytes::from).map_err(|e| Error::from_os(e, "read the file", target.display()))
        })
        .await
    }

    async fn read_ranges(&self, path: &str, ranges: &[Range<u64>]) -> Result<Vec<Bytes>> {
        let (target, ranges) = (self.at(path), ranges.to_vec());
        self.blocking(move |_| read_ranges(&target, &ranges)).await
    }

    async fn status(&self, path: &str) -> Result<FileStatus> {
        let (target, shown) = (self.at(path), path.to_owned());
        self.blocking(move |_| match fs::metadata(&target) {
            Ok(metadata) if metadata.is_file() => Ok(status_of(shown, &metadata)),
            Ok(_) => {
                Err(Error::new(ErrorKind::NotFound, "this is a directory, not a file").with("path", target.display()))
            }
            Err(error) => Err(Error::from_os(error, "look up the file", target.display())),
        })
        .await
    }

    async fn put(&self, path: &str, content: Bytes, mode: PutMode) -> Result<()> {
        let path = path.to_owned();
        self.blocking(move |store| match mode {
            PutMode::CreateNew => store.create_new(&path, &content),
            PutMode::Overwrite => store.overwrite(&path, &content),
            PutMode::Durable => {
                let target = store.at(&path);
                store.write_whole(&target, &content, false, store.durable)?;
                store.dirs.sync_parent(&target)
            }
        })
        .await
    }

    async fn put_all(&self, files: Vec<(String, Bytes)>) -> Result<()> {
        self.blocking(move |store| store.write_all_whole(&files)).await
    }

    async fn create(&self, path: &str) -> Result<Box<dyn Sink>> {
        let target = self.at(path);
        let opened = target.clone();
        let file = self.blocking(move |store| store.open_new(&opened, false)).await?;
        Ok(Box::new(LocalSink::new(self.clone(), file, target)))
    }

    async fn delete(&self, path: &str) -> Result<()> {
        let target = self.at(path);
        self.blocking(move |_| match fs::remove_file(&target) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => {
                Err(Error::from_os(error, "delete the file", target.display()))
            }
            _ => Ok(()),
        })
        .await
    }

    async fn list(&self, dir: &str, recursive: bool) -> Result<Vec<FileStatus>> {
        let (target, shown) = (self.at(dir), dir.to_owned());
        self.blocking(move |_| {
            let mut found = Vec::new();
            walk(&target, &shown, recursive, &mut found)?;
            found.sort_unstable();
            Ok(found)
        })
        .await
    }

    async fn list_dirs(&self, dir: &str) -> Result<Vec<String>> {
        let target = self.at(dir);
        self.blocking(move |_| {
            let listed = entries(&target)?.into_iter().flatten().filter_map(std::result::Result::ok);
            let mut names: Vec<String> = listed
                .filter(|entry| entry.path().is_dir())
                .filter_map(|entry| entry.file_name().into_string().ok())
                .collect();
            names.sort_unstable();
            Ok(names)
        })
        .await
    }

    async fn delete_dir(&self, dir: &str) -> Result<()> {
        let target = self.at(dir);
        self.blocking(move |store| {
            store.dirs.forget(&target);
            match fs::remove_dir_all(&target) {
                Err(error) if error.kind() != io::ErrorKind::NotFound => {
                    Err(Error::from_os(error, "delete the directory", target.display()))
                }
                _ => Ok(()),
            }
        })
        .await
    }

    async fn create_dir(&self, dir: &str) -> Result<()> {
        let target = self.at(dir);
        self.blocking(move |store| store.dirs.make(&target)).await
    }

    async fn rename_dir(&self, from: &str, to: &str) -> Result<()> {
        let (source, target) = (self.at(from), self.at(to));
        self.blocking(move |store| {
            if let Some(parent) = target.parent() {
                store.dirs.make(parent)?;
            }
            store.dirs.forget(&source);
            let (cwd, flags) = (rustix::fs::CWD, rustix::fs::RenameFlags::NOREPLACE);
            rustix::fs::renameat_with(cwd, &source, cwd, &target, flags)
                .map_err(|e| Error::from_os(e.into(), "rename to the new name the directory", source.display()))?;
            store.dirs.sync_parent(&source)?;
            store.dirs.sync_parent(&target)
        })
        .await
    }

    fn supports_create_new(&self) -> bool {
        true
    }
}

#[cfg(test)]
mod tests;
