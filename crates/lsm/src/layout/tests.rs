use std::collections::BTreeMap;

use super::*;

fn schema(options: &[(&str, &str)]) -> Schema {
    let field = |id, name: &str| DataField::new(id, name, TypeKind::Int);
    Schema {
        version: 3,
        id: 0,
        fields: vec![field(0, "a"), field(1, "dt"), field(2, "k2"), field(3, "k1"), field(4, "s")],
        highest_field_id: 4,
        partition_keys: vec!["dt".to_owned()],
        primary_keys: ["k1", "dt", "k2"].map(str::to_owned).to_vec(),
        options: options.iter().map(|(k, v)| ((*k).to_owned(), (*v).to_owned())).collect::<BTreeMap<_, _>>(),
        comment: None,
        time_millis: 0,
    }
}

fn names(fields: &[DataField]) -> String {
    fields.iter().map(|f| format!("{}:{}", f.name, f.id)).collect::<Vec<_>>().join(" ")
}

#[test]
fn files_hold_the_trimmed_key_then_order_and_values() {
    let layout = KeyValueLayout::new(&schema(&[])).unwrap();
    assert_eq!(
        names(&layout.file_fields(false)),
        "_KEY_k1:1073741826 _KEY_k2:1073741825 _SEQUENCE_NUMBER:2147483646 _VALUE_KIND:2147483645 a:0 dt:1 k2:2 k1:3 s:4"
    );
    assert_eq!(
        names(&layout.file_fields(true)),
        "_SEQUENCE_NUMBER:2147483646 _VALUE_KIND:2147483645 a:0 dt:1 k2:2 k1:3 s:4"
    );
    assert_eq!(layout.key_positions().collect::<Vec<_>>(), [Some(3), Some(2)]);
    assert!(layout.keys().iter().all(|k| !k.data_type.is_nullable()));
}

#[test]
fn reading_takes_each_key_once() {
    let layout = KeyValueLayout::new(&schema(&[])).unwrap();
    assert_eq!(
        names(&layout.read_fields(false)),
        "_KEY_k1:1073741826 _KEY_k2:1073741825 _SEQUENCE_NUMBER:2147483646 _VALUE_KIND:2147483645 a:0 dt:1 s:4"
    );
    assert_eq!(
        names(&layout.read_fields(true)),
        "k1:3 k2:2 _SEQUENCE_NUMBER:2147483646 _VALUE_KIND:2147483645 a:0 dt:1 s:4"
    );
}

#[test]
fn a_projection_keeps_what_merging_needs() {
    let options = [("sequence.field", "s,dt"), ("sequence.field.sort-order", "descending")];
    let layout = KeyValueLayout::new(&schema(&options)).unwrap();
    assert_eq!((layout.sequence_columns(), layout.sequence_descending()), ([4, 1].as_slice(), true));
    let some = layout.project(&["dt", "a"]).unwrap();
    assert_eq!(names(some.values()), "dt:1 a:0 s:4");
    assert_eq!(some.sequence_columns(), [2, 0]);
    assert_eq!(some.key_positions().collect::<Vec<_>>(), [None, None]);
    assert_eq!(layout.project(&["nope"]).unwrap_err().context("column"), Some("nope"));
}

#[test]
fn a_table_without_key_has_no_merge_tree() {
    let mut no_key = schema(&[]);
    no_key.primary_keys.clear();
    assert_eq!(KeyValueLayout::new(&no_key).unwrap_err().kind(), ErrorKind::InvalidInput);
    let unknown = KeyValueLayout::new(&schema(&[("sequence.field", "nope")])).unwrap_err();
    assert_eq!(unknown.context("column"), Some("nope"));
}
