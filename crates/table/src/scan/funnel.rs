//! How a scan narrowed the table down.

use std::fmt;

/// Counts of what each step of planning left over, in the order of the steps.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct ScanFunnel {
    /// Manifests of the snapshot.
    pub manifests: u64,
    /// Manifests whose own statistics did not rule them out.
    pub manifests_read: u64,
    /// Live files in the manifests read.
    pub files: u64,
    /// Files of partitions that can match.
    pub files_after_partition: u64,
    /// Files of buckets that can match.
    pub files_after_bucket: u64,
    /// Files whose key statistics can match.
    pub files_after_keys: u64,
    /// Files whose value statistics can match; these are read.
    pub files_after_values: u64,
    /// Bytes of the files read.
    pub bytes: u64,
    /// Rows stored in the files read.
    pub rows: u64,
    /// Splits made of them.
    pub splits: u64,
    /// Splits that need no merge.
    pub raw_splits: u64,
}

impl fmt::Display for ScanFunnel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "manifests {} → {} read; files {} → partition {} → bucket {} → keys {} → values {}; splits {} ({} without merge)",
            self.manifests,
            self.manifests_read,
            self.files,
            self.files_after_partition,
            self.files_after_bucket,
            self.files_after_keys,
            self.files_after_values,
            self.splits,
            self.raw_splits,
        )
    }
}
