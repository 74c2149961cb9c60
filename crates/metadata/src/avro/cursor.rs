//! A position in the bytes of a block; every read is checked.

use super::{AvroType, corrupt};
use crate::Result;

/// Reads Avro values one after another. A value of the writer's type is turned into the wanted one, through unions;
/// anything else is `Corrupt`.
pub(crate) struct Cursor<'a> {
    bytes: &'a [u8],
}

impl<'a> Cursor<'a> {
    pub(crate) fn new(bytes: &'a [u8]) -> Self {
        Self { bytes }
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.bytes.is_empty()
    }

    pub(crate) fn remaining(&self) -> usize {
        self.bytes.len()
    }

    /// A zigzag varint.
    #[inline]
    pub(crate) fn varint(&mut self) -> Result<i64> {
        let mut value = 0u64;
        for (i, byte) in self.bytes.iter().take(10).enumerate() {
            value |= u64::from(byte & 0x7f) << (7 * i);
            if byte & 0x80 == 0 {
                self.bytes = self.bytes.get(i + 1..).unwrap_or_default();
                #[expect(clippy::cast_possible_wrap, reason = "zigzag: the bits are meant to be reinterpreted")]
                return Ok((value >> 1) as i64 ^ -((value & 1) as i64));
            }
        }
        Err(corrupt("the block ends inside a number"))
    }

    /// That many raw bytes.
    #[inline]
    pub(crate) fn take(&mut self, length: usize) -> Result<&'a [u8]> {
        match self.bytes.split_at_checked(length) {
            Some((head, tail)) => {
                self.bytes = tail;
                Ok(head)
            }
            None => Err(corrupt(format!("the block ends inside a value of {length} bytes"))),
        }
    }

    /// Bytes with their length in front.
    #[inline]
    pub(crate) fn sized(&mut self) -> Result<&'a [u8]> {
        let length = usize::try_from(self.varint()?).map_err(|_| corrupt("a value has a negative length"))?;
        self.take(length)
    }

    /// Follows unions to the type of the next value.
    #[inline]
    fn branch<'t>(&mut self, kind: &'t AvroType) -> Result<&'t AvroType> {
        let mut kind = kind;
        while let AvroType::Union(branches) = kind {
            let index = self.varint()?;
            kind = usize::try_from(index)
                .ok()
                .and_then(|i| branches.get(i))
                .ok_or_else(|| corrupt(format!("a union has no branch {index}")))?;
        }
        Ok(kind)
    }

    #[inline]
    pub(crate) fn opt_long(&mut self, kind: &AvroType) -> Result<Option<i64>> {
        match self.branch(kind)? {
            AvroType::Null => Ok(None),
            AvroType::Int | AvroType::Long => self.varint().map(Some),
            other => Err(unexpected("a number", other)),
        }
    }

    pub(crate) fn long(&mut self, kind: &AvroType) -> Result<i64> {
        self.opt_long(kind)?.ok_or_else(null)
    }

    pub(crate) fn opt_int(&mut self, kind: &AvroType) -> Result<Option<i32>> {
        self.opt_long(kind)?
            .map(|n| i32::try_from(n).map_err(|_| corrupt(format!("{n} does not fit into 32 bits"))))
            .transpose()
    }

    pub(crate) fn int(&mut self, kind: &AvroType) -> Result<i32> {
        self.opt_int(kind)?.ok_or_else(null)
    }

    #[inline]
    pub(crate) fn opt_bytes(&mut self, kind: &AvroType) -> Result<Option<&'a [u8]>> {
        match self.branch(kind)? {
            AvroType::Null => Ok(None),
            AvroType::Bytes | AvroType::String => self.sized().map(Some),
            AvroType::Fixed(size) => self.take(*size).map(Some),
            other => Err(unexpected("bytes", other)),
        }
    }

    pub(crate) fn bytes(&mut self, kind: &AvroType) -> Result<&'a [u8]> {
        self.opt_bytes(kind)?.ok_or_else(null)
    }

    pub(crate) fn opt_string(&mut self, kind: &AvroType) -> Result<Option<String>> {
        let text = |bytes: &[u8]| match std::str::from_utf8(bytes) {
            Ok(text) => Ok(text.to_owned()),
            Err(e) => Err(corrupt("a string is not UTF-8").with_source(e)),
        };
        self.opt_bytes(kind)?.map(text).transpose()
    }

    pub(crate) fn string(&mut self, kind: &AvroType) -> Result<String> {
        self.opt_string(kind)?.ok_or_else(null)
    }

    /// An array, item by item; `None` when the value is null.
    pub(crate) fn opt_array<T>(
        &mut self,
        kind: &AvroType,
        mut item: impl FnMut(&mut Self, &AvroType) -> Result<T>,
    ) -> Result<Option<Vec<T>>> {
        match self.branch(kind)? {
            AvroType::Null => Ok(None),
            AvroType::Array(items) => {
                let mut out = Vec::new();
                while let Some(count) = self.block()? {
                    out.reserve(count.min(1024));
                    for _ in 0..count {
                        out.push(item(self, items)?);
                    }
                }
                Ok(Some(out))
            }
            other => Err(unexpected("an array", other)),
        }
    }

    /// Whether the value of a record type, possibly below a union, is there; the cursor then stands at its fields.
    pub(crate) fn opt_record(&mut self, kind: &AvroType) -> Result<bool> {
        match self.branch(kind)? {
            AvroType::Null => Ok(false),
            AvroType::Record(_) => Ok(true),
            other => Err(unexpected("a record", other)),
        }
    }

    /// The number of items in the next block of an array or map, `None` at its end.
    fn block(&mut self) -> Result<Option<usize>> {
        let count = self.varint()?;
        if count == 0 {
            return Ok(None);
        }
        if count < 0 {
            self.varint()?; // bytes of the block
        }
        // Every item takes at least the bytes that follow, except for nulls, which no manifest holds in arrays.
        match usize::try_from(count.unsigned_abs()) {
            Ok(count) if count <= self.remaining() => Ok(Some(count)),
            _ => Err(corrupt(format!("an array claims {} items", count.unsigned_abs()))),
        }
    }

    /// Passes over a value nobody asked for.
    pub(crate) fn skip(&mut self, kind: &AvroType) -> Result<()> {
        match kind {
            AvroType::Null => Ok(()),
            AvroType::Boolean => self.take(1).map(drop),
            AvroType::Int | AvroType::Long | AvroType::Enum => self.varint().map(drop),
            AvroType::Float => self.take(4).map(drop),
            AvroType::Double => self.take(8).map(drop),
            AvroType::Bytes | AvroType::String => self.sized().map(drop),
            AvroType::Fixed(size) => self.take(*size).map(drop),
            AvroType::Union(_) => {
                let branch = self.branch(kind)?;
                self.skip(branch)
            }
            AvroType::Array(items) => self.skip_blocks(|cursor| cursor.skip(items)),
            AvroType::Map(values) => self.skip_blocks(|cursor| {
                cursor.sized()?;
                cursor.skip(values)
            }),
            AvroType::Record(record) => record.fields.iter().try_for_each(|(_, kind)| self.skip(kind)),
        }
    }

    fn skip_blocks(&mut self, mut item: impl FnMut(&mut Self) -> Result<()>) -> Result<()> {
        while let Some(count) = self.block()? {
            for _ in 0..count {
                item(self)?;
            }
        }
        Ok(())
    }
}

fn null() -> crate::Error {
    corrupt("a value that must be there is null")
}

fn unexpected(wanted: &str, got: &AvroType) -> crate::Error {
    let got = match got {
        AvroType::Array(_) => "an array".to_owned(),
        AvroType::Map(_) => "a map".to_owned(),
        AvroType::Record(_) => "a record".to_owned(),
        other => format!("{other:?}"),
    };
    corrupt(format!("the Avro schema has {got} where {wanted} is expected"))
}
