//! The set of deleted row positions of one data file.

use roaring::{RoaringBitmap, RoaringTreemap};

use crate::{Error, ErrorKind, Result};

#[cfg(test)]
mod tests;

const MAGIC_32: u32 = 1_581_511_376;
const MAGIC_64: u32 = 1_681_511_377;
/// The largest position a 32-bit vector takes.
const MAX_POSITION_32: u64 = 0x7fff_ffff;
/// The largest high half a 64-bit vector takes.
const MAX_KEY: u32 = 0x7fff_fffe;

/// How a vector is stored: `deletion-vectors.bitmap64` chooses for new ones, the magic number tells for existing ones.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum VectorWidth {
    /// 32-bit roaring bitmap ("V1"), the default.
    Bits32,
    /// 64-bit roaring bitmap ("V2").
    Bits64,
}

/// The deleted row positions of one data file; a position is the row's ordinal in the file, from 0, before any filter.
///
/// Source: spec page 04 §4.3, `paimon-core/…/deletionvectors/BitmapDeletionVector.java@release-2.0.0`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct DeletionVector {
    positions: RoaringTreemap,
}

impl DeletionVector {
    /// The vector of no position.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// The vector of those positions.
    ///
    /// # Errors
    /// `InvalidInput` for a position no vector can hold (high half above 2^31 - 2).
    pub fn from_positions(positions: impl IntoIterator<Item = u64>) -> Result<Self> {
        let mut vector = Self::new();
        for position in positions {
            vector.delete(position)?;
        }
        Ok(vector)
    }

    /// Marks a position; returns whether it was not marked before.
    ///
    /// # Errors
    /// `InvalidInput` for a position no vector can hold.
    pub fn delete(&mut self, position: u64) -> Result<bool> {
        if position >> 32 > u64::from(MAX_KEY) {
            return Err(Error::new(
                ErrorKind::InvalidInput,
                format!("row position {position} is too large for a deletion vector"),
            ));
        }
        Ok(self.positions.insert(position))
    }

    /// Adds the positions of another vector.
    pub fn merge(&mut self, other: &Self) {
        self.positions |= &other.positions;
    }

    /// Whether the row at that position is deleted.
    #[must_use]
    pub fn is_deleted(&self, position: u64) -> bool {
        self.positions.contains(position)
    }

    /// Whether no row is deleted.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.positions.is_empty()
    }

    /// Number of deleted rows.
    #[must_use]
    pub fn cardinality(&self) -> u64 {
        self.positions.len()
    }

    /// Deleted positions, ascending.
    pub fn iter(&self) -> impl Iterator<Item = u64> + '_ {
        self.positions.iter()
    }

    /// The blob of one vector: size, magic, bitmap, checksum.
    ///
    /// # Errors
    /// `InvalidInput` when a position does not fit the width.
    pub fn encode(&self, width: VectorWidth) -> Result<Vec<u8>> {
        let body = match width {
            VectorWidth::Bits32 => self.body_32()?,
            VectorWidth::Bits64 => self.body_64()?,
        };
        let size = u32::try_from(body.len())
            .map_err(|_| Error::new(ErrorKind::InvalidInput, "deletion vector of more than 4 GiB"))?;
        let mut blob = Vec::with_capacity(body.len() + 8);
        blob.extend_from_slice(&size.to_be_bytes());
        blob.extend_from_slice(&body);
        blob.extend_from_slice(&crc32fast::hash(&body).to_be_bytes());
        Ok(blob)
    }

    fn body_32(&self) -> Result<Vec<u8>> {
        let mut bitmap = RoaringBitmap::new();
        for position in &self.positions {
            if position > MAX_POSITION_32 {
                return Err(Error::new(
                    ErrorKind::InvalidInput,
                    format!("row position {position} needs deletion-vectors.bitmap64=true"),
                ));
            }
            bitmap.insert(u32::try_from(position).unwrap_or(u32::MAX));
        }
        let mut body = MAGIC_32.to_be_bytes().to_vec();
        serialize(bitmap, &mut body)?;
        Ok(body)
    }

    fn body_64(&self) -> Result<Vec<u8>> {
        let mut body = MAGIC_64.to_le_bytes().to_vec();
        let count = self.positions.max().map_or(0, |max| (max >> 32) + 1);
        body.extend_from_slice(&count.to_le_bytes());
        let mut bitmaps = self.positions.bitmaps().peekable();
        for key in 0..u32::try_from(count).unwrap_or(u32::MAX) {
            body.extend_from_slice(&key.to_le_bytes());
            let bitmap = bitmaps.next_if(|(k, _)| *k == key).map(|(_, b)| b.clone()).unwrap_or_default();
            serialize(bitmap, &mut body)?;
        }
        Ok(body)
    }

    /// Reads the blob of one vector: exactly the bytes that [`DeletionVector::encode`] returned.
    ///
    /// # Errors
    /// `Corrupt` when sizes, magic number, checksum or bitmap do not fit.
    pub fn decode(blob: &[u8]) -> Result<(Self, VectorWidth)> {
        let (size, rest) = take_u32(blob, "size")?;
        let size = usize::try_from(size).unwrap_or(usize::MAX);
        let body = rest.get(..size).ok_or_else(|| corrupt("the vector ends before its size says"))?;
        let (crc, _) = take_u32(rest.get(size..).unwrap_or_default(), "checksum")?;
        if crc32fast::hash(body) != crc {
            return Err(corrupt("the checksum of a deletion vector is wrong"));
        }
        let (magic, bitmap) = take_u32(body, "magic number")?;
        if magic == MAGIC_32 {
            let bitmap = deserialize(&mut &*bitmap)?;
            Ok((Self { positions: RoaringTreemap::from_bitmaps([(0, bitmap)]) }, VectorWidth::Bits32))
        } else if magic.swap_bytes() == MAGIC_64 {
            Ok((Self { positions: decode_64(bitmap)? }, VectorWidth::Bits64))
        } else {
            Err(corrupt(&format!("{magic:#010x} is not the magic number of a deletion vector")))
        }
    }
}

fn decode_64(mut bytes: &[u8]) -> Result<RoaringTreemap> {
    let (head, rest) = bytes.split_first_chunk::<8>().ok_or_else(|| corrupt("a 64-bit vector has no count"))?;
    bytes = rest;
    let count = u64::from_le_bytes(*head);
    let mut bitmaps = Vec::new();
    let mut previous = None;
    for _ in 0..count {
        let (key, rest) = bytes.split_first_chunk::<4>().ok_or_else(|| corrupt("a 64-bit vector ends early"))?;
        bytes = rest;
        let key = u32::from_le_bytes(*key);
        if previous.is_some_and(|p| p >= key) || key > MAX_KEY {
            return Err(corrupt("the keys of a 64-bit vector are not ascending"));
        }
        previous = Some(key);
        bitmaps.push((key, deserialize(&mut bytes)?));
    }
    Ok(RoaringTreemap::from_bitmaps(bitmaps.into_iter().filter(|(_, b)| !b.is_empty())))
}

fn serialize(mut bitmap: RoaringBitmap, into: &mut Vec<u8>) -> Result<()> {
    bitmap.optimize();
    bitmap
        .serialize_into(into)
        .map_err(|e| Error::new(ErrorKind::Internal, "cannot serialize a roaring bitmap").with_source(e))
}

fn deserialize(bytes: &mut &[u8]) -> Result<RoaringBitmap> {
    RoaringBitmap::deserialize_from(bytes).map_err(|e| corrupt("not a roaring bitmap").with_source(e))
}

fn take_u32<'a>(bytes: &'a [u8], what: &str) -> Result<(u32, &'a [u8])> {
    let (head, rest) =
        bytes.split_first_chunk::<4>().ok_or_else(|| corrupt(&format!("a deletion vector ends before its {what}")))?;
    Ok((u32::from_be_bytes(*head), rest))
}

fn corrupt(message: &str) -> Error {
    Error::new(ErrorKind::Corrupt, message)
}
