//! Damaged files give an error, never a panic, a hang or an absurd allocation.

use headwater_metadata::{
    Schema, Snapshot, Tag, consumer_from_json, decode_index_manifest, decode_manifest, decode_manifest_list,
};

use crate::fixtures::files;

fn decode_all(bytes: &[u8]) {
    if bytes.starts_with(b"O") {
        let _ = decode_manifest(bytes);
        let _ = decode_manifest_list(bytes);
        let _ = decode_index_manifest(bytes);
        return;
    }
    let _ = Schema::from_json(bytes);
    let _ = Snapshot::from_json(bytes);
    let _ = Tag::from_json(bytes);
    let _ = consumer_from_json(bytes);
}

fn samples() -> Vec<Vec<u8>> {
    let kinds = [
        ("manifest", "manifest-list-", 397),
        ("manifest", "manifest-", 451),
        ("manifest", "index-manifest-", 31),
        ("schema", "schema-", 163),
        ("snapshot", "snapshot-", 199),
        ("tag", "tag-", 17),
        ("consumer", "consumer-", 2),
    ];
    let mut samples = Vec::new();
    for (dir, prefix, step) in kinds {
        samples.extend(files(dir, prefix).into_iter().step_by(step).map(|(_, bytes)| bytes).filter(|b| b.len() < 6000));
    }
    samples
}

#[test]
fn truncated_files() {
    for bytes in samples() {
        for length in 0..bytes.len() {
            decode_all(&bytes[..length]);
        }
    }
}

#[test]
fn flipped_bits() {
    for bytes in samples() {
        for at in 0..bytes.len() {
            let mut damaged = bytes.clone();
            damaged[at] ^= 1 << (at % 8);
            decode_all(&damaged);
        }
    }
}

/// The same on blocks without compression, where flips reach the values.
#[test]
fn flipped_bits_of_values() {
    use headwater_metadata::{ManifestCompression, encode_index_manifest, encode_manifest};
    let (_, manifest) = files("manifest", "manifest-").into_iter().find(|(_, b)| decode_manifest(b).is_ok()).unwrap();
    let manifest = encode_manifest(&decode_manifest(&manifest).unwrap(), ManifestCompression::Null).unwrap();
    let (_, index) = files("manifest", "index-manifest-").into_iter().next().unwrap();
    let index = encode_index_manifest(&decode_index_manifest(&index).unwrap(), ManifestCompression::Null).unwrap();
    for bytes in [manifest, index] {
        for at in 0..bytes.len() {
            for bit in [0, 2, 5, 7] {
                let mut damaged = bytes.clone();
                damaged[at] ^= 1 << bit;
                decode_all(&damaged);
            }
        }
    }
}
