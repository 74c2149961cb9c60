//! Histories the reference was run on, with the records it stored and read.

use std::sync::Arc;

use arrow_array::cast::AsArray;
use arrow_array::types::Int32Type;
use arrow_array::{ArrayRef, Int8Array, Int32Array, RecordBatch, StringArray};
use headwater_lsm::{
    Engine, KeyValueBatch, KeyValueLayout, Merge, MergeOptions, MergeStep, SortBuffer, SortBufferOptions,
};
use headwater_types::{DataField, DataType, RowKind, TypeKind, arrow_schema};

/// `k INT` key, `s1 INT`, `s2 INT`, `v STRING`.
fn layout(sequence: &[&str], descending: bool) -> KeyValueLayout {
    let fields = vec![
        DataField::new(0, "k", DataType::new(TypeKind::Int, false)),
        DataField::new(1, "s1", TypeKind::Int),
        DataField::new(2, "s2", TypeKind::Int),
        DataField::new(3, "v", TypeKind::STRING),
    ];
    let sequence: Vec<String> = sequence.iter().map(|s| (*s).to_owned()).collect();
    KeyValueLayout::from_parts(fields, &["k".to_owned()], &sequence, descending).unwrap()
}

/// `"+I 1,5,1,a; -D 2,_,0,b"` through a write buffer.
fn write(layout: &KeyValueLayout, rows: &str, first_sequence: i64) -> Vec<KeyValueBatch> {
    let rows: Vec<(&str, Vec<&str>)> = rows
        .split(';')
        .map(|row| row.trim().split_once(' ').unwrap())
        .map(|(kind, values)| (kind, values.split(',').collect()))
        .collect();
    let ints = |i: usize| -> ArrayRef {
        Arc::new(rows.iter().map(|(_, values)| values[i].parse::<i32>().ok()).collect::<Int32Array>())
    };
    let texts = Arc::new(StringArray::from_iter_values(rows.iter().map(|(_, values)| values[3])));
    let batch = RecordBatch::try_new(arrow_schema(layout.values()), vec![ints(0), ints(1), ints(2), texts]).unwrap();
    let kinds: Int8Array =
        rows.iter().map(|(kind, _)| Some(RowKind::from_short_string(kind).unwrap().to_byte())).collect();
    let mut buffer = SortBuffer::new(layout, &Engine::deduplicate(false), SortBufferOptions::default());
    buffer.append(&batch, &kinds, first_sequence).unwrap();
    buffer.drain(100).unwrap().collect::<Result<_, _>>().unwrap()
}

fn merge(layout: &KeyValueLayout, runs: &[Vec<KeyValueBatch>], drop_deletes: bool) -> Vec<KeyValueBatch> {
    let options = MergeOptions::default().with_drop_deletes(drop_deletes);
    let mut merge = Merge::new(layout, &Engine::deduplicate(false), runs.len(), options).unwrap();
    let mut feeds: Vec<_> = runs.iter().map(|run| run.iter().cloned()).collect();
    let mut output = Vec::new();
    loop {
        match merge.step().unwrap() {
            MergeStep::NeedBatch(run) => merge.supply(run, feeds[run].next()).unwrap(),
            MergeStep::Output(batch) => output.push(batch),
            MergeStep::Done => return output,
        }
    }
}

/// `(1 s2 +I a)` per record: key, sequence number, kind, last column.
fn show(batches: &[KeyValueBatch]) -> String {
    let mut text = String::new();
    for batch in batches {
        let (keys, values) = (batch.keys[0].as_primitive::<Int32Type>(), batch.values[3].as_string::<i32>());
        for i in 0..keys.len() {
            let kind = RowKind::from_byte(batch.kind.value(i)).unwrap().short_string();
            text += &format!("({} s{} {kind} {})", keys.value(i), batch.sequence.value(i), values.value(i));
        }
    }
    text
}

#[test]
fn deduplicate_stores_the_newest_record_with_its_kind() {
    let layout = layout(&[], false);
    let first = write(&layout, "+I 1,10,0,x;+I 2,20,0,y;+I 1,11,0,xx", 0);
    assert_eq!(show(&first), "(1 s2 +I xx)(2 s1 +I y)");
    let second = write(&layout, "-D 1,11,0,xx;-U 2,20,0,y;+U 2,21,0,yy", 3);
    assert_eq!(show(&second), "(1 s3 -D xx)(2 s5 +U yy)");
    let runs = [first, second];
    assert_eq!(show(&merge(&layout, &runs, true)), "(2 s5 +U yy)");
    assert_eq!(show(&merge(&layout, &runs, false)), "(1 s3 -D xx)(2 s5 +U yy)");
}

#[test]
fn two_sequence_fields_decide_before_arrival() {
    let layout = layout(&["s1", "s2"], false);
    let first =
        write(&layout, "+I 1,5,1,a;+I 1,3,9,b;+I 1,5,0,c;+I 2,_,1,n;+I 2,1,_,m;+I 3,1,1,first;+I 3,1,1,second", 0);
    assert_eq!(show(&first), "(1 s0 +I a)(2 s4 +I m)(3 s6 +I second)");
    let second = write(&layout, "+I 1,4,9,late;-D 2,0,0,d;-D 3,1,1,d", 7);
    assert_eq!(show(&merge(&layout, &[second, first], true)), "(1 s0 +I a)(2 s4 +I m)");
}

#[test]
fn a_descending_sequence_keeps_the_smallest_and_null_loses() {
    let layout = layout(&["s1"], true);
    let rows = "+I 1,5,0,a;+I 1,3,0,b;+I 1,9,0,c;+I 2,_,0,null1;+I 2,7,0,x;+I 3,7,0,x;+I 3,_,0,null1";
    let first = write(&layout, rows, 0);
    assert_eq!(show(&first), "(1 s1 +I b)(2 s4 +I x)(3 s5 +I x)");
    let second = write(&layout, "+I 1,2,0,d;+I 1,1,0,e", 7);
    let third = write(&layout, "+I 1,4,0,f", 9);
    assert_eq!(show(&merge(&layout, &[first, third, second], true)), "(1 s8 +I e)(2 s4 +I x)(3 s5 +I x)");
}

#[test]
fn an_older_delete_loses_and_a_tie_goes_to_the_later() {
    let layout = layout(&["s1"], false);
    let insert = write(&layout, "+I 1,5,0,a", 0);
    let older = write(&layout, "-D 1,3,0,a", 1);
    assert_eq!(show(&merge(&layout, &[insert.clone(), older], true)), "(1 s0 +I a)");
    let equal = write(&layout, "-D 1,5,0,a", 1);
    assert_eq!(show(&merge(&layout, &[insert, equal], true)), "");
}
