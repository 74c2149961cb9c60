use super::*;

fn simulator(strategy: CompactStrategy) -> Simulator {
    Simulator::new(strategy, UniversalOptions::default(), TaskOptions::default(), 6)
}

#[test]
fn without_compaction_nothing_is_rewritten() {
    let report = simulator(CompactStrategy::None).run(&Workload::default().with_flushes(10)).unwrap();
    assert!((report.write_amplification() - 1.0).abs() < 1e-9);
    assert_eq!(report.max_runs, 10);
    assert_eq!(report.steps.last().map(|s| s.shape.len()), Some(10));
}

#[test]
fn universal_compaction_bounds_runs_and_amplification() {
    let workload = Workload::default().with_flushes(300).with_keys(5_000_000, KeyPattern::Uniform);
    let report = simulator(CompactStrategy::Universal).run(&workload).unwrap();
    assert!(report.max_runs <= 7, "{} runs", report.max_runs);
    assert!((2.0..20.0).contains(&report.write_amplification()), "{}", report.write_amplification());
    let stored: u64 = report.steps.last().unwrap().shape.iter().map(|run| run.size_bytes).sum();
    assert!(stored < 3 * 5_000_000 * 100, "space stays within the amplification bound: {stored}");
    assert_eq!(simulator(CompactStrategy::Universal).run(&workload).unwrap(), report, "nothing is random");
}

#[test]
fn lookup_tables_empty_level_0_each_time() {
    let strategy = CompactStrategy::ForceUpLevel0 { max_interval: None };
    let report = simulator(strategy).run(&Workload::default().with_flushes(50)).unwrap();
    assert!(report.steps.iter().all(|step| step.shape.iter().all(|run| run.level > 0)));
    let universal = simulator(CompactStrategy::Universal).run(&Workload::default().with_flushes(50)).unwrap();
    assert!(report.write_amplification() > universal.write_amplification());
}

#[test]
fn large_files_of_ascending_keys_are_only_moved() {
    let workload = Workload::default().with_flushes(40).with_rows(1_000_000, 200).with_keys(0, KeyPattern::Ascending);
    let report = simulator(CompactStrategy::Universal).run(&workload).unwrap();
    assert!((report.write_amplification() - 1.0).abs() < 1e-9, "{}", report.write_amplification());
    assert!(report.steps.iter().flat_map(|s| &s.compactions).any(|c| c.upgraded_files > 0));
    let rows: u64 = report.steps.last().unwrap().shape.iter().map(|run| run.size_bytes).sum();
    assert_eq!(rows, 40 * 1_000_000 * 200);
}
