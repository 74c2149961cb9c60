//! The columns of every schema file of the fixtures.

#![expect(clippy::disallowed_methods, reason = "the fixtures are read as plain files")]

use std::path::{Path, PathBuf};

use headwater_types::{DataField, arrow_schema};
use serde_json::Value;

fn schema_files(dir: &Path, out: &mut Vec<PathBuf>) -> std::io::Result<()> {
    for entry in std::fs::read_dir(dir)? {
        let path = entry?.path();
        if path.is_dir() {
            schema_files(&path, out)?;
        } else if path.file_name().is_some_and(|name| name.to_string_lossy().starts_with("schema-")) {
            out.push(path);
        }
    }
    Ok(())
}

/// Without what only other writers put there: nulls and `nullable`.
fn as_java_writes(json: &Value) -> Value {
    match json {
        Value::Object(object) => object
            .iter()
            .filter(|(k, v)| *k != "nullable" && !v.is_null())
            .map(|(k, v)| (k.clone(), as_java_writes(v)))
            .collect(),
        Value::Array(items) => items.iter().map(as_java_writes).collect(),
        other => other.clone(),
    }
}

#[test]
fn columns_read_and_write_back() {
    let mut files = Vec::new();
    schema_files(Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../../testdata/fixtures")), &mut files).unwrap();
    assert!(files.len() > 80, "only {} schema files", files.len());
    for file in files {
        let json: Value = serde_json::from_slice(&std::fs::read(&file).unwrap()).unwrap();
        let columns = json["fields"].as_array().unwrap();
        let fields: Vec<DataField> = columns.iter().map(|f| DataField::from_json(f).unwrap()).collect();
        let written: Value = fields.iter().map(DataField::to_json).collect();
        let again: Vec<_> = written.as_array().unwrap().iter().map(|f| DataField::from_json(f).unwrap()).collect();
        assert_eq!(again, fields, "{}", file.display());
        // pypaimon has spellings of its own, such as TIMESTAMP_LTZ(3).
        if !file.to_string_lossy().contains("/pypaimon") {
            assert_eq!(written, as_java_writes(&json["fields"]), "{}", file.display());
        }
        assert_eq!(arrow_schema(&fields).fields().len(), fields.len());
    }
}
