use std::sync::Arc;

use arrow_array::{ArrayRef, IntervalDayTimeArray, NullArray, RecordBatch, StringViewArray, UInt64Array};

use super::json_rows;

#[test]
fn types_of_queries_become_types_of_tables() {
    let columns: Vec<(&str, ArrayRef)> = vec![
        ("n", Arc::new(UInt64Array::from(vec![u64::MAX]))),
        ("t", Arc::new(StringViewArray::from(vec!["x"]))),
        ("z", Arc::new(NullArray::new(1))),
    ];
    let text = json_rows(&RecordBatch::try_from_iter(columns).unwrap()).unwrap();
    assert_eq!(text, b"{\"n\":\"18446744073709551615\",\"t\":\"x\",\"z\":null}\n");

    let interval: ArrayRef =
        Arc::new(IntervalDayTimeArray::from(vec![arrow_array::types::IntervalDayTimeType::make_value(1, 0)]));
    let text =
        String::from_utf8(json_rows(&RecordBatch::try_from_iter(vec![("i", interval)]).unwrap()).unwrap()).unwrap();
    assert!(text.contains("1 days"), "{text}");
}
