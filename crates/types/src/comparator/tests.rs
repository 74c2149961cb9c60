//! The order of keys.

use proptest::prelude::*;

use super::*;

#[track_caller]
fn check_ascending(data_type: &str, values: &[Option<Datum>]) {
    let types = [data_type.parse().unwrap()];
    let comparator = RowComparator::new(&types).unwrap();
    let rows: Vec<_> =
        values.iter().map(|v| BinaryRow::from_datums(&types, std::slice::from_ref(v)).unwrap()).collect();
    for (i, left) in rows.iter().enumerate() {
        for (j, right) in rows.iter().enumerate() {
            assert_eq!(comparator.compare(left, right), i.cmp(&j), "{:?} and {:?}", values[i], values[j]);
            if let (Some(l), Some(r)) = (&values[i], &values[j]) {
                assert_eq!(compare_datums(l, r), Some(i.cmp(&j)));
            }
        }
    }
}

#[test]
fn orders() {
    let text = |t: &str| Some(Datum::String(t.into()));
    check_ascending("INT", &[None, Some(Datum::Int(i32::MIN)), Some(Datum::Int(-1)), Some(Datum::Int(0))]);
    check_ascending("STRING", &[None, text(""), text("a"), text("ab"), text("abcdefghij"), text("b"), text("é")]);
    let double = |v| Some(Datum::Double(v));
    check_ascending("DOUBLE", &[double(f64::NEG_INFINITY), double(-0.0), double(0.0), double(f64::NAN)]);
    let decimal = |unscaled| Some(Datum::Decimal { unscaled, scale: 2 });
    check_ascending("DECIMAL(30, 2)", &[None, decimal(-(10_i128.pow(29))), decimal(-1), decimal(255), decimal(256)]);
    let at = |millis, nanos| Some(Datum::Timestamp { millis, nanos });
    check_ascending("TIMESTAMP(9)", &[at(-1, 5), at(0, 0), at(0, 1)]);
    check_ascending("BYTES", &[Some(Datum::Bytes(vec![0x7f])), Some(Datum::Bytes(vec![0x80]))]);
}

#[test]
fn decimals_of_different_scales() {
    let decimal = |unscaled, scale| Datum::Decimal { unscaled, scale };
    assert_eq!(compare_datums(&decimal(15, 1), &decimal(150, 2)), Some(Ordering::Equal));
    assert_eq!(compare_datums(&decimal(i128::MAX, 0), &decimal(1, 38)), Some(Ordering::Greater));
    assert_eq!(compare_datums(&decimal(1, 38), &decimal(i128::MIN, 0)), Some(Ordering::Greater));
    assert_eq!(compare_datums(&decimal(1, 0), &Datum::Int(1)), None);
}

#[test]
fn nested_types_have_no_order() {
    assert_eq!(RowComparator::new(&["INT ARRAY".parse().unwrap()]).unwrap_err().kind(), ErrorKind::Unsupported);
}

proptest! {
    #[test]
    fn rows_order_as_their_fields(a in any::<(Option<i64>, String)>(), b in any::<(Option<i64>, String)>()) {
        let types = ["BIGINT".parse().unwrap(), "STRING".parse().unwrap()];
        let row = |v: &(Option<i64>, String)| {
            BinaryRow::from_datums(&types, &[v.0.map(Datum::BigInt), Some(Datum::String(v.1.clone()))]).unwrap()
        };
        prop_assert_eq!(RowComparator::new(&types).unwrap().compare(&row(&a), &row(&b)), a.cmp(&b));
    }
}
