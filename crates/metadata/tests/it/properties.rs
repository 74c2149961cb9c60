//! What is written is read back, whatever it holds.

use headwater_metadata::{
    DataFileMeta, FileKind, FileSource, ManifestCompression, ManifestEntry, Schema, SimpleStats, decode_manifest,
    encode_manifest,
};
use headwater_types::{BinaryRow, DataField, DataType, Datum};
use proptest::collection::vec;
use proptest::option;
use proptest::prelude::*;

fn row() -> impl Strategy<Value = BinaryRow> {
    let types: [DataType; 2] = ["STRING".parse().unwrap(), "BIGINT".parse().unwrap()];
    (option::of(".{0,12}"), option::of(any::<i64>())).prop_map(move |(text, number)| {
        BinaryRow::from_datums(&types, &[text.map(Datum::String), number.map(Datum::BigInt)]).unwrap()
    })
}

fn stats() -> impl Strategy<Value = SimpleStats> {
    (row(), row(), vec(option::of(any::<i64>()), 0..4)).prop_map(|(min_values, max_values, null_counts)| SimpleStats {
        min_values,
        max_values,
        null_counts,
    })
}

fn names() -> impl Strategy<Value = Vec<String>> {
    vec(".{0,20}", 0..4)
}

fn file() -> impl Strategy<Value = DataFileMeta> {
    let required = (".{0,60}", any::<[i64; 5]>(), row(), row(), stats(), stats(), any::<i32>(), names());
    let optional = (
        option::of(any::<i64>()),
        option::of(any::<i64>()),
        option::of(vec(any::<u8>(), 0..40)),
        option::of(prop_oneof![Just(FileSource::Append), Just(FileSource::Compact)]),
        option::of(names()),
        option::of(".{0,30}"),
        option::of(any::<i64>()),
        option::of(names()),
    );
    (required, optional).prop_map(|(r, o)| DataFileMeta {
        file_name: r.0,
        file_size: r.1[0],
        row_count: r.1[1],
        min_key: r.2,
        max_key: r.3,
        key_stats: r.4,
        value_stats: r.5,
        min_sequence_number: r.1[2],
        max_sequence_number: r.1[3],
        schema_id: r.1[4],
        level: r.6,
        extra_files: r.7,
        creation_time_millis: o.0,
        delete_row_count: o.1,
        embedded_index: o.2,
        file_source: o.3,
        value_stats_cols: o.4,
        external_path: o.5,
        first_row_id: o.6,
        write_cols: o.7,
    })
}

fn entry() -> impl Strategy<Value = ManifestEntry> {
    (any::<bool>(), row(), any::<i32>(), any::<i32>(), file()).prop_map(
        |(add, partition, bucket, total_buckets, file)| {
            let kind = if add { FileKind::Add } else { FileKind::Delete };
            ManifestEntry { kind, partition, bucket, total_buckets, file }
        },
    )
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 48, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn manifests(entries in vec(entry(), 0..12), zstd in any::<bool>()) {
        let compression = if zstd { ManifestCompression::Zstd(1) } else { ManifestCompression::Snappy };
        let bytes = encode_manifest(&entries, compression).unwrap();
        prop_assert_eq!(&decode_manifest(&bytes).unwrap(), &entries);
        // The same entries give the same bytes.
        prop_assert_eq!(bytes, encode_manifest(&entries, compression).unwrap());
    }

    #[test]
    fn schemas(names in proptest::collection::hash_set("\\PC{1,10}|[\u{0}-\u{1f}]x|[\"\\\\]", 1..6), comment in option::of(any::<String>())) {
        let fields = names.iter().zip(0..).map(|(name, id)| {
            let mut field = DataField::new(id, name.clone(), "INT".parse::<DataType>().unwrap());
            field.description = comment.clone();
            field
        });
        let schema = Schema {
            version: 3,
            id: 4,
            fields: fields.collect(),
            highest_field_id: 9,
            partition_keys: Vec::new(),
            primary_keys: names.iter().take(1).cloned().collect(),
            options: names.iter().map(|name| (name.clone(), name.clone())).collect(),
            comment,
            time_millis: i64::MAX,
        };
        prop_assert_eq!(Schema::from_json(&schema.to_json()).unwrap(), schema);
    }
}
