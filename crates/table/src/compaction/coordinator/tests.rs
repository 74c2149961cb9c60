use headwater_metadata::FileKind;

use super::*;
use crate::testing::file;

fn coordinator(round: usize) -> Coordinator {
    let sizes = AppendCompactOptions { min_files: 3, target_size: 100, small_size: 70, force_rewrite: false };
    Coordinator { sizes, open_cost: 10, round }
}

/// Entries of the partitions and sizes, numbered from 0.
fn entries(files: &[(i32, i64)]) -> Vec<ManifestEntry> {
    let partition = |value: i32| {
        let types = [headwater_types::TypeKind::Int.into()];
        BinaryRow::from_datums(&types, &[Some(headwater_types::Datum::Int(value))]).unwrap()
    };
    (0..)
        .zip(files)
        .map(|(number, (value, size))| ManifestEntry {
            kind: FileKind::Add,
            partition: partition(*value),
            bucket: 0,
            total_buckets: -1,
            file: file(number, *size),
        })
        .collect()
}

fn numbers(groups: &[Group]) -> Vec<Vec<i64>> {
    let of = |files: &[DataFileMeta]| files.iter().map(|file| file.min_sequence_number).collect();
    groups.iter().map(|(_, files)| of(files)).collect()
}

#[test]
fn groups_hold_small_files_of_one_partition() {
    for (files, groups) in [
        (vec![], vec![]),
        (vec![(1, 5), (1, 5)], vec![]),
        (vec![(1, 5), (1, 3), (1, 4)], vec![vec![1, 2, 0]]),
        // Files of the target's size stay as they are.
        (vec![(1, 5), (1, 70), (1, 3), (1, 4)], vec![vec![2, 3, 0]]),
        (vec![(1, 5), (2, 3), (1, 4), (2, 3)], vec![]),
        (vec![(2, 5), (1, 3), (2, 4), (1, 3), (1, 2), (2, 1)], vec![vec![4, 1, 3], vec![5, 2, 0]]),
        // 60 + 10 and three of them pass twice the target; the rest is too little.
        (vec![(1, 60), (1, 60), (1, 60), (1, 60)], vec![vec![0, 1, 2]]),
    ] {
        assert_eq!(numbers(&coordinator(100).plan(entries(&files))), groups, "{files:?}");
    }
}

#[test]
fn files_left_over_by_a_round_wait_for_the_next() {
    let files = [(1, 5), (1, 5), (1, 5), (1, 5)];
    assert_eq!(numbers(&coordinator(2).plan(entries(&files))), [[0, 1, 2, 3]]);
    // After so many rounds two files are put together, too.
    let mut rounds = vec![(1, 5), (1, 5)];
    rounds.extend((2..8).map(|partition| (partition, 5)));
    assert_eq!(numbers(&coordinator(1).plan(entries(&rounds))), [[0, 1]]);
}
