//! Statistics of written files as manifests keep them. Source: spec page 02 §4.

use headwater_format::ColumnSummary;
use headwater_lsm::KeyValueLayout;
use headwater_metadata::{Schema, SimpleStats};
use headwater_types::{BinaryRow, CoreOptions, DataField, DataType, Datum, StatsMode};

use crate::Result;

/// How the statistics of key columns are collected whatever the table says.
const KEY_MODE: StatsMode = StatsMode::Truncate(128);

/// The mode of every column of a data file at that level.
pub(super) fn modes(
    schema: &Schema,
    options: &CoreOptions,
    layout: Option<&KeyValueLayout>,
    thin: bool,
    level: i32,
) -> Vec<StatsMode> {
    let table_mode = options.stats_mode_for_level(level);
    let keep_first = usize::try_from(options.stats_keep_first_n_columns()).ok();
    let is_key = |field: &DataField| layout.is_some_and(|layout| layout.keys().iter().any(|k| k.name == field.name));
    let value_mode = |(at, field): (usize, &DataField)| {
        if let Some(own) = options.stats_mode_of_column(&field.name) {
            own
        } else if thin && is_key(field) {
            KEY_MODE
        } else if keep_first.is_some_and(|keep| at >= keep) {
            StatsMode::None
        } else {
            table_mode
        }
    };
    let mut modes = Vec::new();
    if let Some(layout) = layout {
        if !thin {
            modes.extend(layout.keys().iter().map(|_| KEY_MODE));
        }
        // Sequence numbers and kinds are counted by the writer.
        modes.extend([StatsMode::None, StatsMode::None]);
    }
    modes.extend(schema.fields.iter().enumerate().map(value_mode));
    modes
}

/// Every column has its place; those without statistics are null.
pub(super) fn complete(fields: &[DataField], columns: &[ColumnSummary]) -> Result<SimpleStats> {
    let types: Vec<DataType> = fields.iter().map(|field| field.data_type.with_nullable(true)).collect();
    let values = |of: fn(&ColumnSummary) -> &Option<Datum>| -> Vec<Option<Datum>> {
        columns.iter().map(|column| of(column).clone()).collect()
    };
    Ok(SimpleStats {
        min_values: BinaryRow::from_datums(&types, &values(|column| &column.min))?,
        max_values: BinaryRow::from_datums(&types, &values(|column| &column.max))?,
        null_counts: columns.iter().map(|column| column.null_count).collect(),
    })
}

/// Only columns with statistics, and their names; no names when all columns have some.
pub(super) fn dense(fields: &[DataField], columns: &[ColumnSummary]) -> Result<(SimpleStats, Option<Vec<String>>)> {
    let absent = |column: &ColumnSummary| column.min.is_none() && column.max.is_none() && column.null_count.is_none();
    let (kept, summaries): (Vec<DataField>, Vec<ColumnSummary>) = fields
        .iter()
        .zip(columns)
        .filter(|(_, column)| !absent(column))
        .map(|(field, column)| (field.clone(), column.clone()))
        .unzip();
    let names = (kept.len() < fields.len()).then(|| kept.iter().map(|field| field.name.clone()).collect());
    Ok((complete(&kept, &summaries)?, names))
}
