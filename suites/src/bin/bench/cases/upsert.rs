//! Upserts over a tenth as many keys, in ten commits of one streaming writer.

use std::time::Instant;

use arrow_array::RecordBatch;
use headwater_table::Table;

use crate::Outcome;
use crate::case::Place;
use crate::checks::Checks;
use crate::data::Keys;
use crate::measure::{Clock, Measured};
use crate::tables::{self, COMMITS};

/// The keys of a case with that many rows.
pub(super) fn keys(rows: u64) -> Keys {
    Keys::Skewed(rows / 10)
}

pub(super) fn prepare(place: &Place) -> Outcome<Checks> {
    tables::write_inputs(place, keys(place.rows))?;
    Ok(Checks::of_upserts(place.rows, keys(place.rows)))
}

pub(super) async fn measure(place: &Place, compact: bool, durable: bool, thin: bool) -> Outcome<Measured> {
    let (write_only, thin) = ((!compact).to_string(), thin.to_string());
    let options = [("bucket", "2"), ("write-only", write_only.as_str()), ("data-file.thin-mode", thin.as_str())];
    let table = tables::create(place, &[], &["id"], &options, durable).await?;
    let inputs = (0..COMMITS).map(|commit| tables::read_input(place, commit)).collect::<Outcome<Vec<_>>>()?;
    let clock = Clock::start();
    stream(&table, inputs).await?;
    let measured = Measured::new(place.rows, &clock);
    read_back(&table, measured).await
}

/// One streaming writer, one commit per input; waits for what is still being compacted at the end.
pub(super) async fn stream(table: &Table, inputs: Vec<Vec<RecordBatch>>) -> Outcome {
    let mut writer = table.stream_writer_as("bench")?;
    let committer = table.committer_as("bench")?;
    for (identifier, batches) in (1..).zip(inputs) {
        for batch in batches {
            writer.write(batch).await?;
        }
        let messages = writer.prepare_commit(identifier == i64::try_from(COMMITS)?).await?;
        committer.commit(identifier, messages, None).await?;
    }
    Ok(writer.close().await?)
}

/// Checks what was written, and says how long reading it takes and how many files it lies in.
pub(super) async fn read_back(table: &Table, measured: Measured) -> Outcome<Measured> {
    let started = Instant::now();
    let checks = tables::read_back(table).await?;
    let seconds = started.elapsed().as_secs_f64();
    let plan = table.scan().plan().await?;
    let files: usize = plan.splits.iter().map(|split| split.files.len()).sum();
    let bytes: u64 = plan.splits.iter().map(|split| split.size_bytes()).sum();
    Ok(measured.checked(&checks).with("read_back_seconds", seconds).with("files", files).with("file_bytes", bytes))
}
