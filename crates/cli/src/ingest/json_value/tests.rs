use headwater_types::{DataField, DataType, TypeKind, datum_at, datum_json};
use serde_json::Value;

use super::column;
use crate::ingest::conform::Origin;

fn read(kind: TypeKind, json: &str) -> Result<String, String> {
    let field = DataField::new(0, "c", DataType::new(kind, true));
    let value: Value = serde_json::from_str(json).unwrap();
    let origin = Origin { name: "in".to_owned(), first_row: 5 };
    let array = column(&field, std::iter::once(&value), &origin).map_err(|e| e.to_string())?;
    Ok(datum_json(&field.data_type, datum_at(&array, 0, &field.data_type).unwrap().as_ref()))
}

fn of(kind: TypeKind) -> Box<DataType> {
    Box::new(DataType::new(kind, true))
}

#[test]
fn the_canonical_form_reads_back() {
    let row = TypeKind::Row(vec![DataField::new(1, "x", TypeKind::Int), DataField::new(2, "y", TypeKind::STRING)]);
    let cases = [
        (TypeKind::Boolean, "true"),
        (TypeKind::TinyInt, "-128"),
        (TypeKind::Int, "2147483647"),
        (TypeKind::BigInt, "\"9223372036854775807\""),
        (TypeKind::Float, "0.1"),
        (TypeKind::Double, "\"NaN\""),
        (TypeKind::Double, "-0.0"),
        (TypeKind::Double, "101819454205.91695"), // a quick reading of digits ends at its neighbour
        (TypeKind::Decimal { precision: 38, scale: 10 }, "\"1234567890123456789012345678.0000000001\""),
        (TypeKind::STRING, "\"größe \\\"q\\\"\""),
        (TypeKind::BYTES, "\"00ff\""),
        (TypeKind::Date, "\"2024-02-29\""),
        (TypeKind::Time { precision: 3 }, "\"23:59:59.999\""),
        (TypeKind::Timestamp { precision: 9 }, "\"2024-02-29T01:02:03.123456789\""),
        (TypeKind::LocalZonedTimestamp { precision: 3 }, "\"2024-02-29T01:02:03.123Z\""),
        (TypeKind::Array(of(TypeKind::Int)), "[1,null,3]"),
        (TypeKind::Map { key: of(TypeKind::STRING), value: of(TypeKind::Int) }, "[[\"a\",1],[\"b\",null]]"),
        (TypeKind::Multiset(of(TypeKind::Int)), "[[1,2]]"),
        (row, "{\"x\":1,\"y\":null}"),
        (TypeKind::Int, "null"),
    ];
    for (kind, json) in cases {
        assert_eq!(read(kind.clone(), json).as_deref(), Ok(json), "{kind:?}");
    }
}

#[test]
fn common_forms_are_understood() {
    let cases = [
        (TypeKind::Int, "\"17\"", "17"),
        (TypeKind::Int, "2.0", "2"),
        (TypeKind::BigInt, "1e3", "1000"),
        (TypeKind::Double, "\"1.5\"", "1.5"),
        (TypeKind::Decimal { precision: 5, scale: 2 }, "1.50", "\"1.50\""),
        (TypeKind::Decimal { precision: 5, scale: 2 }, "7", "\"7.00\""),
        (TypeKind::Map { key: of(TypeKind::STRING), value: of(TypeKind::Int) }, "{\"a\":1}", "[[\"a\",1]]"),
    ];
    for (kind, json, expected) in cases {
        assert_eq!(read(kind.clone(), json).as_deref(), Ok(expected), "{kind:?}");
    }
}

#[test]
fn what_does_not_fit_is_refused_with_row_and_column() {
    let cases = [
        (TypeKind::Int, "1.5", "fraction"),
        (TypeKind::Int, "2147483648", "out of range"),
        (TypeKind::TinyInt, "128", "out of range"),
        (TypeKind::Int, "true", "whole number"),
        (TypeKind::Float, "1e300", "out of range"),
        (TypeKind::STRING, "17", "text in quotes"),
        (TypeKind::Boolean, "1", "true or false"),
        (TypeKind::BYTES, "\"0g\"", "hexadecimal"),
        (TypeKind::Decimal { precision: 5, scale: 2 }, "\"1.555\"", "more than 2 digits"),
        (TypeKind::Decimal { precision: 38, scale: 10 }, "1234567890123.12345", "write it as a text"),
        (TypeKind::Date, "\"2024-02-30\"", "cannot become DATE"),
        (TypeKind::Array(Box::new(DataType::new(TypeKind::Int, false))), "[null]", "null where"),
        (TypeKind::Row(vec![DataField::new(1, "x", TypeKind::Int)]), "{\"z\":1}", "no field 'z'"),
    ];
    for (kind, json, says) in cases {
        let error = read(kind.clone(), json).unwrap_err();
        assert!(error.contains(says) && error.contains("row=5") && error.contains("column=c"), "{kind:?}: {error}");
    }
}
