//! The table of spec page 01 §1.2.

use super::*;

fn text(value: &str) -> Option<Datum> {
    Some(Datum::String(value.into()))
}

fn path(data_type: &str, value: Option<Datum>, legacy: bool) -> String {
    let types = [data_type.parse().unwrap()];
    let row = BinaryRow::from_datums(&types, &[value]).unwrap();
    PartitionPath::new(&["k".to_owned()], &types, "__DEFAULT_PARTITION__", legacy).of(&row).unwrap()
}

#[track_caller]
fn check(data_type: &str, value: Datum, legacy: &str, modern: &str) {
    assert_eq!(path(data_type, Some(value.clone()), true), format!("k={legacy}"));
    assert_eq!(path(data_type, Some(value), false), format!("k={modern}"));
}

#[test]
fn names_of_values() {
    check("BOOLEAN", Datum::Boolean(true), "true", "true");
    check("TINYINT", Datum::TinyInt(-7), "-7", "-7");
    check("DECIMAL(10, 2)", Datum::Decimal { unscaled: 150, scale: 2 }, "1.50", "1.50");
    check("FLOAT", Datum::Float(0.1), "0.1", "0.1");
    check("DOUBLE", Datum::Double(1e10), "1.0E10", "1.0E10");
    check("DATE", Datum::Date(19723), "19723", "2024-01-01");
    check("TIME(3)", Datum::Time(3_723_004), "3723004", "01%3A02%3A03.004");
    let at = |millis, nanos| Datum::Timestamp { millis, nanos };
    let day = "2023-11-14";
    check(
        "TIMESTAMP(3)",
        at(1_700_000_000_123, 0),
        &format!("{day}T22%3A13%3A20.123"),
        &format!("{day} 22%3A13%3A20.123"),
    );
    check(
        "TIMESTAMP(6)",
        at(1_700_000_000_123, 456_000),
        &format!("{day}T22%3A13%3A20.123456"),
        &format!("{day} 22%3A13%3A20.123456"),
    );
    check(
        "TIMESTAMP_LTZ(3)",
        at(1_700_000_000_000, 0),
        &format!("{day}T22%3A13%3A20"),
        &format!("{day} 22%3A13%3A20.000"),
    );
    check("TIMESTAMP(3)", at(1_700_006_400_000, 0), "2023-11-15T00%3A00", "2023-11-15 00%3A00%3A00.000");
}

#[test]
fn blanks_share_the_default_name() {
    for value in [None, text(""), text("  \t")] {
        assert_eq!(path("STRING", value, true), "k=__DEFAULT_PARTITION__");
    }
}

#[test]
fn escapes_what_hive_escapes() {
    assert_eq!(path("STRING", text("a=b/c:d%é {x}"), true), "k=a%3Db%2Fc%3Ad%25é %7Bx%7D");
    assert_eq!(path("STRING", text("2024/01:00"), true), "k=2024%2F01%3A00");
    assert_eq!(path("STRING", text("+&<>|~.@\u{7f}\n"), true), "k=+&<>|~.@%7F%0A");
}

#[test]
fn several_keys_and_none() {
    let types = ["STRING".parse().unwrap(), "INT".parse().unwrap()];
    let row = BinaryRow::from_datums(&types, &[text("2024"), Some(Datum::Int(1))]).unwrap();
    let keys = ["dt".to_owned(), "hr".to_owned()];
    assert_eq!(PartitionPath::new(&keys, &types, "d", true).of(&row).unwrap(), "dt=2024/hr=1");
    assert_eq!(PartitionPath::new(&[], &[], "d", true).of(&BinaryRow::empty()).unwrap(), "");
}

#[test]
fn java_numbers() {
    for (value, expected) in [
        (0.0, "0.0"),
        (-0.0, "-0.0"),
        (1.0, "1.0"),
        (123_456.789, "123456.789"),
        (9_999_999.0, "9999999.0"),
        (1e7, "1.0E7"),
        (0.001, "0.001"),
        (0.0009, "9.0E-4"),
        (-1.25e-10, "-1.25E-10"),
        (f64::NAN, "NaN"),
        (f64::NEG_INFINITY, "-Infinity"),
    ] {
        assert_eq!(double_text(value), expected);
    }
}
