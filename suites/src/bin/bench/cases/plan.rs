//! Metadata: planning one partition among ten thousand files, and many small commits.

use std::time::Instant;

use headwater_table::{ScanPlan, Table};
use headwater_types::{DataType, Datum, Leaf, LeafTest, Predicate, TypeKind};

use super::upsert;
use crate::Outcome;
use crate::case::Place;
use crate::checks::Checks;
use crate::data::{self, Keys, Row};
use crate::measure::{Clock, Measured, percentile_ms};
use crate::tables;

/// The partition that is planned, of fifty.
const CITY: u64 = 17;
const BUCKETS: u64 = 20;
const FILES_OF_COMMIT: u64 = BUCKETS * data::CITIES;
/// Enough that every bucket of every partition gets some.
const ROWS_OF_COMMIT: u64 = 20 * FILES_OF_COMMIT;
const PLANS: usize = 21;

/// What has to be planned: files, and rows in them.
pub(super) async fn prepare_planning(place: &Place) -> Outcome<String> {
    let buckets = BUCKETS.to_string();
    let options = [("bucket", buckets.as_str()), ("write-only", "true")];
    let table = tables::create(place, &["city"], &["city", "id"], &options, false).await?;
    let commits = place.rows / FILES_OF_COMMIT;
    let committer = table.committer_as("bench")?;
    let mut writer = table.stream_writer_as("bench")?;
    for commit in 0..commits {
        let numbers = commit * ROWS_OF_COMMIT..(commit + 1) * ROWS_OF_COMMIT;
        writer.write(data::batch(numbers, Keys::Unique)?).await?;
        let messages = writer.prepare_commit(false).await?;
        committer.commit(i64::try_from(commit)? + 1, messages, None).await?;
    }
    writer.close().await?;
    let rows = (0..commits * ROWS_OF_COMMIT).filter(|number| Row::numbered(*number, Keys::Unique).city == CITY).count();
    Ok(format!("{}/{rows}", commits * BUCKETS))
}

/// The median of plans, each by a table handle of its own: nothing is cached.
pub(super) async fn measure_planning(place: &Place) -> Outcome<Measured> {
    let mut times = Vec::new();
    let clock = Clock::start();
    let mut last = None;
    for _ in 0..PLANS {
        let started = Instant::now();
        let table = tables::open(place).await?;
        let plan = plan(&table).await?;
        times.push(started.elapsed());
        last = Some((table, plan));
    }
    let mut measured = Measured::new(place.rows, &clock);
    measured.seconds = percentile_ms(&times, 50) / 1000.0;
    let Some((table, first)) = last else { return Ok(measured) };
    let started = Instant::now();
    plan(&table).await?;
    let again = started.elapsed().as_secs_f64();
    let files = || first.splits.iter().flat_map(|split| &split.files);
    measured.checks = format!("{}/{}", files().count(), files().map(|file| file.row_count).sum::<i64>());
    Ok(measured.with("again_seconds", again))
}

async fn plan(table: &Table) -> Outcome<ScanPlan> {
    let filter = Predicate::Leaf(Leaf {
        column: "city".to_owned(),
        data_type: DataType::new(TypeKind::STRING, true),
        test: LeafTest::Equal(Datum::String(format!("city-{CITY}"))),
    });
    Ok(table.scan().filter(filter).plan().await?)
}

/// Rows of each small commit.
const SMALL: u64 = 100;

fn keys(commits: u64) -> Keys {
    Keys::Skewed(commits * SMALL / 10)
}

pub(super) fn prepare_commits(place: &Place) -> Outcome<String> {
    let rows = Place { rows: place.rows * SMALL, ..place.clone() };
    tables::write_inputs(&rows, keys(place.rows))?;
    Ok(Checks::of_upserts(rows.rows, keys(place.rows)).to_string())
}

pub(super) async fn measure_commits(place: &Place, durable: bool) -> Outcome<Measured> {
    let table = tables::create(place, &[], &["id"], &[("bucket", "1")], durable).await?;
    let mut writer = table.stream_writer_as("bench")?;
    let committer = table.committer_as("bench")?;
    let mut times = Vec::new();
    let clock = Clock::start();
    for commit in 0..place.rows {
        let rows = data::batch(commit * SMALL..(commit + 1) * SMALL, keys(place.rows))?;
        let started = Instant::now();
        writer.write(rows).await?;
        let messages = writer.prepare_commit(false).await?;
        committer.commit(i64::try_from(commit)? + 1, messages, None).await?;
        times.push(started.elapsed());
    }
    writer.close().await?;
    let hundred = times.len().min(100);
    let (first, last) = (times.get(..hundred), times.get(times.len() - hundred..));
    let median = |part: Option<&[_]>| percentile_ms(part.unwrap_or_default(), 50);
    let measured = Measured::new(place.rows, &clock)
        .with("first_hundred_ms", median(first))
        .with("last_hundred_ms", median(last))
        .with("p99_ms", percentile_ms(&times, 99));
    upsert::read_back(&table, measured).await
}
