use super::*;
use crate::testing::file;

const OPTIONS: AppendCompactOptions =
    AppendCompactOptions { min_files: 3, target_size: 100, small_size: 70, force_rewrite: false };

/// Files of these sizes, numbered by their sequence.
fn queue(options: AppendCompactOptions, sizes: &[i64]) -> AppendQueue {
    let files = (0..).zip(sizes).map(|(number, size)| file(number, *size));
    AppendQueue::new(options, files.rev_order())
}

trait RevOrder {
    fn rev_order(self) -> Vec<DataFileMeta>;
}

impl<I: Iterator<Item = DataFileMeta>> RevOrder for I {
    /// The queue has to bring files in order itself.
    fn rev_order(self) -> Vec<DataFileMeta> {
        let mut files: Vec<_> = self.collect();
        files.reverse();
        files
    }
}

fn numbers(picked: Option<Vec<DataFileMeta>>) -> Option<Vec<i64>> {
    picked.map(|files| files.iter().map(|file| file.min_sequence_number).collect())
}

#[test]
fn a_compaction_starts_when_enough_files_lie_in_a_row() {
    for (sizes, picked, left) in [
        (vec![], None, vec![]),
        (vec![1, 1], None, vec![0, 1]),
        (vec![1, 1, 1], Some(vec![0, 1, 2]), vec![]),
        (vec![1, 1, 1, 1], Some(vec![0, 1, 2]), vec![3]),
        // Two files that reach twice the target: the older one is left alone for good.
        (vec![150, 60, 1, 1], Some(vec![1, 2, 3]), vec![]),
        (vec![150, 60], None, vec![1]),
        (vec![250, 1, 1], None, vec![1, 2]),
    ] {
        let mut queue = queue(OPTIONS, &sizes);
        assert_eq!(numbers(queue.pick()), picked, "{sizes:?}");
        assert_eq!(numbers(Some(queue.waiting)), Some(left), "{sizes:?}");
    }
}

#[test]
fn a_full_compaction_wants_more_small_files_than_large_ones() {
    let force = AppendCompactOptions { force_rewrite: true, ..OPTIONS };
    for (options, sizes, picked) in [
        (OPTIONS, vec![1, 1], None),
        (OPTIONS, vec![1, 1, 1], Some(vec![0, 1, 2])),
        (OPTIONS, vec![70, 1, 1, 1], Some(vec![1, 2, 3])),
        (OPTIONS, vec![70, 1, 1], None),
        (OPTIONS, vec![1, 70, 1], Some(vec![0, 1, 2])),
        (OPTIONS, vec![1, 70, 70], None),
        (OPTIONS, vec![1, 70, 70, 1], None),
        (force, vec![], None),
        (force, vec![500], Some(vec![0])),
    ] {
        assert_eq!(numbers(queue(options, &sizes).pick_full()), picked, "{sizes:?}");
    }
}

#[test]
fn a_result_that_is_still_small_waits_for_more() {
    let mut queue = queue(OPTIONS, &[1, 1, 1, 1]);
    assert!(queue.pick().is_some());
    queue.compacted(&[file(0, 100), file(2, 3)]);
    assert_eq!(numbers(Some(queue.waiting.clone())), Some(vec![2, 3]));
    queue.compacted(&[file(0, 70)]);
    assert_eq!(numbers(Some(queue.waiting)), Some(vec![2, 3]));
}

#[test]
fn small_is_a_share_of_the_target() {
    let options = CoreOptions::from_map(
        &[
            ("target-file-size".to_owned(), "10 mb".to_owned()),
            ("compaction.small-file-ratio".to_owned(), "0.5".to_owned()),
        ]
        .into(),
    )
    .unwrap();
    let options = AppendCompactOptions::new(&options);
    assert_eq!((options.target_size, options.small_size, options.min_files), (10 << 20, 5 << 20, 5));
}
