use super::*;
use crate::testing::{layout, records, rows};

#[test]
fn files_are_read_back_with_and_without_key_columns() {
    let layout = layout(false, false);
    let (batch, kinds) = rows(&[(0, 1, Some(5), "a".into()), (3, 2, None, "b".into())]);
    let batch = KeyValueBatch::from_values(&layout, &batch, &kinds, 7).unwrap();
    assert_eq!(batch.retractions(), 1);
    let expected = vec![(7, (0, 1, Some(5), "a".to_owned())), (8, (3, 2, None, "b".to_owned()))];
    for thin in [false, true] {
        let file = batch.to_file(&layout, thin).unwrap();
        let columns = layout.read_fields(thin);
        let indices: Vec<usize> = columns.iter().map(|f| file.schema().index_of(&f.name).unwrap()).collect();
        let read = KeyValueBatch::from_read(&layout, &file.project(&indices).unwrap()).unwrap();
        assert_eq!(records(&[read]), expected, "thin {thin}");
    }
    assert_eq!(records(&[batch.slice(1, 1)]), expected[1..]);
    assert_eq!(batch.to_values(&layout).unwrap().num_columns(), 3);
}

#[test]
fn incomplete_records_are_refused() {
    let layout = layout(false, false);
    let (batch, kinds) = rows(&[(0, 1, None, "a".into())]);
    let short = KeyValueBatch::from_values(&layout, &batch, &Int8Array::from(vec![0, 0]), 0).unwrap_err();
    assert_eq!(short.kind(), ErrorKind::InvalidInput);
    let no_kind = KeyValueBatch::from_values(&layout, &batch, &Int8Array::from(vec![None]), 0).unwrap_err();
    assert_eq!(no_kind.kind(), ErrorKind::InvalidInput);
    let lacking = batch.project(&[0, 1]).unwrap();
    assert_eq!(KeyValueBatch::from_values(&layout, &lacking, &kinds, 0).unwrap_err().context("column"), Some("v"));
    let wrong =
        RecordBatch::try_from_iter(["k", "s", "v"].map(|name| (name, Arc::new(Int64Array::from(vec![1])) as ArrayRef)));
    let wrong = KeyValueBatch::from_values(&layout, &wrong.unwrap(), &kinds, 0).unwrap_err();
    assert_eq!((wrong.kind(), wrong.context("column")), (ErrorKind::InvalidInput, Some("k")));
    assert_eq!(KeyValueBatch::from_read(&layout, &batch).unwrap_err().kind(), ErrorKind::Corrupt);
}
