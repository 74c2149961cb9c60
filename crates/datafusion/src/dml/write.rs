//! Writing what the queries found.

use datafusion::arrow::array::cast::AsArray as _;
use datafusion::arrow::array::types::Int32Type;
use datafusion::arrow::array::{ArrayRef, BooleanArray, Int8Array, RecordBatch};
use datafusion::arrow::compute::filter;
use datafusion::execution::SendableRecordBatchStream;
use futures::StreamExt as _;
use headwater_table::{RowChanges, Table, TableWriter};
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

/// What becomes of the rows a query finds.
#[derive(Clone, Copy)]
pub(super) enum Change<'a> {
    Delete,
    Update,
    /// As the clause says whose number is in the row's first column.
    Merge(&'a Merge),
}

/// What a row of the query stands for.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Action {
    Insert,
    Update,
    Delete,
}

impl Change<'_> {
    /// Columns of the query before the others.
    fn control_columns(self) -> usize {
        if matches!(self, Self::Merge(_)) { CONTROL_COLUMNS.len() } else { 0 }
    }

    fn actions(self, batch: &RecordBatch) -> Result<Vec<Action>> {
        match self {
            Self::Delete => Ok(vec![Action::Delete; batch.num_rows()]),
            Self::Update => Ok(vec![Action::Update; batch.num_rows()]),
            Self::Merge(statement) => merge_actions(batch, statement),
        }
    }
}

impl Counts {
    fn add(&mut self, actions: &[Action]) {
        let count = |wanted: Action| actions.iter().filter(|action| **action == wanted).count() as u64;
        self.inserted += count(Action::Insert);
        self.updated += count(Action::Update);
        self.deleted += count(Action::Delete);
    }
}

/// Writes the rows of a query, which has the table's columns, under their keys.
pub(super) async fn by_key(session: &SqlSession, table: &Table, sql: &str, change: Change<'_>) -> Result<Counts> {
    let rows = run(session, sql).await?;
    let mut counts = Counts::default();
    let with_kinds = |batch: &RecordBatch| {
        let actions = change.actions(batch)?;
        counts.add(&actions);
        let kind = |action: &Action| match action {
            Action::Insert => RowKind::Insert.to_byte(),
            Action::Update => RowKind::UpdateAfter.to_byte(),
            Action::Delete => RowKind::Delete.to_byte(),
        };
        let kinds: Vec<i8> = actions.iter().map(kind).collect();
        let columns = batch.columns().get(change.control_columns()..).unwrap_or_default();
        Ok((fitted(table, columns, batch.num_rows())?, kinds.into()))
    };
    commit(table, rows, with_kinds).await?;
    Ok(counts)
}

/// Deletes rows by the addresses the query gives before the table's columns, and adds those columns as new rows.
pub(super) async fn by_address(
    session: &SqlSession,
    mut changes: RowChanges,
    table: &Table,
    sql: &str,
    change: Change<'_>,
) -> Result<Counts> {
    let written = match run(session, sql).await {
        Ok(rows) => write_by_address(&mut changes, table, rows, change).await,
        Err(error) => Err(error),
    };
    match written {
        Ok(counts) => changes.commit().await.map(|_| counts).map_err(Error::from),
        Err(error) => {
            changes.close().await?;
            Err(error)
        }
    }
}

async fn write_by_address(
    changes: &mut RowChanges,
    table: &Table,
    mut batches: SendableRecordBatchStream,
    change: Change<'_>,
) -> Result<Counts> {
    let mut counts = Counts::default();
    while let Some(batch) = batches.next().await {
        let batch = batch?;
        let actions = change.actions(&batch)?;
        counts.add(&actions);
        let goes: BooleanArray = actions.iter().map(|action| Some(*action != Action::Insert)).collect();
        let comes: BooleanArray = actions.iter().map(|action| Some(*action != Action::Delete)).collect();
        let columns = batch.columns().get(change.control_columns()..).unwrap_or_default();
        let [files, positions, values @ ..] = columns else {
            return Err(Error::new(ErrorKind::Internal, "a query of a change gave no addresses"));
        };
        let only = |column: &ArrayRef, rows: &BooleanArray| filter(column, rows).map_err(Error::from_arrow);
        changes.delete(&only(files, &goes)?, &only(positions, &goes)?)?;
        if comes.true_count() > 0 {
            let values = values.iter().map(|column| only(column, &comes)).collect::<Result<Vec<_>>>()?;
            changes.write(fitted(table, &values, comes.true_count())?).await?;
        }
    }
    Ok(counts)
}

fn merge_actions(batch: &RecordBatch, statement: &Merge) -> Result<Vec<Action>> {
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
    let action = |clause: Option<i32>| {
        let clause = clause.and_then(|at| usize::try_from(at).ok()).and_then(|at| statement.clauses.get(at));
        match clause.map(|clause| &clause.action) {
            Some(MergeAction::Delete) => Ok(Action::Delete),
            Some(MergeAction::Update(_) | MergeAction::UpdateAll) => Ok(Action::Update),
            Some(MergeAction::Insert(_) | MergeAction::InsertAll) => Ok(Action::Insert),
            None => Err(wrong()),
        }
    };
    clauses.iter().map(action).collect()
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
