use std::sync::Arc;

use arrow_array::{BinaryArray, Float64Array, Int32Array, StringArray};

use super::*;

fn summary(kind: TypeKind, mode: StatsMode, values: ArrayRef) -> ColumnSummary {
    let mut collector = StatsCollector::new(&[DataField::new(0, "c", kind)], &[mode]);
    collector.update(&[values]).unwrap();
    collector.finish().remove(0)
}

fn text(value: &str) -> Option<Datum> {
    Some(Datum::String(value.to_owned()))
}

#[test]
fn modes_keep_what_they_say() {
    let values: ArrayRef = Arc::new(Int32Array::from(vec![Some(3), None, Some(-7), Some(5)]));
    let full = summary(TypeKind::Int, StatsMode::Full, Arc::clone(&values));
    assert_eq!(full, ColumnSummary { min: Some(Datum::Int(-7)), max: Some(Datum::Int(5)), null_count: Some(1) });
    let counts = summary(TypeKind::Int, StatsMode::Counts, Arc::clone(&values));
    assert_eq!(counts, ColumnSummary { min: None, max: None, null_count: Some(1) });
    assert_eq!(summary(TypeKind::Int, StatsMode::None, values), ColumnSummary::default());
}

#[test]
fn texts_are_truncated_as_the_reference_does() {
    let cases = [
        ("0123456789abcdefg", text("0123456789abcdef"), text("0123456789abcdeg")),
        ("short", text("short"), text("short")),
        ("0123456789abcde\u{10ffff}z", text("0123456789abcde\u{10ffff}"), text("0123456789abcdf")),
    ];
    for (value, min, max) in cases {
        let found = summary(TypeKind::STRING, StatsMode::Truncate(16), Arc::new(StringArray::from(vec![value])));
        assert_eq!((found.min, found.max), (min, max), "{value}");
    }
    let high = vec![0xffu8; 17];
    let found = summary(TypeKind::BYTES, StatsMode::Truncate(16), Arc::new(BinaryArray::from(vec![high.as_slice()])));
    assert_eq!(found, ColumnSummary { min: None, max: None, null_count: Some(0) });
}

#[test]
fn floats_order_as_java_does() {
    let values = Float64Array::from(vec![0.0, -0.0, f64::NAN, 1.0, -f64::NAN]);
    let found = summary(TypeKind::Double, StatsMode::Full, Arc::new(values));
    assert!(matches!(found.min, Some(Datum::Double(v)) if v == 0.0 && v.is_sign_negative()));
    assert!(matches!(found.max, Some(Datum::Double(v)) if v.is_nan()));
}
