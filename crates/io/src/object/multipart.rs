//! A streamed object: one request when it is small, a multipart upload when it is not.

use std::sync::{Arc, Mutex, PoisonError};

use async_trait::async_trait;
use bytes::Bytes;
use object_store::path::Path;
use object_store::{ObjectStore, ObjectStoreExt, PutPayload, WriteMultipart};

use crate::{Error, Result, Sink};

/// Bytes of one part; S3 allows 10,000 parts of at least 5 MiB.
const PART_BYTES: usize = 8 << 20;
/// Parts under way at once.
const CONCURRENT_PARTS: usize = 4;

pub(super) struct MultipartSink {
    store: Arc<dyn ObjectStore>,
    path: Path,
    pending: Vec<Bytes>,
    pending_bytes: usize,
    /// Only ever reached through `&mut`; the lock makes the sink shareable, which an upload is not by itself.
    upload: Mutex<Option<WriteMultipart>>,
    size: u64,
}

impl MultipartSink {
    pub(super) fn new(store: Arc<dyn ObjectStore>, path: Path) -> Self {
        Self { store, path, pending: Vec::new(), pending_bytes: 0, upload: Mutex::new(None), size: 0 }
    }

    fn failed(&self, error: object_store::Error) -> Error {
        Error::from_store(error, "write", &self.path)
    }

    fn upload(&mut self) -> &mut Option<WriteMultipart> {
        self.upload.get_mut().unwrap_or_else(PoisonError::into_inner)
    }

    async fn flush(&mut self) -> Result<()> {
        let mut upload = match self.upload().take() {
            Some(upload) => upload,
            None => {
                let started = self.store.put_multipart(&self.path).await.map_err(|e| self.failed(e))?;
                WriteMultipart::new_with_chunk_size(started, PART_BYTES)
            }
        };
        for content in std::mem::take(&mut self.pending) {
            upload.put(content);
        }
        self.pending_bytes = 0;
        let room = upload.wait_for_capacity(CONCURRENT_PARTS).await;
        *self.upload() = Some(upload);
        room.map_err(|e| self.failed(e))
    }
}

#[async_trait]
impl Sink for MultipartSink {
    async fn write(&mut self, content: Bytes) -> Result<()> {
        self.size += content.len() as u64;
        self.pending_bytes += content.len();
        self.pending.push(content);
        if self.pending_bytes >= PART_BYTES { self.flush().await } else { Ok(()) }
    }

    async fn close(mut self: Box<Self>) -> Result<u64> {
        if self.upload().is_some() {
            self.flush().await?;
        }
        let finished = match self.upload().take() {
            Some(upload) => upload.finish().await,
            None => {
                let payload: PutPayload = std::mem::take(&mut self.pending).into_iter().collect();
                self.store.put(&self.path, payload).await
            }
        };
        finished.map_err(|e| self.failed(e))?;
        Ok(self.size)
    }

    async fn abort(mut self: Box<Self>) -> Result<()> {
        match self.upload().take() {
            Some(upload) => upload.abort().await.map_err(|e| self.failed(e)),
            None => Ok(()),
        }
    }
}
