//! Paimon's binary row: the bytes of keys, partitions and statistics.

use crate::{DataType, Datum, Result};

/// A row in Paimon's binary layout, without the arity prefix of its serialized form. Equality is equality of bytes.
/// Source: spec page 01 §8, `paimon-common/…/data/BinaryRow.java@release-2.0.0`.
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
        let _ = (types, values);
        unimplemented!()
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
}
