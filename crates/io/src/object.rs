//! Files in an object store: memory, S3 and kin.

mod coalesce;
mod multipart;
mod s3;

use std::ops::Range;
use std::sync::Arc;

use async_trait::async_trait;
use bytes::Bytes;
use futures::{StreamExt, TryStreamExt, stream};
use object_store::path::Path;
use object_store::{GetOptions, GetRange, ObjectMeta, ObjectStore, ObjectStoreExt, PutOptions, PutPayload};

use crate::{Error, ErrorKind, FileStatus, PutMode, Result, Sink, Store};
use multipart::MultipartSink;

pub(crate) use s3::s3;

/// Requests under way at once for one call.
const CONCURRENT_FETCHES: usize = 8;
/// Files of one group that are written at once.
const CONCURRENT_PUTS: usize = 8;

/// An `object_store` behind [`Store`].
#[derive(Debug)]
pub(crate) struct ObjectStorage {
    store: Arc<dyn ObjectStore>,
    creates_new: bool,
}

impl ObjectStorage {
    pub(crate) fn new(store: Arc<dyn ObjectStore>, creates_new: bool) -> Self {
        Self { store, creates_new }
    }
}

fn parse(path: &str) -> Result<Path> {
    Path::parse(path).map_err(|e| {
        Error::new(ErrorKind::InvalidInput, format!("object stores cannot hold this path: {e}")).with("path", path)
    })
}

fn status_of(meta: &ObjectMeta) -> FileStatus {
    FileStatus {
        path: meta.location.as_ref().to_owned(),
        size: meta.size,
        modified_millis: meta.last_modified.timestamp_millis(),
    }
}

#[async_trait]
impl Store for ObjectStorage {
    async fn read(&self, path: &str) -> Result<Bytes> {
        let location = parse(path)?;
        let fetched = async { self.store.get(&location).await?.bytes().await }.await;
        fetched.map_err(|e| Error::from_store(e, "read", path))
    }

    async fn read_ranges(&self, path: &str, ranges: &[Range<u64>]) -> Result<Vec<Bytes>> {
        let location = parse(path)?;
        let fetched: object_store::Result<Vec<(Range<u64>, Bytes)>> = stream::iter(coalesce::merged(ranges))
            .map(|range| self.fetch(&location, range))
            .buffered(CONCURRENT_FETCHES)
            .try_collect()
            .await;
        match fetched {
            Ok(fetched) => coalesce::cut(ranges, &fetched).ok_or_else(|| too_short(path, ranges)),
            Err(error) => Err(self.range_error(error, path, &location, ranges).await),
        }
    }

    async fn status(&self, path: &str) -> Result<FileStatus> {
        let meta = self.store.head(&parse(path)?).await.map_err(|e| Error::from_store(e, "look up", path))?;
        Ok(status_of(&meta))
    }

    async fn put(&self, path: &str, content: Bytes, mode: PutMode) -> Result<()> {
        let mode = match mode {
            PutMode::CreateNew => object_store::PutMode::Create,
            PutMode::Durable | PutMode::Overwrite => object_store::PutMode::Overwrite,
        };
        let options = PutOptions { mode, ..PutOptions::default() };
        self.store
            .put_opts(&parse(path)?, PutPayload::from_bytes(content), options)
            .await
            .map_err(|e| Error::from_store(e, "write", path))?;
        Ok(())
    }

    async fn put_all(&self, files: Vec<(String, Bytes)>) -> Result<()> {
        let puts =
            files.into_iter().map(|(path, content)| async move { self.put(&path, content, PutMode::Durable).await });
        stream::iter(puts).buffer_unordered(CONCURRENT_PUTS).try_collect().await
    }

    async fn create(&self, path: &str) -> Result<Box<dyn Sink>> {
        Ok(Box::new(MultipartSink::new(Arc::clone(&self.store), parse(path)?)))
    }

    async fn delete(&self, path: &str) -> Result<()> {
        match self.store.delete(&parse(path)?).await {
            Ok(()) | Err(object_store::Error::NotFound { .. }) => Ok(()),
            Err(error) => Err(Error::from_store(error, "delete", path)),
        }
    }

    async fn list(&self, dir: &str, recursive: bool) -> Result<Vec<FileStatus>> {
        let prefix = parse(dir)?;
        let below = (!dir.is_empty()).then_some(&prefix);
        let found = if recursive {
            self.store.list(below).try_collect::<Vec<_>>().await
        } else {
            self.store.list_with_delimiter(below).await.map(|listing| listing.objects)
        };
        let mut files: Vec<FileStatus> =
            found.map_err(|e| Error::from_store(e, "list", dir))?.iter().map(status_of).collect();
        files.sort_unstable();
        Ok(files)
    }

    async fn list_dirs(&self, dir: &str) -> Result<Vec<String>> {
        let prefix = parse(dir)?;
        let listing = self
            .store
            .list_with_delimiter((!dir.is_empty()).then_some(&prefix))
            .await
            .map_err(|e| Error::from_store(e, "list", dir))?;
        let mut names: Vec<String> =
            listing.common_prefixes.iter().filter_map(Path::filename).map(str::to_owned).collect();
        names.sort_unstable();
        Ok(names)
    }

    async fn delete_dir(&self, dir: &str) -> Result<()> {
        let prefix = parse(dir)?;
        let doomed = self.store.list((!dir.is_empty()).then_some(&prefix)).map_ok(|meta| meta.location).boxed();
        let mut deleted = self.store.delete_stream(doomed);
        while let Some(outcome) = deleted.next().await {
            match outcome {
                Ok(_) | Err(object_store::Error::NotFound { .. }) => {}
                Err(error) => return Err(Error::from_store(error, "delete", dir)),
            }
        }
        Ok(())
    }

    async fn create_dir(&self, dir: &str) -> Result<()> {
        parse(dir).map(|_| ())
    }

    async fn rename_dir(&self, from: &str, _to: &str) -> Result<()> {
        let message = "renaming a directory is not supported on object stores: its files cannot all move at once";
        Err(Error::new(ErrorKind::Unsupported, message).with("path", from))
    }

    fn supports_create_new(&self) -> bool {
        self.creates_new
    }
}

impl ObjectStorage {
    async fn fetch(&self, location: &Path, range: Range<u64>) -> object_store::Result<(Range<u64>, Bytes)> {
        let options = GetOptions { range: Some(GetRange::Bounded(range.clone())), ..GetOptions::default() };
        let content = self.store.get_opts(location, options).await?.bytes().await?;
        Ok((range, content))
    }

    /// Stores answer a range beyond the end in many ways; the size tells what it was.
    async fn range_error(&self, error: object_store::Error, path: &str, at: &Path, ranges: &[Range<u64>]) -> Error {
        if !matches!(error, object_store::Error::NotFound { .. })
            && let Ok(meta) = self.store.head(at).await
            && ranges.iter().any(|range| range.end > meta.size)
        {
            return too_short(path, ranges).with("size", meta.size);
        }
        Error::from_store(error, "read", path)
    }
}

pub(crate) fn too_short(path: &str, ranges: &[Range<u64>]) -> Error {
    let end = ranges.iter().map(|range| range.end).max().unwrap_or(0);
    Error::new(ErrorKind::Corrupt, format!("the file ends before byte {end}")).with("path", path)
}
