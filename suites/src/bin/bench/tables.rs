//! The tables of the cases.

use std::collections::BTreeMap;
use std::fs::File;
use std::path::Path;

use arrow_array::RecordBatch;
use futures::TryStreamExt;
use headwater_io::{Env, FileIo};
use headwater_metadata::{Schema, SchemaStore};
use headwater_table::Table;
use parquet::arrow::ArrowWriter;
use parquet::arrow::arrow_reader::ParquetRecordBatchReaderBuilder;

use crate::case::Place;
use crate::checks::Checks;
use crate::{Outcome, data};

/// How many commits the rows of the writing cases come in.
pub(crate) const COMMITS: u64 = 10;

/// Makes a table with the columns of [`data::fields`]; without syncing when that is not asked for.
pub(crate) async fn create(
    place: &Place,
    partitions: &[&str],
    keys: &[&str],
    options: &[(&str, &str)],
    durable: bool,
) -> Outcome<Table> {
    let names = |names: &[&str]| names.iter().map(|name| (*name).to_owned()).collect::<Vec<_>>();
    let options = options.iter().map(|(k, v)| ((*k).to_owned(), (*v).to_owned())).collect();
    let env = Env::system();
    let io = io(&place.table(), durable, &env)?;
    let schema = Schema::create(data::fields(), names(partitions), names(keys), options, None, env.now_millis())?;
    SchemaStore::new(io.clone(), None).create(&schema).await?;
    Ok(Table::open(io, &env).await?)
}

/// Opens the table of the case.
pub(crate) async fn open(place: &Place) -> Outcome<Table> {
    let env = Env::system();
    Ok(Table::open(io(&place.table(), true, &env)?, &env).await?)
}

fn io(dir: &Path, durable: bool, env: &Env) -> Outcome<FileIo> {
    let options = BTreeMap::from([("local.durable".to_owned(), durable.to_string())]);
    Ok(FileIo::open(&dir.display().to_string(), &options, env)?)
}

/// Reads the table and returns the sums of all columns.
pub(crate) async fn read_back(table: &Table) -> Outcome<Checks> {
    let plan = table.scan().plan().await?;
    let mut rows = table.read(&plan).all()?;
    let mut checks = Checks::default();
    while let Some(batch) = rows.try_next().await? {
        checks.add(&batch);
    }
    Ok(checks)
}

/// Writes the rows of every commit as a Parquet file.
pub(crate) fn write_inputs(place: &Place, keys: data::Keys) -> Outcome {
    std::fs::create_dir_all(place.dir.join("input"))?;
    for commit in 0..COMMITS {
        let rows = data::batch(commit_rows(place.rows, commit), keys)?;
        let mut writer = ArrowWriter::try_new(File::create(place.input(commit))?, data::schema(), None)?;
        writer.write(&rows)?;
        writer.close()?;
    }
    Ok(())
}

/// The rows of one commit, as one batch.
pub(crate) fn read_input(place: &Place, commit: u64) -> Outcome<Vec<RecordBatch>> {
    let rows = usize::try_from(place.rows)?;
    let reader = ParquetRecordBatchReaderBuilder::try_new(File::open(place.input(commit))?)?;
    Ok(reader.with_batch_size(rows.max(1)).build()?.collect::<Result<_, _>>()?)
}

/// The numbers of the rows of one commit.
pub(crate) fn commit_rows(rows: u64, commit: u64) -> std::ops::Range<u64> {
    rows * commit / COMMITS..rows * (commit + 1) / COMMITS
}
