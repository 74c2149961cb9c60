//! `tag/`: named snapshots.

use headwater_io::FileIo;

use super::{at, numbered::file_name};
use crate::{Error, ErrorKind, Result, Snapshot, TablePaths, Tag};

/// The tags of a table's main branch or of another branch.
#[derive(Clone)]
pub struct TagStore {
    io: FileIo,
    branch: Option<String>,
}

impl TagStore {
    /// The tags below the table directory `io`; `None` is the main branch.
    #[must_use]
    pub fn new(io: FileIo, branch: Option<&str>) -> Self {
        Self { io, branch: branch.filter(|b| *b != "main").map(str::to_owned) }
    }

    /// The snapshot a name stands for.
    ///
    /// # Errors
    /// `NotFound` when there is no such tag, `Unavailable`, `Corrupt`, `Unsupported`.
    pub async fn get(&self, name: &str) -> Result<Snapshot> {
        Ok(self.read(name).await?.snapshot)
    }

    /// The whole tag.
    ///
    /// # Errors
    /// As [`TagStore::get`].
    pub async fn read(&self, name: &str) -> Result<Tag> {
        let path = self.path(name);
        let bytes = match self.io.read(&path).await {
            Err(e) if e.kind() == headwater_io::ErrorKind::NotFound => {
                return Err(Error::new(ErrorKind::NotFound, format!("there is no tag '{name}'"))
                    .with("path", self.io.full_path(&path)));
            }
            read => read?,
        };
        Tag::from_json(&bytes).map_err(at(&self.io, &path))
    }

    /// The names of all tags, sorted.
    ///
    /// # Errors
    /// `Unavailable`.
    pub async fn list(&self) -> Result<Vec<String>> {
        let files = self.io.list(&format!("{}tag", TablePaths::branch_prefix(self.branch.as_deref()))).await?;
        let names = files.iter().filter_map(|file| file_name(&file.path).strip_prefix("tag-"));
        let mut names: Vec<String> = names.map(str::to_owned).collect();
        names.sort_unstable();
        Ok(names)
    }

    /// Creates a tag.
    ///
    /// # Errors
    /// `Exists`, `Unavailable`; `InvalidInput` for a blank name.
    pub async fn create(&self, name: &str, tag: &Tag) -> Result<()> {
        if name.trim().is_empty() {
            return Err(Error::new(ErrorKind::InvalidInput, "a tag needs a name"));
        }
        Ok(self.io.create_new(&self.path(name), tag.to_json().into()).await?)
    }

    /// Removes a tag; a missing one is fine. The files only it kept are left to expiry.
    ///
    /// # Errors
    /// `Unavailable`.
    pub async fn delete(&self, name: &str) -> Result<()> {
        Ok(self.io.delete(&self.path(name)).await?)
    }

    fn path(&self, name: &str) -> String {
        TablePaths::tag(self.branch.as_deref(), name)
    }
}
