//! Far more rows than the memory budget: written, and read back merging ten runs a bucket.

use std::time::{Duration, Instant};

use crate::Outcome;
use crate::case::Place;
use crate::checks::Checks;
use crate::data::{Keys, batch};
use crate::measure::{Clock, Measured};
use crate::tables::{self, COMMITS, commit_rows};

/// Rows of a batch given to the writer.
const BATCH_ROWS: usize = 8192;

fn keys(rows: u64) -> Keys {
    Keys::Even(rows / 2)
}

pub(super) fn prepare_write(place: &Place) -> Checks {
    Checks::of_upserts(place.rows, keys(place.rows))
}

pub(super) async fn prepare_read(place: &Place) -> Outcome<Checks> {
    write(place).await?;
    Ok(prepare_write(place))
}

/// Batches are made as they are needed, so that only the writer holds rows; making them is not counted.
async fn write(place: &Place) -> Outcome<Duration> {
    let options = [("bucket", "2"), ("write-only", "true"), ("write-buffer-size", "64 mb")];
    let table = tables::create(place, &[], &["id"], &options, true).await?;
    let mut writer = table.stream_writer_as("bench")?;
    let committer = table.committer_as("bench")?;
    let mut making = Duration::ZERO;
    for commit in 0..COMMITS {
        let numbers = commit_rows(place.rows, commit);
        for start in numbers.clone().step_by(BATCH_ROWS) {
            let started = Instant::now();
            let rows = batch(start..numbers.end.min(start + BATCH_ROWS as u64), keys(place.rows))?;
            making += started.elapsed();
            writer.write(rows).await?;
        }
        let messages = writer.prepare_commit(false).await?;
        committer.commit(i64::try_from(commit)? + 1, messages, None).await?;
    }
    writer.close().await?;
    Ok(making)
}

pub(super) async fn measure_write(place: &Place) -> Outcome<Measured> {
    let clock = Clock::start();
    let making = write(place).await?;
    let mut measured = Measured::new(place.rows, &clock);
    measured.seconds -= making.as_secs_f64();
    let table = tables::open(place).await?;
    let checks = tables::read_back(&table).await?;
    Ok(measured.checked(&checks))
}

pub(super) async fn measure_read(place: &Place) -> Outcome<Measured> {
    let table = tables::open(place).await?;
    let plan = table.scan().plan().await?;
    let runs = plan.splits.iter().map(|split| split.files.len()).min().unwrap_or(0);
    if runs < usize::try_from(COMMITS)? {
        return Err(format!("a bucket has {runs} runs, which is too few to say anything").into());
    }
    let clock = Clock::start();
    let checks = tables::read_back(&table).await?;
    Ok(Measured::new(place.rows, &clock).checked(&checks).with("files_of_smallest_split", runs))
}
