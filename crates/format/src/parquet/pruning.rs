//! Which row groups a filter can rule out by their statistics.

use arrow_array::ArrayRef;
use arrow_array::cast::AsArray as _;
use arrow_array::types::UInt64Type;
use headwater_types::{ColumnRange, ColumnStats, DataField, Predicate, datum_at};
use parquet::arrow::arrow_reader::ArrowReaderMetadata;
use parquet::arrow::arrow_reader::statistics::StatisticsConverter;

/// Statistics of the filter's columns, one row a row group.
struct Groups<'a> {
    columns: Vec<(&'a DataField, ArrayRef, ArrayRef, ArrayRef)>,
}

struct Group<'a>(&'a Groups<'a>, usize);

impl ColumnStats for Group<'_> {
    fn of(&self, column: &str) -> Option<ColumnRange> {
        let (field, mins, maxes, nulls) = self.0.columns.iter().find(|(f, ..)| f.name == column)?;
        let nulls = nulls.as_primitive_opt::<UInt64Type>()?;
        let null_count = nulls.iter().nth(self.1).flatten().and_then(|n| i64::try_from(n).ok());
        Some(ColumnRange {
            min: datum_at(mins.as_ref(), self.1, &field.data_type).ok()?,
            max: datum_at(maxes.as_ref(), self.1, &field.data_type).ok()?,
            null_count,
        })
    }
}

/// The row groups that may hold matching rows.
pub(super) fn surviving_row_groups(
    metadata: &ArrowReaderMetadata,
    columns: &[DataField],
    filter: &Predicate,
) -> Vec<usize> {
    let groups = metadata.metadata().row_groups();
    let wanted = filter.columns();
    let statistics = columns.iter().filter(|f| wanted.contains(&f.name)).filter_map(|field| {
        let converter = StatisticsConverter::try_new(&field.name, metadata.schema(), metadata.parquet_schema()).ok()?;
        let target = headwater_types::arrow_type(&field.data_type);
        // Statistics of a column whose type in the file is another one are left unused.
        let mins = converter.row_group_mins(groups).ok().filter(|a| *a.data_type() == target)?;
        let maxes = converter.row_group_maxes(groups).ok().filter(|a| *a.data_type() == target)?;
        let nulls: ArrayRef = std::sync::Arc::new(converter.row_group_null_counts(groups).ok()?);
        Some((field, mins, maxes, nulls))
    });
    let statistics = Groups { columns: statistics.collect() };
    (0..groups.len())
        .filter(|i| {
            let rows = groups.get(*i).map_or(0, parquet::file::metadata::RowGroupMetaData::num_rows);
            filter.test_stats(rows, &Group(&statistics, *i))
        })
        .collect()
}
