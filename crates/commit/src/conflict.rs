//! Why a commit cannot follow the snapshot it meets.

use std::fmt;

use headwater_metadata::FileIdentifier;
use headwater_types::{BinaryRow, ErrorKind};

use crate::{Error, TableFacts};

/// Why a commit cannot follow the snapshot it meets. All are decided from values; none is cured by trying the same
/// changes again. Source: spec page 05 §5.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Conflict {
    /// A partition has another bucket count, and this commit does not overwrite it.
    BucketCountChanged {
        /// The partition.
        partition: BinaryRow,
        /// The count of files seen first.
        from: i32,
        /// The count that differs.
        to: i32,
    },
    /// A file to be added is there already.
    AddedTwice(Box<FileIdentifier>),
    /// A file to be removed is not there: somebody else removed it first.
    FileGone(Box<FileIdentifier>),
    /// Two files of one level above 0 would overlap in their keys.
    KeyRangesOverlap {
        /// The partition.
        partition: BinaryRow,
        /// The bucket.
        bucket: i32,
        /// The level.
        level: i32,
        /// Names of the two files.
        files: [String; 2],
    },
    /// A deletion vector for a data file that is not there.
    DeletionVectorWithoutFile {
        /// The data file.
        data_file: String,
    },
    /// Two deletion vectors for one data file.
    DeletionVectorTwice {
        /// The data file.
        data_file: String,
    },
    /// An index file to be added is there already.
    IndexFileAddedTwice {
        /// The index file.
        file: String,
    },
    /// An index file to be removed is not there.
    IndexFileGone {
        /// The index file.
        file: String,
    },
    /// A global index would cover rows that another one of the same column covers.
    GlobalIndexOverlap {
        /// The index file.
        file: String,
        /// The file it overlaps.
        other: String,
    },
}

impl fmt::Display for Conflict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::BucketCountChanged { from, to, .. } => {
                write!(
                    f,
                    "total buckets changed from {from} to {to} without overwrite; overwrite the partition to rescale it"
                )
            }
            Self::AddedTwice(file) => write!(f, "file {} is in the table already", file.file_name),
            Self::FileGone(file) => write!(
                f,
                "file deletion conflict: file {} of level {} is no longer in the table; another writer removed it first",
                file.file_name, file.level
            ),
            Self::KeyRangesOverlap { level, files: [a, b], .. } => {
                write!(f, "LSM conflict: files {a} and {b} of level {level} overlap in their keys")
            }
            Self::DeletionVectorWithoutFile { data_file } => {
                write!(f, "deletion vector for file {data_file}, which is no longer in the table")
            }
            Self::DeletionVectorTwice { data_file } => write!(f, "two deletion vectors for file {data_file}"),
            Self::IndexFileAddedTwice { file } => write!(f, "index file {file} is in the table already"),
            Self::IndexFileGone { file } => write!(f, "index file {file} is no longer in the table"),
            Self::GlobalIndexOverlap { file, other } => {
                write!(f, "global index file {file} covers rows that {other} covers")
            }
        }
    }
}

impl Conflict {
    /// The error of kind `Conflict` that says this, with partition and bucket where they are known.
    #[must_use]
    pub fn into_error(self, facts: &TableFacts) -> Error {
        let error = Error::new(ErrorKind::Conflict, self.to_string());
        match &self {
            Self::BucketCountChanged { partition, .. } => error.with("partition", facts.describe(partition)),
            Self::AddedTwice(file) | Self::FileGone(file) => {
                error.with("partition", facts.describe(&file.partition)).with("bucket", file.bucket)
            }
            Self::KeyRangesOverlap { partition, bucket, .. } => {
                error.with("partition", facts.describe(partition)).with("bucket", bucket)
            }
            _ => error,
        }
    }
}

/// Why planning failed: a conflict, or values that cannot be understood.
#[derive(Debug)]
pub enum Refusal {
    /// The changes do not fit the base.
    Conflict(Conflict),
    /// Metadata could not be decoded.
    Failed(Error),
}

impl From<Conflict> for Refusal {
    fn from(conflict: Conflict) -> Self {
        Self::Conflict(conflict)
    }
}

impl From<headwater_types::Error> for Refusal {
    fn from(error: headwater_types::Error) -> Self {
        Self::Failed(error.into())
    }
}

impl Refusal {
    /// The crate error that says this.
    #[must_use]
    pub fn into_error(self, facts: &TableFacts) -> Error {
        match self {
            Self::Conflict(conflict) => conflict.into_error(facts),
            Self::Failed(error) => error,
        }
    }
}
