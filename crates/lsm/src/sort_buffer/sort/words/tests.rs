use std::sync::Arc;

use arrow_array::{ArrayRef, Int64Array, StringArray};
use headwater_types::{DataField, DataType, TypeKind};
use proptest::prelude::*;

use super::*;
use crate::codes::Coder;

/// Words of the values in chunks of `cut`, sorted, as positions.
fn sorted(kind: TypeKind, columns: &[ArrayRef]) -> (Vec<RecordRef>, bool) {
    let coder = Coder::of_keys(&[DataField::new(0, "k", DataType::new(kind, false))]).unwrap();
    let codes: Vec<Codes> = columns.iter().map(|c| coder.encode(std::slice::from_ref(c)).unwrap()).collect();
    let mut words = Words::new(&codes);
    words.sort();
    (words.words.iter().map(|&word| words.record(word)).collect(), words.exact)
}

fn longs(chunks: &[Vec<i64>]) -> Vec<ArrayRef> {
    chunks.iter().map(|c| Arc::new(Int64Array::from(c.clone())) as ArrayRef).collect()
}

#[test]
fn narrow_keys_are_exact_and_wide_ones_are_cut() {
    let narrow: Vec<Vec<i64>> = (0..3).map(|c| (0..5000).map(|i| (i * 7919 + c) % 1000 - 500).collect()).collect();
    let (records, exact) = sorted(TypeKind::BigInt, &longs(&narrow));
    assert!(exact);
    let value = |r: &RecordRef| (narrow[r.batch as usize][r.row as usize], r.batch, r.row);
    assert!(records.windows(2).all(|w| value(&w[0]) < value(&w[1])), "by key, then arrival");
    let wide: Vec<Vec<i64>> = vec![(0..5000).map(|i: i64| i.wrapping_mul(-7_046_029_254_386_353_131)).collect()];
    let (records, exact) = sorted(TypeKind::BigInt, &longs(&wide));
    assert!(!exact);
    let value = |r: &RecordRef| wide[0][r.row as usize] >> 16;
    assert!(records.windows(2).all(|w| value(&w[0]) <= value(&w[1])));
}

#[test]
fn texts_are_told_apart_behind_what_they_share() {
    let texts: Vec<String> = (0..5000).map(|i| format!("customer_{:06}", i * 7919 % 5000)).collect();
    let column: ArrayRef = Arc::new(StringArray::from(texts.clone()));
    let (records, exact) = sorted(TypeKind::STRING, &[column]);
    assert!(exact);
    assert!(records.windows(2).all(|w| texts[w[0].row as usize] < texts[w[1].row as usize]), "no tie is left");
}

#[test]
fn a_text_that_ends_in_zero_is_not_its_shorter_self() {
    let column: ArrayRef = Arc::new(StringArray::from(vec!["ab\0", "ab", "ab\0\0"]));
    let (_, exact) = sorted(TypeKind::STRING, &[column]);
    assert!(!exact);
}

proptest! {
    #[test]
    fn packing_keeps_the_order(values in prop::collection::vec(any::<u64>(), 1..30), mask: u64, available in 1_u32..64) {
        let values: Vec<u64> = values.iter().map(|v| v & mask).collect();
        let telling = Telling::new(|| values.iter().copied(), available);
        for &a in &values {
            for &b in &values {
                let order = telling.pack(a).cmp(&telling.pack(b));
                prop_assert!(order == a.cmp(&b) || (order.is_eq() && telling.bits > available));
                prop_assert!(telling.pack(a) <= low_bits(available));
            }
        }
    }
}
