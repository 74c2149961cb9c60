//! Plans and publishes snapshots of Paimon tables.

mod error;

pub use error::{Error, Result};
pub use headwater_types::ErrorKind;
