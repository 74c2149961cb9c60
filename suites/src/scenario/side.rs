//! Who performs an operation.

use std::path::Path;

use headwater_types::DataField;

use super::rows::Row;
use super::script::Op;

/// Why an operation gave nothing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Failure {
    /// The side lacks the feature: its name.
    Missing(String),
    /// The operation failed: the message.
    Refused(String),
}

/// The lines an operation gives.
pub type Played = Result<Vec<String>, Failure>;

/// What a side needs to know to perform an operation.
#[derive(Clone, Copy, Debug)]
pub struct Scene<'a> {
    /// The table directory, local.
    pub path: &'a Path,
    /// The operation.
    pub op: &'a Op,
    /// The table's columns.
    pub fields: &'a [DataField],
    /// The operation's rows.
    pub rows: &'a [Row],
    /// Grows from operation to operation: the identifier of streaming commits.
    pub identifier: i64,
}

/// An engine that performs operations on table directories.
pub trait Side {
    /// Performs the operation; gives lines for `read` and `stream` only: sorted canonical rows, and for `stream` kind and
    /// row in order.
    ///
    /// # Errors
    /// [`Failure`].
    fn perform(&mut self, scene: &Scene<'_>) -> Played;

    /// What the snapshots above `after` are and what they did to the table's files, one line each; file names and sizes
    /// left out, the files of a snapshot sorted.
    ///
    /// # Errors
    /// [`Failure`].
    fn facts(&mut self, path: &Path, after: i64) -> Played;
}
