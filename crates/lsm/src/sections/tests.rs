use proptest::prelude::*;

use super::*;
use crate::testing::{file, int_keys};

/// `"1-2 3-4"` to sections, each run as `{1-2,3-4}`.
fn partition(text: &str) -> String {
    let files = text.split_whitespace().map(|word| {
        let (min, max) = word.split_once('-').unwrap();
        file(word, 0, min.parse().unwrap(), max.parse().unwrap(), 1, 0)
    });
    let run = |run: &SortedRun| {
        format!("{{{}}}", run.files.iter().map(|f| f.file_name.as_str()).collect::<Vec<_>>().join(","))
    };
    let section = |section: Section| format!("[{}]", section.runs.iter().map(run).collect::<String>());
    interval_partition(files.collect(), &int_keys()).into_iter().map(section).collect::<Vec<_>>().join(" ")
}

#[test]
fn partitions_as_the_reference_does() {
    assert_eq!(partition(""), "");
    assert_eq!(
        partition("1-2 3-4 5-180 5-190 200-600 210-700"),
        "[{1-2}] [{3-4}] [{5-180}{5-190}] [{200-600}{210-700}]"
    );
    assert_eq!(partition("1-10 5-6 7-9 11-12 10-10"), "[{1-10}{5-6,7-9,10-10}] [{11-12}]");
    assert_eq!(partition("1-1 1-1 2-3"), "[{1-1}{1-1}] [{2-3}]");
}

proptest! {
    #[test]
    fn sections_are_disjoint_and_runs_as_few_as_possible(
        ranges in prop::collection::vec((0_i32..100, 0_i32..30), 0..40)
    ) {
        let files: Vec<_> = ranges.iter().enumerate()
            .map(|(i, (min, len))| file(&format!("f{i}"), 0, *min, min + len, 1, 0)).collect();
        let sections = interval_partition(files, &int_keys());
        let keys = int_keys();
        let mut names: Vec<_> = sections.iter().flat_map(Section::files).map(|f| f.file_name.clone()).collect();
        names.sort();
        names.dedup();
        prop_assert_eq!(names.len(), ranges.len(), "every file once");
        for pair in sections.windows(2) {
            for left in pair[0].files() {
                for right in pair[1].files() {
                    prop_assert!(keys.compare(&left.max_key, &right.min_key).is_lt());
                }
            }
        }
        for section in &sections {
            for run in &section.runs {
                for pair in run.files.windows(2) {
                    prop_assert!(keys.compare(&pair[0].max_key, &pair[1].min_key).is_lt());
                }
            }
            let depth = section.files().map(|at| {
                section.files().filter(|f| keys.compare(&f.min_key, &at.min_key).is_le()
                    && keys.compare(&at.min_key, &f.max_key).is_le()).count()
            }).max().unwrap_or(0);
            prop_assert_eq!(section.runs.len(), depth);
        }
    }
}
