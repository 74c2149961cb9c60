//! `manifest/`: manifests, manifest lists and index manifests.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use headwater_io::{Env, FileIo};
use headwater_types::DataType;

use super::cache::EntryCache;
use super::{ManifestDraft, at};
use crate::wire::manifest::ManifestWriter;
use crate::{
    Error, ErrorKind, IndexManifestEntry, ManifestCompression, ManifestEntry, ManifestFileMeta, Result, Schema,
    TablePaths, decode_index_manifest, decode_manifest, decode_manifest_list, encode_index_manifest,
    encode_manifest_list,
};

/// Bytes of decoded manifests that a store keeps.
const CACHE_BYTES: usize = 64 << 20;
/// After so many entries the size of the file is looked at.
const ROLL_CHECK_ENTRIES: usize = 1000;

/// The manifests of a table, shared by all its branches. Files written through one store (clones included) carry one
/// UUID and are counted. Clones are cheap and share the cache of decoded manifests.
#[derive(Clone)]
pub struct ManifestStore(Arc<Inner>);

struct Inner {
    io: FileIo,
    partition_types: Vec<DataType>,
    schema_id: i64,
    compression: ManifestCompression,
    target_bytes: u64,
    uuid: String,
    manifests: AtomicU64,
    lists: AtomicU64,
    index_manifests: AtomicU64,
    cache: EntryCache,
}

impl ManifestStore {
    /// The manifests below the table directory `io`. New ones are written as the options of the schema say.
    ///
    /// # Errors
    /// `Unsupported` for a `manifest.format` other than avro or a codec Headwater lacks, `InvalidInput` for options that
    /// do not parse.
    pub fn new(io: FileIo, schema: &Schema, env: &Env) -> Result<Self> {
        let options = schema.core_options()?;
        let format = options.manifest_format();
        if format != "avro" {
            let message = format!("manifests in {format} are not supported, only avro is");
            return Err(Error::new(ErrorKind::Unsupported, message).with("option", "manifest.format"));
        }
        Ok(Self(Arc::new(Inner {
            io,
            partition_types: schema.partition_types()?,
            schema_id: schema.id,
            compression: ManifestCompression::from_options(&options)?,
            target_bytes: options.manifest_target_file_size(),
            uuid: env.uuid(),
            manifests: AtomicU64::new(0),
            lists: AtomicU64::new(0),
            index_manifests: AtomicU64::new(0),
            cache: EntryCache::new(CACHE_BYTES),
        })))
    }

    /// Reads a manifest list; `size` is what the snapshot says of it, if anything.
    ///
    /// # Errors
    /// `NotFound` (the snapshot has expired), `Unavailable`, `Corrupt`, `Unsupported`.
    pub async fn read_list(&self, name: &str, size: Option<i64>) -> Result<Vec<ManifestFileMeta>> {
        let (path, bytes) = self.read(name, size).await?;
        decode_manifest_list(&bytes).map_err(at(&self.0.io, &path))
    }

    /// Reads a manifest, from memory if it was read before; `size` is what the manifest list says of it.
    ///
    /// # Errors
    /// As [`ManifestStore::read_list`].
    pub async fn read_manifest(&self, name: &str, size: i64) -> Result<Arc<Vec<ManifestEntry>>> {
        if let Some(entries) = self.0.cache.get(name) {
            return Ok(entries);
        }
        let (path, bytes) = self.read(name, Some(size)).await?;
        let entries = Arc::new(decode_manifest(&bytes).map_err(at(&self.0.io, &path))?);
        self.0.cache.put(name, &entries);
        Ok(entries)
    }

    /// Reads an index manifest.
    ///
    /// # Errors
    /// As [`ManifestStore::read_list`].
    pub async fn read_index_manifest(&self, name: &str) -> Result<Vec<IndexManifestEntry>> {
        let (path, bytes) = self.read(name, None).await?;
        decode_index_manifest(&bytes).map_err(at(&self.0.io, &path))
    }

    /// Starts files that are to be written together.
    pub fn draft(&self) -> ManifestDraft {
        ManifestDraft { store: self.clone(), files: Vec::new() }
    }

    /// Removes a manifest, manifest list or index manifest that no snapshot names; a missing one is fine.
    ///
    /// # Errors
    /// `Unavailable`.
    pub async fn delete(&self, name: &str) -> Result<()> {
        Ok(self.0.io.delete(&TablePaths::manifest(name)).await?)
    }

    pub(super) fn io(&self) -> &FileIo {
        &self.0.io
    }

    pub(super) fn manifest_name(&self) -> String {
        self.name("manifest", &self.0.manifests)
    }

    pub(super) fn list_name(&self) -> String {
        self.name("manifest-list", &self.0.lists)
    }

    pub(super) fn index_manifest_name(&self) -> String {
        self.name("index-manifest", &self.0.index_manifests)
    }

    pub(super) fn meta_of(&self, name: String, size: i64, entries: &[ManifestEntry]) -> Result<ManifestFileMeta> {
        ManifestFileMeta::of_entries(name, size, entries, &self.0.partition_types, self.0.schema_id)
    }

    pub(super) fn encode_list(&self, metas: &[ManifestFileMeta]) -> Result<Vec<u8>> {
        encode_manifest_list(metas, self.0.compression)
    }

    pub(super) fn encode_index(&self, entries: &[IndexManifestEntry]) -> Result<Vec<u8>> {
        encode_index_manifest(entries, self.0.compression)
    }

    /// As many entries as fit into one manifest.
    pub(super) fn encode_one(&self, entries: &[ManifestEntry]) -> Result<(Vec<u8>, usize)> {
        let mut writer = ManifestWriter::new(self.0.compression);
        let mut taken = 0;
        for entry in entries {
            writer.push(entry)?;
            taken += 1;
            if taken % ROLL_CHECK_ENTRIES == 0 && writer.flushed_bytes() >= self.0.target_bytes {
                break;
            }
        }
        Ok((writer.finish()?, taken))
    }

    async fn read(&self, name: &str, size: Option<i64>) -> Result<(String, bytes::Bytes)> {
        let path = TablePaths::manifest(name);
        let bytes = self.0.io.read(&path).await?;
        match size {
            Some(size) if i64::try_from(bytes.len()).ok() != Some(size) => {
                let message = format!("a metadata file has {} bytes where {size} are recorded", bytes.len());
                Err(Error::new(ErrorKind::Corrupt, message).with("path", self.0.io.full_path(&path)))
            }
            _ => Ok((path, bytes)),
        }
    }

    fn name(&self, kind: &str, counter: &AtomicU64) -> String {
        format!("{kind}-{}-{}", self.0.uuid, counter.fetch_add(1, Ordering::Relaxed))
    }
}
