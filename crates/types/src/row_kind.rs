//! What a row does to the row of its key.

use crate::{Error, ErrorKind, Result};

/// The kind of a change. Source: `paimon-api/…/types/RowKind.java@release-2.0.0`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[repr(u8)]
pub enum RowKind {
    /// `+I`
    Insert = 0,
    /// `-U`: the old row of an update; a retraction.
    UpdateBefore = 1,
    /// `+U`
    UpdateAfter = 2,
    /// `-D`: a retraction.
    Delete = 3,
}

impl RowKind {
    /// The kind of a stored `_VALUE_KIND`.
    ///
    /// # Errors
    /// `Corrupt` for a byte other than 0 to 3.
    pub fn from_byte(byte: i8) -> Result<Self> {
        match byte {
            0 => Ok(Self::Insert),
            1 => Ok(Self::UpdateBefore),
            2 => Ok(Self::UpdateAfter),
            3 => Ok(Self::Delete),
            _ => Err(Error::new(ErrorKind::Corrupt, format!("{byte} is not a row kind (0 to 3)"))),
        }
    }

    /// The stored `_VALUE_KIND`.
    #[must_use]
    pub fn to_byte(self) -> i8 {
        match self {
            Self::Insert => 0,
            Self::UpdateBefore => 1,
            Self::UpdateAfter => 2,
            Self::Delete => 3,
        }
    }

    /// `+I`, `-U`, `+U` or `-D`.
    #[must_use]
    pub fn short_string(self) -> &'static str {
        match self {
            Self::Insert => "+I",
            Self::UpdateBefore => "-U",
            Self::UpdateAfter => "+U",
            Self::Delete => "-D",
        }
    }

    /// The kind written as `+I`, `-U`, `+U` or `-D`.
    ///
    /// # Errors
    /// `InvalidInput` for any other text.
    pub fn from_short_string(text: &str) -> Result<Self> {
        match text {
            "+I" => Ok(Self::Insert),
            "-U" => Ok(Self::UpdateBefore),
            "+U" => Ok(Self::UpdateAfter),
            "-D" => Ok(Self::Delete),
            _ => Err(Error::new(ErrorKind::InvalidInput, format!("'{text}' is not a row kind: use +I, -U, +U or -D"))),
        }
    }

    /// Whether this is `-U` or `-D`.
    #[must_use]
    pub fn is_retract(self) -> bool {
        matches!(self, Self::UpdateBefore | Self::Delete)
    }
}
