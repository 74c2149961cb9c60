use std::time::Duration;

use proptest::prelude::*;

use super::*;

/// `"L0:1 L0:2 L5:100"`, newest first, one file per run.
fn runs(text: &str) -> Vec<RunView> {
    let run = |word: &str| {
        let (level, size) = word.trim_start_matches('L').split_once(':').unwrap();
        RunView { level: level.parse().unwrap(), size_bytes: size.parse().unwrap(), file_count: 1 }
    };
    text.split_whitespace().map(run).collect()
}

fn input(runs: &[RunView]) -> PickInput<'_> {
    PickInput { runs, num_levels: 6, busy: false, now_ms: 1_000_000, local_hour: 12, last_full_ms: None }
}

/// `"none"` or `"<level> <runs> <rule>"`.
fn show(pick: &Pick) -> String {
    match pick {
        Pick::Nothing => "none".to_owned(),
        Pick::Unit { runs, output_level, why } => {
            assert_eq!(runs.start, 0, "units start at the newest run");
            format!("L{output_level} {} {why:?}", runs.end)
        }
    }
}

#[track_caller]
fn check(options: &UniversalOptions, text: &str, expected: &str) {
    let runs = runs(text);
    assert_eq!(show(&pick(options, &input(&runs))), expected, "{text}");
}

#[test]
fn universal_picks_what_the_reference_picks() {
    let options = UniversalOptions::default();
    for (runs, expected) in [
        ("", "none"),
        ("L0:1", "none"),
        ("L0:1 L0:1 L0:1 L0:1 L0:1", "L5 5 SizeAmplification"),
        ("L0:1 L0:1 L0:1 L0:1 L5:100", "L4 4 SizeRatio"),
        ("L0:50 L0:50 L0:60 L0:50 L5:100", "L5 5 SizeAmplification"),
        ("L0:1 L0:1 L0:1 L4:50 L5:1000", "L3 3 SizeRatio"),
        ("L0:1 L0:2 L3:5 L4:100 L5:1000", "none"),
        ("L0:1 L0:3 L0:9 L0:30 L0:100 L5:100000", "L5 6 RunCount"),
        ("L0:1 L1:3 L2:9 L3:30 L4:100 L5:100000", "L1 2 RunCount"),
        ("L0:9 L0:1 L1:100 L2:1000 L3:9000 L5:100000", "L1 3 SizeRatio"),
    ] {
        check(&options, runs, expected);
    }
}

#[test]
fn force_up_level_0_picks_what_the_reference_picks() {
    let options = UniversalOptions::default();
    for (text, expected) in [
        ("L0:1", "L5 1 ForceUpLevel0"),
        ("L0:1 L5:100", "L4 1 ForceUpLevel0"),
        ("L0:1 L4:1 L5:100", "L4 2 ForceUpLevel0"),
        ("L0:1 L1:50 L5:1000", "L4 2 ForceUpLevel0"),
        ("L0:1 L1:50 L2:51 L5:1000", "L4 3 ForceUpLevel0"),
        ("L0:1 L1:50 L2:60 L5:1000", "L1 2 ForceUpLevel0"),
        ("L0:1 L2:100 L5:1000", "L1 1 ForceUpLevel0"),
        ("L1:5 L5:100", "none"),
        ("L0:1 L0:1 L5:100", "L4 2 ForceUpLevel0"),
        ("L0:1 L0:1 L0:1 L0:1 L5:100", "L4 4 SizeRatio"),
        ("L0:1 L0:1 L0:1 L0:1 L0:1", "L5 5 SizeAmplification"),
    ] {
        let runs = runs(text);
        assert_eq!(show(&force_up_level_0(&options, &input(&runs), None, &mut 0)), expected, "{text}");
    }
}

#[test]
fn gentle_lookup_waits_for_its_interval() {
    let runs = runs("L0:1 L5:100");
    let mut misses = 0;
    let picks: Vec<String> = (0..7)
        .map(|_| show(&force_up_level_0(&UniversalOptions::default(), &input(&runs), Some(3), &mut misses)))
        .collect();
    let up = "L4 1 ForceUpLevel0";
    assert_eq!(picks, ["none", "none", up, "none", "none", up, "none"]);
}

#[test]
fn early_full_compaction_comes_first() {
    let interval =
        UniversalOptions { optimization_interval: Some(Duration::from_millis(500)), ..UniversalOptions::default() };
    check(&interval, "L0:1 L5:100", "L5 2 OptimizationInterval");
    check(&interval, "L5:100", "none");
    let two = runs("L0:1 L5:100");
    for (last, expected) in [(999_500, "none"), (999_499, "L5 2 OptimizationInterval")] {
        let input = PickInput { last_full_ms: Some(last), ..input(&two) };
        assert_eq!(show(&pick(&interval, &input)), expected, "last full compaction at {last}");
    }
    let total = UniversalOptions { total_size_threshold: Some(102), ..UniversalOptions::default() };
    check(&total, "L0:1 L5:100", "L5 2 TotalSize");
    check(&total, "L0:2 L5:100", "none");
    let incremental = UniversalOptions { incremental_size_threshold: Some(5), ..UniversalOptions::default() };
    check(&incremental, "L0:3 L3:3 L5:100", "L5 3 IncrementalSize");
    check(&incremental, "L0:3 L3:2 L5:100", "none");
}

#[test]
fn off_peak_hours_raise_the_ratio() {
    let five = runs("L0:10 L1:12 L2:100 L3:1000 L5:100000");
    for (start, end, hour, expected) in [
        (-1, -1, 2, "none"),
        (3, 3, 3, "none"),
        (1, 4, 0, "none"),
        (1, 4, 1, "L1 2 SizeRatio"),
        (1, 4, 3, "L1 2 SizeRatio"),
        (1, 4, 4, "none"),
        (22, 4, 23, "L1 2 SizeRatio"),
        (22, 4, 0, "L1 2 SizeRatio"),
        (22, 4, 12, "none"),
    ] {
        let options = UniversalOptions { off_peak: OffPeak::new(start, end, 20), ..UniversalOptions::default() };
        let input = PickInput { local_hour: hour, ..input(&five) };
        assert_eq!(show(&pick(&options, &input)), expected, "{start} to {end} at {hour}");
    }
}

#[test]
fn a_unit_that_changes_nothing_is_dropped() {
    let options = UniversalOptions { trigger: 1, ..UniversalOptions::default() };
    check(&options, "L5:10", "none");
    check(&options, "L4:10", "none");
    let interval = UniversalOptions { optimization_interval: Some(Duration::ZERO), ..options };
    check(&interval, "", "none");
    let many = [RunView { level: 5, size_bytes: 10, file_count: 2 }];
    assert_eq!(show(&pick(&options, &input(&many))), "none", "a run alone is no amplification");
}

#[test]
fn full_takes_everything_unless_it_is_at_the_top() {
    for (text, expected) in
        [("", "none"), ("L5:1", "none"), ("L4:1", "L5 1 Full"), ("L0:1", "L5 1 Full"), ("L0:1 L5:1", "L5 2 Full")]
    {
        let runs = runs(text);
        let pick = full(&input(&runs));
        assert_eq!(show(&pick), expected, "{text}");
        assert_eq!(pick.is_full(&input(&runs)), expected != "none", "{text}");
    }
}

#[test]
fn nothing_is_picked_while_a_compaction_runs() {
    let runs = runs("L0:1 L0:1 L0:1 L0:1 L0:1");
    let busy = PickInput { busy: true, ..input(&runs) };
    let options = UniversalOptions::default();
    assert_eq!(pick(&options, &busy), Pick::Nothing);
    assert_eq!(force_up_level_0(&options, &busy, None, &mut 0), Pick::Nothing);
    assert_eq!(full(&busy), Pick::Nothing);
}

#[test]
fn the_strategy_follows_the_options() {
    use std::collections::BTreeMap;
    for (options, expected) in [
        (vec![], CompactStrategy::Universal),
        (vec![("write-only", "true"), ("changelog-producer", "lookup")], CompactStrategy::None),
        (vec![("changelog-producer", "lookup")], CompactStrategy::ForceUpLevel0 { max_interval: None }),
        (vec![("deletion-vectors.enabled", "true")], CompactStrategy::ForceUpLevel0 { max_interval: None }),
        (vec![("merge-engine", "first-row")], CompactStrategy::ForceUpLevel0 { max_interval: None }),
        (vec![("compaction.force-up-level-0", "true")], CompactStrategy::ForceUpLevel0 { max_interval: None }),
        (
            vec![("force-lookup", "true"), ("lookup-compact", "gentle")],
            CompactStrategy::ForceUpLevel0 { max_interval: Some(10) },
        ),
        (
            vec![("force-lookup", "true"), ("lookup-compact", "gentle"), ("lookup-compact.max-interval", "2")],
            CompactStrategy::ForceUpLevel0 { max_interval: Some(5) },
        ),
    ] {
        let map: BTreeMap<String, String> = options.iter().map(|(k, v)| ((*k).to_owned(), (*v).to_owned())).collect();
        let parsed = CoreOptions::from_map(&map).unwrap();
        assert_eq!(CompactStrategy::new(&parsed), expected, "{options:?}");
    }
}

/// Runs as levels can have them: level 0 first, then rising levels.
fn any_runs() -> impl Strategy<Value = Vec<RunView>> {
    let sizes = prop::collection::vec(1_u64..2000, 0..9);
    let levels = prop::collection::btree_map(1_u32..6, 1_u64..50_000, 0..5);
    (sizes, levels).prop_map(|(level_0, higher)| {
        let view = |level, size_bytes| RunView { level, size_bytes, file_count: 1 };
        level_0
            .into_iter()
            .map(|size| view(0, size))
            .chain(higher.into_iter().map(|(level, size)| view(level, size)))
            .collect()
    })
}

proptest! {
    /// The laws that keep levels valid: a unit starts at the newest run, never ends in level 0, never lands on or
    /// beyond a run it did not take, and takes all runs of the level it lands on.
    #[test]
    fn picks_keep_the_levels_valid(runs in any_runs(), trigger in 1_u32..8, forced: bool) {
        let options = UniversalOptions { trigger, ..UniversalOptions::default() };
        let picked =
            if forced { force_up_level_0(&options, &input(&runs), None, &mut 0) } else { pick(&options, &input(&runs)) };
        if let Pick::Unit { runs: taken, output_level, .. } = picked {
            prop_assert_eq!(taken.start, 0);
            prop_assert!(taken.end >= 1 && taken.end <= runs.len());
            prop_assert!((1..6).contains(&output_level));
            for left in &runs[taken.end..] {
                prop_assert!(left.level > output_level, "run {:?} stays, output to {}", left, output_level);
            }
        }
    }

    /// Picking and applying comes to rest, and then there are no more runs than the trigger.
    #[test]
    fn picking_terminates(runs in any_runs(), trigger in 2_u32..8) {
        let options = UniversalOptions { trigger, ..UniversalOptions::default() };
        let mut runs = runs;
        for _ in 0..64 {
            let Pick::Unit { runs: taken, output_level, .. } = pick(&options, &input(&runs)) else {
                prop_assert!(runs.len() <= trigger as usize + 1);
                return Ok(());
            };
            let size_bytes = runs[taken.clone()].iter().map(|r| r.size_bytes).sum();
            let before = runs.len();
            runs.splice(taken, [RunView { level: output_level, size_bytes, file_count: 1 }]);
            prop_assert!(runs.len() < before || before == 1);
        }
        prop_assert!(false, "still picking");
    }
}
