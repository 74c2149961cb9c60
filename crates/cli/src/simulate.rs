//! `headwater simulate`: compaction under a workload, without data.

use std::collections::BTreeMap;

use headwater_lsm::{
    CompactStrategy, KeyPattern, RunView, SimulatedStep, SimulationReport, Simulator, TaskOptions, UniversalOptions,
    Workload,
};
use headwater_types::CoreOptions;
use headwater_types::options::validate_new;
use serde_json::json;

use crate::args::{Keys, SimulateArgs};
use crate::error::Result;
use crate::output::{Out, bar, bytes_text, counted};

const BAR_WIDTH: usize = 32;

pub(crate) fn run(args: &SimulateArgs, out: &mut Out) -> Result<()> {
    let mut map: BTreeMap<String, String> = args.options.iter().cloned().collect();
    map.entry("bucket".to_owned()).or_insert_with(|| "1".to_owned());
    validate_new(&map, true)?;
    let options = CoreOptions::from_map(&map)?;
    let simulator = Simulator::new(
        CompactStrategy::new(&options),
        UniversalOptions::new(&options),
        TaskOptions::new(&options),
        options.num_levels(),
    );
    let pattern = match args.pattern {
        Keys::Uniform => KeyPattern::Uniform,
        Keys::Ascending => KeyPattern::Ascending,
    };
    let workload = Workload::default()
        .with_flushes(args.commits)
        .with_rows(args.rows, args.row_bytes)
        .with_keys(args.keys, pattern);
    let report = simulator.run(&workload)?;
    let largest = report.steps.iter().flat_map(|step| by_level(&step.shape).into_values()).map(|l| l.1).max();
    for step in report.steps.iter().filter(|step| step.flush.is_multiple_of(args.every) || step.flush == args.commits) {
        draw(step, largest.unwrap_or(0), out)?;
    }
    total(&report, out)
}

/// Runs and bytes of each level.
fn by_level(shape: &[RunView]) -> BTreeMap<u32, (u64, u64)> {
    let mut levels: BTreeMap<u32, (u64, u64)> = BTreeMap::new();
    for run in shape {
        let level = levels.entry(run.level).or_default();
        level.0 += 1;
        level.1 += run.size_bytes;
    }
    levels
}

fn draw(step: &SimulatedStep, largest: u64, out: &mut Out) -> Result<()> {
    let levels = by_level(&step.shape);
    let shape: Vec<_> =
        levels.iter().map(|(level, (runs, bytes))| json!({"level": level, "runs": runs, "bytes": bytes})).collect();
    let compactions: Vec<_> = step
        .compactions
        .iter()
        .map(|c| {
            json!({"why": format!("{:?}", c.why), "runs": c.runs, "outputLevel": c.output_level,
                   "readBytes": c.read_bytes, "writtenBytes": c.written_bytes, "upgradedFiles": c.upgraded_files})
        })
        .collect();
    out.object(&json!({"commit": step.flush, "levels": shape, "compactions": compactions}))?;
    out.say(&format!("after commit {}", step.flush))?;
    for (level, (runs, bytes)) in levels {
        out.say(&format!(
            "  L{level} {:<BAR_WIDTH$} {:>10}  {}",
            bar(bytes, largest, BAR_WIDTH),
            bytes_text(bytes),
            counted(runs, "run")
        ))?;
    }
    for compaction in &step.compactions {
        out.say(&format!(
            "  {:?}: {} runs to L{}, {} read, {} written",
            compaction.why,
            compaction.runs,
            compaction.output_level,
            bytes_text(compaction.read_bytes),
            bytes_text(compaction.written_bytes)
        ))?;
    }
    Ok(())
}

fn total(report: &SimulationReport, out: &mut Out) -> Result<()> {
    let mut reasons: BTreeMap<String, u64> = BTreeMap::new();
    for compaction in report.steps.iter().flat_map(|step| &step.compactions) {
        *reasons.entry(format!("{:?}", compaction.why)).or_default() += 1;
    }
    let amplification = report.write_amplification();
    out.object(&json!({
        "flushedBytes": report.flushed_bytes, "compactedBytes": report.compacted_bytes,
        "writeAmplification": amplification, "maxRuns": report.max_runs, "compactions": reasons,
    }))?;
    out.say("")?;
    for (reason, count) in &reasons {
        out.say(&format!("{count:>6} compactions by {reason}"))?;
    }
    out.say(&format!(
        "write amplification {amplification:.2}: {} flushed, {} written by compaction; a reader merged {} runs at most",
        bytes_text(report.flushed_bytes),
        bytes_text(report.compacted_bytes),
        report.max_runs
    ))
}
