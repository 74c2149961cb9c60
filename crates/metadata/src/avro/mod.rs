//! Avro object container files: what manifests are kept in. Written for manifests, not a general library: values are
//! read straight into the models, writer columns are matched by name, unknown ones are skipped.

mod container;
mod cursor;
mod schema;
mod writer;

pub use container::ManifestCompression;
pub(crate) use container::read_blocks;
pub(crate) use cursor::Cursor;
pub(crate) use schema::{AvroType, Plan, RecordType};
pub(crate) use writer::{ContainerWriter, Out};

use crate::{Error, ErrorKind};

fn corrupt(message: impl Into<String>) -> Error {
    Error::new(ErrorKind::Corrupt, message)
}
