//! Paimon's binary row: the bytes of keys, partitions and statistics.

mod encoder;
mod layout;
mod reader;
#[cfg(test)]
mod tests;
mod writer;

pub use encoder::BinaryRowEncoder;
pub(crate) use encoder::canonical;
pub(crate) use reader::Fields;

use crate::{DataType, Datum, Error, ErrorKind, Result, murmur};

/// A row in Paimon's binary layout, without the arity prefix of its serialized form. Equality is equality of bytes.
///
/// # Format
/// Everything little-endian: row kind (byte 0) and null bits, one 8-byte slot per field, then variable-length pieces
/// padded to 8 bytes. Source: spec page 01 §8, `paimon-common/…/data/BinaryRow.java@release-2.0.0`.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct BinaryRow {
    arity: usize,
    bytes: Vec<u8>,
}

impl BinaryRow {
    /// The row without fields.
    #[must_use]
    pub fn empty() -> Self {
        Self { arity: 0, bytes: vec![0; 8] }
    }

    /// Encodes values; `values[i]` has type `types[i]`.
    ///
    /// # Errors
    /// `InvalidInput` when a value does not fit its type or the lengths differ.
    pub fn from_datums(types: &[DataType], values: &[Option<Datum>]) -> Result<Self> {
        Ok(Self { arity: types.len(), bytes: writer::row(types, values)? })
    }

    /// Decodes all fields.
    ///
    /// # Errors
    /// `Corrupt` when the bytes are no row of these types.
    pub fn to_datums(&self, types: &[DataType]) -> Result<Vec<Option<Datum>>> {
        reader::row(&self.bytes, self.arity, types)
    }

    /// A row from its bytes without arity prefix.
    ///
    /// # Errors
    /// `Corrupt` when there are fewer bytes than `arity` fields need.
    pub fn from_bytes(arity: usize, bytes: Vec<u8>) -> Result<Self> {
        match layout::fixed_size(arity) {
            Some(size) if bytes.len() >= size => Ok(Self { arity, bytes }),
            _ => Err(Error::new(
                ErrorKind::Corrupt,
                format!("a binary row of {arity} fields cannot have only {} bytes", bytes.len()),
            )),
        }
    }

    /// A row from its serialized form: big-endian 32-bit arity, then the row.
    ///
    /// # Errors
    /// `Corrupt` when the bytes are too few or the arity is negative.
    pub fn from_serialized(serialized: &[u8]) -> Result<Self> {
        let Some((arity, bytes)) = serialized.split_first_chunk::<4>() else {
            return Err(Error::new(ErrorKind::Corrupt, "a serialized binary row has at least 4 bytes"));
        };
        let arity = i32::from_be_bytes(*arity);
        let arity = usize::try_from(arity)
            .map_err(|_| Error::new(ErrorKind::Corrupt, format!("a binary row cannot have {arity} fields")))?;
        Self::from_bytes(arity, bytes.to_vec())
    }

    /// The serialized form: big-endian 32-bit arity, then the row.
    #[must_use]
    pub fn to_serialized(&self) -> Vec<u8> {
        let mut out = Vec::with_capacity(4 + self.bytes.len());
        out.extend_from_slice(&u32::try_from(self.arity).unwrap_or(u32::MAX).to_be_bytes());
        out.extend_from_slice(&self.bytes);
        out
    }

    /// Number of fields.
    #[must_use]
    pub fn arity(&self) -> usize {
        self.arity
    }

    /// The row's bytes, without arity.
    #[must_use]
    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// The 32-bit hash of all bytes, which decides the default bucket.
    #[must_use]
    pub fn hash32(&self) -> i32 {
        murmur::hash_words(&self.bytes)
    }

    /// Whether the field is null; a field beyond the arity counts as null.
    #[must_use]
    pub fn is_null_at(&self, field: usize) -> bool {
        field >= self.arity || Fields::of_row(&self.bytes, self.arity).is_null(field)
    }

    pub(crate) fn fields(&self) -> Fields<'_> {
        Fields::of_row(&self.bytes, self.arity)
    }
}
