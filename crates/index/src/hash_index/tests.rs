use super::*;

#[test]
fn reads_both_orders_as_the_same_set() {
    let java = [0x57, 0x59, 0xf9, 0x9e, 0xee, 0x18, 0xd2, 0xa5, 0x4f, 0xe4, 0xbb, 0xf0];
    let set = decode_hash_index(&java);
    assert_eq!(set, BTreeSet::from([1_465_514_398, -300_363_099, 1_340_390_384]));
    assert_eq!(decode_hash_index(&encode_hash_index(&set)), set);
    assert_eq!(decode_hash_index(&java[..11]).len(), 2);
}
