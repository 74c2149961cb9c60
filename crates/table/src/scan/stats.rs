//! Statistics of files and manifests as predicates see them.

use std::cell::OnceCell;

use headwater_metadata::{DataFileMeta, Schema, SimpleStats};
use headwater_types::{BinaryRow, ColumnRange, ColumnStats, DataField, DataType, Datum, TypeKind, cast_datum};

/// Values of one row as statistics: a partition, of which nothing but this one row is known.
pub(super) struct RowStats<'a> {
    pub(super) names: &'a [String],
    pub(super) values: &'a [Option<Datum>],
    pub(super) rows: i64,
}

impl ColumnStats for RowStats<'_> {
    fn of(&self, column: &str) -> Option<ColumnRange> {
        let value = self.values.get(self.names.iter().position(|name| name == column)?)?;
        let null_count = Some(if value.is_none() { self.rows } else { 0 });
        Some(ColumnRange { min: value.clone(), max: value.clone(), null_count })
    }
}

/// Statistics of partition values in a manifest.
pub(super) struct PartitionStats {
    names: Vec<String>,
    columns: Vec<ColumnRange>,
}

impl PartitionStats {
    /// `None` when the manifest has none or they do not fit the partition keys.
    pub(super) fn new(names: &[String], types: &[DataType], stats: &SimpleStats) -> Option<Self> {
        let nullable: Vec<DataType> = types.iter().map(|t| t.with_nullable(true)).collect();
        Some(Self { names: names.to_vec(), columns: ranges(&nullable, stats)? })
    }
}

impl ColumnStats for PartitionStats {
    fn of(&self, column: &str) -> Option<ColumnRange> {
        self.columns.get(self.names.iter().position(|name| name == column)?).cloned()
    }
}

/// Decodes statistics; `None` when they are of other columns than those.
fn ranges(types: &[DataType], stats: &SimpleStats) -> Option<Vec<ColumnRange>> {
    let decode = |row: &BinaryRow| -> Option<Vec<Option<Datum>>> {
        if row.arity() != types.len() { None } else { row.to_datums(types).ok() }
    };
    let (min, max) = (decode(&stats.min_values)?, decode(&stats.max_values)?);
    let nulls = stats.null_counts.iter().copied().chain(std::iter::repeat(None));
    Some(min.into_iter().zip(max).zip(nulls).map(|((min, max), null_count)| range(min, max, null_count)).collect())
}

/// A bound that is NaN bounds nothing: writers do not agree on its order.
fn range(min: Option<Datum>, max: Option<Datum>, null_count: Option<i64>) -> ColumnRange {
    let nan = |value: &Option<Datum>| match value {
        Some(Datum::Float(v)) => v.is_nan(),
        Some(Datum::Double(v)) => v.is_nan(),
        _ => false,
    };
    if nan(&min) || nan(&max) {
        return ColumnRange { min: None, max: None, null_count };
    }
    ColumnRange { min, max, null_count }
}

/// Which statistics of a file are looked at.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum StatsOf {
    Keys,
    Values,
}

/// The statistics of one file, under the columns of the table's schema. Source: spec page 01 §9.4.
pub(super) struct FileStats<'a> {
    file: &'a DataFileMeta,
    /// The schema the file was written with.
    data_schema: &'a Schema,
    /// The schema the predicate speaks of.
    table_schema: &'a Schema,
    which: StatsOf,
    columns: OnceCell<Option<Vec<(String, ColumnRange)>>>,
}

impl<'a> FileStats<'a> {
    pub(super) fn new(
        file: &'a DataFileMeta,
        data_schema: &'a Schema,
        table_schema: &'a Schema,
        which: StatsOf,
    ) -> Self {
        Self { file, data_schema, table_schema, which, columns: OnceCell::new() }
    }

    fn decode(&self) -> Option<Vec<(String, ColumnRange)>> {
        let (names, stats): (Vec<String>, _) = match self.which {
            StatsOf::Keys => (self.data_schema.trimmed_primary_keys(), &self.file.key_stats),
            StatsOf::Values => {
                let written = self.file.value_stats_cols.as_ref().or(self.file.write_cols.as_ref());
                let names = written
                    .cloned()
                    .unwrap_or_else(|| self.data_schema.fields.iter().map(|field| field.name.clone()).collect());
                (names, &self.file.value_stats)
            }
        };
        let fields = names.iter().map(|name| self.data_schema.field(name)).collect::<Option<Vec<_>>>()?;
        let types: Vec<DataType> = fields.iter().map(|field| field.data_type.with_nullable(true)).collect();
        Some(names.into_iter().zip(ranges(&types, stats)?).collect())
    }
}

impl ColumnStats for FileStats<'_> {
    fn of(&self, column: &str) -> Option<ColumnRange> {
        let wanted = self.table_schema.field(column)?;
        let Some(stored) = self.data_schema.fields.iter().find(|field| field.id == wanted.id) else {
            // The file is older than the column: all its values are null.
            return Some(ColumnRange { min: None, max: None, null_count: Some(self.file.row_count) });
        };
        let columns = self.columns.get_or_init(|| self.decode()).as_ref()?;
        let (_, range) = columns.iter().find(|(name, _)| *name == stored.name)?;
        evolve(range, stored, wanted)
    }
}

/// Bounds under the table's type: only where integers were widened does their order survive.
fn evolve(range: &ColumnRange, stored: &DataField, wanted: &DataField) -> Option<ColumnRange> {
    if stored.data_type.kind() == wanted.data_type.kind() {
        return Some(range.clone());
    }
    if width(stored.data_type.kind())? >= width(wanted.data_type.kind())? {
        return None;
    }
    let cast = |value: &Option<Datum>| match value {
        None => Some(None),
        Some(value) => cast_datum(value, &stored.data_type, &wanted.data_type).ok(),
    };
    Some(ColumnRange { min: cast(&range.min)?, max: cast(&range.max)?, null_count: range.null_count })
}

/// Bytes of an integer type.
fn width(kind: &TypeKind) -> Option<u8> {
    match kind {
        TypeKind::TinyInt => Some(1),
        TypeKind::SmallInt => Some(2),
        TypeKind::Int => Some(4),
        TypeKind::BigInt => Some(8),
        _ => None,
    }
}
