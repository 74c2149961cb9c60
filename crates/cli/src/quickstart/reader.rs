//! The reader beside the writers: plain SQL over whatever is committed.

use arrow_array::cast::AsArray;
use arrow_array::types::{Decimal128Type, Int64Type};
use arrow_array::{Array, RecordBatch};
use arrow_cast::cast;
use arrow_schema::DataType as ArrowType;
use futures::StreamExt;
use headwater_datafusion::{SqlSession, StatementResult};
use headwater_table::Table;
use serde_json::{Value, json};

use super::events::Totals;
use super::money;
use crate::error::{Result, invalid};
use crate::live::{Bucket, Live};
use crate::output::grouped;

pub(super) struct Reader<'a> {
    sql: &'a SqlSession,
    table: &'a Table,
}

/// What one look at the table showed.
pub(super) struct Look {
    pub(super) snapshot: i64,
    totals: Totals,
    buckets: Vec<Bucket>,
}

impl Look {
    pub(super) fn line(&self) -> String {
        let shapes: Vec<String> = self.buckets.iter().map(shape).collect();
        format!(
            "snapshot {:>3}  {:>7} users  {:>8} purchases  {:>13} spent   {}",
            self.snapshot,
            grouped(self.totals.users),
            grouped(self.totals.purchases),
            money(self.totals.spent_cents),
            shapes.join("  ")
        )
    }

    pub(super) fn json(&self, seconds: f64) -> Value {
        let runs: Vec<u64> = self.buckets.iter().map(Bucket::runs).collect();
        json!({"seconds": seconds, "snapshot": self.snapshot, "users": self.totals.users,
               "purchases": self.totals.purchases, "runs": runs})
    }
}

/// A bucket's levels in a few characters: `[3 · 1 1]` are three files of level 0 and one of each of two levels.
fn shape(bucket: &Bucket) -> String {
    let levels = bucket.levels();
    let parts: Vec<String> =
        (0..=5).map(|level| levels.get(&level).map_or_else(|| "·".to_owned(), |sum| sum.files.to_string())).collect();
    format!("[{}]", parts.join(" "))
}

impl<'a> Reader<'a> {
    pub(super) fn new(sql: &'a SqlSession, table: &'a Table) -> Self {
        Self { sql, table }
    }

    /// Looks at the latest snapshot; `None` when there is none newer than `last`.
    pub(super) async fn look(&self, last: Option<i64>) -> Result<Option<Look>> {
        let Some(snapshot) = self.table.snapshots().latest().await? else { return Ok(None) };
        if last == Some(snapshot.id) {
            return Ok(None);
        }
        let totals = self.totals(Some(snapshot.id)).await?;
        let buckets = Live::new(self.table)?.buckets(&snapshot).await?;
        Ok(Some(Look { snapshot: snapshot.id, totals, buckets }))
    }

    /// Totals over all users, now or as of a snapshot.
    pub(super) async fn totals(&self, snapshot: Option<i64>) -> Result<Totals> {
        let version = snapshot.map(|id| format!(" FOR VERSION AS OF {id}")).unwrap_or_default();
        let query = format!(
            "SELECT count(*) AS users, sum(views) AS views, sum(purchases) AS purchases, sum(spent) AS spent \
             FROM quickstart.user_features{version}"
        );
        for result in self.sql.execute(&query).await? {
            if let StatementResult::Rows(mut batches, _) = result {
                while let Some(batch) = batches.next().await {
                    let batch = batch?;
                    if batch.num_rows() > 0 {
                        return totals_of(&batch);
                    }
                }
            }
        }
        Err(invalid("the query gave no row"))
    }
}

fn totals_of(batch: &RecordBatch) -> Result<Totals> {
    let number = |name: &str| -> Result<i64> {
        let column = batch.column_by_name(name).ok_or_else(|| invalid("the query gave other columns"))?;
        let column = cast(column, &ArrowType::Int64).map_err(|e| invalid("a total is no number").with_source(e))?;
        let column = column.as_primitive::<Int64Type>();
        Ok(if column.is_null(0) { 0 } else { column.value(0) })
    };
    let spent = batch.column_by_name("spent").ok_or_else(|| invalid("the query gave other columns"))?;
    let cents =
        cast(spent, &ArrowType::Decimal128(38, 2)).map_err(|e| invalid("a total is no number").with_source(e))?;
    let cents = cents.as_primitive::<Decimal128Type>();
    let spent_cents = if cents.is_null(0) { 0 } else { i64::try_from(cents.value(0)).unwrap_or(i64::MAX) };
    Ok(Totals { users: number("users")?, views: number("views")?, purchases: number("purchases")?, spent_cents })
}
