//! The reference's variants of MurmurHash3 (x86, 32 bits, seed 42). Source: spec page 01 §8.5, `MurmurHashUtils.java`.

const SEED: u32 = 42;

fn mix(hash: u32, word: u32) -> u32 {
    let word = word.wrapping_mul(0xcc9e_2d51).rotate_left(15).wrapping_mul(0x1b87_3593);
    (hash ^ word).rotate_left(13).wrapping_mul(5).wrapping_add(0xe654_6b64)
}

fn finish(hash: u32, length: usize) -> i32 {
    // Lengths of hashed values fit 32 bits: they come from rows and strings below 2 GiB.
    let mut hash = hash ^ u32::try_from(length).unwrap_or(u32::MAX);
    hash = (hash ^ (hash >> 16)).wrapping_mul(0x85eb_ca6b);
    hash = (hash ^ (hash >> 13)).wrapping_mul(0xc2b2_ae35);
    (hash ^ (hash >> 16)).cast_signed()
}

/// The hash of whole little-endian 32-bit words, as of the bytes of a [`crate::BinaryRow`]; bytes after the last whole word
/// only count in the length.
#[must_use]
pub fn hash_words(bytes: &[u8]) -> i32 {
    let (words, _) = bytes.as_chunks::<4>();
    finish(words.iter().fold(SEED, |hash, word| mix(hash, u32::from_le_bytes(*word))), bytes.len())
}

/// The hash of a string or byte array of any length: each byte after the last whole word is mixed as a word of its own,
/// sign-extended (not the usual Murmur tail).
#[must_use]
pub fn hash_bytes(bytes: &[u8]) -> i32 {
    let (words, tail) = bytes.as_chunks::<4>();
    let hash = words.iter().fold(SEED, |hash, word| mix(hash, u32::from_le_bytes(*word)));
    let hash = tail.iter().fold(hash, |hash, byte| mix(hash, i32::from(byte.cast_signed()).cast_unsigned()));
    finish(hash, bytes.len())
}
