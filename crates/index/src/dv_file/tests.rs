use super::*;

#[test]
fn file_of_two_vectors_equals_the_reference() {
    let vectors = [
        ("data-a-0.orc".to_owned(), DeletionVector::from_positions([1, 5, 6]).unwrap()),
        ("data-b-0.orc".to_owned(), DeletionVector::from_positions(0..100).unwrap()),
    ];
    let (bytes, ranges) = write_file(&vectors, VectorWidth::Bits32).unwrap();
    assert_eq!(bytes.len(), 62);
    let facts: Vec<_> = ranges.iter().map(|r| (r.offset, r.length, r.cardinality)).collect();
    assert_eq!(facts, [(1, 26, Some(3)), (35, 19, Some(100))]);
    let (wide, ranges_64) = write_file(&vectors, VectorWidth::Bits64).unwrap();
    assert_eq!(wide.len(), 86);
    assert_eq!(ranges_64.iter().map(|r| (r.offset, r.length)).collect::<Vec<_>>(), [(1, 46), (47, 39)]);
    for ((range, range_64), (_, vector)) in ranges.iter().zip(&ranges_64).zip(&vectors) {
        assert_eq!(&read_vector(&bytes, range).unwrap(), vector);
        assert_eq!(&read_vector(&wide, range_64).unwrap(), vector);
    }
}

#[test]
fn ranges_that_do_not_fit_are_corrupt() {
    let (bytes, ranges) =
        write_file(&[("f".to_owned(), DeletionVector::from_positions([3]).unwrap())], VectorWidth::Bits32).unwrap();
    let range = &ranges[0];
    for broken in [
        DeletionVectorMeta { offset: -1, ..range.clone() },
        DeletionVectorMeta { offset: 4000, ..range.clone() },
        DeletionVectorMeta { length: range.length + 1, ..range.clone() },
    ] {
        assert_eq!(read_vector(&bytes, &broken).unwrap_err().kind(), ErrorKind::Corrupt);
    }
    assert_eq!(read_vector(&[2], range).unwrap_err().kind(), ErrorKind::Corrupt);
    assert_eq!(write_file(&[], VectorWidth::Bits32).unwrap().0, [1]);
}
