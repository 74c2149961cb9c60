use std::collections::BTreeMap;

use headwater_types::{DataField, DataType};

use crate::{ErrorKind, Result, Schema};

/// `columns` is `name TYPE, …`, keys are separated by blanks, options are `key=value` separated by blanks.
fn create(columns: &str, partition: &str, primary: &str, options: &str) -> Result<Schema> {
    let fields = columns.split(", ").map(|column| {
        let (name, of) = column.split_once(' ').unwrap();
        let data_type = match of {
            "ROW" => serde_json::json!({"type": "ROW", "fields": [{"id": 0, "name": "a", "type": "INT"}]}),
            "ARRAY" => serde_json::json!({"type": "ARRAY", "element": "INT"}),
            of => serde_json::json!(of),
        };
        DataField::new(0, name, DataType::from_json(&data_type).unwrap())
    });
    let names = |text: &str| text.split_whitespace().map(str::to_owned).collect::<Vec<_>>();
    let options = options.split_whitespace().map(|option| {
        let (key, value) = option.split_once('=').unwrap();
        (key.to_owned(), value.to_owned())
    });
    Schema::create(fields.collect(), names(partition), names(primary), options.collect::<BTreeMap<_, _>>(), None, 5)
}

fn check_refused(columns: &str, partition: &str, primary: &str, options: &str) {
    let error = create(columns, partition, primary, options)
        .map(|_| ())
        .expect_err(&format!("accepted: {columns} partitioned by '{partition}' key '{primary}' with {options}"));
    assert!(matches!(error.kind(), ErrorKind::InvalidInput | ErrorKind::Unsupported), "{error}");
}

#[test]
fn ids_and_nullability() {
    let schema = create("a INT, r ROW, b STRING, dt DATE", "dt", "dt a", "bucket=2").unwrap();
    assert_eq!(schema.fields.iter().map(|f| f.id).collect::<Vec<_>>(), [0, 1, 3, 4]);
    assert_eq!(schema.highest_field_id, 4);
    assert_eq!((schema.version, schema.id, schema.time_millis), (3, 0, 5));
    let nullable: Vec<bool> = schema.fields.iter().map(|f| f.data_type.is_nullable()).collect();
    assert_eq!(nullable, [false, true, true, false]);
    assert_eq!(schema.bucket_keys(), ["a"]);
    let key = &schema.key_fields().unwrap()[0];
    assert_eq!((key.name.as_str(), key.id), ("_KEY_a", 1_073_741_823));
}

#[test]
fn keys_from_options() {
    let schema = create("a INT, b INT, c INT", "", "", "bucket=1 primary-key=a,b partition=b").unwrap();
    assert_eq!((schema.primary_keys, schema.partition_keys), (vec!["a".into(), "b".into()], vec!["b".to_owned()]));
    assert_eq!(schema.options.keys().collect::<Vec<_>>(), ["bucket"]);
    check_refused("a INT, b INT", "", "a", "bucket=1 primary-key=b");
}

#[test]
fn accepted() {
    for (columns, partition, primary, options) in [
        ("a INT, _b INT, A INT", "", "", "bucket=1 bucket-key=a"),
        ("a INT, b INT", "b", "a", "bucket=1"),
        ("a INT, b INT", "b", "a b", "bucket=2"),
        ("a INT, b INT", "", "", "bucket=2 bucket-key=b"),
        ("a INT, b INT", "", "a", "bucket=2 sequence.field=b fields.b.stats-mode=none"),
    ] {
        create(columns, partition, primary, options).unwrap_or_else(|e| panic!("{columns} {options}: {e}"));
    }
}

/// Numbers of buckets that the format allows, whether or not new tables may have them.
#[test]
fn numbers_of_buckets() {
    let check = |primary: &str, bucket: &str, valid: bool| {
        let options = if primary.is_empty() { "bucket=1 bucket-key=a" } else { "bucket=1" };
        let mut schema = create("a INT, b INT", "", primary, options).unwrap();
        schema.options = BTreeMap::from([("bucket".to_owned(), bucket.to_owned())]);
        assert_eq!(schema.validate().is_ok(), valid, "key '{primary}', bucket {bucket}");
    };
    check("", "-1", true);
    check("a", "-1", true);
    check("a", "-2", true);
    check("", "-2", false);
    check("a", "0", false);
    check("a", "-3", false);
    check("", "2", false);
}

#[test]
fn refused() {
    // Names.
    check_refused("a INT, a STRING", "", "", "bucket=1 bucket-key=a");
    check_refused("_KEY_a INT", "", "", "bucket=1 bucket-key=_KEY_a");
    check_refused("rowkind INT, a INT", "", "", "bucket=1 bucket-key=rowkind");
    // Keys.
    check_refused("a INT", "", "b", "bucket=1");
    check_refused("a INT, b INT", "", "a a", "bucket=1");
    check_refused("a INT, b INT", "a b", "a", "bucket=1");
    check_refused("a ARRAY, b INT", "", "a", "bucket=1");
    check_refused("a ROW, b INT", "a", "b", "bucket=1");
    // Buckets.
    check_refused("a INT", "", "", "bucket=0");
    check_refused("a INT", "", "", "bucket=-2");
    check_refused("a INT", "", "", "bucket=-3");
    check_refused("a INT", "", "", "bucket=2");
    check_refused("a INT, b INT", "", "a", "bucket-key=a");
    check_refused("a INT, b INT", "", "a", "bucket=1 bucket-key=b");
    check_refused("a INT, b INT, c INT", "b", "a b", "bucket=1 bucket-key=b");
    check_refused("a INT, b ARRAY", "", "", "bucket=1 bucket-key=b");
    // Options.
    check_refused("a INT, b INT", "", "a", "bucket=1 sequence.field=c");
    check_refused("a INT, b INT", "", "a", "bucket=1 sequence.field=b,b");
    check_refused("a INT, b INT", "", "a", "bucket=1 fields.c.aggregate-function=sum");
    check_refused("a INT", "", "", "bucket=1 bucket-key=a changelog-producer=input");
    check_refused("a INT", "", "", "no-such-option=1");
    check_refused("a INT, b TIMESTAMP(9)", "", "a", "bucket=1 file.format=avro");
    check_refused("a INT, b INT", "", "a", "row-tracking.enabled=true");
    check_refused("a INT, b INT", "", "a", "bucket=1 snapshot.num-retained.min=5 snapshot.num-retained.max=4");
}

#[test]
fn defaults_must_be_castable() {
    let mut field = DataField::new(0, "d", "DATE".parse::<DataType>().unwrap());
    let create = |field: &DataField| {
        let options = [("bucket", "1"), ("bucket-key", "d")].map(|(k, v)| (k.to_owned(), v.to_owned()));
        Schema::create(vec![field.clone()], Vec::new(), Vec::new(), BTreeMap::from(options), None, 0)
    };
    field.default_value = Some("'2024-01-01'".to_owned());
    create(&field).unwrap();
    field.default_value = Some("abc".to_owned());
    assert_eq!(create(&field).unwrap_err().kind(), ErrorKind::InvalidInput);
}
