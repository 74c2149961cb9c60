//! Data files of append tables that others wrote: their rows are the table's rows.

use std::path::PathBuf;

use futures::TryStreamExt as _;
use headwater_format::{ReadRequest, format_of_file};
use headwater_io::{Env, FileIo};
use headwater_types::{DataField, ErrorKind, JsonRowWriter, Leaf, LeafTest, Predicate};

fn folder(name: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../testdata/fixtures").join(name)
}

fn fields(name: &str) -> Vec<DataField> {
    let schema = std::fs::read(folder(name).join("table/schema/schema-0")).unwrap();
    let json: serde_json::Value = serde_json::from_slice(&schema).unwrap();
    json["fields"].as_array().unwrap().iter().map(|f| DataField::from_json(f).unwrap()).collect()
}

async fn rows(name: &str, request: &ReadRequest) -> Vec<String> {
    let table = folder(name).join("table");
    let io = FileIo::open(table.to_str().unwrap(), &std::collections::BTreeMap::new(), &Env::system()).unwrap();
    let mut text = Vec::new();
    for file in io.list_recursive("").await.unwrap() {
        if file.path.ends_with(".parquet") {
            let format = format_of_file(&file.path).unwrap();
            let reader = format.open(&io, &file.path, Some(file.size), request.clone()).await.unwrap();
            for batch in reader.batches.try_collect::<Vec<_>>().await.unwrap() {
                JsonRowWriter::write_rows(&request.columns, &batch, &mut text).unwrap();
            }
        }
    }
    normal(&String::from_utf8(text).unwrap())
}

/// Rows in one order and with one spelling of numbers; what differs in more than the spelling of a float stays apart.
fn normal(rows: &str) -> Vec<String> {
    fn respell(json: &mut serde_json::Value) {
        match json {
            serde_json::Value::Number(number) if !number.is_i64() => {
                let value = number.as_f64().unwrap();
                #[expect(clippy::cast_possible_truncation, reason = "a FLOAT has one spelling as 32 bits")]
                let narrow = value as f32;
                let is_float = value != 0.0 && (f64::from(narrow) - value).abs() < value.abs() * 1e-7;
                *json = if is_float { format!("{narrow:e}") } else { format!("{value:e}") }.into();
            }
            serde_json::Value::Array(items) => items.iter_mut().for_each(respell),
            serde_json::Value::Object(members) => members.values_mut().for_each(respell),
            _ => {}
        }
    }
    let mut rows: Vec<String> = rows
        .lines()
        .map(|row| {
            let mut json: serde_json::Value = serde_json::from_str(row).unwrap();
            respell(&mut json);
            json.to_string()
        })
        .collect();
    rows.sort();
    rows
}

fn expected(name: &str) -> Vec<String> {
    let text = std::fs::read_to_string(folder(name).join("expected/latest.jsonl")).unwrap();
    normal(&text)
}

#[tokio::test]
async fn files_of_every_writer_hold_the_recorded_rows() {
    for name in [
        "types-append-parquet",
        "types-precisions-parquet",
        "types-nested-deep",
        "java09-types-parquet",
        "pypaimon21-types-parquet",
        "types-variant",
    ] {
        let found = rows(name, &ReadRequest::new(fields(name))).await;
        assert_eq!(found, expected(name), "{name}");
    }
}

#[tokio::test]
async fn one_column_alone_reads_the_same_values() {
    let all = fields("types-append-parquet");
    for field in &all {
        let found = rows("types-append-parquet", &ReadRequest::new(vec![field.clone()])).await;
        assert_eq!(found.len(), expected("types-append-parquet").len(), "{}", field.name);
    }
}

#[tokio::test]
async fn a_column_the_file_lacks_is_null() {
    let extra = DataField::new(99, "nowhere", headwater_types::TypeKind::Int);
    let filter = Predicate::Leaf(Leaf {
        column: "nowhere".to_owned(),
        data_type: extra.data_type.clone(),
        test: LeafTest::IsNull,
    });
    let request = ReadRequest { filter: Some(filter), exact_filter: true, ..ReadRequest::new(vec![extra]) };
    let found = rows("types-append-parquet", &request).await;
    assert_eq!(found.len(), expected("types-append-parquet").len());
    assert!(found.iter().all(|row| row == "{\"nowhere\":null}"));
}

#[tokio::test]
async fn cut_off_files_are_corrupt_and_say_which() {
    let table = folder("types-append-parquet").join("table");
    let io = FileIo::open(table.to_str().unwrap(), &std::collections::BTreeMap::new(), &Env::system()).unwrap();
    let files = io.list_recursive("").await.unwrap();
    let file = files.iter().find(|f| f.path.ends_with(".parquet")).unwrap();
    let whole = io.read(&file.path).await.unwrap();
    let memory = FileIo::memory();
    for length in [0, 3, 8, whole.len() / 2, whole.len() - 1] {
        let path = format!("cut-{length}.parquet");
        memory.create_new(&path, whole.slice(..length)).await.unwrap();
        let request = ReadRequest::new(fields("types-append-parquet"));
        let opened = format_of_file(&path).unwrap().open(&memory, &path, None, request).await;
        let error = match opened {
            Err(error) => error,
            Ok(reader) => reader.batches.try_collect::<Vec<_>>().await.unwrap_err(),
        };
        assert_eq!(error.kind(), ErrorKind::Corrupt, "{length}: {error}");
        assert!(error.context("path").is_some_and(|p| p.ends_with(&path)), "{error}");
    }
}
