//! Values of options that choose one of several behaviours.

use std::fmt;

use super::value::invalid;
use crate::{Error, Result};

/// How rows of one key combine. Source: spec page 03, "merge engines".
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum MergeEngine {
    /// The newest row wins.
    Deduplicate,
    /// The newest non-null value of each column wins.
    PartialUpdate,
    /// Each column is aggregated.
    Aggregation,
    /// The oldest row wins.
    FirstRow,
}

impl fmt::Display for MergeEngine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Deduplicate => "deduplicate",
            Self::PartialUpdate => "partial-update",
            Self::Aggregation => "aggregation",
            Self::FirstRow => "first-row",
        })
    }
}

/// Where the changelog of a primary-key table comes from. Source: spec page 03, "changelog producers".
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ChangelogProducer {
    /// No changelog files.
    None,
    /// The rows as they were written.
    Input,
    /// The difference each full compaction makes.
    FullCompaction,
    /// Each commit compacts its rows and compares with what was there.
    Lookup,
}

impl fmt::Display for ChangelogProducer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::None => "none",
            Self::Input => "input",
            Self::FullCompaction => "full-compaction",
            Self::Lookup => "lookup",
        })
    }
}

/// Which statistics of a column a file's metadata keeps. Source: spec page 02, section 4.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum StatsMode {
    /// Nothing.
    None,
    /// The number of nulls.
    Counts,
    /// Nulls, minimum and maximum; texts and bytes cut to that many characters or bytes.
    Truncate(u32),
    /// Nulls, minimum and maximum, uncut.
    Full,
}

impl fmt::Display for StatsMode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::None => f.write_str("none"),
            Self::Counts => f.write_str("counts"),
            Self::Truncate(length) => write!(f, "truncate({length})"),
            Self::Full => f.write_str("full"),
        }
    }
}

impl std::str::FromStr for StatsMode {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self> {
        let lower = text.trim().to_lowercase();
        match lower.as_str() {
            "none" => return Ok(Self::None),
            "counts" => return Ok(Self::Counts),
            "full" => return Ok(Self::Full),
            _ => {}
        }
        lower
            .strip_prefix("truncate(")
            .and_then(|rest| rest.strip_suffix(')'))
            .and_then(|length| length.trim().parse().ok())
            .filter(|length| *length > 0)
            .map(Self::Truncate)
            .ok_or_else(|| invalid(format!("'{text}' is not none, counts, truncate(n) or full")))
    }
}

/// How a row finds its bucket in a table of fixed buckets. Source: spec page 04, "bucket functions".
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum BucketFunction {
    /// The absolute value of the remainder of the BinaryRow's hash.
    Default,
    /// The non-negative remainder of one INT or BIGINT key.
    Mod,
    /// Hive's hash.
    Hive,
}

impl fmt::Display for BucketFunction {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Default => "default",
            Self::Mod => "mod",
            Self::Hive => "hive",
        })
    }
}

impl std::str::FromStr for BucketFunction {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self> {
        match text.trim().to_lowercase().as_str() {
            "default" => Ok(Self::Default),
            "mod" => Ok(Self::Mod),
            "hive" => Ok(Self::Hive),
            _ => Err(invalid(format!("'{text}' is not one of default, mod, hive"))),
        }
    }
}
