use headwater_metadata::DataFileMeta;

use super::*;
use crate::testing::{file, int_keys};

const BIG: i64 = 93_952_409;

fn never(_: &DataFileMeta) -> bool {
    false
}

fn full(files: Vec<DataFileMeta>, options: &TaskOptions, expired: &dyn Fn(&DataFileMeta) -> bool) -> CompactTask {
    let levels = Levels::from_files(files, 6, &int_keys()).unwrap();
    let unit = levels.full_unit(|_| true).unwrap();
    plan_task(&levels, unit, options, expired)
}

/// `rewrite a+b|c; rewrite d; upgrade e`
fn show(task: &CompactTask) -> String {
    let section = |s: &Section| s.files().map(|f| f.file_name.as_str()).collect::<Vec<_>>().join("+");
    let rewrites = task
        .rewrites
        .iter()
        .map(|sections| format!("rewrite {}", sections.iter().map(section).collect::<Vec<_>>().join("|")));
    let upgrades = task.upgrades.iter().map(|f| format!("upgrade {}", f.file_name));
    rewrites.chain(upgrades).collect::<Vec<_>>().join("; ")
}

#[test]
fn small_neighbours_and_overlaps_are_merged_and_large_files_upgraded() {
    let task = full(
        vec![
            file("a", 0, 1, 2, 10, 0),
            file("b", 0, 3, 4, 10, 1),
            file("big", 0, 5, 8, BIG, 2),
            file("c", 0, 10, 20, BIG, 3),
            file("d", 0, 15, 25, BIG, 4),
            file("e", 0, 30, 31, 10, 5),
        ],
        &TaskOptions::default(),
        &never,
    );
    assert_eq!(show(&task), "rewrite a|b; rewrite c+d|e; upgrade big");
    assert_eq!(task.output_level, 5);
    assert!(task.drop_delete);
    assert_eq!(task.upgraded().map(|f| (f.file_name, f.level)).collect::<Vec<_>>(), [("big".to_owned(), 5)]);
    assert_eq!(task.rewritten().count(), 5);
}

#[test]
fn the_size_that_is_small_is_cut_as_the_reference_cuts_it() {
    let options = TaskOptions::default();
    let files = |size| vec![file("a", 0, 1, 2, size, 0), file("b", 0, 3, 4, size, 1)];
    assert_eq!(show(&full(files(BIG - 1), &options, &never)), "rewrite a|b");
    assert_eq!(show(&full(files(BIG), &options, &never)), "upgrade a; upgrade b");
}

#[test]
fn a_single_small_file_is_upgraded_unless_it_holds_retractions() {
    let options = TaskOptions::default();
    assert_eq!(show(&full(vec![file("a", 0, 1, 2, 10, 0)], &options, &never)), "upgrade a");
    for count in [Some(1), None] {
        let retractions = DataFileMeta { delete_row_count: count, ..file("a", 0, 1, 2, 10, 0) };
        assert_eq!(show(&full(vec![retractions.clone()], &options, &never)), "rewrite a");
        let levels = Levels::from_files(vec![retractions.clone(), file("z", 5, 1, 9, 100, 0)], 6, &int_keys()).unwrap();
        let unit = CompactUnit {
            files: vec![retractions],
            output_level: 4,
            rewrite_each: false,
            why: PickReason::ForceUpLevel0,
        };
        let task = plan_task(&levels, unit, &options, &never);
        assert_eq!((show(&task).as_str(), task.drop_delete), ("upgrade a", false), "below the top they stay");
    }
}

#[test]
fn expiry_and_force_turn_upgrades_into_rewrites() {
    let forced = TaskOptions { force_rewrite_all: true, ..TaskOptions::default() };
    assert_eq!(show(&full(vec![file("a", 0, 1, 2, 10, 0)], &forced, &never)), "rewrite a");
    let expired = |f: &DataFileMeta| f.file_name == "a";
    let files = vec![file("a", 0, 1, 2, BIG, 0), file("b", 0, 3, 4, BIG, 0)];
    assert_eq!(show(&full(files, &TaskOptions::default(), &expired)), "rewrite a; upgrade b");
}

#[test]
fn files_at_the_top_are_rewritten_alone() {
    let task = full(vec![file("a", 5, 1, 2, 10, 0), file("b", 5, 3, 4, 10, 0)], &TaskOptions::default(), &never);
    assert_eq!(show(&task), "rewrite a; rewrite b");
}

#[test]
fn files_at_the_output_level_that_need_nothing_stay() {
    let levels = Levels::from_files(
        vec![file("a", 0, 1, 2, 10, 9), file("b", 5, 1, 9, BIG, 0), file("c", 5, 20, 29, BIG, 0)],
        6,
        &int_keys(),
    )
    .unwrap();
    let unit = levels.full_unit(|_| false).unwrap();
    assert_eq!(show(&plan_task(&levels, unit, &TaskOptions::default(), &never)), "rewrite a+b");
}

#[test]
fn retractions_are_dropped_when_nothing_lies_below() {
    let levels = |files| Levels::from_files(files, 6, &int_keys()).unwrap();
    let deep = levels(vec![file("a", 0, 1, 2, 10, 9), file("b", 5, 1, 9, BIG, 0)]);
    let flat = levels(vec![file("a", 0, 1, 2, 10, 9)]);
    let plain = TaskOptions::default();
    let vectors = TaskOptions { deletion_vectors: true, ..TaskOptions::default() };
    let chain = TaskOptions { chain_table: true, ..TaskOptions::default() };
    for (levels, level, options, expected) in [
        (&deep, 5, &plain, true),
        (&deep, 4, &plain, false),
        (&deep, 4, &vectors, true),
        (&deep, 0, &vectors, false),
        (&deep, 5, &chain, false),
        (&flat, 1, &plain, true),
        (&flat, 0, &plain, false),
    ] {
        assert_eq!(drop_delete(levels, level, options), expected, "to {level}");
    }
}
