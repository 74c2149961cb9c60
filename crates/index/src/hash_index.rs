//! The hash index of dynamic buckets: the key hashes that live in one bucket.

use std::collections::BTreeSet;

#[cfg(test)]
mod tests;

/// The hashes of an index file: big-endian 32-bit integers without header; an incomplete last one is dropped.
/// Source: spec page 04 §3.1.
#[must_use]
pub fn decode_hash_index(bytes: &[u8]) -> BTreeSet<i32> {
    bytes.as_chunks::<4>().0.iter().map(|chunk| i32::from_be_bytes(*chunk)).collect()
}

/// The bytes of an index file, ascending.
#[must_use]
pub fn encode_hash_index(hashes: &BTreeSet<i32>) -> Vec<u8> {
    hashes.iter().flat_map(|hash| hash.to_be_bytes()).collect()
}
