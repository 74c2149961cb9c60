//! The table of the fixtures' canonical JSON.

use arrow_array::RecordBatch;

use super::*;
use crate::{array_from_datums, arrow_schema};

/// By value and by column.
#[track_caller]
fn check(data_type: &DataType, value: Datum, expected: &str) {
    assert_eq!(datum_json(data_type, Some(&value)), expected);
    let fields = [DataField::new(0, "c", data_type.clone())];
    let column = array_from_datums(data_type, &[Some(value), None]).unwrap();
    let column = crate::with_arrow_type(&column, arrow_schema(&fields).field(0).data_type()).unwrap();
    let batch = RecordBatch::try_new(arrow_schema(&fields), vec![column]).unwrap();
    let mut out = Vec::new();
    JsonRowWriter::write_rows(&fields, &batch, &mut out).unwrap();
    assert_eq!(String::from_utf8(out).unwrap(), format!("{{\"c\":{expected}}}\n{{\"c\":null}}\n"));
}

fn check_text(data_type: &str, value: Datum, expected: &str) {
    check(&data_type.parse().unwrap(), value, expected);
}

#[test]
fn scalars() {
    check_text("BOOLEAN", Datum::Boolean(true), "true");
    check_text("BIGINT", Datum::BigInt(1 << 53), "9007199254740992");
    check_text("BIGINT", Datum::BigInt((1 << 53) + 1), "\"9007199254740993\"");
    check_text("DOUBLE", Datum::Double(-0.0), "-0.0");
    check_text("FLOAT", Datum::Float(0.1), "0.1");
    check_text("DOUBLE", Datum::Double(f64::NEG_INFINITY), "\"-Infinity\"");
    check_text("DECIMAL(10, 3)", Datum::Decimal { unscaled: -5, scale: 3 }, "\"-0.005\"");
    check_text("STRING", Datum::String("a\"\\\n\u{1}é".into()), "\"a\\\"\\\\\\n\\u0001é\"");
    check_text("BYTES", Datum::Bytes(vec![0, 0xab]), "\"00ab\"");
    check_text("DATE", Datum::Date(19782), "\"2024-02-29\"");
    check_text("DATE", Datum::Date(-1), "\"1969-12-31\"");
    check_text("TIME(0)", Datum::Time(3_723_004), "\"01:02:03.004\"");
    let at = |millis, nanos| Datum::Timestamp { millis, nanos };
    check_text("TIMESTAMP(0)", at(1_709_168_523_000, 0), "\"2024-02-29T01:02:03\"");
    check_text("TIMESTAMP(9)", at(-1, 999_999), "\"1969-12-31T23:59:59.999999999\"");
    check_text("TIMESTAMP_LTZ(4)", at(0, 500_000), "\"1970-01-01T00:00:00.0005Z\"");
}

#[test]
fn nested() {
    let text = |t: &str| Some(Datum::String(t.into()));
    let int = |v| Some(Datum::Int(v));
    let map = TypeKind::Map { key: Box::new(TypeKind::STRING.into()), value: Box::new(TypeKind::Int.into()) };
    check(&map.into(), Datum::Map(vec![(text("b"), int(1)), (text("a"), None)]), r#"[["a",null],["b",1]]"#);
    let multiset = TypeKind::Multiset(Box::new(TypeKind::STRING.into()));
    check(&multiset.into(), Datum::Map(vec![(text("b"), int(2))]), r#"[["b",2]]"#);
    let fields = vec![DataField::new(1, "x", TypeKind::Int), DataField::new(2, "y z", TypeKind::STRING)];
    check(&TypeKind::Row(fields).into(), Datum::Row(vec![int(7), None]), r#"{"x":7,"y z":null}"#);
    check_text("VECTOR<INT, 2>", Datum::Array(vec![int(1), int(2)]), "[1,2]");
    check_text("INT ARRAY", Datum::Array(vec![int(1), None]), "[1,null]");
}

#[test]
fn variants() {
    // The example of spec page 02 §3.9.
    let mut metadata = vec![1, 3, 0, 3, 7, 8];
    metadata.extend_from_slice(b"agecityx");
    let mut value = vec![2, 3, 0, 1, 2, 0, 2, 0x0a, 0x13, 0x0c, 0x1b, 0x1d];
    value.extend_from_slice(b"Beijing");
    value.extend_from_slice(&[3, 2, 0, 2, 4, 0x0c, 1, 5, 0x61]);
    let json = r#"{"age":27,"city":"Beijing","x":[1,"a"]}"#;
    assert_eq!(variant_json(&value, &metadata), json);
    for end in 0..value.len() {
        assert_eq!(variant_json(&value[..end], &metadata), "null");
    }
    let escaped = format!("\"{}\"", json.replace('"', "\\\""));
    check_text("VARIANT", Datum::Variant { value, metadata }, &escaped);
}
