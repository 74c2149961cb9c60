//! A file being written on the local disk.

use std::fs::{self, File};
use std::io::{self, Write};
use std::path::PathBuf;

use async_trait::async_trait;
use bytes::Bytes;
use tokio::task::JoinHandle;

use super::LocalStore;
use crate::{Error, ErrorKind, Result, Sink};

/// Bytes gathered before a thread writes them.
const BUFFER_BYTES: usize = 1 << 20;

/// Gathers a buffer while another thread writes the one before.
pub(super) struct LocalSink {
    store: LocalStore,
    path: PathBuf,
    state: State,
    pending: Vec<Bytes>,
    pending_bytes: usize,
    size: u64,
    finished: bool,
}

enum State {
    Idle(File),
    Writing(JoinHandle<io::Result<File>>),
    Broken,
}

impl LocalSink {
    pub(super) fn new(store: LocalStore, file: File, path: PathBuf) -> Self {
        Self { store, path, state: State::Idle(file), pending: Vec::new(), pending_bytes: 0, size: 0, finished: false }
    }

    /// Waits for the write under way and takes the file.
    async fn file(&mut self) -> Result<File> {
        match std::mem::replace(&mut self.state, State::Broken) {
            State::Idle(file) => Ok(file),
            State::Writing(handle) => match handle.await {
                Ok(written) => written.map_err(|e| Error::from_os(e, "write the file", self.path.display())),
                Err(error) => Err(Error::new(ErrorKind::Internal, "writing did not finish").with_source(error)),
            },
            State::Broken => {
                Err(Error::new(ErrorKind::Internal, "the writer failed before; abort it")
                    .with("path", self.path.display()))
            }
        }
    }

    async fn flush(&mut self) -> Result<()> {
        let mut file = self.file().await?;
        let chunks = std::mem::take(&mut self.pending);
        self.pending_bytes = 0;
        self.state = State::Writing(self.store.env.spawn_blocking(move || {
            for chunk in &chunks {
                file.write_all(chunk)?;
            }
            Ok(file)
        }));
        Ok(())
    }
}

#[async_trait]
impl Sink for LocalSink {
    async fn write(&mut self, content: Bytes) -> Result<()> {
        self.size += content.len() as u64;
        self.pending_bytes += content.len();
        self.pending.push(content);
        if self.pending_bytes >= BUFFER_BYTES { self.flush().await } else { Ok(()) }
    }

    async fn close(mut self: Box<Self>) -> Result<u64> {
        let mut file = self.file().await?;
        let chunks = std::mem::take(&mut self.pending);
        let path = self.path.clone();
        self.store
            .blocking(move |store| {
                let written = chunks.iter().try_for_each(|chunk| file.write_all(chunk));
                let synced = written.and_then(|()| if store.durable { file.sync_data() } else { Ok(()) });
                synced.map_err(|e| Error::from_os(e, "write the file", path.display()))?;
                store.dirs.sync_parent(&path)
            })
            .await?;
        self.finished = true;
        Ok(self.size)
    }

    async fn abort(mut self: Box<Self>) -> Result<()> {
        // Removed after the write under way, which may fail without changing anything here.
        drop(self.file().await);
        self.finished = true;
        let path = self.path.clone();
        self.store
            .blocking(move |_| match fs::remove_file(&path) {
                Err(error) if error.kind() != io::ErrorKind::NotFound => {
                    Err(Error::from_os(error, "delete the file", path.display()))
                }
                _ => Ok(()),
            })
            .await
    }
}

impl Drop for LocalSink {
    fn drop(&mut self) {
        if !self.finished {
            drop(fs::remove_file(&self.path));
        }
    }
}
