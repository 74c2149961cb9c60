//! The table of spellings of spec page 01 §2.2, schema JSON and field ids.

use proptest::prelude::*;
use serde_json::json;

use super::*;
use crate::{ErrorKind, arrow_field, arrow_type, from_arrow_type};

#[track_caller]
fn check(input: &str, canonical: &str) {
    let parsed: DataType = input.parse().unwrap();
    assert_eq!(parsed.to_string(), canonical, "{input}");
}

#[test]
fn spellings() {
    check("int not null", "INT NOT NULL");
    check("INTEGER null", "INT");
    check("VARCHAR(2147483647)", "STRING");
    check("VARCHAR", "VARCHAR(1)");
    check("CHAR", "CHAR(1)");
    check("VARBINARY(2147483647)", "BYTES");
    check("DEC(5,2) NOT NULL", "DECIMAL(5, 2) NOT NULL");
    check("numeric", "DECIMAL(10, 0)");
    check("double precision", "DOUBLE");
    check("TIME", "TIME(0)");
    check("time(3) without time zone", "TIME(3)");
    check("TIMESTAMP", "TIMESTAMP(6)");
    check("TIMESTAMP (9) WITHOUT TIME ZONE", "TIMESTAMP(9)");
    check("TIMESTAMP_LTZ(3)", "TIMESTAMP(3) WITH LOCAL TIME ZONE");
    check("TIMESTAMP(3) WITH LOCAL TIME ZONE NOT NULL", "TIMESTAMP(3) WITH LOCAL TIME ZONE NOT NULL");
    check("INT NOT NULL ARRAY NOT NULL", "ARRAY<INT NOT NULL> NOT NULL");
    check("STRING MULTISET", "MULTISET<STRING>");
    check("vector<float, 3>", "VECTOR<FLOAT, 3>");
    check("VARIANT", "VARIANT");
    check("BLOB", "BLOB");
}

#[test]
fn refused_spellings() {
    for text in [
        "",
        "INT INT",
        "ARRAY<INT>",
        "MAP<INT, INT>",
        "TIMESTAMP WITH TIME ZONE",
        "DECIMAL(39)",
        "DECIMAL(3, 4)",
        "CHAR(0)",
        "TIME(10)",
        "VECTOR<STRING, 3>",
        "VECTOR<INT, 0>",
        "INTERVAL DAY",
        "INT NOT",
        "CHAR(99999999999)",
        "INT ARRAY ARRAY",
    ] {
        assert_eq!(text.parse::<DataType>().unwrap_err().kind(), ErrorKind::InvalidInput, "{text}");
    }
}

#[test]
fn json_of_constructed_types() {
    let json = json!({
        "type": "ROW NOT NULL",
        "fields": [
            { "id": 8, "name": "a", "type": "INT" },
            { "id": 9, "name": "b", "type": { "type": "MAP", "key": "STRING NOT NULL", "value": "BIGINT" },
              "description": "the map" },
            { "id": 10, "name": "c", "type": { "type": "ARRAY NOT NULL",
              "element": { "type": "MULTISET", "element": "DECIMAL(10, 2)" } } },
            { "id": 11, "name": "d", "type": { "type": "VECTOR", "element": "FLOAT NOT NULL", "length": 3 },
              "defaultValue": "x" },
        ],
    });
    let parsed = DataType::from_json(&json).unwrap();
    assert!(!parsed.is_nullable());
    assert_eq!(parsed.to_json(), json);
    assert_eq!(serde_json::to_string(&parsed.to_json()).unwrap(), serde_json::to_string(&json).unwrap());
}

#[test]
fn json_of_other_writers() {
    let parsed = DataField::from_json(&json!({
        "id": 1, "name": "a", "type": { "type": "ARRAY NOT NULL", "element": "INT", "nullable": false }, "description": null
    }));
    let parsed = parsed.unwrap();
    assert_eq!((parsed.data_type.to_string().as_str(), parsed.description), ("ARRAY<INT> NOT NULL", None));
    let without_ids = json!({ "type": "ROW", "fields": [
        { "name": "a", "type": { "type": "ROW", "fields": [{ "name": "b", "type": "INT" }] } }, { "name": "c", "type": "INT" }
    ] });
    assert_eq!(DataType::from_json(&without_ids).unwrap().to_json()["fields"][1]["id"], 2);
    for bad in [json!(1), json!({}), json!({ "type": "ARRAY" }), json!({ "type": "THING", "element": "INT" })] {
        assert_eq!(DataType::from_json(&bad).unwrap_err().kind(), ErrorKind::InvalidInput, "{bad}");
    }
}

#[test]
fn field_ids_are_post_order_below_a_column() {
    let inner = TypeKind::Row(vec![DataField::new(0, "d", TypeKind::Int)]);
    let b = TypeKind::Row(vec![DataField::new(0, "c", TypeKind::Array(Box::new(inner.into())))]);
    let v6 = TypeKind::Row(vec![DataField::new(0, "a", TypeKind::Int), DataField::new(0, "b", b)]);
    let mut fields = vec![DataField::new(0, "v6", v6), DataField::new(0, "v7", TypeKind::Int)];
    let mut highest = 6;
    assign_field_ids(&mut fields, &mut highest);
    assert_eq!((fields[0].id, fields[1].id, highest), (7, 12, 12));
    let TypeKind::Row(members) = fields[0].data_type.kind() else { panic!() };
    let TypeKind::Row(inner) = members[1].data_type.kind() else { panic!() };
    assert_eq!((members[0].id, members[1].id, inner[0].id), (8, 11, 10));
}

#[test]
fn arrow_fields_carry_derived_ids() {
    // The verified example of spec page 02 §3: field 30, ARRAY<MAP<INT, ARRAY<INT>>>.
    let list = |element: DataType| DataType::from(TypeKind::Array(Box::new(element)));
    let map = TypeKind::Map { key: Box::new(TypeKind::Int.into()), value: Box::new(list(TypeKind::Int.into())) };
    let field = arrow_field(&DataField::new(30, "f", list(map.into())));
    let text = format!("{:?}", field.data_type());
    for id in ["536901632", "536840189", "536901633", "536901634"] {
        assert!(text.contains(&format!("\"PARQUET:field_id\": \"{id}\"")), "{id} in {text}");
    }
    assert_eq!(field.metadata()["PARQUET:field_id"], "30");
}

#[test]
fn arrow_types_map_back() {
    for text in [
        "BOOLEAN",
        "TINYINT",
        "SMALLINT",
        "INT",
        "BIGINT",
        "FLOAT",
        "DOUBLE",
        "DECIMAL(38, 3)",
        "STRING",
        "BYTES",
        "DATE",
        "TIME(3)",
        "TIMESTAMP(3)",
        "TIMESTAMP(6)",
        "TIMESTAMP(9) WITH LOCAL TIME ZONE",
        "VECTOR<INT, 3>",
        "INT ARRAY",
    ] {
        let data_type: DataType = text.parse().unwrap();
        assert_eq!(from_arrow_type(&arrow_type(&data_type), true).unwrap(), data_type);
    }
    let error = from_arrow_type(&arrow_schema::DataType::UInt32, true).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Unsupported);
}

proptest! {
    #[test]
    fn texts_never_panic(text in "[A-Za-z0-9_(),<> ]{0,40}") {
        if let Ok(parsed) = text.parse::<DataType>() {
            prop_assert_eq!(DataType::from_json(&parsed.to_json()).unwrap(), parsed);
        }
    }
}
