//! Schemas, snapshots, changelogs, tags and consumers: read, written again, compared.

use headwater_metadata::{Schema, Snapshot, Tag, consumer_from_json, consumer_to_json};
use serde_json::Value;

use crate::fixtures::{by_reference, files};

/// The lines of a file with those of `options` sorted: Java writes them in the order of a hash map.
fn with_sorted_options(bytes: &[u8]) -> String {
    let text = std::str::from_utf8(bytes).unwrap();
    let Some((head, rest)) = text.split_once("  \"options\" : {\n") else { return text.to_owned() };
    let (options, tail) = rest.split_once("\n  }").unwrap();
    let mut lines: Vec<&str> = options.lines().map(|line| line.trim_end_matches(',')).collect();
    lines.sort_unstable();
    format!("{head}  \"options\" : {{\n{}\n  }}{tail}", lines.join(",\n"))
}

#[test]
fn schemas_come_back_byte_for_byte() {
    for (path, bytes) in files("schema", "schema-") {
        let schema = Schema::from_json(&bytes).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
        let written = schema.to_json();
        assert_eq!(Schema::from_json(&written).unwrap(), schema);
        if by_reference(&path) {
            assert_eq!(with_sorted_options(&written), with_sorted_options(&bytes), "{}", path.display());
        }
        schema.partition_types().unwrap();
        schema.trimmed_key_types().unwrap();
        schema.key_fields().unwrap();
    }
}

#[test]
fn snapshots_come_back_byte_for_byte() {
    for dir_prefix in [("snapshot", "snapshot-"), ("changelog", "changelog-")] {
        for (path, bytes) in files(dir_prefix.0, dir_prefix.1) {
            let snapshot = Snapshot::from_json(&bytes).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
            let written = snapshot.to_json();
            assert_eq!(Snapshot::from_json(&written).unwrap(), snapshot);
            if by_reference(&path) {
                assert_eq!(
                    String::from_utf8(written).unwrap(),
                    String::from_utf8(bytes).unwrap(),
                    "{}",
                    path.display()
                );
            } else {
                // Whatever else old and foreign writers add, the values known to both are the same.
                let (ours, theirs): (Value, Value) =
                    (serde_json::from_slice(&written).unwrap(), serde_json::from_slice(&bytes).unwrap());
                for (key, value) in ours.as_object().unwrap() {
                    assert_eq!(Some(value), theirs.get(key), "{key} of {}", path.display());
                }
            }
        }
    }
}

#[test]
fn tags_come_back_byte_for_byte() {
    let mut with_retention = 0;
    for (path, bytes) in files("tag", "tag-") {
        let tag = Tag::from_json(&bytes).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
        with_retention += usize::from(tag.time_retained.is_some());
        if by_reference(&path) {
            let text = String::from_utf8(tag.to_json()).unwrap();
            assert_eq!(text, String::from_utf8(bytes).unwrap(), "{}", path.display());
        }
    }
    assert!(with_retention > 0);
}

#[test]
fn consumers_come_back_byte_for_byte() {
    for (_, bytes) in files("consumer", "consumer-") {
        assert_eq!(consumer_to_json(consumer_from_json(&bytes).unwrap()), bytes);
    }
}
