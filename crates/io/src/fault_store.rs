//! A store that fails on cue.

use std::ops::Range;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use async_trait::async_trait;
use bytes::Bytes;

use crate::{Error, ErrorKind, FileStatus, PutMode, Result, Sink, Store};

/// A kind of call to a store.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FaultOp {
    /// Any call.
    Any,
    /// `read` and `read_range(s)`.
    Read,
    /// `status` and `exists`.
    Status,
    /// `list`, `list_recursive` and `list_dirs`.
    List,
    /// `create_new`.
    CreateNew,
    /// `write_durable`.
    WriteDurable,
    /// `overwrite`.
    Overwrite,
    /// `create`: starting a streamed file.
    Create,
    /// `FileWriter::write`.
    StreamWrite,
    /// `FileWriter::close`.
    StreamClose,
    /// `delete` and `delete_dir`.
    Delete,
}

/// What goes wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FaultKind {
    /// Nothing is done, the call answers `Unavailable`.
    Before,
    /// Everything is done, the call answers `Unavailable` all the same.
    After,
    /// Everything is done, the answer is lost, and the client asks again by itself: `create_new` answers `Exists`,
    /// other calls succeed.
    LostAnswer,
    /// A read returns that many bytes of what it should.
    ShortRead(usize),
    /// The process dies before the call: this and every later call answers `Unavailable` and does nothing.
    CrashBefore,
    /// The process dies after the call did its work.
    CrashAfter,
    /// The call fails with this kind, nothing is done.
    Kind(ErrorKind),
}

/// One line of a script: the `nth` matching call (from 1) fails like this.
#[derive(Clone, Debug)]
pub struct Fault {
    op: FaultOp,
    nth: u64,
    path_contains: Option<String>,
    kind: FaultKind,
    seen: u64,
}

impl Fault {
    /// The `nth` call (from 1) of that kind fails.
    #[must_use]
    pub fn new(op: FaultOp, nth: u64, kind: FaultKind) -> Self {
        Self { op, nth, path_contains: None, kind, seen: 0 }
    }

    /// Counts only calls whose path contains this text.
    #[must_use]
    pub fn on(mut self, path_contains: &str) -> Self {
        self.path_contains = Some(path_contains.to_owned());
        self
    }
}

/// A script of faults and the calls seen so far; clones share both.
#[derive(Clone, Debug, Default)]
pub struct Faults(Arc<Mutex<Script>>);

#[derive(Debug, Default)]
struct Script {
    faults: Vec<Fault>,
    calls: Vec<(FaultOp, String)>,
    crashed: bool,
}

impl Faults {
    /// An empty script: everything works, calls are counted.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a fault; it counts calls from now on.
    pub fn add(&self, fault: Fault) {
        self.script().faults.push(fault);
    }

    /// Removes all faults and the crash; the calls stay.
    pub fn clear(&self) {
        let mut script = self.script();
        script.faults.clear();
        script.crashed = false;
    }

    /// How many calls of a kind there were.
    #[must_use]
    pub fn calls(&self, op: FaultOp) -> u64 {
        self.script().calls.iter().filter(|(seen, _)| op == FaultOp::Any || *seen == op).count() as u64
    }

    /// All calls in order, with their paths in the store.
    #[must_use]
    pub fn log(&self) -> Vec<(FaultOp, String)> {
        self.script().calls.clone()
    }

    fn script(&self) -> MutexGuard<'_, Script> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Counts a call; the fault that strikes it, if any.
    fn strike(&self, op: FaultOp, path: &str) -> Option<FaultKind> {
        let mut script = self.script();
        script.calls.push((op, path.to_owned()));
        if script.crashed {
            return Some(FaultKind::CrashBefore);
        }
        let mut struck = None;
        for fault in &mut script.faults {
            let matches = (fault.op == FaultOp::Any || fault.op == op)
                && fault.path_contains.as_deref().is_none_or(|text| path.contains(text));
            if matches {
                fault.seen += 1;
                if fault.seen == fault.nth && struck.is_none() {
                    struck = Some(fault.kind);
                }
            }
        }
        script.crashed = matches!(struck, Some(FaultKind::CrashBefore | FaultKind::CrashAfter));
        struck
    }

    async fn run<T>(&self, op: FaultOp, path: &str, call: impl Future<Output = Result<T>> + Send) -> Result<T> {
        match self.strike(op, path) {
            None | Some(FaultKind::ShortRead(_)) => call.await,
            Some(FaultKind::Before | FaultKind::CrashBefore) => Err(failed(ErrorKind::Unavailable, path)),
            Some(FaultKind::Kind(kind)) => Err(failed(kind, path)),
            Some(FaultKind::After | FaultKind::CrashAfter) => {
                call.await?;
                Err(failed(ErrorKind::Unavailable, path))
            }
            Some(FaultKind::LostAnswer) => {
                let done = call.await?;
                if op == FaultOp::CreateNew { Err(failed(ErrorKind::Exists, path)) } else { Ok(done) }
            }
        }
    }
}

fn failed(kind: ErrorKind, path: &str) -> Error {
    Error::new(kind, "a scripted fault").with("path", path)
}

/// A store that follows a script of faults before it passes calls on.
#[derive(Debug)]
pub struct FaultStore {
    inner: Arc<dyn Store>,
    faults: Faults,
}

impl FaultStore {
    /// `inner` as `faults` lets it be seen.
    #[must_use]
    pub fn new(inner: Arc<dyn Store>, faults: Faults) -> Self {
        Self { inner, faults }
    }

    async fn reading<T>(
        &self,
        path: &str,
        call: impl Future<Output = Result<T>> + Send,
        cut: impl FnOnce(T, usize) -> T + Send,
    ) -> Result<T> {
        match self.faults.strike(FaultOp::Read, path) {
            None | Some(FaultKind::LostAnswer) => call.await,
            Some(FaultKind::ShortRead(bytes)) => call.await.map(|whole| cut(whole, bytes)),
            Some(FaultKind::Kind(kind)) => Err(failed(kind, path)),
            Some(_) => Err(failed(ErrorKind::Unavailable, path)),
        }
    }
}

#[async_trait]
impl Store for FaultStore {
    async fn read(&self, path: &str) -> Result<Bytes> {
        self.reading(path, self.inner.read(path), |whole, bytes| whole.slice(..bytes.min(whole.len()))).await
    }

    async fn read_ranges(&self, path: &str, ranges: &[Range<u64>]) -> Result<Vec<Bytes>> {
        let cut =
            |parts: Vec<Bytes>, bytes: usize| parts.iter().map(|part| part.slice(..bytes.min(part.len()))).collect();
        self.reading(path, self.inner.read_ranges(path, ranges), cut).await
    }

    async fn status(&self, path: &str) -> Result<FileStatus> {
        self.faults.run(FaultOp::Status, path, self.inner.status(path)).await
    }

    async fn put(&self, path: &str, content: Bytes, mode: PutMode) -> Result<()> {
        let op = match mode {
            PutMode::CreateNew => FaultOp::CreateNew,
            PutMode::Durable => FaultOp::WriteDurable,
            PutMode::Overwrite => FaultOp::Overwrite,
        };
        self.faults.run(op, path, self.inner.put(path, content, mode)).await
    }

    /// One call a file, in order, so that a script can fail each of them.
    async fn put_all(&self, files: Vec<(String, Bytes)>) -> Result<()> {
        for (path, content) in files {
            self.put(&path, content, PutMode::Durable).await?;
        }
        Ok(())
    }

    async fn create(&self, path: &str) -> Result<Box<dyn Sink>> {
        let inner = self.faults.run(FaultOp::Create, path, self.inner.create(path)).await?;
        Ok(Box::new(FaultSink { inner, path: path.to_owned(), faults: self.faults.clone() }))
    }

    async fn delete(&self, path: &str) -> Result<()> {
        self.faults.run(FaultOp::Delete, path, self.inner.delete(path)).await
    }

    async fn list(&self, dir: &str, recursive: bool) -> Result<Vec<FileStatus>> {
        self.faults.run(FaultOp::List, dir, self.inner.list(dir, recursive)).await
    }

    async fn list_dirs(&self, dir: &str) -> Result<Vec<String>> {
        self.faults.run(FaultOp::List, dir, self.inner.list_dirs(dir)).await
    }

    async fn delete_dir(&self, dir: &str) -> Result<()> {
        self.faults.run(FaultOp::Delete, dir, self.inner.delete_dir(dir)).await
    }

    async fn create_dir(&self, dir: &str) -> Result<()> {
        self.faults.run(FaultOp::Any, dir, self.inner.create_dir(dir)).await
    }

    async fn rename_dir(&self, from: &str, to: &str) -> Result<()> {
        self.faults.run(FaultOp::Any, from, self.inner.rename_dir(from, to)).await
    }

    fn supports_create_new(&self) -> bool {
        self.inner.supports_create_new()
    }
}

struct FaultSink {
    inner: Box<dyn Sink>,
    path: String,
    faults: Faults,
}

#[async_trait]
impl Sink for FaultSink {
    async fn write(&mut self, content: Bytes) -> Result<()> {
        self.faults.run(FaultOp::StreamWrite, &self.path, self.inner.write(content)).await
    }

    async fn close(self: Box<Self>) -> Result<u64> {
        self.faults.run(FaultOp::StreamClose, &self.path, self.inner.close()).await
    }

    async fn abort(self: Box<Self>) -> Result<()> {
        self.faults.run(FaultOp::Delete, &self.path, self.inner.abort()).await
    }
}

#[cfg(test)]
mod tests;
