//! Names of tables.

use std::fmt;
use std::str::FromStr;

use crate::{Error, ErrorKind, Result};

/// A database and a table in it. `FromStr` reads `database.table`.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Identifier {
    /// The database.
    pub database: String,
    /// The table, without system-table or branch suffix.
    pub table: String,
}

impl Identifier {
    /// The identifier of those names.
    #[must_use]
    pub fn new(database: impl Into<String>, table: impl Into<String>) -> Self {
        Self { database: database.into(), table: table.into() }
    }
}

impl fmt::Display for Identifier {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{}", self.database, self.table)
    }
}

impl FromStr for Identifier {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self> {
        match text.split_once('.') {
            Some((database, table)) if !database.is_empty() && !table.is_empty() && !table.contains('.') => {
                Ok(Self::new(database, table))
            }
            _ => {
                Err(Error::new(ErrorKind::InvalidInput, format!("'{text}' is not a table name: write DATABASE.TABLE")))
            }
        }
    }
}

/// Refuses names that cannot be directories of a warehouse.
pub(crate) fn check_name(what: &str, name: &str) -> Result<()> {
    let wrong = if name.trim().is_empty() {
        "it is empty"
    } else if name.contains(['/', '\\']) || name.starts_with('.') {
        "it must not hold '/' or '\\' or begin with '.'"
    } else if what == "table" && name.contains('$') {
        "'$' separates the names of system tables"
    } else if name.chars().any(char::is_control) {
        "it holds control characters"
    } else {
        return Ok(());
    };
    Err(Error::new(ErrorKind::InvalidInput, format!("'{name}' cannot be the name of a {what}: {wrong}")))
}
