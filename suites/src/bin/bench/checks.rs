//! Sums that tell whether an engine's rows are the right ones.
#![expect(clippy::cast_possible_truncation, reason = "sums of generated data are small")]

use std::fmt;

use arrow_array::RecordBatch;
use arrow_array::cast::AsArray;
use arrow_array::types::{Float64Type, Int32Type, Int64Type};

use crate::data::{Keys, Row};

/// Rows and column sums; columns that were not read stay at zero. Printed as `rows/ids/versions/categories/quarters/letters`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Checks {
    pub(crate) rows: u64,
    ids: i64,
    versions: i64,
    categories: i64,
    quarters: i64,
    letters: i64,
}

impl fmt::Display for Checks {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { rows, ids, versions, categories, quarters, letters } = self;
        write!(f, "{rows}/{ids}/{versions}/{categories}/{quarters}/{letters}")
    }
}

impl Checks {
    /// What a table holds after the first `rows` rows: the newest row of each key.
    pub(crate) fn of_upserts(rows: u64, keys: Keys) -> Self {
        let mut checks = Self::default();
        if matches!(keys, Keys::Unique) {
            (0..rows).for_each(|number| checks.add_row(&Row::numbered(number, keys)));
            return checks;
        }
        newest(rows, keys).iter().for_each(|row| checks.add_row(row));
        checks
    }

    /// As [`Checks::of_upserts`] for `SELECT id, amount WHERE category = …`.
    pub(crate) fn of_filtered(rows: u64, keys: Keys, category: i32) -> Self {
        let mut checks = Self::default();
        for row in newest(rows, keys).iter().filter(|row| row.category == category) {
            checks.rows += 1;
            checks.ids += row.id;
            checks.quarters += row.quarters;
        }
        checks
    }

    fn add_row(&mut self, row: &Row) {
        self.rows += 1;
        self.ids += row.id;
        self.versions += row.version;
        self.categories += i64::from(row.category);
        self.quarters += row.quarters;
        self.letters += row.letters();
    }

    pub(crate) fn add(&mut self, batch: &RecordBatch) {
        self.rows += batch.num_rows() as u64;
        let long = |name: &str| {
            let column = batch.column_by_name(name)?.as_primitive_opt::<Int64Type>()?;
            Some(column.iter().flatten().sum::<i64>())
        };
        self.ids += long("id").unwrap_or(0);
        self.versions += long("version").unwrap_or(0);
        if let Some(column) = batch.column_by_name("category").and_then(|c| c.as_primitive_opt::<Int32Type>()) {
            self.categories += column.iter().flatten().map(i64::from).sum::<i64>();
        }
        if let Some(column) = batch.column_by_name("amount").and_then(|c| c.as_primitive_opt::<Float64Type>()) {
            self.quarters += (column.iter().flatten().sum::<f64>() * 4.0) as i64;
        }
        for name in ["city", "note"] {
            if let Some(column) = batch.column_by_name(name).and_then(|c| c.as_string_opt::<i32>()) {
                let bytes = column.value_offsets().last().zip(column.value_offsets().first());
                self.letters += bytes.map_or(0, |(end, start)| i64::from(end - start));
            }
        }
    }
}

fn newest(rows: u64, keys: Keys) -> Vec<Row> {
    let mut newest = std::collections::HashMap::new();
    for number in 0..rows {
        let row = Row::numbered(number, keys);
        newest.insert(row.id, row);
    }
    newest.into_values().collect()
}
