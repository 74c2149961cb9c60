use super::*;

fn hex(text: &str) -> Vec<u8> {
    let text: String = text.chars().filter(|c| !c.is_whitespace()).collect();
    (0..text.len() / 2).map(|i| u8::from_str_radix(&text[2 * i..2 * i + 2], 16).unwrap()).collect()
}

fn check(positions: impl IntoIterator<Item = u64>, width: VectorWidth, expected: &str) {
    let vector = DeletionVector::from_positions(positions).unwrap();
    let blob = vector.encode(width).unwrap();
    assert_eq!(blob, hex(expected));
    assert_eq!(DeletionVector::decode(&blob).unwrap(), (vector, width));
}

#[test]
fn blobs_equal_the_reference() {
    use VectorWidth::{Bits32, Bits64};
    check([], Bits32, "0000000c5e43f2d03a300000000000005de5c7e9");
    check([], Bits64, "0000000cd1d339640000000000000000bf18480c");
    check([1, 5, 6], Bits32, "0000001a 5e43f2d0 3a300000 01000000 0000 0200 10000000 0100 0500 0600 fdd49df4");
    check(0..100, Bits32, "00000013 5e43f2d0 3b300000 01 0000 6300 0100 0000 6300 7d77c5d7");
    check(6..10, Bits32, "000000135e43f2d03b3000000100000300010006000300ed0a5117");
    check(
        [(2 << 32) + 7],
        Bits64,
        "0000003a d1d33964 0300000000000000 00000000 3a30000000000000 01000000 3a30000000000000 02000000
         3a3000000100000000000000100000000700 b5ff4c89",
    );
}

#[test]
fn bitmaps_turn_into_runs_where_the_reference_does() {
    let cases: [(Vec<u64>, &str); 6] = [
        (vec![0, 1, 2], "3a300000010000000000020010000000000001000200"),
        ((0..4).collect(), "3b3000000100000300010000000300"),
        (vec![0, 1, 2, 5], "3a3000000100000000000300100000000000010002000500"),
        (vec![0, 1, 2, 3, 9], "3a30000001000000000004001000000000000100020003000900"),
        (vec![0, 1, 2, 3, 4, 5, 9], "3b300000010000060002000000050009000000"),
        (vec![65536, 1], "3a300000020000000000000001000000180000001a00000001000000"),
    ];
    for (positions, expected) in cases {
        let blob = DeletionVector::from_positions(positions.clone()).unwrap().encode(VectorWidth::Bits32).unwrap();
        assert_eq!(&blob[8..blob.len() - 4], hex(expected), "{positions:?}");
    }
}

#[test]
fn truncated_and_flipped_blobs_are_corrupt() {
    for width in [VectorWidth::Bits32, VectorWidth::Bits64] {
        let blob = DeletionVector::from_positions((0..500).map(|i| i * 3)).unwrap().encode(width).unwrap();
        for end in 0..blob.len() {
            assert_eq!(DeletionVector::decode(&blob[..end]).unwrap_err().kind(), ErrorKind::Corrupt);
        }
        for at in 0..blob.len() {
            let mut flipped = blob.clone();
            flipped[at] ^= 0x10;
            assert!(DeletionVector::decode(&flipped).is_err(), "byte {at}");
        }
    }
}

#[test]
fn positions_beyond_the_width_are_refused() {
    let wide = DeletionVector::from_positions([1 << 31]).unwrap();
    assert_eq!(wide.encode(VectorWidth::Bits32).unwrap_err().kind(), ErrorKind::InvalidInput);
    assert!(wide.encode(VectorWidth::Bits64).is_ok());
    assert!(DeletionVector::from_positions([0x7fff_ffff << 32]).is_err());
}

proptest::proptest! {
    #[test]
    fn behaves_as_a_set(marks in proptest::collection::vec(0u64..200_000, 0..300), probes in proptest::collection::vec(0u64..200_000, 50)) {
        let set: std::collections::BTreeSet<u64> = marks.iter().copied().collect();
        let vector = DeletionVector::from_positions(marks).unwrap();
        assert_eq!(vector.iter().collect::<Vec<_>>(), set.iter().copied().collect::<Vec<_>>());
        for probe in probes {
            assert_eq!(vector.is_deleted(probe), set.contains(&probe));
        }
        for width in [VectorWidth::Bits32, VectorWidth::Bits64] {
            assert_eq!(DeletionVector::decode(&vector.encode(width).unwrap()).unwrap().0, vector);
        }
    }
}
