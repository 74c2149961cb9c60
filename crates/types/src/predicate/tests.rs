//! Three-valued evaluation, and that statistics never drop a file with a matching row.

use arrow_array::{Array, RecordBatch};
use proptest::prelude::*;

use super::*;
use crate::{DataField, TypeKind, array_from_datums, arrow_schema};

fn leaf(test: LeafTest) -> Predicate {
    let is_text = matches!(test, LeafTest::StartsWith(_) | LeafTest::EndsWith(_) | LeafTest::Contains(_));
    let (column, kind) = if is_text { ("s", TypeKind::STRING) } else { ("a", TypeKind::Int) };
    Predicate::Leaf(Leaf { column: column.into(), data_type: kind.into(), test })
}

fn batch(ints: &[Option<i32>], texts: &[Option<&str>]) -> RecordBatch {
    let fields = [DataField::new(0, "a", TypeKind::Int), DataField::new(1, "s", TypeKind::STRING)];
    let ints: Vec<_> = ints.iter().map(|v| v.map(Datum::Int)).collect();
    let texts: Vec<_> = texts.iter().map(|v| v.map(|v| Datum::String(v.into()))).collect();
    let columns = vec![
        array_from_datums(&fields[0].data_type, &ints).unwrap(),
        array_from_datums(&fields[1].data_type, &texts).unwrap(),
    ];
    RecordBatch::try_new(arrow_schema(&fields), columns).unwrap()
}

fn evaluate(predicate: &Predicate) -> Vec<Option<bool>> {
    let batch = batch(&[Some(1), None, Some(3)], &[Some("abc"), Some("b"), None]);
    let result: Vec<_> = predicate.evaluate(&batch).unwrap().iter().collect();
    for (row, expected) in result.iter().enumerate() {
        let value_of = |column: &str| {
            let (i, kind) = if column == "a" { (0, TypeKind::Int) } else { (1, TypeKind::STRING) };
            crate::datum_at(batch.column(i), row, &kind.into()).unwrap()
        };
        assert_eq!(predicate.test_row(&value_of), *expected);
    }
    result
}

#[test]
fn leaves() {
    let (yes, no) = (Some(true), Some(false));
    let int = Datum::Int;
    let text = |t: &str| Datum::String(t.into());
    assert_eq!(evaluate(&leaf(LeafTest::Equal(int(1)))), [yes, None, no]);
    assert_eq!(evaluate(&leaf(LeafTest::NotEqual(int(1)))), [no, None, yes]);
    assert_eq!(evaluate(&leaf(LeafTest::GreaterOrEqual(int(3)))), [no, None, yes]);
    assert_eq!(evaluate(&leaf(LeafTest::IsNull)), [no, yes, no]);
    assert_eq!(evaluate(&leaf(LeafTest::IsNotNull)), [yes, no, yes]);
    assert_eq!(evaluate(&leaf(LeafTest::In(vec![int(3), int(4)]))), [no, None, yes]);
    assert_eq!(evaluate(&leaf(LeafTest::NotIn(vec![int(3)]))), [yes, None, no]);
    assert_eq!(evaluate(&leaf(LeafTest::StartsWith(text("ab")))), [yes, no, None]);
    assert_eq!(evaluate(&leaf(LeafTest::EndsWith(text("b")))), [no, yes, None]);
    assert_eq!(evaluate(&leaf(LeafTest::Contains(text("b")))), [yes, yes, None]);
}

#[test]
fn joins() {
    let (yes, no) = (Some(true), Some(false));
    let one = || leaf(LeafTest::Equal(Datum::Int(1)));
    let b = || leaf(LeafTest::Contains(Datum::String("c".into())));
    assert_eq!(evaluate(&one().and(b())), [yes, no, no]);
    assert_eq!(evaluate(&one().or(b())), [yes, None, None]);
    assert_eq!(one().and(Predicate::True), one());
    assert_eq!(one().and(Predicate::False), Predicate::False);
    assert_eq!(one().or(Predicate::True), Predicate::True);
    let columns: Vec<_> = one().or(b()).columns().into_iter().collect();
    assert_eq!(columns, ["a", "s"]);
}

#[test]
fn nan_equals_nan() {
    let data_type = DataType::from(TypeKind::Double);
    let negative_nan = f64::from_bits(f64::NAN.to_bits() | 1 << 63);
    let column = array_from_datums(&data_type, &[Some(Datum::Double(negative_nan)), Some(Datum::Double(1.0))]).unwrap();
    let schema = arrow_schema(&[DataField::new(0, "d", TypeKind::Double)]);
    let batch = RecordBatch::try_new(schema, vec![column]).unwrap();
    let test = |test| {
        let predicate = Predicate::Leaf(Leaf { column: "d".into(), data_type: data_type.clone(), test });
        predicate.evaluate(&batch).unwrap().iter().collect::<Vec<_>>()
    };
    assert_eq!(test(LeafTest::Equal(Datum::Double(f64::NAN))), [Some(true), Some(false)]);
    assert_eq!(test(LeafTest::GreaterThan(Datum::Double(0.0))), [Some(true), Some(true)]);
    assert_eq!(test(LeafTest::LessThan(Datum::Double(0.0))), [Some(false), Some(false)]);
}

#[test]
fn a_missing_column_is_an_error() {
    let predicate =
        Predicate::Leaf(Leaf { column: "x".into(), data_type: TypeKind::Int.into(), test: LeafTest::IsNull });
    let error = predicate.evaluate(&batch(&[None], &[None])).unwrap_err();
    assert_eq!((error.kind(), error.context("column")), (crate::ErrorKind::InvalidInput, Some("x")));
}

struct Ranges(Option<ColumnRange>);

impl ColumnStats for Ranges {
    fn of(&self, _: &str) -> Option<ColumnRange> {
        self.0.clone()
    }
}

#[test]
fn statistics() {
    let range = |min: i32, max: i32, nulls| {
        Ranges(Some(ColumnRange { min: Some(Datum::Int(min)), max: Some(Datum::Int(max)), null_count: nulls }))
    };
    let keeps = |test: LeafTest, stats: &Ranges| leaf(test).test_stats(10, stats);
    let int = Datum::Int;
    let stats = range(3, 7, Some(0));
    assert!(keeps(LeafTest::Equal(int(3)), &stats) && !keeps(LeafTest::Equal(int(8)), &stats));
    assert!(!keeps(LeafTest::LessThan(int(3)), &stats) && keeps(LeafTest::LessOrEqual(int(3)), &stats));
    assert!(!keeps(LeafTest::IsNull, &stats) && keeps(LeafTest::IsNotNull, &stats));
    assert!(!keeps(LeafTest::NotEqual(int(5)), &range(5, 5, None)));
    assert!(!keeps(LeafTest::NotIn(vec![int(5)]), &range(5, 5, None)));
    assert!(!keeps(LeafTest::In(vec![int(1), int(9)]), &stats));
    let nulls = Ranges(Some(ColumnRange { null_count: Some(10), ..ColumnRange::default() }));
    assert!(!keeps(LeafTest::NotEqual(int(5)), &nulls) && keeps(LeafTest::IsNull, &nulls));
    assert!(!keeps(LeafTest::IsNotNull, &nulls));
    assert!(keeps(LeafTest::Equal(int(5)), &Ranges(Some(ColumnRange::default()))));
    assert!(keeps(LeafTest::Equal(int(5)), &Ranges(None)));
    let text = |t: &str| Some(Datum::String(t.into()));
    let stats = Ranges(Some(ColumnRange { min: text("abc"), max: text("abd"), null_count: None }));
    assert!(keeps(LeafTest::StartsWith(Datum::String("ab".into())), &stats));
    assert!(!keeps(LeafTest::StartsWith(Datum::String("b".into())), &stats));
}

fn any_test() -> impl Strategy<Value = LeafTest> {
    let int = || (-3..4_i32).prop_map(Datum::Int);
    prop_oneof![
        Just(LeafTest::IsNull),
        Just(LeafTest::IsNotNull),
        int().prop_map(LeafTest::Equal),
        int().prop_map(LeafTest::NotEqual),
        int().prop_map(LeafTest::LessThan),
        int().prop_map(LeafTest::LessOrEqual),
        int().prop_map(LeafTest::GreaterThan),
        int().prop_map(LeafTest::GreaterOrEqual),
        proptest::collection::vec(int(), 0..3).prop_map(LeafTest::In),
        proptest::collection::vec(int(), 0..3).prop_map(LeafTest::NotIn),
    ]
}

proptest! {
    #[test]
    fn statistics_keep_every_match(
        values in proptest::collection::vec(proptest::option::of(-2..3_i32), 1..6),
        tests in proptest::collection::vec(any_test(), 1..4),
        any in any::<bool>(),
    ) {
        let parts: Vec<_> = tests.into_iter().map(leaf).collect();
        let predicate = if any { Predicate::Or(parts) } else { Predicate::And(parts) };
        let texts = vec![None; values.len()];
        let truth = predicate.evaluate(&batch(&values, &texts)).unwrap();
        let nulls = values.iter().filter(|v| v.is_none()).count();
        let range = ColumnRange {
            min: values.iter().flatten().min().map(|v| Datum::Int(*v)),
            max: values.iter().flatten().max().map(|v| Datum::Int(*v)),
            null_count: i64::try_from(nulls).ok(),
        };
        let rows = i64::try_from(values.len()).unwrap();
        if truth.iter().any(|v| v == Some(true)) {
            prop_assert!(predicate.test_stats(rows, &Ranges(Some(range))));
        }
        for (row, value) in values.iter().enumerate() {
            let expected = truth.is_valid(row).then(|| truth.value(row));
            prop_assert_eq!(predicate.test_row(&|_| value.map(Datum::Int)), expected);
        }
    }
}
