//! A second, naive reader of Avro containers: header and decompressed blocks.

/// What must be equal in two containers that hold the same: all but sync marker and compressed bytes.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Content {
    pub(crate) schema: String,
    /// Records and decompressed bytes of each block.
    pub(crate) blocks: Vec<(i64, Vec<u8>)>,
}

fn varint(bytes: &mut &[u8]) -> i64 {
    let (mut value, mut shift) = (0u64, 0);
    loop {
        let byte = bytes[0];
        *bytes = &bytes[1..];
        value |= u64::from(byte & 0x7f) << shift;
        shift += 7;
        if byte & 0x80 == 0 {
            return (value >> 1).cast_signed() ^ -(value & 1).cast_signed();
        }
    }
}

fn sized<'a>(bytes: &mut &'a [u8]) -> &'a [u8] {
    let length = usize::try_from(varint(bytes)).unwrap();
    let (head, tail) = bytes.split_at(length);
    *bytes = tail;
    head
}

pub(crate) fn content(file: &[u8]) -> Content {
    let mut rest = file.strip_prefix(b"Obj\x01").unwrap();
    let mut meta = std::collections::BTreeMap::new();
    for _ in 0..varint(&mut rest) {
        let key = sized(&mut rest);
        meta.insert(key, sized(&mut rest));
    }
    assert_eq!(varint(&mut rest), 0);
    rest = &rest[16..];
    let mut blocks = Vec::new();
    while !rest.is_empty() {
        let count = varint(&mut rest);
        let packed = sized(&mut rest);
        rest = &rest[16..];
        let bytes = match meta[&b"avro.codec"[..]] {
            b"null" => packed.to_vec(),
            b"zstandard" => zstd::stream::decode_all(packed).unwrap(),
            other => panic!("codec {other:?}"),
        };
        blocks.push((count, bytes));
    }
    Content { schema: String::from_utf8(meta[&b"avro.schema"[..]].to_vec()).unwrap(), blocks }
}
