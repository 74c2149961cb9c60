//! Reading and compacting a table of ten commits over half as many keys as rows.

use futures::TryStreamExt;
use headwater_table::Table;
use headwater_types::{DataType, Datum, Leaf, LeafTest, Predicate, TypeKind};

use super::upsert;
use crate::Outcome;
use crate::case::Place;
use crate::checks::Checks;
use crate::data::{self, Keys};
use crate::measure::{Clock, Measured};
use crate::tables::{self, COMMITS, commit_rows};

/// What `scan-filter` looks for: a hundredth of the rows, spread over all files.
const CATEGORY: i32 = 7;

fn keys(rows: u64) -> Keys {
    Keys::Even(rows / 2)
}

pub(super) async fn prepare(place: &Place, compacted: bool, filtered: bool) -> Outcome<Checks> {
    let options = [("bucket", "2"), ("write-only", "true")];
    let table = tables::create(place, &[], &["id"], &options, true).await?;
    let batch = |commit| data::batch(commit_rows(place.rows, commit), keys(place.rows)).map(|batch| vec![batch]);
    upsert::stream(&table, (0..COMMITS).map(batch).collect::<Result<_, _>>()?).await?;
    if compacted {
        table.compact_all(true, &[]).await?;
        list_files(&table, place).await?;
    }
    Ok(match filtered {
        true => Checks::of_filtered(place.rows, keys(place.rows), CATEGORY),
        false => Checks::of_upserts(place.rows, keys(place.rows)),
    })
}

/// For engines that read the Parquet files as such.
async fn list_files(table: &Table, place: &Place) -> Outcome {
    let plan = table.scan().plan().await?;
    let paths = table.paths()?;
    let mut lines = String::new();
    for split in &plan.splits {
        let dir = table.io().full_path(&paths.bucket_dir(&split.partition, split.bucket)?);
        for file in &split.files {
            lines.push_str(&format!("{dir}/{}\n", file.file_name));
        }
    }
    Ok(std::fs::write(place.live(), lines)?)
}

/// Of a table whose files have to be merged, the rows stored count, otherwise those returned.
pub(super) async fn measure(place: &Place, merges: bool) -> Outcome<Measured> {
    // The files are in the page cache then, as they are for the engines that come after.
    tables::read_back(&tables::open(place).await?).await?;
    let table = tables::open(place).await?;
    let clock = Clock::start();
    let checks = tables::read_back(&table).await?;
    Ok(Measured::new(if merges { place.rows } else { checks.rows }, &clock).checked(&checks))
}

pub(super) async fn measure_filter(place: &Place) -> Outcome<Measured> {
    let filter = Predicate::Leaf(Leaf {
        column: "category".to_owned(),
        data_type: DataType::new(TypeKind::Int, true),
        test: LeafTest::Equal(Datum::Int(CATEGORY)),
    });
    filtered(&tables::open(place).await?, &filter).await?;
    let table = tables::open(place).await?;
    let clock = Clock::start();
    let checks = filtered(&table, &filter).await?;
    Ok(Measured::new(place.rows, &clock).checked(&checks))
}

async fn filtered(table: &Table, filter: &Predicate) -> Outcome<Checks> {
    let plan = table.scan().filter(filter.clone()).plan().await?;
    let mut rows = table.read(&plan).columns(&["id", "amount"])?.filter(filter.clone()).all()?;
    let mut checks = Checks::default();
    while let Some(batch) = rows.try_next().await? {
        checks.add(&batch);
    }
    Ok(checks)
}

pub(super) async fn measure_compaction(place: &Place) -> Outcome<Measured> {
    let table = tables::open(place).await?;
    let clock = Clock::start();
    let report = table.compact_all(true, &[]).await?;
    let measured = Measured::new(place.rows, &clock);
    let measured = measured.with("bytes_before", report.bytes_before).with("bytes_after", report.bytes_after);
    upsert::read_back(&table, measured).await
}
