//! Indexes that lie beside the data files of a Paimon table: deletion vectors and the hash bucket index.
//!
//! Bytes in, bytes out: no I/O, no async, no Arrow. Reading and writing the files is the caller's.
//!
//! ```text
//! index file bytes ─▶ read_vector(bytes, &DeletionVectorMeta) ─▶ DeletionVector ─▶ is_deleted(position)
//! positions        ─▶ DeletionVector ─▶ write_file            ─▶ bytes + one DeletionVectorMeta per data file
//! ```
//!
//! # Examples
//! ```
//! use headwater_index::{DeletionVector, VectorWidth, read_vector, write_file};
//!
//! let vector = DeletionVector::from_positions([1, 5, 6])?;
//! let (bytes, ranges) = write_file(&[("data-a-0.parquet".to_owned(), vector.clone())], VectorWidth::Bits32)?;
//! let back = read_vector(&bytes, &ranges[0])?;
//! assert_eq!(back, vector);
//! assert!(back.is_deleted(5) && !back.is_deleted(2));
//! # Ok::<(), headwater_index::Error>(())
//! ```

mod deletion_vector;
mod dv_file;
mod error;
mod hash_index;

pub use deletion_vector::{DeletionVector, VectorWidth};
pub use dv_file::{DV_FILE_VERSION, read_vector, write_file};
pub use error::{Error, Result};
pub use hash_index::{decode_hash_index, encode_hash_index};
pub use headwater_types::ErrorKind;
