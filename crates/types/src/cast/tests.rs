//! Rows of the matrix of spec page 02 §5.4.

use arrow_array::Array;

use super::*;
use crate::{DataField, array_from_datums, datum_at, datum_json};

fn data_type(text: &str) -> DataType {
    text.parse().unwrap()
}

/// Casts a value given as text of `from` and prints the result's canonical JSON, or the kind of the error.
fn cast(from: &str, value: &str, to: &str) -> String {
    let (from, to) = (data_type(from), data_type(to));
    let value = parse_datum(value, &from).unwrap();
    let by_value = cast_datum(&value, &from, &to);
    let column = array_from_datums(&from, &[Some(value), None]).unwrap();
    let by_column = cast_array(&column, &from, &to);
    match (by_value, by_column) {
        (Ok(value), Ok(column)) => {
            assert_eq!(
                datum_at(&column, 0, &to).unwrap().map(|v| format!("{v:?}")),
                value.as_ref().map(|v| format!("{v:?}"))
            );
            assert!(column.is_null(1));
            datum_json(&to, value.as_ref())
        }
        (Err(error), Err(_)) => error.kind().to_string(),
        other => panic!("{other:?}"),
    }
}

#[track_caller]
fn check(from: &str, value: &str, to: &str, expected: &str) {
    assert_eq!(cast(from, value, to), expected, "{value}: {from} to {to}");
}

#[test]
fn numbers() {
    check("INT", "70000", "TINYINT", "112");
    check("INT", "383", "TINYINT", "127");
    check("BIGINT", "5000000000", "INT", "705032704");
    check("DOUBLE", "3e10", "INT", "2147483647");
    check("DOUBLE", "3e10", "TINYINT", "-1");
    check("DOUBLE", "NaN", "BIGINT", "0");
    check("FLOAT", "0.1", "DOUBLE", "0.10000000149011612");
    check("INT", "70000", "DECIMAL(5, 2)", "null");
    check("INT", "7", "DECIMAL(5, 2)", "\"7.00\"");
    check("DECIMAL(10, 3)", "1234.567", "DECIMAL(5, 2)", "null");
    check("DECIMAL(10, 3)", "1234.567", "DECIMAL(10, 2)", "\"1234.57\"");
    check("DECIMAL(10, 3)", "-1234.565", "DECIMAL(10, 2)", "\"-1234.57\"");
    check("DECIMAL(10, 3)", "1234.567", "TINYINT", "-46");
    check("DECIMAL(10, 3)", "1234.567", "DOUBLE", "1234.567");
    check("DOUBLE", "2.675", "DECIMAL(5, 2)", "\"2.68\"");
    check("DOUBLE", "NaN", "DECIMAL(5, 2)", "InvalidInput");
    check("BOOLEAN", "true", "DECIMAL(5, 2)", "\"1.00\"");
    check("INT", "-3", "BOOLEAN", "true");
    check("FLOAT", "1", "TIMESTAMP(3)", "Unsupported");
}

#[test]
fn texts() {
    check("DOUBLE", "1e20", "STRING", "\"1.0E20\"");
    check("DECIMAL(5, 2)", "1.5", "STRING", "\"1.50\"");
    check("INT", "12345", "VARCHAR(3)", "\"123\"");
    check("BOOLEAN", "1", "CHAR(6)", "\"true  \"");
    check("STRING", "中文字", "CHAR(2)", "\"中文\"");
    check("DATE", "2024-02-29", "STRING", "\"2024-02-29\"");
    check("DATE", "2024-02-29", "VARCHAR(5)", "Unsupported");
    check("TIME(3)", "0", "STRING", "\"00:00:00.0\"");
    check("TIME(0)", "1:2:3", "STRING", "\"01:02:03\"");
    check("TIME(3)", "1:2:3.45", "STRING", "\"01:02:03.45\"");
    check("TIMESTAMP(3)", "2024-1-2 3:4:5.12", "STRING", "\"2024-01-02 03:04:05.120\"");
    check("TIMESTAMP(0)", "2024-1-2 3:4:5", "STRING", "\"2024-01-02 03:04:05\"");
    check("STRING", "ab", "BINARY(3)", "\"616200\"");
    check("STRING", "abcd", "VARBINARY(3)", "\"616263\"");
    check("BYTES", "ab", "STRING", "\"ab\"");
    check("STRING", "YES", "BOOLEAN", "true");
    check("STRING", " yes", "BOOLEAN", "InvalidInput");
    check("STRING", "12.9", "INT", "12");
    check("STRING", "+128", "TINYINT", "InvalidInput");
    check("STRING", " 1.5 ", "DOUBLE", "1.5");
    check("STRING", "inf", "DOUBLE", "InvalidInput");
    check("STRING", "1.25e1", "DECIMAL(5, 1)", "\"12.5\"");
    check("STRING", "0.05", "DECIMAL(5, 1)", "\"0.1\"");
    check("STRING", "1e400", "DECIMAL(5, 1)", "null");
    check("STRING", "300", "DATE", "\"1970-10-28\"");
    check("STRING", "2024-2", "DATE", "\"2024-02-01\"");
    check("STRING", "2023-02-29", "DATE", "InvalidInput");
    check("STRING", "1700000000123", "TIMESTAMP(3)", "\"2023-11-14T22:13:20.123\"");
    check("STRING", "5", "TIMESTAMP_LTZ(3)", "InvalidInput");
}

#[test]
fn times() {
    check("INT", "70000", "TIMESTAMP(0)", "\"1970-01-01T19:26:40\"");
    check("TIMESTAMP(3)", "1969-12-31 23:59:59.999", "BIGINT", "0");
    check("TIMESTAMP(3)", "1969-12-31 23:59:59.999", "DATE", "\"1970-01-01\"");
    check("TIMESTAMP_LTZ(3)", "1969-12-31 23:59:59.999", "DATE", "\"1969-12-31\"");
    check("TIMESTAMP(3)", "1969-12-31 23:59:59.999", "TIME(3)", "\"23:59:59.999\"");
    check("TIMESTAMP(6)", "1969-12-31 23:59:59.999999", "TIMESTAMP(0)", "\"1970-01-01T00:00:00\"");
    check("TIMESTAMP(9)", "2024-01-01 0:0:0.123456789", "TIMESTAMP_LTZ(6)", "\"2024-01-01T00:00:00.123456Z\"");
    check("DATE", "2024-01-01", "TIMESTAMP(3)", "\"2024-01-01T00:00:00.000\"");
    check("TIME(3)", "1:0:0", "TIMESTAMP(3)", "\"1970-01-01T01:00:00.000\"");
    check("TIMESTAMP(3)", "2024-01-01", "DOUBLE", "Unsupported");
}

#[test]
fn rows_match_by_field_id() {
    let old = TypeKind::Row(vec![DataField::new(3, "x", TypeKind::Int), DataField::new(4, "y", TypeKind::STRING)]);
    let new = TypeKind::Row(vec![
        DataField::new(4, "why", TypeKind::STRING),
        DataField::new(9, "z", TypeKind::Int),
        DataField::new(3, "x", TypeKind::BigInt),
    ]);
    let (old, new) = (DataType::from(old), DataType::from(new));
    let row = Datum::Row(vec![Some(Datum::Int(7)), Some(Datum::String("q".into()))]);
    let column = cast_array(&array_from_datums(&old, &[Some(row), None]).unwrap(), &old, &new).unwrap();
    let value = datum_at(&column, 0, &new).unwrap();
    assert_eq!(datum_json(&new, value.as_ref()), r#"{"why":"q","z":null,"x":7}"#);
    assert!(column.is_null(1));
}

#[test]
fn elements_and_map_values_are_cast() {
    let list = |t: &str| DataType::from(TypeKind::Array(Box::new(data_type(t))));
    let map =
        |k: &str, t: &str| DataType::from(TypeKind::Map { key: Box::new(data_type(k)), value: Box::new(data_type(t)) });
    let int = |v| Some(Datum::Int(v));
    let column = array_from_datums(&list("INT"), &[Some(Datum::Array(vec![int(300), None]))]).unwrap();
    let cast = cast_array(&column, &list("INT"), &list("TINYINT")).unwrap();
    assert_eq!(datum_at(&cast, 0, &list("TINYINT")).unwrap(), Some(Datum::Array(vec![Some(Datum::TinyInt(44)), None])));
    let (from, to) = (map("INT", "INT"), map("INT", "BIGINT"));
    let column = array_from_datums(&from, &[Some(Datum::Map(vec![(int(1), int(2))]))]).unwrap();
    let cast = cast_array(&column, &from, &to).unwrap();
    assert_eq!(datum_at(&cast, 0, &to).unwrap(), Some(Datum::Map(vec![(int(1), Some(Datum::BigInt(2)))])));
    let error = cast_array(&column, &from, &map("BIGINT", "INT")).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Unsupported);
}

#[test]
fn columns_change_type_as_the_reference_lets_them() {
    // Target, sources without explicit casts, sources with them; every other source is refused.
    let types = [
        "BOOLEAN",
        "TINYINT",
        "SMALLINT",
        "INT",
        "BIGINT",
        "FLOAT",
        "DOUBLE",
        "DECIMAL(10, 2)",
        "CHAR(3)",
        "STRING",
        "BINARY(3)",
        "BYTES",
        "DATE",
        "TIME(3)",
        "TIMESTAMP(6)",
        "TIMESTAMP(6) WITH LOCAL TIME ZONE",
    ];
    let cases = [
        ("BOOLEAN", "", "1234 8 9"),
        ("INT", "123", "04567 8 9 e f"),
        ("BIGINT", "1234", "0567 8 9 e f"),
        ("SMALLINT", "12", "034567 8 9"),
        ("FLOAT", "12345 7", "06 8 9"),
        ("DOUBLE", "1234567", "0 8 9"),
        ("DECIMAL(10, 2)", "1234567", "0 8 9"),
        ("STRING", "89", "01234567 a b c d e f"),
        ("VARCHAR(5)", "89", "01234567 a b"),
        ("CHAR(3)", "8", "01234567 9 a b"),
        ("BYTES", "ab", "8 9"),
        ("BINARY(3)", "a", "b 8 9"),
        ("DATE", "e", "f 8 9"),
        ("TIME(0)", "e", "f 8 9"),
        ("TIMESTAMP(3)", "e f", "c d 8 9 3 4"),
        ("TIMESTAMP(3) WITH LOCAL TIME ZONE", "e f", "c d 8 9 3 4"),
    ];
    let index = |at: usize| char::from_digit(u32::try_from(at).unwrap(), 16).unwrap();
    for (to, implicit, explicit) in cases {
        let to = data_type(to);
        for (at, from) in types.iter().enumerate() {
            let from = data_type(from);
            let known = implicit.contains(index(at));
            assert_eq!(can_change_type(&from, &to, false), known, "{from} to {to}");
            let cast = known || explicit.contains(index(at));
            // Whole numbers of any width are seconds only as INT and BIGINT.
            assert_eq!(can_change_type(&from, &to, true), cast, "{from} to {to} by a cast");
        }
    }
    assert!(!can_change_type(&data_type("INT"), &data_type("BIGINT NOT NULL"), false));
    assert!(can_change_type(&data_type("INT"), &data_type("BIGINT NOT NULL"), true));
    assert!(!can_change_type(&data_type("DATE"), &data_type("STRING NOT NULL"), true));
}
