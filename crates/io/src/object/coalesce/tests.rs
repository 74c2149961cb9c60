#![expect(clippy::single_range_in_vec_init, reason = "lists of one range are meant")]

use bytes::Bytes;

use super::{cut, merged};

#[test]
fn neighbours_are_fetched_together() {
    let far = 10 << 20;
    assert_eq!(merged(&[far..far + 5, 10..20, 0..3, 7..7, 15..18]), [0..20, far..far + 5]);
    assert!(merged(&[4..4]).is_empty());
}

#[test]
fn parts_come_in_the_order_asked_for_or_not_at_all() {
    let fetched = [(0..6, Bytes::from("abcdef")), (100..103, Bytes::from("xyz"))];
    let parts = cut(&[101..103, 2..4, 9..9, 0..6], &fetched).unwrap();
    assert_eq!(parts, ["yz", "cd", "", "abcdef"]);
    let short = [(0..6, Bytes::from("abc"))];
    assert!(cut(&[2..4], &short).is_none());
    assert!(cut(&[7..9], &short).is_none());
}
