//! Manifests, lists and index manifests of one commit.

use bytes::Bytes;

use super::ManifestStore;
use crate::{IndexManifestEntry, ManifestEntry, ManifestFileMeta, Result, TablePaths};

/// Metadata files that have names and contents and are not written yet: a commit writes all of its files at once, which
/// costs about as much as one.
#[must_use]
pub struct ManifestDraft {
    pub(super) store: ManifestStore,
    /// Name and content.
    pub(super) files: Vec<(String, Bytes)>,
}

impl ManifestDraft {
    /// Adds new manifests of about `manifest.target-file-size` that hold the entries, none for no entries.
    ///
    /// # Errors
    /// `InvalidInput` for entries that cannot be encoded.
    pub fn manifests(&mut self, entries: &[ManifestEntry]) -> Result<Vec<ManifestFileMeta>> {
        let mut metas = Vec::new();
        let mut rest = entries;
        while !rest.is_empty() {
            let (bytes, taken) = self.store.encode_one(rest)?;
            let Some((head, tail)) = rest.split_at_checked(taken) else { break };
            let name = self.store.manifest_name();
            let size = self.add(&name, bytes);
            metas.push(self.store.meta_of(name, size, head)?);
            rest = tail;
        }
        Ok(metas)
    }

    /// Adds a manifest list, also an empty one; its name and bytes.
    ///
    /// # Errors
    /// `InvalidInput` for metas that cannot be encoded.
    pub fn list(&mut self, metas: &[ManifestFileMeta]) -> Result<(String, i64)> {
        let name = self.store.list_name();
        let bytes = self.store.encode_list(metas)?;
        let size = self.add(&name, bytes);
        Ok((name, size))
    }

    /// Adds an index manifest, also an empty one; its name.
    ///
    /// # Errors
    /// `InvalidInput` for entries that cannot be encoded.
    pub fn index_manifest(&mut self, entries: &[IndexManifestEntry]) -> Result<String> {
        let name = self.store.index_manifest_name();
        let bytes = self.store.encode_index(entries)?;
        self.add(&name, bytes);
        Ok(name)
    }

    /// The names of all files.
    #[must_use]
    pub fn names(&self) -> Vec<String> {
        self.files.iter().map(|(name, _)| name.clone()).collect()
    }

    /// Writes the files; durable on return.
    ///
    /// # Errors
    /// `Unavailable`; files may then be left behind.
    pub async fn write(self) -> Result<()> {
        let files = self.files.into_iter().map(|(name, content)| (TablePaths::manifest(&name), content)).collect();
        Ok(self.store.io().write_all_durable(files).await?)
    }

    fn add(&mut self, name: &str, content: Vec<u8>) -> i64 {
        let size = i64::try_from(content.len()).unwrap_or(i64::MAX);
        self.files.push((name.to_owned(), content.into()));
        size
    }
}
