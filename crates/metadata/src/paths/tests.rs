use std::collections::BTreeMap;

use headwater_types::{BinaryRow, DataField, DataType, Datum};

use crate::{DataFileMeta, ErrorKind, IndexFileMeta, Schema, TablePaths};

fn paths(partitioned: bool, options: &[(&str, &str)]) -> (TablePaths, BinaryRow) {
    let field = |name: &str, of: &str| DataField::new(0, name, of.parse::<DataType>().unwrap());
    let mut schema = Schema::create(
        vec![field("a", "INT"), field("dt", "DATE"), field("x", "STRING")],
        if partitioned { vec!["x".to_owned(), "dt".to_owned()] } else { Vec::new() },
        Vec::new(),
        BTreeMap::from([("bucket", "2"), ("bucket-key", "a")].map(|(k, v)| (k.to_owned(), v.to_owned()))),
        None,
        0,
    )
    .unwrap();
    schema.options.extend(options.iter().map(|(k, v)| ((*k).to_owned(), (*v).to_owned())));
    let values = [Some(Datum::String("a=b/c".to_owned())), Some(Datum::Date(19723))];
    let row =
        BinaryRow::from_datums(&schema.partition_types().unwrap(), if partitioned { &values } else { &[] }).unwrap();
    (TablePaths::new(&schema).unwrap(), row)
}

#[test]
fn data_files() {
    let file = DataFileMeta {
        file_name: "data-1.parquet".to_owned(),
        extra_files: vec!["data-1.parquet.index".to_owned()],
        ..DataFileMeta::blank()
    };
    let (plain, none) = paths(false, &[]);
    assert_eq!(plain.data_file(&none, 0, &file).unwrap(), "bucket-0/data-1.parquet");
    assert_eq!(plain.bucket_dir(&none, -2).unwrap(), "bucket-postpone");
    assert_eq!(plain.partition_dir(&none).unwrap(), "");
    let (by_day, row) = paths(true, &[]);
    assert_eq!(
        by_day.data_file_and_extras(&row, 3, &file).unwrap(),
        ["x=a%3Db%2Fc/dt=19723/bucket-3/data-1.parquet", "x=a%3Db%2Fc/dt=19723/bucket-3/data-1.parquet.index"]
    );
    let (below, none) = paths(false, &[("data-file.path-directory", "data/")]);
    assert_eq!(below.bucket_dir(&none, 1).unwrap(), "data/bucket-1");
    assert_eq!(below.partition_dir(&none).unwrap(), "data");
    let outside = DataFileMeta { external_path: Some("s3://elsewhere/x".to_owned()), ..file };
    assert_eq!(plain.data_file(&none, 0, &outside).unwrap_err().kind(), ErrorKind::Unsupported);
}

#[test]
fn index_files() {
    let file = IndexFileMeta {
        index_type: "HASH".to_owned(),
        file_name: "index-1".to_owned(),
        file_size: 4,
        row_count: 1,
        dv_ranges: None,
        external_path: None,
        global_index: None,
    };
    let (plain, none) = paths(false, &[]);
    assert_eq!(plain.index_file(&none, 0, &file).unwrap(), "index/index-1");
    let (beside, none) = paths(false, &[("index-file-in-data-file-dir", "true")]);
    assert_eq!(beside.index_file(&none, 0, &file).unwrap(), "bucket-0/index-1");
}

#[test]
fn branches() {
    assert_eq!(TablePaths::snapshot(None, 7), "snapshot/snapshot-7");
    assert_eq!(TablePaths::snapshot(Some("main"), 7), "snapshot/snapshot-7");
    assert_eq!(TablePaths::schema(Some("b"), 0), "branch/branch-b/schema/schema-0");
    assert_eq!(TablePaths::tag(Some("b"), "t"), "branch/branch-b/tag/tag-t");
    assert_eq!(TablePaths::consumer(None, "c"), "consumer/consumer-c");
}
