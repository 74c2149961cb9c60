//! The streaming writer of one file.

use bytes::Bytes;

use crate::{Result, Sink};

/// A new file that is written piece by piece: a file on a local disk, a multipart upload on S3.
///
/// Dropping it without [`FileWriter::close`] gives the file up; what was written is removed, as far as that can be done
/// without waiting ([`FileWriter::abort`] waits).
pub struct FileWriter {
    sink: Box<dyn Sink>,
    path: String,
    bytes_written: u64,
}

impl FileWriter {
    pub(crate) fn new(sink: Box<dyn Sink>, path: String) -> Self {
        Self { sink, path, bytes_written: 0 }
    }

    /// The path, relative to the [`FileIo`](crate::FileIo) that created the writer.
    #[must_use]
    pub fn path(&self) -> &str {
        &self.path
    }

    /// Bytes handed to [`FileWriter::write`] so far.
    #[must_use]
    pub fn bytes_written(&self) -> u64 {
        self.bytes_written
    }

    /// Appends bytes; returns once they are taken over, not once they are stored.
    ///
    /// # Errors
    /// `Unavailable`, `InvalidInput`: the file cannot be finished any more, abort it.
    pub async fn write(&mut self, content: Bytes) -> Result<()> {
        self.bytes_written += content.len() as u64;
        self.sink.write(content).await
    }

    /// Finishes the file and makes it durable; returns its size in bytes.
    ///
    /// # Errors
    /// `Unavailable`, `InvalidInput`: whether the file is there is not known.
    pub async fn close(self) -> Result<u64> {
        self.sink.close().await
    }

    /// Gives the file up and removes what was written.
    ///
    /// # Errors
    /// `Unavailable` when something may be left behind.
    pub async fn abort(self) -> Result<()> {
        self.sink.abort().await
    }
}

impl std::fmt::Debug for FileWriter {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("FileWriter")
            .field("path", &self.path)
            .field("bytes_written", &self.bytes_written)
            .finish_non_exhaustive()
    }
}
