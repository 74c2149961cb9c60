//! What Headwater does in each case. `suites/bench/peers.py` holds the same for the others.

mod append;
mod memory;
mod plan;
mod scan;
mod upsert;

use std::fs;

use crate::Outcome;
use crate::case::{Case, Place};
use crate::measure::Measured;

/// Makes the data of a case, outside of every clock.
pub(crate) async fn prepare(case: &Case, place: &Place) -> Outcome {
    fs::create_dir_all(&place.dir)?;
    let expected = match case.name {
        "upsert-compact" | "upsert-write-only" => upsert::prepare(place)?.to_string(),
        "memory-write" => memory::prepare_write(place).to_string(),
        "memory-read" => memory::prepare_read(place).await?.to_string(),
        "scan-merge-on-read" | "full-compaction" => scan::prepare(place, false, false).await?.to_string(),
        "scan-filter" => scan::prepare(place, false, true).await?.to_string(),
        "scan-compacted" => scan::prepare(place, true, false).await?.to_string(),
        "planning" => plan::prepare_planning(place).await?,
        "commits" => plan::prepare_commits(place)?,
        "append" => append::prepare(place)?.to_string(),
        other => return Err(format!("nobody prepares {other}").into()),
    };
    fs::write(place.expected(), expected)?;
    Ok(())
}

/// Runs a case in this process.
pub(crate) async fn measure(case: &Case, engine: &str, place: &Place) -> Outcome<Measured> {
    let durable = engine != "headwater-nosync";
    let thin = engine == "headwater-thin";
    match case.name {
        "upsert-compact" => upsert::measure(place, true, durable, thin).await,
        "upsert-write-only" => upsert::measure(place, false, durable, thin).await,
        "memory-write" => memory::measure_write(place).await,
        "memory-read" => memory::measure_read(place).await,
        "scan-merge-on-read" => scan::measure(place, true).await,
        "scan-compacted" => scan::measure(place, false).await,
        "scan-filter" => scan::measure_filter(place).await,
        "full-compaction" => scan::measure_compaction(place).await,
        "planning" => plan::measure_planning(place).await,
        "commits" => plan::measure_commits(place, durable).await,
        "append" => append::measure(place, durable).await,
        other => Err(format!("nobody measures {other}").into()),
    }
}
