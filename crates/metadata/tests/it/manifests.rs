//! Manifests, manifest lists and index manifests: decoded, encoded again, compared after decompression.

use apache_avro::types::Value;
use headwater_metadata::{
    ErrorKind, FileKind, ManifestCompression, ManifestEntry, decode_index_manifest, decode_manifest,
    decode_manifest_list, encode_index_manifest, encode_manifest, encode_manifest_list, merge_entries,
};

use crate::container::content;
use crate::fixtures::{by_reference, files};

fn check<T: PartialEq + std::fmt::Debug>(
    prefix: &str,
    decode: impl Fn(&[u8]) -> headwater_metadata::Result<Vec<T>>,
    encode: impl Fn(&[T], ManifestCompression) -> headwater_metadata::Result<Vec<u8>>,
) {
    let (mut same, mut others) = (0, 0);
    for (path, bytes) in files("manifest", prefix) {
        let decoded = decode(&bytes).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
        for compression in [ManifestCompression::default(), ManifestCompression::Null, ManifestCompression::Snappy] {
            let encoded = encode(&decoded, compression).unwrap();
            assert_eq!(decode(&encoded).unwrap(), decoded, "{}", path.display());
            if compression != ManifestCompression::Snappy && by_reference(&path) {
                assert_eq!(content(&encoded), content(&bytes), "{}", path.display());
                same += 1;
            } else {
                others += 1;
            }
        }
    }
    assert!(same > 50 && others > 10, "{same} and {others} files");
}

#[test]
fn manifests_come_back_byte_for_byte() {
    check("manifest-", decode_either, encode_either);
}

#[derive(Debug, PartialEq)]
enum Either {
    Entry(Box<ManifestEntry>),
    List(headwater_metadata::ManifestFileMeta),
}

/// Names of manifests and manifest lists share a prefix; the schema tells them apart.
fn decode_either(bytes: &[u8]) -> headwater_metadata::Result<Vec<Either>> {
    if is_list(bytes) {
        Ok(decode_manifest_list(bytes)?.into_iter().map(Either::List).collect())
    } else {
        Ok(decode_manifest(bytes)?.into_iter().map(|e| Either::Entry(Box::new(e))).collect())
    }
}

fn is_list(bytes: &[u8]) -> bool {
    bytes.windows(16).any(|w| w == b"_NUM_ADDED_FILES")
}

fn encode_either(items: &[Either], compression: ManifestCompression) -> headwater_metadata::Result<Vec<u8>> {
    let mut lists = Vec::new();
    let mut entries = Vec::new();
    for item in items {
        match item {
            Either::Entry(entry) => entries.push((**entry).clone()),
            Either::List(meta) => lists.push(meta.clone()),
        }
    }
    // Only manifest lists are ever empty.
    if entries.is_empty() { encode_manifest_list(&lists, compression) } else { encode_manifest(&entries, compression) }
}

#[test]
fn index_manifests_come_back_byte_for_byte() {
    check("index-manifest-", decode_index_manifest, encode_index_manifest);
}

#[test]
fn the_avro_library_sees_the_same_records() {
    let mut seen = 0;
    for (path, bytes) in files("manifest", "manifest-").into_iter().step_by(7) {
        if is_list(&bytes) {
            continue;
        }
        let entries = decode_manifest(&bytes).unwrap();
        let encoded = encode_manifest(&entries, ManifestCompression::default()).unwrap();
        let read = |bytes: &[u8]| -> Vec<Value> {
            apache_avro::Reader::new(bytes).unwrap().map(|value| value.unwrap()).collect()
        };
        let values = read(&encoded);
        assert_eq!(values.len(), entries.len());
        if by_reference(&path) {
            assert_eq!(values, read(&bytes));
        }
        for (value, entry) in values.iter().zip(&entries) {
            let Value::Record(fields) = value else { panic!("{value:?}") };
            let Value::Record(file) = &fields[5].1 else { panic!("{value:?}") };
            assert_eq!(file[0], ("_FILE_NAME".to_owned(), Value::String(entry.file.file_name.clone())));
            assert_eq!(file[2], ("_ROW_COUNT".to_owned(), Value::Long(entry.file.row_count)));
        }
        seen += entries.len();
    }
    assert!(seen > 50);
}

fn some_entries() -> Vec<ManifestEntry> {
    let all = files("manifest", "manifest-").into_iter().filter(|(_, bytes)| !is_list(bytes));
    all.flat_map(|(_, bytes)| decode_manifest(&bytes).unwrap())
        .filter(|entry| entry.kind == FileKind::Add)
        .take(3)
        .collect()
}

#[test]
fn entries_cancel_by_identity() {
    let [a, b, c]: [ManifestEntry; 3] = some_entries().try_into().unwrap();
    let delete = |entry: &ManifestEntry| ManifestEntry { kind: FileKind::Delete, ..entry.clone() };
    let merged = merge_entries(vec![a.clone(), b.clone(), delete(&a), delete(&c)]).unwrap();
    assert_eq!(merged, [b, delete(&c)]);
    // The same file at another level is another file.
    let mut up = a.clone();
    up.file = a.file.upgrade(5);
    assert_eq!(merge_entries(vec![a.clone(), delete(&a), up.clone()]).unwrap(), [up]);
    assert_eq!(merge_entries(vec![a.clone(), a.clone()]).unwrap_err().kind(), ErrorKind::Corrupt);
    assert_eq!(merge_entries(vec![delete(&a), a]).unwrap_err().kind(), ErrorKind::Corrupt);
}
