//! Random histories of a table against a map.

use std::collections::BTreeMap;

use headwater_table::TableWriter;
use proptest::collection::vec;
use proptest::prelude::*;

use crate::support::{all, batch, get, keyed, kinds};

/// One step of a history.
#[derive(Clone, Debug)]
enum Step {
    /// Rows with kinds.
    Write(Vec<(i32, Option<i64>, i8)>),
    /// A commit; whether it waits for compaction.
    Commit(bool),
    /// A new writer; the rows since the last commit are lost.
    Reopen,
    /// A full compaction by another job.
    CompactAll,
}

fn step() -> impl Strategy<Value = Step> {
    let row = (
        0..40_i32,
        proptest::option::weighted(0.9, 0..1000_i64),
        prop_oneof![6 => Just(0_i8), 2 => Just(2), 2 => Just(3), 1 => Just(1)],
    );
    prop_oneof![
        6 => vec(row, 1..30).prop_map(Step::Write),
        4 => any::<bool>().prop_map(Step::Commit),
        1 => Just(Step::Reopen),
        1 => Just(Step::CompactAll),
    ]
}

async fn commit(table: &headwater_table::Table, writer: &mut TableWriter, identifier: i64, wait: bool) {
    let messages = writer.prepare_commit(wait).await.unwrap();
    table.committer_as("model").unwrap().commit(identifier, messages, None).await.unwrap();
}

async fn play(steps: Vec<Step>, options: &[(&str, &str)]) {
    let table = keyed(options).await;
    let mut writer = table.stream_writer_as("model").unwrap();
    let mut model: BTreeMap<i32, Option<i64>> = BTreeMap::new();
    let mut pending = model.clone();
    let mut history = Vec::new();
    let mut identifier = 0;
    for step in steps.into_iter().chain([Step::Commit(true)]) {
        match step {
            Step::Write(rows) => {
                for (k, v, kind) in &rows {
                    if *kind % 2 == 1 {
                        pending.remove(k)
                    } else {
                        pending.insert(*k, *v)
                    };
                }
                let plain: Vec<(i32, Option<i64>)> = rows.iter().map(|row| (row.0, row.1)).collect();
                let given: Vec<i8> = rows.iter().map(|row| row.2).collect();
                writer.write_with_kinds(batch(&plain), kinds(&given)).await.unwrap();
            }
            Step::Commit(wait) => {
                identifier += 1;
                commit(&table, &mut writer, identifier, wait).await;
                model = pending.clone();
                if let Some(id) = table.snapshots().latest_id().await.unwrap() {
                    history.push((id, model.clone()));
                }
                assert_eq!(all(&table).await, model);
            }
            Step::Reopen => {
                writer.close().await.unwrap();
                writer = table.stream_writer_as("model").unwrap();
                pending = model.clone();
            }
            Step::CompactAll => {
                table.compact_all(true, &[]).await.unwrap();
                assert_eq!(all(&table).await, model);
            }
        }
    }
    writer.close().await.unwrap();
    for (id, rows) in history {
        assert_eq!(get(&table, &table.scan().snapshot(id)).await, rows, "snapshot {id}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 24, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn a_table_is_a_map(steps in vec(step(), 1..25), buckets in 1..3_u8, small in any::<bool>()) {
        let buckets = buckets.to_string();
        let mut options = vec![("bucket", buckets.as_str()), ("num-sorted-run.compaction-trigger", "3")];
        if small {
            options.extend([("write-buffer-size", "4kb"), ("target-file-size", "4kb")]);
        }
        tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build().unwrap().block_on(play(steps, &options));
    }
}
