use proptest::prelude::*;

use super::*;
use crate::testing::{file, int_keys};
use crate::{PickInput, UniversalOptions, pick};

fn names(levels: &Levels) -> Vec<(u32, Vec<String>)> {
    levels.runs().iter().map(|r| (r.level, r.files.iter().map(|f| f.file_name.clone()).collect())).collect()
}

#[test]
fn level_0_is_newest_first_and_higher_levels_are_in_key_order() {
    let mut tied = file("b", 0, 1, 9, 10, 7);
    tied.min_sequence_number = 3;
    let files = vec![
        file("c", 2, 20, 30, 10, 1),
        file("a", 0, 1, 9, 10, 5),
        file("d", 2, 1, 19, 10, 2),
        file("e", 0, 1, 9, 10, 7),
        tied,
    ];
    let levels = Levels::from_files(files, 3, &int_keys()).unwrap();
    let expected = [(0, vec!["b"]), (0, vec!["e"]), (0, vec!["a"]), (2, vec!["d", "c"])]
        .map(|(level, names)| (level, names.into_iter().map(str::to_owned).collect::<Vec<_>>()));
    assert_eq!(names(&levels), expected);
    assert_eq!(levels.sorted_run_count(), 4);
    assert_eq!(levels.max_sequence(), 7);
    assert_eq!(levels.highest_non_empty(), Some(2));
    assert_eq!(levels.last_full_ms(), Some(1000));
    assert_eq!(levels.views().last().map(|v| (v.level, v.size_bytes, v.file_count)), Some((2, 20, 2)));
}

#[test]
fn there_are_as_many_levels_as_files_need() {
    let empty = Levels::from_files(Vec::new(), 1, &int_keys()).unwrap();
    assert_eq!((empty.num_levels(), empty.max_sequence(), empty.highest_non_empty()), (2, -1, None));
    assert_eq!(empty.full_unit(|_| true), None);
    let deep = Levels::from_files(vec![file("a", 7, 1, 2, 1, 0)], 3, &int_keys()).unwrap();
    assert_eq!(deep.num_levels(), 8);
    let kind = |level| Levels::from_files(vec![file("a", level, 1, 2, 1, 0)], 3, &int_keys()).unwrap_err().kind();
    assert_eq!((kind(-1), kind(i32::MAX)), (ErrorKind::Corrupt, ErrorKind::Corrupt));
}

#[test]
fn overlap_above_level_0_is_refused() {
    let files = vec![file("a", 1, 1, 5, 1, 0), file("b", 1, 5, 9, 1, 1)];
    let error = Levels::from_files(files, 3, &int_keys()).unwrap_err();
    assert_eq!(
        (error.kind(), error.context("file"), error.context("other")),
        (ErrorKind::Corrupt, Some("a"), Some("b"))
    );
}

#[test]
fn an_upgrade_moves_a_file_of_the_same_name() {
    let levels = Levels::from_files(vec![file("a", 0, 1, 2, 1, 0)], 3, &int_keys()).unwrap();
    let moved = levels.apply(&[file("a", 0, 1, 2, 1, 0)], vec![file("a", 2, 1, 2, 1, 0)]).unwrap();
    assert_eq!(names(&moved), [(2, vec!["a".to_owned()])]);
    assert_eq!(names(&levels), [(0, vec!["a".to_owned()])], "the old value stays");
    let twice = levels.apply(&[], vec![file("a", 2, 1, 2, 1, 0)]).unwrap_err();
    let missing = levels.apply(&[file("b", 0, 1, 2, 1, 0)], Vec::new()).unwrap_err();
    assert_eq!((twice.kind(), missing.kind()), (ErrorKind::InvalidInput, ErrorKind::InvalidInput));
}

#[test]
fn full_rewrites_only_what_needs_it_at_the_top() {
    let top = Levels::from_files(vec![file("a", 2, 1, 2, 1, 0), file("b", 2, 3, 4, 1, 0)], 3, &int_keys()).unwrap();
    assert_eq!(top.full_unit(|_| false), None);
    let unit = top.full_unit(|f| f.file_name == "b").unwrap();
    assert!(unit.rewrite_each);
    assert_eq!(unit.files.iter().map(|f| f.file_name.as_str()).collect::<Vec<_>>(), ["b"]);
    let mixed = top.apply(&[], vec![file("c", 0, 1, 9, 1, 5)]).unwrap();
    let unit = mixed.full_unit(|_| false).unwrap();
    assert_eq!((unit.rewrite_each, unit.files.len(), unit.output_level), (false, 3, 2));
}

proptest! {
    /// Flush and compact at random: runs stay ordered and disjoint, no row gets lost, the order of levels holds.
    #[test]
    fn picks_applied_keep_levels_in_order(flushes in prop::collection::vec((0_i32..50, 0_i32..20, 1_i64..500), 1..40)) {
        let mut levels = Levels::from_files(Vec::new(), 4, &int_keys()).unwrap();
        let options = UniversalOptions { trigger: 3, ..UniversalOptions::default() };
        let mut rows = 0;
        for (i, (min, len, size)) in (0..).zip(flushes) {
            let flushed = file(&format!("f{i}"), 0, min, min + len, size, i);
            rows += flushed.row_count;
            levels = levels.apply(&[], vec![flushed]).unwrap();
            loop {
                let views = levels.views();
                let input = PickInput {
                    runs: &views, num_levels: levels.num_levels(), busy: false, now_ms: 0, local_hour: 0, last_full_ms: None,
                };
                let Some(unit) = levels.unit(&pick(&options, &input)) else { break };
                let min = unit.files.iter().min_by(|a, b| int_keys().compare(&a.min_key, &b.min_key)).unwrap();
                let max = unit.files.iter().max_by(|a, b| int_keys().compare(&a.max_key, &b.max_key)).unwrap();
                let mut merged = min.clone();
                merged.file_name = format!("c{i}-{}", unit.output_level);
                merged.max_key = max.max_key.clone();
                merged.row_count = unit.files.iter().map(|f| f.row_count).sum();
                merged.file_size = unit.files.iter().map(|f| f.file_size).sum();
                merged.max_sequence_number = unit.files.iter().map(|f| f.max_sequence_number).max().unwrap();
                merged.level = i32::try_from(unit.output_level).unwrap();
                levels = levels.apply(&unit.files, vec![merged]).unwrap();
            }
            prop_assert_eq!(levels.files().map(|f| f.row_count).sum::<i64>(), rows);
            prop_assert!(levels.sorted_run_count() <= 4);
            prop_assert_eq!(levels.max_sequence(), i);
            let order: Vec<u32> = levels.runs().iter().map(|r| r.level).collect();
            prop_assert!(order.is_sorted());
        }
    }
}
