//! Index files of deletion vectors: a version byte, then the vectors of several data files back to back.

use headwater_metadata::DeletionVectorMeta;

use crate::{DeletionVector, Error, ErrorKind, Result, VectorWidth};

#[cfg(test)]
mod tests;

/// The first byte of every file, for both widths.
pub const DV_FILE_VERSION: u8 = 1;

/// Writes one index file; returns its bytes and where each vector lies, in the order given.
///
/// # Errors
/// `InvalidInput` when a position does not fit the width or the file passes 2 GiB.
///
/// # Format
/// `u8 1`, then per vector `i32be size, magic, bitmap, i32be crc`. The length that the meta records counts from the
/// size field for 64-bit vectors and leaves out size and checksum for 32-bit ones (spec page 04 §4.3).
pub fn write_file(
    vectors: &[(String, DeletionVector)],
    width: VectorWidth,
) -> Result<(Vec<u8>, Vec<DeletionVectorMeta>)> {
    let mut bytes = vec![DV_FILE_VERSION];
    let mut ranges = Vec::with_capacity(vectors.len());
    for (data_file_name, vector) in vectors {
        let blob = vector.encode(width)?;
        let length = match width {
            VectorWidth::Bits32 => blob.len() - 8,
            VectorWidth::Bits64 => blob.len(),
        };
        ranges.push(DeletionVectorMeta {
            data_file_name: data_file_name.clone(),
            offset: position(bytes.len())?,
            length: position(length)?,
            cardinality: i64::try_from(vector.cardinality()).ok(),
        });
        bytes.extend_from_slice(&blob);
    }
    Ok((bytes, ranges))
}

fn position(n: usize) -> Result<i32> {
    i32::try_from(n).map_err(|_| Error::new(ErrorKind::InvalidInput, "an index file of deletion vectors passes 2 GiB"))
}

/// Reads the vector that `range` points at from the bytes of a whole index file.
///
/// # Errors
/// `Corrupt` when the version, the range or the vector does not fit.
pub fn read_vector(file: &[u8], range: &DeletionVectorMeta) -> Result<DeletionVector> {
    let broken = |message: &str| Error::new(ErrorKind::Corrupt, message).with("data_file", &range.data_file_name);
    if file.first() != Some(&DV_FILE_VERSION) {
        return Err(broken("the version byte of an index file of deletion vectors is not 1"));
    }
    let offset = usize::try_from(range.offset).map_err(|_| broken("negative offset"))?;
    let blob = file.get(offset..).ok_or_else(|| broken("a deletion vector lies behind the end of its file"))?;
    let (vector, width) = DeletionVector::decode(blob).map_err(|e| e.with("data_file", &range.data_file_name))?;
    let size = blob.first_chunk::<4>().map_or(0, |b| u32::from_be_bytes(*b));
    let recorded = match width {
        VectorWidth::Bits32 => u32::try_from(range.length).ok(),
        VectorWidth::Bits64 => u32::try_from(range.length).ok().and_then(|l| l.checked_sub(8)),
    };
    if recorded != Some(size) {
        return Err(broken("the length of a deletion vector differs from the index manifest"));
    }
    Ok(vector)
}
