//! Where the files of a table lie, relative to its directory. Source: spec page 01 §1.

#[cfg(test)]
mod tests;

use headwater_types::{BinaryRow, CoreOptions, PartitionPath};

use crate::{DataFileMeta, Error, ErrorKind, IndexFileMeta, Result, Schema};

/// The bucket number of files that have not found their bucket yet.
const POSTPONE_BUCKET: i32 = -2;

/// Paths within one table directory.
#[derive(Clone, Debug)]
pub struct TablePaths {
    partitions: PartitionPath,
    /// `data-file.path-directory` with a slash at the end, or nothing.
    data_prefix: String,
    index_in_bucket: bool,
}

impl TablePaths {
    /// The paths of a table with this schema.
    ///
    /// # Errors
    /// `InvalidInput` when the options do not parse.
    pub fn new(schema: &Schema) -> Result<Self> {
        Self::with_options(schema, &schema.core_options()?)
    }

    /// The paths of a table with this schema and options parsed already.
    ///
    /// # Errors
    /// `Corrupt` when a partition key is no column.
    pub fn with_options(schema: &Schema, options: &CoreOptions) -> Result<Self> {
        let types = schema.partition_types()?;
        let default_name = options.partition_default_name();
        let directory = options.raw().get("data-file.path-directory").map(|d| d.trim_matches('/')).unwrap_or_default();
        Ok(Self {
            partitions: PartitionPath::new(
                &schema.partition_keys,
                &types,
                &default_name,
                options.partition_legacy_name(),
            ),
            data_prefix: if directory.is_empty() { String::new() } else { format!("{directory}/") },
            index_in_bucket: options.raw().get("index-file-in-data-file-dir").is_some_and(|v| v == "true"),
        })
    }

    /// The names of partition directories.
    #[must_use]
    pub fn partitions(&self) -> &PartitionPath {
        &self.partitions
    }

    /// The directory of a partition, without slash at the end; `""` is the table itself.
    ///
    /// # Errors
    /// `Corrupt` when the row is not of the partition's types, `Unsupported` for types without a usable name.
    pub fn partition_dir(&self, partition: &BinaryRow) -> Result<String> {
        let mut dir = self.data_prefix.clone();
        dir.push_str(&self.partitions.of(partition)?);
        dir.truncate(dir.trim_end_matches('/').len());
        Ok(dir)
    }

    /// The directory of a bucket: `dt=1/bucket-0`, `bucket-postpone`.
    ///
    /// # Errors
    /// As [`TablePaths::partition_dir`].
    pub fn bucket_dir(&self, partition: &BinaryRow, bucket: i32) -> Result<String> {
        let mut dir = self.partition_dir(partition)?;
        if !dir.is_empty() {
            dir.push('/');
        }
        if bucket == POSTPONE_BUCKET {
            dir.push_str("bucket-postpone");
        } else {
            dir.push_str(&format!("bucket-{bucket}"));
        }
        Ok(dir)
    }

    /// A data or changelog file.
    ///
    /// # Errors
    /// As [`TablePaths::partition_dir`]; `Unsupported` for files outside of the table directory.
    pub fn data_file(&self, partition: &BinaryRow, bucket: i32, file: &DataFileMeta) -> Result<String> {
        refuse_external(file.external_path.as_deref())?;
        Ok(format!("{}/{}", self.bucket_dir(partition, bucket)?, file.file_name))
    }

    /// A data file and the files that live and die with it, the data file first.
    ///
    /// # Errors
    /// As [`TablePaths::data_file`].
    pub fn data_file_and_extras(&self, partition: &BinaryRow, bucket: i32, file: &DataFileMeta) -> Result<Vec<String>> {
        refuse_external(file.external_path.as_deref())?;
        let dir = self.bucket_dir(partition, bucket)?;
        Ok(std::iter::once(&file.file_name).chain(&file.extra_files).map(|name| format!("{dir}/{name}")).collect())
    }

    /// An index file: in `index/`, or beside the data with `index-file-in-data-file-dir`.
    ///
    /// # Errors
    /// As [`TablePaths::data_file`].
    pub fn index_file(&self, partition: &BinaryRow, bucket: i32, file: &IndexFileMeta) -> Result<String> {
        refuse_external(file.external_path.as_deref())?;
        if self.index_in_bucket && matches!(file.index_type.as_str(), "HASH" | "DELETION_VECTORS") {
            return Ok(format!("{}/{}", self.bucket_dir(partition, bucket)?, file.file_name));
        }
        Ok(Self::index(&file.file_name))
    }

    /// `manifest/NAME`: manifests, manifest lists and index manifests.
    #[must_use]
    pub fn manifest(name: &str) -> String {
        format!("manifest/{name}")
    }

    /// `index/NAME`.
    #[must_use]
    pub fn index(name: &str) -> String {
        format!("index/{name}")
    }

    /// `statistics/NAME`.
    #[must_use]
    pub fn statistics(name: &str) -> String {
        format!("statistics/{name}")
    }

    /// The directory of a branch with a slash at the end; `""` for main (`None`, `main`).
    #[must_use]
    pub fn branch_prefix(branch: Option<&str>) -> String {
        match branch {
            None | Some("main") => String::new(),
            Some(branch) => format!("branch/branch-{branch}/"),
        }
    }

    /// `snapshot/snapshot-ID`.
    #[must_use]
    pub fn snapshot(branch: Option<&str>, id: i64) -> String {
        format!("{}snapshot/snapshot-{id}", Self::branch_prefix(branch))
    }

    /// `schema/schema-ID`.
    #[must_use]
    pub fn schema(branch: Option<&str>, id: i64) -> String {
        format!("{}schema/schema-{id}", Self::branch_prefix(branch))
    }

    /// `tag/tag-NAME`.
    #[must_use]
    pub fn tag(branch: Option<&str>, name: &str) -> String {
        format!("{}tag/tag-{name}", Self::branch_prefix(branch))
    }

    /// `changelog/changelog-ID`.
    #[must_use]
    pub fn changelog(branch: Option<&str>, id: i64) -> String {
        format!("{}changelog/changelog-{id}", Self::branch_prefix(branch))
    }

    /// `consumer/consumer-ID`.
    #[must_use]
    pub fn consumer(branch: Option<&str>, id: &str) -> String {
        format!("{}consumer/consumer-{id}", Self::branch_prefix(branch))
    }
}

fn refuse_external(path: Option<&str>) -> Result<()> {
    match path {
        None => Ok(()),
        Some(path) => {
            let message = "files outside of the table directory (data-file.external-paths) are not supported";
            Err(Error::new(ErrorKind::Unsupported, message).with("path", path))
        }
    }
}
