//! Writing what the queries found.

use datafusion::arrow::array::cast::AsArray as _;
use datafusion::arrow::array::types::Int32Type;
use datafusion::arrow::array::{Int8Array, RecordBatch};
use datafusion::execution::SendableRecordBatchStream;
use futures::StreamExt as _;
use headwater_table::{Table, TableWriter};
use headwater_types::RowKind;

use super::merge::CONTROL_COLUMNS;
use crate::insert::fitted;
use crate::session::SqlSession;
use crate::statement::{Merge, MergeAction, rewrite_time_travel};
use crate::{Error, ErrorKind, Result};

/// Rows by what became of them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Counts {
    pub(super) inserted: u64,
    pub(super) updated: u64,
    pub(super) deleted: u64,
}

/// Writes all rows of a query, which has the table's columns, with one kind; returns their number.
pub(super) async fn kind(session: &SqlSession, table: &Table, sql: &str, kind: RowKind) -> Result<u64> {
    let rows = run(session, sql).await?;
    let mut count = 0;
    let count_rows = |batch: &RecordBatch| {
        count += u64::try_from(batch.num_rows()).unwrap_or(0);
        let kinds = vec![kind.to_byte(); batch.num_rows()];
        Ok((fitted(table, batch.columns(), batch.num_rows())?, kinds.into()))
    };
    commit(table, rows, count_rows).await?;
    Ok(count)
}

/// Writes what MERGE INTO found.
pub(super) async fn merged(session: &SqlSession, table: &Table, sql: &str, statement: &Merge) -> Result<Counts> {
    let rows = run(session, sql).await?;
    let mut counts = Counts::default();
    let by_clause = |batch: &RecordBatch| {
        let kinds = kinds(batch, statement, &mut counts)?;
        let columns = batch.columns().get(CONTROL_COLUMNS.len()..).unwrap_or_default();
        Ok((fitted(table, columns, batch.num_rows())?, kinds))
    };
    commit(table, rows, by_clause).await?;
    Ok(counts)
}

fn kinds(batch: &RecordBatch, statement: &Merge, counts: &mut Counts) -> Result<Int8Array> {
    let control = |at: usize| {
        let missing = || Error::new(ErrorKind::Internal, "a control column of MERGE INTO is missing");
        batch.columns().get(at).ok_or_else(missing)
    };
    let wrong = || Error::new(ErrorKind::Internal, "a control column of MERGE INTO has another type");
    let clauses = control(0)?.as_primitive_opt::<Int32Type>().ok_or_else(wrong)?;
    let is_set =
        |at: usize| Ok::<_, Error>(control(at)?.as_boolean_opt().ok_or_else(wrong)?.iter().any(|v| v == Some(true)));
    if is_set(1)? {
        let text = "several rows of the source match one row of the target: which of them counts is not defined; make the \
                    source unique for the condition";
        return Err(Error::new(ErrorKind::InvalidInput, text));
    }
    if is_set(2)? {
        let text = "UPDATE would change the primary key of a row; delete it and insert another one";
        return Err(Error::new(ErrorKind::InvalidInput, text));
    }
    let kind = |clause: Option<i32>| {
        let clause = clause.and_then(|at| usize::try_from(at).ok()).and_then(|at| statement.clauses.get(at));
        match clause.map(|clause| &clause.action) {
            Some(MergeAction::Delete) => {
                counts.deleted += 1;
                Ok(RowKind::Delete.to_byte())
            }
            Some(MergeAction::Update(_) | MergeAction::UpdateAll) => {
                counts.updated += 1;
                Ok(RowKind::UpdateAfter.to_byte())
            }
            Some(MergeAction::Insert(_) | MergeAction::InsertAll) => {
                counts.inserted += 1;
                Ok(RowKind::Insert.to_byte())
            }
            None => Err(wrong()),
        }
    };
    Ok(clauses.iter().map(kind).collect::<Result<Vec<i8>>>()?.into())
}

async fn run(session: &SqlSession, sql: &str) -> Result<SendableRecordBatchStream> {
    let frame = session.context.sql(&rewrite_time_travel(sql)?).await?;
    Ok(frame.execute_stream().await?)
}

/// Writes the rows as `rows` makes them and commits; no rows, no commit.
async fn commit(
    table: &Table,
    batches: SendableRecordBatchStream,
    rows: impl FnMut(&RecordBatch) -> Result<(RecordBatch, Int8Array)>,
) -> Result<()> {
    let mut writer = table.batch_writer()?;
    let written = match write(&mut writer, batches, rows).await {
        Ok(true) => writer.prepare_commit(true).await.map_err(Error::from),
        Ok(false) => Ok(Vec::new()),
        Err(error) => Err(error),
    };
    let outcome = match written {
        Ok(messages) if messages.is_empty() => Ok(()),
        Ok(messages) => table.commit_batch(messages).await.map(drop).map_err(Error::from),
        Err(error) => Err(error),
    };
    // After a failure this removes the files of rows that will not be committed.
    writer.close().await?;
    outcome
}

async fn write(
    writer: &mut TableWriter,
    mut batches: SendableRecordBatchStream,
    mut rows: impl FnMut(&RecordBatch) -> Result<(RecordBatch, Int8Array)>,
) -> Result<bool> {
    let mut any = false;
    while let Some(batch) = batches.next().await {
        let batch = batch?;
        if batch.num_rows() == 0 {
            continue;
        }
        any = true;
        let (batch, kinds) = rows(&batch)?;
        writer.write_with_kinds(batch, kinds).await?;
    }
    Ok(any)
}
