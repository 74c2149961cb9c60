//! Which bucket a row belongs to.

mod hive;
#[cfg(test)]
mod tests;

use arrow_array::ArrayRef;
use arrow_array::cast::AsArray;
use arrow_array::types::{Int32Type, Int64Type};

use crate::binary_row::canonical;
use crate::{BinaryRow, BinaryRowEncoder, BucketFunction, DataType, Datum, Error, ErrorKind, Result, TypeKind};

/// Assigns rows to the buckets 0 to n-1 by their bucket key.
#[derive(Clone, Debug)]
pub struct Bucketer {
    function: BucketFunction,
    buckets: i32,
    types: Vec<DataType>,
    encoder: BinaryRowEncoder,
}

impl Bucketer {
    /// A bucketer over `buckets` buckets for keys of these types, in bucket-key order.
    ///
    /// # Errors
    /// `InvalidInput` for fewer than one bucket or `mod` over anything but one INT or BIGINT; `Unsupported` for types
    /// that `hive` cannot hash.
    pub fn new(function: BucketFunction, buckets: i32, key_types: &[DataType]) -> Result<Self> {
        if buckets < 1 {
            return Err(Error::new(ErrorKind::InvalidInput, format!("{buckets} is not a number of fixed buckets")));
        }
        if function == BucketFunction::Mod {
            let one_integer = matches!(key_types, [only] if matches!(only.kind(), TypeKind::Int | TypeKind::BigInt));
            if !one_integer {
                return Err(Error::new(
                    ErrorKind::InvalidInput,
                    "bucket-function.type=mod needs a bucket key of one INT or BIGINT column",
                ));
            }
        }
        if function == BucketFunction::Hive {
            key_types.iter().try_for_each(hive::check)?;
        }
        let encoder = BinaryRowEncoder::new(key_types);
        Ok(Self { function, buckets, types: key_types.to_vec(), encoder })
    }

    /// The bucket of every row of the key columns.
    ///
    /// # Errors
    /// `InvalidInput` when the columns do not fit the key types.
    pub fn assign(&self, columns: &[ArrayRef]) -> Result<Vec<i32>> {
        match self.function {
            BucketFunction::Default => {
                let mut hashes = self.encoder.hash(columns)?;
                hashes.iter_mut().for_each(|hash| *hash = self.of_hash(*hash));
                Ok(hashes)
            }
            BucketFunction::Mod => self.assign_mod(columns),
            BucketFunction::Hive => {
                let mut hashes = hive::hash(&self.types, columns)?;
                hashes.iter_mut().for_each(|hash| *hash = (*hash & i32::MAX) % self.buckets);
                Ok(hashes)
            }
        }
    }

    /// The bucket of a bucket-key row.
    ///
    /// # Errors
    /// `Corrupt` when the row is not of the key types.
    pub fn of_row(&self, key: &BinaryRow) -> Result<i32> {
        match self.function {
            BucketFunction::Default => Ok(self.of_hash(key.hash32())),
            BucketFunction::Mod => match key.to_datums(&self.types)?.first() {
                Some(Some(Datum::Int(value))) => Ok(value.rem_euclid(self.buckets)),
                Some(Some(Datum::BigInt(value))) => Ok(self.modulo(*value)),
                _ => Ok(0),
            },
            BucketFunction::Hive => {
                let values = key.to_datums(&self.types)?;
                let hash = values.iter().try_fold(0_i32, |hash, value| {
                    Ok::<_, Error>(hash.wrapping_mul(31).wrapping_add(hive::hash_datum(value.as_ref())?))
                })?;
                Ok((hash & i32::MAX) % self.buckets)
            }
        }
    }

    /// Java's `abs(hash % n)`: the remainder has the sign of the hash before the sign is dropped.
    fn of_hash(&self, hash: i32) -> i32 {
        (hash % self.buckets).abs()
    }

    fn modulo(&self, value: i64) -> i32 {
        // The remainder is below the number of buckets, an `i32`.
        i32::try_from(value.rem_euclid(i64::from(self.buckets))).unwrap_or(0)
    }

    fn assign_mod(&self, columns: &[ArrayRef]) -> Result<Vec<i32>> {
        let ([column], [data_type]) = (columns, self.types.as_slice()) else {
            return Err(Error::new(ErrorKind::InvalidInput, "bucket-function.type=mod needs exactly one key column"));
        };
        let column = canonical(column, data_type)?;
        // A null key reads as 0, as in the reference.
        Ok(match data_type.kind() {
            TypeKind::Int => column
                .as_primitive::<Int32Type>()
                .iter()
                .map(|value| value.unwrap_or(0).rem_euclid(self.buckets))
                .collect(),
            _ => column.as_primitive::<Int64Type>().iter().map(|value| self.modulo(value.unwrap_or(0))).collect(),
        })
    }
}
