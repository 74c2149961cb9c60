use std::collections::BTreeMap;

use arrow_array::{Int8Array, Int64Array};
use proptest::prelude::*;

use super::*;
use crate::testing::{Row, layout, records, rows};

/// Feeds runs cut into batches of `cut` records and returns what comes out.
fn run(merge: &mut Merge, layout: &KeyValueLayout, runs: &[Vec<(i64, Row)>], cut: usize) -> Vec<(i64, Row)> {
    let mut feeds: Vec<_> = runs.iter().map(|run| run.chunks(cut)).collect();
    let mut output = Vec::new();
    loop {
        match merge.step().unwrap() {
            MergeStep::NeedBatch(run) => {
                let batch = feeds[run].next().map(|records| batch(layout, records));
                merge.supply(run, batch).unwrap();
            }
            MergeStep::Output(batch) => {
                assert!(batch.num_rows() > 0);
                output.push(batch);
            }
            MergeStep::Done => return records(&output),
        }
    }
}

fn batch(layout: &KeyValueLayout, records: &[(i64, Row)]) -> KeyValueBatch {
    let (values, kinds) = rows(&records.iter().map(|r| r.1.clone()).collect::<Vec<_>>());
    let batch = KeyValueBatch::from_values(layout, &values, &kinds, 0).unwrap();
    KeyValueBatch { sequence: Int64Array::from_iter_values(records.iter().map(|r| r.0)), ..batch }
}

fn record(sequence: i64, kind: i8, k: i32, s: Option<i32>, v: &str) -> (i64, Row) {
    (sequence, (kind, k, s, v.to_owned()))
}

#[test]
fn the_newest_record_of_a_key_wins() {
    let layout = layout(false, false);
    let old = vec![record(0, 0, 1, None, "a"), record(1, 0, 2, None, "b"), record(2, 0, 4, None, "d")];
    let new = vec![record(3, 2, 1, None, "A"), record(5, 3, 2, None, "-"), record(4, 1, 3, None, "c")];
    for (drop_deletes, expected) in [
        (false, vec![new[0].clone(), new[1].clone(), new[2].clone(), old[2].clone()]),
        (true, vec![new[0].clone(), old[2].clone()]),
    ] {
        for cut in [1, 2, 10] {
            let options = MergeOptions::default().with_drop_deletes(drop_deletes);
            let mut merge = Merge::new(&layout, &Engine::deduplicate(false), 2, options).unwrap();
            assert_eq!(run(&mut merge, &layout, &[old.clone(), new.clone()], cut), expected);
        }
    }
}

#[test]
fn ignored_deletes_need_a_second_record_to_be_seen() {
    let layout = layout(false, false);
    let old = vec![record(0, 0, 1, None, "a"), record(1, 3, 2, None, "b"), record(2, 3, 3, None, "c")];
    let new = vec![record(3, 3, 1, None, "A"), record(5, 3, 3, None, "-")];
    let mut merge = Merge::new(&layout, &Engine::deduplicate(true), 2, MergeOptions::default()).unwrap();
    assert_eq!(
        run(&mut merge, &layout, &[old.clone(), new], 10),
        old[..2],
        "key 3 is gone, the lone -D of key 2 stays"
    );
}

#[test]
fn no_run_gives_no_record() {
    let layout = layout(false, false);
    let mut merge = Merge::new(&layout, &Engine::deduplicate(false), 0, MergeOptions::default()).unwrap();
    assert!(matches!(merge.step().unwrap(), MergeStep::Done));
    let mut merge = Merge::new(&layout, &Engine::deduplicate(false), 3, MergeOptions::default()).unwrap();
    assert_eq!(merge.waiting().count(), 3);
    assert_eq!(run(&mut merge, &layout, &[vec![], vec![], vec![]], 1), []);
}

#[test]
fn disorder_and_surplus_batches_are_errors() {
    let layout = layout(false, false);
    let mut merge = Merge::new(&layout, &Engine::deduplicate(false), 1, MergeOptions::default()).unwrap();
    let first = batch(&layout, &[record(0, 0, 5, None, "")]);
    merge.supply(0, Some(first.clone())).unwrap();
    assert_eq!(merge.supply(0, Some(first)).unwrap_err().kind(), ErrorKind::Internal);
    assert!(matches!(merge.step().unwrap(), MergeStep::NeedBatch(0)));
    let back = batch(&layout, &[record(0, 0, 4, None, "")]);
    assert_eq!(merge.supply(0, Some(back)).unwrap_err().kind(), ErrorKind::Corrupt);
    let inside = batch(&layout, &[record(0, 0, 9, None, ""), record(0, 0, 8, None, "")]);
    assert_eq!(merge.supply(0, Some(inside)).unwrap_err().kind(), ErrorKind::Corrupt);
}

/// The oracle: all records of a key by user sequence, then sequence number; the last one wins.
fn naive(all: &[(i64, Row)], descending: Option<bool>, ignore_delete: bool, drop_deletes: bool) -> Vec<(i64, Row)> {
    let mut by_key: BTreeMap<i32, Vec<(i64, Row)>> = BTreeMap::new();
    for record in all {
        by_key.entry(record.1.1).or_default().push(record.clone());
    }
    let mut merged = Vec::new();
    for (_, mut group) in by_key {
        group.sort_by_key(|(sequence, row)| {
            let user = descending.and_then(|down| row.2.map(|s| if down { -i64::from(s) } else { i64::from(s) }));
            (user, *sequence)
        });
        if ignore_delete && group.len() > 1 {
            group.retain(|r| r.1.0 % 2 == 0);
        }
        merged.extend(group.pop());
    }
    merged.retain(|r| !drop_deletes || r.1.0 % 2 == 0);
    merged
}

/// Runs of records with ascending keys and sequence numbers that are all different.
fn any_runs() -> impl Strategy<Value = Vec<Vec<(i64, Row)>>> {
    let row = (0_i8..4, 0_i32..30, prop::option::of(0_i32..4), "[a-c]{0,3}");
    prop::collection::vec(prop::collection::vec(row, 0..25), 0..7).prop_map(|runs| {
        let mut sequence = 0;
        runs.into_iter()
            .map(|mut run| {
                run.sort_by_key(|r| r.1);
                run.dedup_by_key(|r| r.1);
                run.into_iter()
                    .map(|row| {
                        sequence = (sequence + 7919) % 100_003;
                        (sequence, row)
                    })
                    .collect()
            })
            .collect()
    })
}

proptest! {
    #[test]
    fn merging_is_a_fold_by_key(
        runs in any_runs(), cut in 1_usize..9, batch_rows in 1_usize..9,
        descending in prop::option::of(any::<bool>()), ignore_delete: bool, drop_deletes: bool,
    ) {
        let layout = layout(descending.is_some(), descending == Some(true));
        let options = MergeOptions { batch_rows, drop_deletes };
        let mut merge = Merge::new(&layout, &Engine::deduplicate(ignore_delete), runs.len(), options).unwrap();
        let merged = run(&mut merge, &layout, &runs, cut);
        prop_assert_eq!(merged, naive(&runs.concat(), descending, ignore_delete, drop_deletes));
    }
}

#[test]
fn kinds_and_columns_of_an_engine_survive_dropping_retractions() {
    use crate::engine::{ColumnSource, Merged};
    let layout = layout(false, false);
    let a = batch(&layout, &[record(0, 0, 1, Some(1), "a"), record(1, 0, 2, Some(2), "b"), record(2, 0, 3, None, "c")]);
    let at = |row| RecordRef { batch: 0, row };
    let mut merged = Merged {
        rows: vec![at(0), at(1), at(2)],
        kinds: Some(vec![0, 3, 2]),
        columns: vec![
            ColumnSource::Row,
            ColumnSource::Records(vec![Some(at(1)), Some(at(0)), None]),
            ColumnSource::Values(std::sync::Arc::new(arrow_array::StringArray::from(vec!["x", "y", "z"]))),
        ],
    };
    merged.drop_retractions(&[&a]).unwrap();
    let gathered = gather(&layout, merged, &[&a]).unwrap();
    assert_eq!(gathered.kind, Int8Array::from(vec![0, 2]));
    assert_eq!(records(&[gathered]), [record(0, 0, 1, Some(2), "x"), record(2, 2, 3, None, "z")]);
}
