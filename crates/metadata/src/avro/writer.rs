//! Writing: primitive values into a block, blocks into a container.

use super::ManifestCompression;
use crate::Result;

/// Bytes of the reference's blocks before compression.
const BLOCK_BYTES: usize = 64_000;

/// The values of one block.
#[derive(Default)]
pub(crate) struct Out(Vec<u8>);

impl Out {
    #[inline]
    pub(crate) fn long(&mut self, value: i64) {
        let mut rest = ((value << 1) ^ (value >> 63)).cast_unsigned();
        while rest >= 0x80 {
            self.0.push((rest & 0x7f) as u8 | 0x80);
            rest >>= 7;
        }
        self.0.push((rest & 0x7f) as u8);
    }

    pub(crate) fn int(&mut self, value: i32) {
        self.long(i64::from(value));
    }

    pub(crate) fn length(&mut self, value: usize) {
        self.long(i64::try_from(value).unwrap_or(i64::MAX));
    }

    pub(crate) fn bytes(&mut self, value: &[u8]) {
        self.length(value.len());
        self.0.extend_from_slice(value);
    }

    pub(crate) fn string(&mut self, value: &str) {
        self.bytes(value.as_bytes());
    }

    /// A union with null in front.
    pub(crate) fn optional<T>(&mut self, value: Option<T>, write: impl FnOnce(&mut Self, T)) {
        match value {
            Some(value) => {
                self.long(1);
                write(self, value);
            }
            None => self.long(0),
        }
    }

    pub(crate) fn array<T>(&mut self, items: &[T], mut write: impl FnMut(&mut Self, &T)) {
        if !items.is_empty() {
            self.length(items.len());
            for item in items {
                write(self, item);
            }
        }
        self.long(0);
    }

    fn len(&self) -> usize {
        self.0.len()
    }
}

/// A container being written in memory.
///
/// The marker between blocks is derived from the schema and the first block, so that the same entries give the same
/// bytes; readers only need it to be constant within the file.
pub(crate) struct ContainerWriter {
    schema: &'static str,
    compression: ManifestCompression,
    sync: Option<[u8; 16]>,
    file: Vec<u8>,
    block: Out,
    records: usize,
}

impl ContainerWriter {
    pub(crate) fn new(schema: &'static str, compression: ManifestCompression) -> Self {
        Self { schema, compression, sync: None, file: Vec::new(), block: Out::default(), records: 0 }
    }

    /// Appends one record and closes the block when it is full.
    pub(crate) fn record(&mut self, write: impl FnOnce(&mut Out)) -> Result<()> {
        write(&mut self.block);
        self.records += 1;
        if self.block.len() >= BLOCK_BYTES { self.flush() } else { Ok(()) }
    }

    /// Bytes of the file so far, without the open block.
    #[cfg(feature = "store")]
    pub(crate) fn flushed_bytes(&self) -> u64 {
        self.file.len() as u64
    }

    pub(crate) fn finish(mut self) -> Result<Vec<u8>> {
        self.flush()?;
        Ok(self.file)
    }

    fn flush(&mut self) -> Result<()> {
        let sync = match self.sync {
            Some(sync) => sync,
            None => self.header(),
        };
        if self.records == 0 {
            return Ok(());
        }
        let mut head = Out::default();
        let packed = self.compression.compress(&self.block.0)?;
        head.length(self.records);
        head.bytes(&packed);
        self.file.extend_from_slice(&head.0);
        self.file.extend_from_slice(&sync);
        self.block.0.clear();
        self.records = 0;
        Ok(())
    }

    fn header(&mut self) -> [u8; 16] {
        let mut out = Out(b"Obj\x01".to_vec());
        out.length(2);
        out.string("avro.schema");
        out.string(self.schema);
        out.string("avro.codec");
        out.string(self.compression.codec());
        out.long(0);
        let mut hash = 0x6c62_272e_07bb_0142_62b8_2175_6295_c58d_u128;
        for byte in self.schema.bytes().chain(self.block.0.iter().copied()) {
            hash = (hash ^ u128::from(byte)).wrapping_mul(0x0000_0000_0100_0000_0000_0000_0000_013b);
        }
        let sync = hash.to_le_bytes();
        out.0.extend_from_slice(&sync);
        self.file = out.0;
        self.sync = Some(sync);
        sync
    }
}
