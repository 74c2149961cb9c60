//! Every vector of spec page 01 §8.4, produced by Java 2.0.0, through both encoders and back.

use proptest::prelude::*;

use super::*;
use crate::{DataField, TypeKind, array_from_datums, murmur};

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|b| format!("{b:02x}")).collect()
}

fn types(texts: &[&str]) -> Vec<DataType> {
    texts.iter().map(|t| t.parse().unwrap()).collect()
}

fn some(text: &str) -> Option<Datum> {
    Some(Datum::String(text.into()))
}

fn decimal(unscaled: i128, scale: u8) -> Option<Datum> {
    Some(Datum::Decimal { unscaled, scale })
}

fn timestamp(millis: i64, nanos: i32) -> Option<Datum> {
    Some(Datum::Timestamp { millis, nanos })
}

/// Encodes by value and by column, decodes, re-encodes.
#[track_caller]
fn check(types: &[DataType], values: &[Option<Datum>], expected: &str, hash: i32) {
    let expected = expected.replace(' ', "");
    let row = BinaryRow::from_datums(types, values).unwrap();
    assert_eq!(hex(row.bytes()), expected);
    assert_eq!(row.hash32(), hash);
    let decoded = row.to_datums(types).unwrap();
    assert_eq!(BinaryRow::from_datums(types, &decoded).unwrap(), row, "{decoded:?}");
    assert_eq!(BinaryRow::from_serialized(&row.to_serialized()).unwrap(), row);
    if types.is_empty() {
        return;
    }
    let columns: Vec<_> =
        types.iter().zip(values).map(|(t, v)| array_from_datums(t, std::slice::from_ref(v)).unwrap()).collect();
    let encoder = BinaryRowEncoder::new(types);
    assert_eq!(hex(encoder.encode(&columns).unwrap()[0].bytes()), expected);
    assert_eq!(encoder.hash(&columns).unwrap(), vec![hash]);
}

#[track_caller]
fn check_one(data_type: &str, value: Option<Datum>, expected: &str, hash: i32) {
    check(&types(&[data_type]), &[value], expected, hash);
}

#[test]
fn fixed_width_vectors() {
    check(&[], &[], "0000000000000000", -1_670_924_195);
    check_one("INT", Some(Datum::Int(1)), "0000000000000000 0100000000000000", 1_465_514_398);
    check_one("INT", Some(Datum::Int(-1)), "0000000000000000 ffffffff00000000", 1_133_687_267);
    check_one("INT", None, "0001000000000000 0000000000000000", -1_748_325_344);
    check_one("BIGINT", Some(Datum::BigInt(1)), "0000000000000000 0100000000000000", 1_465_514_398);
    check(
        &types(&["BOOLEAN", "TINYINT", "SMALLINT", "INT", "BIGINT", "FLOAT", "DOUBLE"]),
        &[
            Some(Datum::Boolean(true)),
            Some(Datum::TinyInt(-2)),
            Some(Datum::SmallInt(-3)),
            Some(Datum::Int(-4)),
            Some(Datum::BigInt(-5)),
            Some(Datum::Float(1.5)),
            Some(Datum::Double(-2.5)),
        ],
        "0000000000000000 0100000000000000 fe00000000000000 fdff000000000000 fcffffff00000000 fbffffffffffffff \
         0000c03f00000000 00000000000004c0",
        1_973_593_952,
    );
    check(
        &types(&["DATE", "TIME(3)"]),
        &[Some(Datum::Date(19723)), Some(Datum::Time(3_723_004))],
        "0000000000000000 0b4d000000000000 fcce380000000000",
        516_282_946,
    );
}

#[test]
fn string_vectors() {
    let check = |text: &str, expected: &str, hash| check_one("STRING", some(text), expected, hash);
    check("", "0000000000000000 0000000000000080", 302_122_119);
    check("a", "0000000000000000 6100000000000081", 943_281_246);
    check("abcdefg", "0000000000000000 6162636465666787", -1_431_907_323);
    check("abcdefgh", "0000000000000000 0800000010000000 6162636465666768", -843_760_178);
    check("abcdefghi", "0000000000000000 0900000010000000 6162636465666768 6900000000000000", 890_550_442);
    check("中文", "0000000000000000 e4b8ade696870086", 1_956_728_004);
    check_one("BYTES", Some(Datum::Bytes(vec![0xff, 0])), "0000000000000000 ff00000000000082", -783_722_747);
    self::check(
        &types(&["INT", "STRING", "INT"]),
        &[Some(Datum::Int(1)), some("hello world"), None],
        "0004000000000000 0100000000000000 0b00000020000000 0000000000000000 68656c6c6f20776f 726c640000000000",
        1_575_627_695,
    );
}

#[test]
fn decimal_and_timestamp_vectors() {
    check_one("DECIMAL(10, 2)", decimal(150, 2), "0000000000000000 9600000000000000", -616_511_498);
    check_one("DECIMAL(10, 2)", decimal(-150, 2), "0000000000000000 6affffffffffffff", 853_994_690);
    let wide = "DECIMAL(20, 2)";
    let bytes = "0000000000000000 0200000010000000 0096000000000000 0000000000000000";
    check_one(wide, decimal(150, 2), bytes, 1_232_543_739);
    let bytes = "0000000000000000 0200000010000000 ff6a000000000000 0000000000000000";
    check_one(wide, decimal(-150, 2), bytes, 635_775_811);
    let bytes = "0001000000000000 0000000010000000 0000000000000000 0000000000000000";
    check_one(wide, None, bytes, -1_380_280_760);
    let bytes = "0000000000000000 1000000010000000 0785ee10d5da46d9 00f436a000000000";
    check_one("DECIMAL(38, 0)", decimal(10_i128.pow(37), 0), bytes, -237_489_491);
    let millis = 1_700_000_000_123;
    check_one("TIMESTAMP(3)", timestamp(millis, 0), "0000000000000000 7b68e5cf8b010000", -1_285_420_957);
    let bytes = "0000000000000000 40f5060010000000 7b68e5cf8b010000";
    check_one("TIMESTAMP(6)", timestamp(millis, 456_000), bytes, 1_196_670_069);
    let bytes = "0000000000000000 3f420f0010000000 ffffffffffffffff";
    check_one("TIMESTAMP(9)", timestamp(-1, 999_999), bytes, 61_627_685);
    let bytes = "0001000000000000 0000000010000000 0000000000000000";
    check_one("TIMESTAMP(6)", None, bytes, -340_882_661);
}

#[test]
fn array_vectors() {
    let array = |items: Vec<Option<Datum>>| Some(Datum::Array(items));
    check_one(
        "INT ARRAY",
        array(vec![Some(Datum::Int(1)), None, Some(Datum::Int(3))]),
        "0000000000000000 1800000010000000 0300000002000000 0100000000000000 0300000000000000",
        1_830_759_751,
    );
    check_one(
        "STRING ARRAY",
        array(vec![some("a"), None, some("abcdefgh")]),
        "0000000000000000 2800000010000000 0300000002000000 6100000000000081 0000000000000000 0800000020000000 \
         6162636465666768",
        -1_397_919_867,
    );
    check_one(
        "BOOLEAN ARRAY",
        array(vec![Some(Datum::Boolean(true)), Some(Datum::Boolean(false)), None]),
        "0000000000000000 1000000010000000 0300000004000000 0100000000000000",
        -1_053_506_233,
    );
    check_one(
        "DECIMAL(20, 2) ARRAY",
        array(vec![decimal(150, 2), None]),
        "0000000000000000 2800000010000000 0200000002000000 0200000018000000 0000000000000000 0096000000000000 \
         0000000000000000",
        1_096_944_007,
    );
    check_one(
        "TIMESTAMP(6) ARRAY",
        array(vec![timestamp(5, 6000), None]),
        "0000000000000000 2000000010000000 0200000002000000 7017000018000000 0000000000000000 0500000000000000",
        -700_281_732,
    );
    check_one(
        "VECTOR<FLOAT, 3>",
        array([1.0, 2.0, 3.0].map(|v| Some(Datum::Float(v))).to_vec()),
        "0000000000000000 1400000010000000 030000000000803f 0000004000004040 0000000000000000",
        -1_619_883_983,
    );
}

#[test]
fn map_row_and_variant_vectors() {
    let map = TypeKind::Map { key: Box::new(TypeKind::STRING.into()), value: Box::new(TypeKind::BigInt.into()) };
    check(
        &[map.into()],
        &[Some(Datum::Map(vec![(some("k1"), Some(Datum::BigInt(10))), (some("k2"), None)]))],
        "0000000000000000 3400000010000000 1800000002000000 000000006b310000 000000826b320000 0000008202000000 \
         020000000a000000 0000000000000000 0000000000000000",
        489_296_036,
    );
    let fields = vec![DataField::new(0, "a", TypeKind::Int), DataField::new(1, "b", TypeKind::STRING)];
    check(
        &[TypeKind::Row(fields).into()],
        &[Some(Datum::Row(vec![Some(Datum::Int(7)), some("abcdefghij")]))],
        "0000000000000000 2800000010000000 0000000000000000 0700000000000000 0a00000018000000 6162636465666768 \
         696a000000000000",
        -737_635_868,
    );
    check_one(
        "VARIANT",
        Some(Datum::Variant { value: vec![2, 1, 0, 0, 2, 0x0c, 1], metadata: vec![1, 1, 0, 1, 0x61] }),
        "0000000000000000 1000000010000000 0700000002010000 020c010101000161",
        604_889_476,
    );
}

#[test]
fn header_of_many_fields() {
    let types = vec![DataType::from(TypeKind::Int); 60];
    let values: Vec<_> = (0..60).map(|i| [0, 55, 56].contains(&i).then_some(Datum::Int(i))).collect();
    let row = BinaryRow::from_datums(&types, &values).unwrap();
    // The vector of the spec sets fields 0, 55 and 56; bits 8 + i of the others are 1.
    assert_eq!(hex(&row.bytes()[..16]), "00feffffffffff7f0e00000000000000");
    assert_eq!(row.to_datums(&types).unwrap(), values);
    assert!(row.is_null_at(1) && !row.is_null_at(56) && row.is_null_at(57));
}

#[test]
fn serialized_partition_of_a_manifest() {
    let row = BinaryRow::from_datums(&types(&["STRING"]), &[some("a:b")]).unwrap();
    assert_eq!(hex(&row.to_serialized()), "000000010000000000000000613a620000000083");
    assert_eq!(hex(&BinaryRow::empty().to_serialized()), "000000000000000000000000");
}

#[test]
fn hashes_of_strings() {
    let vectors = [
        ("", 142_593_372),
        ("a", 1_485_273_170),
        ("abc", 1_322_437_556),
        ("abcd", -396_302_900),
        ("hello world", -1_528_836_094),
        ("é中", -937_423_496),
    ];
    for (text, hash) in vectors {
        assert_eq!(murmur::hash_bytes(text.as_bytes()), hash, "{text}");
    }
}

#[test]
fn damaged_bytes_are_corrupt() {
    let types = types(&["STRING", "DECIMAL(20, 2)", "STRING ARRAY"]);
    let values = [some("abcdefghij"), decimal(150, 2), Some(Datum::Array(vec![some("abcdefghij"), None]))];
    let row = BinaryRow::from_datums(&types, &values).unwrap();
    for end in 0..row.bytes().len() {
        let cut = BinaryRow::from_bytes(3, row.bytes()[..end].to_vec()).and_then(|row| row.to_datums(&types));
        if let Err(error) = cut {
            assert_eq!(error.kind(), ErrorKind::Corrupt);
        }
    }
    assert_eq!(BinaryRow::from_serialized(&[0, 0, 0]).unwrap_err().kind(), ErrorKind::Corrupt);
    assert_eq!(BinaryRow::from_serialized(&[0xff; 12]).unwrap_err().kind(), ErrorKind::Corrupt);
    assert_eq!(row.to_datums(&types[..1]).unwrap_err().kind(), ErrorKind::Corrupt);
}

#[test]
fn misfits_are_invalid_input() {
    let int = types(&["INT"]);
    for (types, values) in [
        (&int, vec![some("a")]),
        (&int, vec![]),
        (&types(&["DECIMAL(3, 0)"]), vec![decimal(1000, 0)]),
        (&types(&["DECIMAL(3, 1)"]), vec![decimal(10, 0)]),
    ] {
        assert_eq!(BinaryRow::from_datums(types, &values).unwrap_err().kind(), ErrorKind::InvalidInput);
    }
}

fn any_row() -> impl Strategy<Value = Vec<Option<Datum>>> {
    (
        any::<Option<i32>>(),
        proptest::option::of(".{0,12}"),
        proptest::option::of(-(10_i128.pow(20))..10_i128.pow(20)),
        proptest::option::of((-(1_i64 << 50)..1 << 50, 0..1000_i32)),
        any::<Option<Vec<u8>>>(),
        proptest::option::of(proptest::collection::vec(any::<Option<i16>>(), 0..5)),
    )
        .prop_map(|(int, text, number, time, bytes, list)| {
            vec![
                int.map(Datum::Int),
                text.map(Datum::String),
                number.map(|unscaled| Datum::Decimal { unscaled, scale: 3 }),
                time.map(|(millis, micros)| Datum::Timestamp { millis, nanos: micros * 1000 }),
                bytes.map(Datum::Bytes),
                list.map(|l| Datum::Array(l.into_iter().map(|v| v.map(Datum::SmallInt)).collect())),
            ]
        })
}

proptest! {
    #[test]
    fn rows_round_trip_and_columns_agree(rows in proptest::collection::vec(any_row(), 1..8)) {
        let types = types(&["INT", "STRING", "DECIMAL(21, 3)", "TIMESTAMP(6)", "BYTES", "SMALLINT ARRAY"]);
        let encoded: Vec<_> = rows.iter().map(|row| BinaryRow::from_datums(&types, row).unwrap()).collect();
        for (row, values) in encoded.iter().zip(&rows) {
            prop_assert_eq!(&row.to_datums(&types).unwrap(), values);
        }
        let columns: Vec<_> = types.iter().enumerate().map(|(i, t)| {
            let values: Vec<_> = rows.iter().map(|row| row[i].clone()).collect();
            array_from_datums(t, &values).unwrap()
        }).collect();
        prop_assert_eq!(BinaryRowEncoder::new(&types).encode(&columns).unwrap(), encoded);
    }

    #[test]
    fn no_bytes_make_the_reader_panic(bytes in proptest::collection::vec(any::<u8>(), 0..120)) {
        let types = types(&["STRING", "DECIMAL(30, 2)", "TIMESTAMP(9)", "STRING ARRAY", "VECTOR<INT, 2>", "VARIANT"]);
        if let Ok(row) = BinaryRow::from_bytes(6, bytes) {
            let _ = row.to_datums(&types);
        }
    }
}
