//! The container: header, blocks, codecs.

use std::borrow::Cow;
use std::io::Read as _;
use std::sync::{Arc, Mutex, PoisonError};

use zstd::zstd_safe::DCtx;

use super::{AvroType, Cursor, corrupt};
use crate::{Error, ErrorKind, Result};

const MAGIC: &[u8] = b"Obj\x01";
/// No block of a manifest comes near; a larger claim is damage.
const MAX_BLOCK_BYTES: u64 = 1 << 30;

/// How the blocks of a manifest are compressed: `manifest.compression`, with Avro's own names.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ManifestCompression {
    /// `null`: not at all.
    Null,
    /// `zstd`, the default, with its level.
    Zstd(i32),
    /// `snappy`.
    Snappy,
}

impl Default for ManifestCompression {
    fn default() -> Self {
        Self::Zstd(1)
    }
}

impl ManifestCompression {
    /// The compression a table asks for: `avro.codec` if set, else `manifest.compression`, and
    /// `file.compression.zstd-level`.
    ///
    /// # Errors
    /// `Unsupported` for `deflate`, `bzip2` and `xz`, `InvalidInput` for what Avro does not know (`none`, `lz4`).
    pub fn from_options(options: &headwater_types::CoreOptions) -> Result<Self> {
        let name = options.raw().get("avro.codec").cloned().unwrap_or_else(|| options.manifest_compression());
        Self::from_name(&name, options.zstd_level())
    }

    /// The compression of that name; `level` is for zstd.
    ///
    /// # Errors
    /// As [`ManifestCompression::from_options`].
    pub fn from_name(name: &str, level: i32) -> Result<Self> {
        match name.to_ascii_lowercase().as_str() {
            "zstd" | "zstandard" => Ok(Self::Zstd(level)),
            "null" => Ok(Self::Null),
            "snappy" => Ok(Self::Snappy),
            "deflate" | "bzip2" | "xz" => {
                let message = format!("manifests compressed with {name} are not supported; use zstd, snappy or null");
                Err(Error::new(ErrorKind::Unsupported, message).with("option", "manifest.compression"))
            }
            _ => {
                let message = format!("'{name}' is no compression of Avro files; use zstd, snappy or null");
                Err(Error::new(ErrorKind::InvalidInput, message).with("option", "manifest.compression"))
            }
        }
    }

    pub(super) fn codec(self) -> &'static str {
        match self {
            Self::Null => "null",
            Self::Zstd(_) => "zstandard",
            Self::Snappy => "snappy",
        }
    }

    /// Compresses one block.
    pub(super) fn compress<'a>(self, block: &'a [u8]) -> Result<Cow<'a, [u8]>> {
        match self {
            Self::Null => Ok(Cow::Borrowed(block)),
            Self::Zstd(level) => zstd::bulk::compress(block, level)
                .map(Cow::Owned)
                .map_err(|e| Error::new(ErrorKind::Internal, "zstd cannot compress a block").with_source(e)),
            Self::Snappy => {
                let mut packed = snap::raw::Encoder::new()
                    .compress_vec(block)
                    .map_err(|e| Error::new(ErrorKind::Internal, "snappy cannot compress a block").with_source(e))?;
                packed.extend_from_slice(&crc32fast::hash(block).to_be_bytes());
                Ok(Cow::Owned(packed))
            }
        }
    }
}

enum Decoder {
    Null,
    Zstd(Box<DCtx<'static>>),
    Snappy,
}

impl Decoder {
    fn new(codec: &[u8]) -> Result<Self> {
        match codec {
            b"" | b"null" => Ok(Self::Null),
            b"zstandard" => Ok(Self::Zstd(Box::new(DCtx::create()))),
            b"snappy" => Ok(Self::Snappy),
            other => Err(Error::new(
                ErrorKind::Unsupported,
                format!("Avro files compressed with '{}' cannot be read", String::from_utf8_lossy(other)),
            )),
        }
    }

    fn decode<'a>(&mut self, block: &'a [u8], scratch: &'a mut Vec<u8>) -> Result<&'a [u8]> {
        scratch.clear();
        match self {
            Self::Null => return Ok(block),
            Self::Zstd(context) => {
                let mut reader = zstd::stream::read::Decoder::with_context(block, context).take(MAX_BLOCK_BYTES);
                reader.read_to_end(scratch).map_err(|e| corrupt("a block is no zstd frame").with_source(e))?;
            }
            Self::Snappy => {
                let (packed, sum) = block
                    .len()
                    .checked_sub(4)
                    .and_then(|at| block.split_at_checked(at))
                    .ok_or_else(|| corrupt("a snappy block has no checksum"))?;
                let length =
                    snap::raw::decompress_len(packed).map_err(|e| corrupt("a block is not snappy").with_source(e))?;
                // Snappy packs at most some 21-fold.
                if length > packed.len().saturating_mul(64) + 64 {
                    return Err(corrupt("a snappy block claims an impossible size"));
                }
                *scratch = snap::raw::Decoder::new()
                    .decompress_vec(packed)
                    .map_err(|e| corrupt("a block is not snappy").with_source(e))?;
                if crc32fast::hash(scratch).to_be_bytes() != sum {
                    return Err(corrupt("the checksum of a snappy block is wrong"));
                }
            }
        }
        Ok(scratch)
    }
}

/// Reads a container: `start` gets the writer's schema, `block` the number of records and bytes of each block.
pub(crate) fn read_blocks<S>(
    file: &[u8],
    start: impl FnOnce(&AvroType) -> Result<S>,
    mut block: impl FnMut(&mut S, usize, &mut Cursor<'_>) -> Result<()>,
) -> Result<S> {
    let body = file.strip_prefix(MAGIC).ok_or_else(|| no_avro(file))?;
    let mut cursor = Cursor::new(body);
    let (schema, codec) = header(&mut cursor)?;
    let sync = cursor.take(16)?;
    let schema = parsed(schema)?;
    let mut decoder = Decoder::new(codec)?;
    let mut state = start(&schema)?;
    let mut scratch = Vec::new();
    while !cursor.is_empty() {
        let count =
            usize::try_from(cursor.varint()?).map_err(|_| corrupt("a block has a negative number of records"))?;
        let packed = cursor.sized()?;
        if cursor.take(16)? != sync {
            return Err(corrupt("the marker after a block is not the file's"));
        }
        let bytes = decoder.decode(packed, &mut scratch)?;
        // Every record takes at least a byte.
        if count > bytes.len() {
            return Err(corrupt(format!("a block of {} bytes claims {count} records", bytes.len())));
        }
        let mut records = Cursor::new(bytes);
        block(&mut state, count, &mut records)?;
        if !records.is_empty() {
            return Err(corrupt(format!("{} bytes are left at the end of a block", records.remaining())));
        }
    }
    Ok(state)
}

/// The schema a text stands for. Nearly all files of a process have one of few schemas, and parsing one costs more than
/// decoding a small manifest list.
fn parsed(text: &[u8]) -> Result<Arc<AvroType>> {
    /// Schemas kept.
    const KEPT: usize = 8;
    type Known = (Vec<u8>, Arc<AvroType>);
    static KNOWN: Mutex<Vec<Known>> = Mutex::new(Vec::new());
    let known = || KNOWN.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some((_, schema)) = known().iter().find(|(known, _)| known == text) {
        return Ok(Arc::clone(schema));
    }
    let schema = Arc::new(AvroType::parse(text)?);
    let mut known = known();
    known.truncate(KEPT - 1);
    known.insert(0, (text.to_vec(), Arc::clone(&schema)));
    Ok(schema)
}

fn header<'a>(cursor: &mut Cursor<'a>) -> Result<(&'a [u8], &'a [u8])> {
    let (mut schema, mut codec) = (None, &b""[..]);
    loop {
        let count = cursor.varint()?;
        if count == 0 {
            break;
        }
        if count < 0 {
            cursor.varint()?;
        }
        for _ in 0..count.unsigned_abs() {
            let (key, value) = (cursor.sized()?, cursor.sized()?);
            match key {
                b"avro.schema" => schema = Some(value),
                b"avro.codec" => codec = value,
                _ => {}
            }
        }
    }
    schema.map(|schema| (schema, codec)).ok_or_else(|| corrupt("the Avro header has no schema"))
}

fn no_avro(file: &[u8]) -> Error {
    let format = match file {
        [b'P', b'A', b'R', b'1', ..] => "parquet",
        [b'O', b'R', b'C', ..] => "orc",
        _ => return corrupt("this is no Avro file"),
    };
    let message = format!("manifests in {format} (manifest.format={format}) are not supported, only avro is");
    Error::new(ErrorKind::Unsupported, message)
}
