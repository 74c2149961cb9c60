//! Every vector of spec page 04 §2.4, produced by Java 2.0.0.

use super::*;
use crate::array_from_datums;

fn text(value: &str) -> Option<Datum> {
    Some(Datum::String(value.into()))
}

/// `default` is hash, bucket of 4, bucket of 7; `hive` the buckets of 4, 7 and `i32::MAX`; `modulo` those of 4 and 7.
#[track_caller]
fn check(
    types: &[&str],
    values: &[Option<Datum>],
    bytes: &str,
    default: [i32; 3],
    hive: Option<[i32; 3]>,
    modulo: Option<[i32; 2]>,
) {
    let types: Vec<DataType> = types.iter().map(|t| t.parse().unwrap()).collect();
    let key = BinaryRow::from_datums(&types, values).unwrap();
    let hex: String = key.bytes().iter().map(|b| format!("{b:02x}")).collect();
    assert_eq!(hex, bytes);
    assert_eq!(key.hash32(), default[0]);
    let columns: Vec<_> =
        types.iter().zip(values).map(|(t, v)| array_from_datums(t, std::slice::from_ref(v)).unwrap()).collect();
    let bucket = |function, buckets| {
        let bucketer = Bucketer::new(function, buckets, &types).unwrap();
        let bucket = bucketer.of_row(&key).unwrap();
        if !types.is_empty() {
            assert_eq!(bucketer.assign(&columns).unwrap(), vec![bucket]);
        }
        bucket
    };
    assert_eq!(default[1..], [4, 7].map(|n| bucket(BucketFunction::Default, n)));
    match hive {
        Some(expected) => assert_eq!(expected, [4, 7, i32::MAX].map(|n| bucket(BucketFunction::Hive, n))),
        None => {
            let error = Bucketer::new(BucketFunction::Hive, 4, &types).unwrap_err();
            assert_eq!(error.kind(), ErrorKind::Unsupported);
        }
    }
    match modulo {
        Some(expected) => assert_eq!(expected, [4, 7].map(|n| bucket(BucketFunction::Mod, n))),
        None => {
            let error = Bucketer::new(BucketFunction::Mod, 4, &types).unwrap_err();
            assert_eq!(error.kind(), ErrorKind::InvalidInput);
        }
    }
}

#[test]
fn vectors_of_integers() {
    check(
        &["INT"],
        &[Some(Datum::Int(0))],
        "00000000000000000000000000000000",
        [-300363099, 3, 1],
        Some([0, 0, 0]),
        Some([0, 0]),
    );
    check(
        &["INT"],
        &[Some(Datum::Int(1))],
        "00000000000000000100000000000000",
        [1465514398, 2, 5],
        Some([1, 1, 1]),
        Some([1, 1]),
    );
    check(
        &["INT"],
        &[Some(Datum::Int(2))],
        "00000000000000000200000000000000",
        [1340390384, 0, 4],
        Some([2, 2, 2]),
        Some([2, 2]),
    );
    check(
        &["INT"],
        &[Some(Datum::Int(42))],
        "00000000000000002a00000000000000",
        [907821237, 1, 1],
        Some([2, 0, 42]),
        Some([2, 0]),
    );
    check(
        &["INT"],
        &[Some(Datum::Int(-1))],
        "0000000000000000ffffffff00000000",
        [1133687267, 3, 6],
        Some([3, 1, 0]),
        Some([3, 6]),
    );
    check(
        &["INT"],
        &[Some(Datum::Int(i32::MIN))],
        "00000000000000000000008000000000",
        [916225219, 3, 0],
        Some([0, 0, 0]),
        Some([0, 5]),
    );
    check(&["INT"], &[None], "00010000000000000000000000000000", [-1748325344, 0, 3], Some([0, 0, 0]), Some([0, 0]));
    check(
        &["BIGINT"],
        &[Some(Datum::BigInt(1))],
        "00000000000000000100000000000000",
        [1465514398, 2, 5],
        Some([1, 1, 1]),
        Some([1, 1]),
    );
    check(
        &["BIGINT"],
        &[Some(Datum::BigInt(-1))],
        "0000000000000000ffffffffffffffff",
        [-821098432, 0, 0],
        Some([0, 0, 0]),
        Some([3, 6]),
    );
}

#[test]
fn vectors_of_small_types_and_strings() {
    check(
        &["BIGINT"],
        &[Some(Datum::BigInt(1234567890123))],
        "0000000000000000cb04fb711f010000",
        [-1873221036, 0, 1],
        Some([0, 0, 1912276436]),
        Some([3, 1]),
    );
    check(
        &["BIGINT"],
        &[Some(Datum::BigInt(i64::MAX))],
        "0000000000000000ffffffffffffff7f",
        [-1566569095, 3, 0],
        Some([0, 0, 0]),
        Some([3, 0]),
    );
    check(
        &["TINYINT"],
        &[Some(Datum::TinyInt(-1))],
        "0000000000000000ff00000000000000",
        [2004758659, 3, 1],
        Some([3, 1, 0]),
        None,
    );
    check(
        &["SMALLINT"],
        &[Some(Datum::SmallInt(300))],
        "00000000000000002c01000000000000",
        [690796707, 3, 6],
        Some([0, 6, 300]),
        None,
    );
    check(
        &["BOOLEAN"],
        &[Some(Datum::Boolean(true))],
        "00000000000000000100000000000000",
        [1465514398, 2, 5],
        Some([1, 1, 1]),
        None,
    );
    check(&["STRING"], &[text("")], "00000000000000000000000000000080", [302122119, 3, 5], Some([0, 0, 0]), None);
    check(&["STRING"], &[text("a")], "00000000000000006100000000000081", [943281246, 2, 5], Some([1, 6, 97]), None);
    check(
        &["STRING"],
        &[text("abcdefg")],
        "00000000000000006162636465666787",
        [-1431907323, 3, 0],
        Some([0, 5, 941192292]),
        None,
    );
    check(
        &["STRING"],
        &[text("abcdefgh")],
        "000000000000000008000000100000006162636465666768",
        [-843760178, 2, 2],
        Some([0, 2, 1259673732]),
        None,
    );
}

#[test]
fn vectors_of_floats_and_times() {
    check(
        &["STRING"],
        &[text("hello world")],
        "00000000000000000b0000001000000068656c6c6f20776f726c640000000000",
        [161593394, 2, 4],
        Some([0, 4, 1794106052]),
        None,
    );
    check(
        &["STRING"],
        &[text("中文")],
        "0000000000000000e4b8ade696870086",
        [1956728004, 0, 0],
        Some([2, 6, 1276872862]),
        None,
    );
    check(
        &["BYTES"],
        &[Some(Datum::Bytes(vec![1, 2, 0xff]))],
        "00000000000000000102ff0000000083",
        [2036400951, 3, 4],
        Some([2, 0, 1022]),
        None,
    );
    check(
        &["FLOAT"],
        &[Some(Datum::Float(1.5))],
        "00000000000000000000c03f00000000",
        [-173842779, 3, 5],
        Some([0, 6, 1069547520]),
        None,
    );
    check(
        &["FLOAT"],
        &[Some(Datum::Float(-0.0))],
        "00000000000000000000008000000000",
        [916225219, 3, 0],
        Some([0, 0, 0]),
        None,
    );
    check(
        &["DOUBLE"],
        &[Some(Datum::Double(1.5))],
        "0000000000000000000000000000f83f",
        [1860889473, 1, 2],
        Some([0, 6, 1073217536]),
        None,
    );
    check(
        &["DOUBLE"],
        &[Some(Datum::Double(f64::NAN))],
        "0000000000000000000000000000f87f",
        [-1323214697, 1, 0],
        Some([0, 0, 2146959360]),
        None,
    );
    check(
        &["DATE"],
        &[Some(Datum::Date(19723))],
        "00000000000000000b4d000000000000",
        [-1439008885, 1, 6],
        Some([3, 4, 19723]),
        None,
    );
    check(
        &["TIME(0)"],
        &[Some(Datum::Time(3_600_000))],
        "000000000000000080ee360000000000",
        [-2060102702, 2, 0],
        Some([0, 5, 3600000]),
        None,
    );
}

#[test]
fn vectors_of_decimals_and_several_columns() {
    check(
        &["TIMESTAMP(3)"],
        &[Some(Datum::Timestamp { millis: 1_704_067_200_123, nanos: 0 })],
        "00000000000000007bf451c28c010000",
        [985649424, 0, 4],
        None,
        None,
    );
    check(
        &["TIMESTAMP(6)"],
        &[Some(Datum::Timestamp { millis: 1_704_067_200_123, nanos: 456_000 })],
        "000000000000000040f50600100000007bf451c28c010000",
        [941252157, 1, 6],
        None,
        None,
    );
    check(
        &["DECIMAL(10, 2)"],
        &[Some(Datum::Decimal { unscaled: 12345, scale: 2 })],
        "00000000000000003930000000000000",
        [767607022, 2, 0],
        Some([1, 0, 382697]),
        None,
    );
    check(
        &["DECIMAL(10, 2)"],
        &[Some(Datum::Decimal { unscaled: -150, scale: 2 })],
        "00000000000000006affffffffffffff",
        [853994690, 2, 3],
        Some([0, 0, 2147483184]),
        None,
    );
    check(
        &["DECIMAL(20, 2)"],
        &[Some(Datum::Decimal { unscaled: 12345, scale: 2 })],
        "0000000000000000020000001000000030390000000000000000000000000000",
        [-118192725, 1, 0],
        Some([1, 0, 382697]),
        None,
    );
    check(
        &["INT", "STRING"],
        &[Some(Datum::Int(1)), text("a")],
        "000000000000000001000000000000006100000000000081",
        [-948407462, 2, 2],
        Some([0, 2, 128]),
        None,
    );
    check(
        &["STRING", "BIGINT"],
        &[text("abcdefgh"), Some(Datum::BigInt(9))],
        "0000000000000000080000001800000009000000000000006162636465666768",
        [1212799981, 1, 1],
        Some([1, 0, 395180037]),
        None,
    );
    check(
        &["INT", "INT"],
        &[Some(Datum::Int(1)), None],
        "000200000000000001000000000000000000000000000000",
        [-74682006, 2, 0],
        Some([3, 3, 31]),
        None,
    );
    check(&[], &[], "0000000000000000", [-1670924195, 3, 3], Some([0, 0, 0]), None);
}

#[test]
fn bucket_numbers_start_at_one() {
    let types = ["INT".parse().unwrap()];
    assert_eq!(Bucketer::new(BucketFunction::Default, 0, &types).unwrap_err().kind(), ErrorKind::InvalidInput);
}
