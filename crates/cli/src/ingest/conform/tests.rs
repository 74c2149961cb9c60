use std::sync::Arc;

use arrow_array::{
    ArrayRef, DictionaryArray, Float64Array, Int64Array, LargeStringArray, RecordBatch, StringArray,
    TimestampNanosecondArray, types::Int32Type,
};
use headwater_types::{DataField, DataType, JsonRowWriter, TypeKind};

use super::{Conform, Origin};

fn fields() -> Vec<DataField> {
    vec![
        DataField::new(0, "id", DataType::new(TypeKind::Int, false)),
        DataField::new(1, "price", DataType::new(TypeKind::Decimal { precision: 6, scale: 2 }, true)),
        DataField::new(2, "code", DataType::new(TypeKind::VarChar { length: 3 }, true)),
        DataField::new(3, "at", DataType::new(TypeKind::Timestamp { precision: 3 }, true)),
    ]
}

fn apply(columns: Vec<(&str, ArrayRef)>) -> Result<String, String> {
    let conform = Conform::new(fields(), vec!["id".to_owned()], None, false);
    let batch = RecordBatch::try_from_iter(columns).unwrap();
    let origin = Origin { name: "in.csv".to_owned(), first_row: 11 };
    let conformed = conform.apply(&batch, &origin).map_err(|e| e.to_string())?;
    let mut text = Vec::new();
    JsonRowWriter::write_rows(conform.fields(), &conformed.rows, &mut text).unwrap();
    Ok(String::from_utf8(text).unwrap())
}

fn ints(values: &[Option<i64>]) -> ArrayRef {
    Arc::new(Int64Array::from(values.to_vec()))
}

fn texts(values: &[Option<&str>]) -> ArrayRef {
    Arc::new(StringArray::from(values.to_vec()))
}

#[test]
fn columns_are_found_by_name_and_cast_without_loss() {
    let code: DictionaryArray<Int32Type> = vec!["abc"].into_iter().collect();
    let rows = apply(vec![
        ("code", Arc::new(code)),
        ("at", Arc::new(TimestampNanosecondArray::from(vec![1_000_000_000]))),
        ("price", Arc::new(Float64Array::from(vec![1.25]))),
        ("id", ints(&[Some(7)])),
    ]);
    let expected = "{\"id\":7,\"price\":\"1.25\",\"code\":\"abc\",\"at\":\"1970-01-01T00:00:01.000\"}\n";
    assert_eq!(rows.as_deref(), Ok(expected));

    let large = Arc::new(LargeStringArray::from(vec!["9"]));
    let rows = apply(vec![("id", large), ("price", texts(&[Some("3.5")]))]);
    assert_eq!(rows.as_deref(), Ok("{\"id\":9,\"price\":\"3.50\",\"code\":null,\"at\":null}\n"));
}

#[test]
fn what_would_be_lost_is_refused_with_row_and_column() {
    let fails = |columns: Vec<(&str, ArrayRef)>, says: &[&str]| {
        let error = apply(columns).unwrap_err();
        for text in says {
            assert!(error.contains(text), "'{text}' is missing in: {error}");
        }
    };
    let id = || ("id", ints(&[Some(1), Some(2)]));
    fails(vec![("id", ints(&[Some(1), Some(1 << 40)]))], &["1099511627776", "INT", "row=12", "column=id", "in.csv"]);
    fails(vec![("id", ints(&[Some(1), None]))], &["null in a key column", "row=12"]);
    fails(vec![("id", texts(&[Some("1"), Some("x")]))], &["'x'", "row=12"]);
    fails(vec![id(), ("price", Arc::new(Float64Array::from(vec![1.0, 1.005])))], &["1.005", "row=12", "column=price"]);
    fails(vec![id(), ("code", texts(&[Some("abc"), Some("abcd")]))], &["too long", "VARCHAR(3)", "row=12"]);
    fails(vec![id(), ("at", Arc::new(TimestampNanosecondArray::from(vec![0, 1])))], &["row=12", "column=at"]);
    fails(vec![id(), ("cod", texts(&[None, None]))], &["no column 'cod'", "id, price, code, at"]);
    fails(vec![("price", texts(&[None]))], &["demands a value", "column=id"]);
}

#[test]
fn row_kinds_come_from_their_column() {
    let conform = Conform::new(fields(), vec!["id".to_owned()], Some("_kind".to_owned()), false);
    let origin = Origin { name: "in".to_owned(), first_row: 1 };
    let rows = |kinds: &[Option<&str>]| {
        RecordBatch::try_from_iter(vec![("id", ints(&[Some(1), Some(2)])), ("_kind", texts(kinds))]).unwrap()
    };
    let conformed = conform.apply(&rows(&[Some("+I"), Some("-D")]), &origin).unwrap();
    assert_eq!(conformed.kinds.unwrap().values(), &[0, 3]);
    let error = conform.apply(&rows(&[Some("+I"), Some("insert")]), &origin).err().unwrap().to_string();
    assert!(error.contains("'insert' is no row kind") && error.contains("row=2"), "{error}");
}
