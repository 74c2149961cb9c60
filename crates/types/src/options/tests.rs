use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

use super::core::ACCESSORS;
use super::*;
use crate::ErrorKind;

fn map(entries: &[(&str, &str)]) -> BTreeMap<String, String> {
    entries.iter().map(|(k, v)| ((*k).to_owned(), (*v).to_owned())).collect()
}

/// Topic constant, key, type, `I` when immutable, older keys, `=default` or `-`: extracted from spec page 07.
const SPEC_KEYS: &str = include_str!("spec_keys.txt");

#[test]
fn every_key_of_the_reference_is_in_the_registry() {
    let mut expected = 0;
    for line in SPEC_KEYS.lines() {
        let mut columns = line.split('\t');
        let mut next = || columns.next().unwrap();
        let (_, key, kind, immutable, aliases, default) = (next(), next(), next(), next(), next(), next());
        let found = specs().find(|spec| {
            let same_kind = spec.kind.name() == kind
                // Enums whose choices are not listed, and a switch the reference types as a number.
                || (kind == "enum" || key == "parquet.enable.dictionary") && spec.kind == OptionKind::String;
            spec.key == key
                && same_kind
                && spec.immutable == (immutable == "I")
                && spec.aliases.join(",") == aliases.trim_start_matches('-')
                && spec.default == default.strip_prefix('=')
        });
        assert!(found.is_some(), "{line}");
        expected += 1;
    }
    assert_eq!(specs().count(), expected, "the registry has keys the reference lacks");
    assert_eq!(expected, 537);
}

#[test]
fn defaults_parse_and_keys_are_unique_per_reader() {
    let mut seen = BTreeSet::new();
    for spec in specs().chain(PATTERNS.iter().flat_map(|specs| specs.iter())) {
        if let Some(default) = spec.default {
            spec.kind.parse(default).unwrap_or_else(|e| panic!("{}: {e}", spec.key));
        }
        assert!(!spec.doc.is_empty(), "{}", spec.key);
        let catalog = spec.scope == Scope::Catalog;
        // Several catalogs have keys of one name, among them one of the file-based catalog.
        assert!(seen.insert((spec.key, catalog)) || catalog, "{} twice", spec.key);
    }
}

#[test]
fn accessors_name_registered_keys_and_repeat_their_defaults() {
    for (key, check) in ACCESSORS {
        let spec = table_option(key).unwrap_or_else(|| panic!("{key}"));
        assert_eq!(spec.key, *key);
        if let Some(default) = spec.default {
            assert!(check(&spec.kind.parse(default).unwrap()), "{key}");
        }
    }
}

#[test]
fn derived_defaults() {
    let options = CoreOptions::from_map(&map(&[])).unwrap();
    assert_eq!(options.bucket(), -1);
    assert_eq!(options.num_levels(), 6);
    assert_eq!(options.num_sorted_run_stop_trigger(), 8);
    assert_eq!(options.sort_spill_threshold(), 9);
    assert_eq!(options.target_file_size(true), 128 << 20);
    assert_eq!(options.target_file_size(false), 256 << 20);
    assert_eq!(options.stats_mode(), StatsMode::Truncate(16));
    assert_eq!(options.bucket_key(), None);
    assert_eq!(options.commit_timeout(), None);
    assert_eq!(options.commit_max_retry_wait(), Duration::from_secs(10));
    assert_eq!(options.write_buffer_max_disk_size(), i64::MAX.unsigned_abs());
    let options = CoreOptions::from_map(&map(&[
        ("num-sorted-run.compaction-trigger", "3"),
        ("num-sorted-run.stop-trigger", "1"),
        ("write.compaction-skip", "TRUE"),
        ("bucket-key", "a, b"),
        ("sequence.field", "t1,t2"),
        ("sequence.field.sort-order", "DESCENDING"),
        ("unheard-of", "kept"),
    ]))
    .unwrap();
    assert_eq!(options.num_levels(), 4);
    assert_eq!(options.num_sorted_run_stop_trigger(), 3);
    assert!(options.write_only());
    assert_eq!(options.bucket_key(), Some(vec!["a".to_owned(), "b".to_owned()]));
    assert_eq!(options.sequence_field(), ["t1", "t2"]);
    assert!(options.sequence_field_descending());
    assert_eq!(options.raw().get("unheard-of").map(String::as_str), Some("kept"));
}

#[test]
fn per_level_and_per_column_values() {
    let options = CoreOptions::from_map(&map(&[
        ("file.format.per.level", "0:avro,5:orc"),
        ("file.compression.per.level.0", "none"),
        ("metadata.stats-mode.per.level", "0:none"),
        ("fields.payload.stats-mode", "counts"),
    ]))
    .unwrap();
    assert_eq!(options.file_format_for_level(0), "avro");
    assert_eq!(options.file_format_for_level(4), "parquet");
    assert_eq!(options.file_compression_for_level(0), "none");
    assert_eq!(options.file_compression_for_level(1), "zstd");
    assert_eq!(options.stats_mode_for_level(0), StatsMode::None);
    assert_eq!(options.stats_mode_for_level(1), StatsMode::Truncate(16));
    assert_eq!(options.stats_mode_of_column("payload"), Some(StatsMode::Counts));
    assert_eq!(options.stats_mode_of_column("other"), None);
}

#[test]
fn values_that_do_not_parse_name_their_option() {
    for (key, value) in [
        ("bucket", "four"),
        ("write-buffer-size", "64 bits"),
        ("write-only", "yes"),
        ("commit.timeout", "soon"),
        ("merge-engine", "newest"),
        ("num-levels", "-1"),
        ("metadata.stats-mode", "truncate(0)"),
        ("fields.a.stats-mode", "some"),
        ("file.format.per.level", "top:orc"),
        ("file.format.per.level", "1;orc"),
    ] {
        let error = CoreOptions::from_map(&map(&[(key, value)])).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::InvalidInput, "{key}");
        assert_eq!(error.context("option"), Some(key));
    }
}

#[test]
fn sizes_and_durations() {
    for (text, bytes) in [("64mb", 64 << 20), ("128 kb", 128 << 10), ("7", 7), ("1 GB", 1 << 30), (" 2 bytes ", 2)] {
        assert_eq!(parse_memory_size(text).unwrap(), bytes, "{text}");
    }
    for bad in ["", "mb", "-1 mb", "1.5 mb", "9 tbb", "9999999999 tb", "18446744073709551616"] {
        assert!(parse_memory_size(bad).is_err(), "{bad}");
    }
    for (text, millis) in [("10", 10), ("10 s", 10_000), ("1h", 3_600_000), ("2 Days", 172_800_000), ("0 ms", 0)] {
        assert_eq!(parse_duration(text).unwrap(), Duration::from_millis(millis), "{text}");
    }
    assert_eq!(parse_duration("3 µs").unwrap(), Duration::from_micros(3));
    for bad in ["", "s", "-1 s", "1 fortnight", "99999999999999999999 d"] {
        assert!(parse_duration(bad).is_err(), "{bad}");
    }
}

#[test]
fn maps_with_quotes() {
    let OptionValue::Map(parsed) = OptionKind::Map.parse("0:avro, 'a,b':\"c:d\"").unwrap() else { panic!() };
    assert_eq!(parsed, map(&[("0", "avro"), ("a,b", "c:d")]));
    assert!(OptionKind::Map.parse("a:'b").is_err());
    assert!(OptionKind::Map.parse("a:b:c").is_err());
}

#[test]
fn a_new_table_takes_known_supported_options_only() {
    validate_new(&map(&[("bucket", "2"), ("merge-engine", "deduplicate"), ("snapshot.num-retained.max", "5")]), true)
        .unwrap();
    validate_new(&map(&[("bucket", "1"), ("deletion-vectors.enabled", "false"), ("parquet.page.size", "1")]), true)
        .unwrap();
    for (key, value, hint) in [
        ("bukcet", "1", "'bucket'"),
        ("write_buffer_size", "1 mb", "'write-buffer-size'"),
        ("warehouse", "/x", "option of catalogs"),
        ("zzzzzz", "1", "unknown option 'zzzzzz'"),
    ] {
        let error = validate_new(&map(&[("bucket", "1"), (key, value)]), true).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::InvalidInput);
        assert!(error.message().contains(hint), "{error}");
    }
    for (key, value, feature) in [
        ("merge-engine", "aggregation", "merge-engine = aggregation"),
        ("changelog-producer", "LOOKUP", "changelog-producer = lookup"),
        ("deletion-vectors.enabled", "true", "deletion vectors"),
        ("file.format", "orc", "ORC"),
        ("file.format.per.level", "0:avro", "Avro"),
        ("bucket", "-2", "postponed"),
        ("file-index.bloom-filter.columns", "a", "file indexes"),
        ("fields.a.aggregate-function", "sum", "aggregate"),
        ("fields.a,b.sequence-group", "c", "sequence groups"),
        ("tag.automatic-creation", "batch", "automatic tags"),
        ("type", "format-table", "format-table"),
    ] {
        let error = validate_new(&map(&[("bucket", "1"), (key, value)]), true).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Unsupported, "{key}");
        assert!(error.message().contains(feature), "{error}");
        assert!(error.context("option").unwrap_or_default().contains(key), "{error}");
    }
    assert_eq!(validate_new(&map(&[]), true).unwrap_err().kind(), ErrorKind::Unsupported);
    validate_new(&map(&[]), false).unwrap();
}

#[test]
fn a_foreign_table_opens_unless_rows_would_be_wrong() {
    refuse_unusable(&map(&[
        ("my-own-key", "x"),
        ("bucket", "-1"),
        ("changelog-producer", "lookup"),
        ("file.format", "orc"),
        ("file-index.bitmap.columns", "a"),
    ]))
    .unwrap();
    let error = refuse_unusable(&map(&[("merge-engine", "first-row")])).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Unsupported);
    let error = refuse_unwritable(&map(&[("bucket", "1"), ("changelog-producer", "input")])).unwrap_err();
    assert!(error.message().contains("changelog-producer = input"), "{error}");
    refuse_unwritable(&map(&[("bucket", "1"), ("sink.parallelism", "4"), ("my-own-key", "x")])).unwrap();
}

#[test]
fn keys_with_a_variable_part() {
    let key_of = |key: &str| table_option(key).map(|spec| spec.key);
    assert_eq!(key_of("fields.a.b.stats-mode"), Some("fields.<f>.stats-mode"));
    assert_eq!(key_of("fields..stats-mode"), None);
    assert_eq!(key_of("file-index.bsi.columns"), Some("file-index.<type>.columns"));
    assert_eq!(key_of("file-index.bloom-filter.a.fpp"), Some("file-index.<type>.<column>.<option>"));
    assert_eq!(key_of("parquet.block.size"), Some("parquet.<k>"));
    assert_eq!(key_of("parquet."), None);
    assert_eq!(key_of("commit.callback.com.X.param"), Some("commit.callback.#.param"));
    assert_eq!(catalog_option("s3.endpoint").map(|spec| spec.key), Some("s3.<k>"));
}

#[test]
fn options_fixed_at_creation_stay_as_they_are() {
    let stored = [("bucket-key".to_owned(), "k".to_owned())].into();
    let cases = [
        ("bucket-key", "k", true),
        ("bucket-key", "v", false),
        ("merge-engine", "deduplicate", true), // the default
        ("write-only", "true", true),
    ];
    for (key, value, accepted) in cases {
        let checked = validate_dynamic(&stored, key, value);
        assert_eq!(checked.is_ok(), accepted, "{key} = {value}: {checked:?}");
    }
}
