use std::sync::Arc;

use arrow_array::{
    BooleanArray, Decimal128Array, Float32Array, Float64Array, Int16Array, Int32Array, Int64Array,
    TimestampMillisecondArray,
};
use headwater_types::{DataType, TypeKind};
use proptest::prelude::*;

use super::*;

fn field(kind: TypeKind) -> DataField {
    DataField::new(0, "c", DataType::new(kind, false))
}

/// The columns' rows, which are in order and all different, must have codes in that order.
#[track_caller]
fn check_ascending(kinds: &[TypeKind], columns: &[ArrayRef]) {
    let fields: Vec<DataField> = kinds.iter().cloned().map(field).collect();
    let codes = Coder::of_keys(&fields).unwrap().encode(columns).unwrap();
    for i in 0..columns[0].len() {
        for j in 0..columns[0].len() {
            assert_eq!(codes.compare(i, &codes, j), i.cmp(&j), "{kinds:?}: rows {i} and {j}");
        }
    }
}

#[test]
fn codes_order_as_the_values_do() {
    let decimal = |precision| TypeKind::Decimal { precision, scale: 2 };
    let decimals = |values: Vec<i128>, p| {
        Arc::new(Decimal128Array::from(values).with_precision_and_scale(p, 2).unwrap()) as ArrayRef
    };
    check_ascending(&[TypeKind::Boolean], &[Arc::new(BooleanArray::from(vec![false, true]))]);
    check_ascending(&[TypeKind::SmallInt], &[Arc::new(Int16Array::from(vec![i16::MIN, -1, 0, 1, i16::MAX]))]);
    check_ascending(&[TypeKind::Int], &[Arc::new(Int32Array::from(vec![i32::MIN, -1, 0, 1, i32::MAX]))]);
    check_ascending(&[TypeKind::BigInt], &[Arc::new(Int64Array::from(vec![i64::MIN, -1, 0, 1, i64::MAX]))]);
    let floats = vec![f32::NEG_INFINITY, -1.0, -0.0, 0.0, 1.0, f32::INFINITY, f32::NAN];
    check_ascending(&[TypeKind::Float], &[Arc::new(Float32Array::from(floats))]);
    let doubles = vec![f64::NEG_INFINITY, -1.5, -0.0, 0.0, 1e300, f64::INFINITY, -f64::NAN];
    check_ascending(&[TypeKind::Double], &[Arc::new(Float64Array::from(doubles))]);
    check_ascending(
        &[TypeKind::Timestamp { precision: 3 }],
        &[Arc::new(TimestampMillisecondArray::from(vec![-5, 0, 5]))],
    );
    check_ascending(&[decimal(10)], &[decimals(vec![-12345, -1, 0, 12345], 10)]);
    check_ascending(&[decimal(38)], &[decimals(vec![-(1 << 100), -1, 0, 1 << 70, 1 << 100], 38)]);
    check_ascending(
        &[TypeKind::STRING],
        &[Arc::new(StringArray::from(vec!["", "a", "a\0", "ab", "abcdefgh", "abcdefghi", "é"]))],
    );
    check_ascending(&[TypeKind::BYTES], &[Arc::new(BinaryArray::from(vec![&b""[..], b"\0", b"\x7f", b"\xff"]))]);
}

#[test]
fn several_columns_order_by_the_first_first() {
    let ints = |values: Vec<i32>| Arc::new(Int32Array::from(values)) as ArrayRef;
    let longs = |values: Vec<i64>| Arc::new(Int64Array::from(values)) as ArrayRef;
    check_ascending(&[TypeKind::Int, TypeKind::Int], &[ints(vec![-1, -1, 0, 5]), ints(vec![-7, 3, i32::MIN, 0])]);
    check_ascending(&[TypeKind::Int, TypeKind::BigInt], &[ints(vec![-1, -1, 0]), longs(vec![i64::MIN, 9, 1])]);
    check_ascending(
        &[TypeKind::STRING, TypeKind::BigInt],
        &[Arc::new(StringArray::from(vec!["a", "a", "ab"])), longs(vec![-1, 9, -3])],
    );
}

#[test]
fn null_is_least_in_both_directions() {
    let longs = Arc::new(Int64Array::from(vec![None, Some(i64::MIN), Some(-1), Some(i64::MAX)])) as ArrayRef;
    let strings = Arc::new(StringArray::from(vec![None, Some(""), Some("a"), Some("b")])) as ArrayRef;
    for (kinds, columns) in [
        (vec![TypeKind::BigInt], vec![Arc::clone(&longs)]),
        (vec![TypeKind::STRING], vec![Arc::clone(&strings)]),
        (vec![TypeKind::BigInt, TypeKind::STRING], vec![longs, strings]),
    ] {
        let fields: Vec<DataField> = kinds.into_iter().map(|kind| DataField::new(0, "s", kind)).collect();
        let up = Coder::of_sequence(&fields, false).unwrap().encode(&columns).unwrap();
        let down = Coder::of_sequence(&fields, true).unwrap().encode(&columns).unwrap();
        for i in 0..4_usize {
            for j in 0..4_usize {
                assert_eq!(up.compare(i, &up, j), i.cmp(&j));
                let expected = if i == 0 || j == 0 { i.cmp(&j) } else { j.cmp(&i) };
                assert_eq!(down.compare(i, &down, j), expected);
            }
        }
    }
}

#[test]
fn unordered_types_are_refused() {
    let array = TypeKind::Map { key: Box::new(TypeKind::Int.into()), value: Box::new(TypeKind::Int.into()) };
    assert_eq!(Coder::of_keys(&[field(array)]).unwrap_err().kind(), ErrorKind::Unsupported);
    let coder = Coder::of_keys(&[field(TypeKind::STRING)]).unwrap();
    let wrong = coder.encode(&[Arc::new(Int32Array::from(vec![1])) as ArrayRef]).unwrap_err();
    assert_eq!(wrong.kind(), ErrorKind::InvalidInput);
}

proptest! {
    #[test]
    fn first_words_never_contradict_the_bytes(a: Vec<u8>, b: Vec<u8>) {
        let words = first_word(&a).cmp(&first_word(&b));
        prop_assert!(words == Ordering::Equal || words == a.cmp(&b));
    }
}
