//! What a manifest list says of a manifest, computed from its entries.

use std::cmp::Ordering;
use std::collections::HashSet;

use headwater_types::{BinaryRow, DataType, Datum, compare_datums};

use crate::{FileKind, ManifestEntry, ManifestFileMeta, Result, SimpleStats};

impl ManifestFileMeta {
    /// Describes a manifest of these entries. `partition_types` are the types of the partition columns;
    /// `schema_id` is used when there are no entries.
    ///
    /// # Errors
    /// `Corrupt` when a partition is not of these types.
    ///
    /// # Source
    /// Spec page 01 §5.3.
    pub fn of_entries(
        file_name: String,
        file_size: i64,
        entries: &[ManifestEntry],
        partition_types: &[DataType],
        schema_id: i64,
    ) -> Result<Self> {
        let count = |kind| i64::try_from(entries.iter().filter(|e| e.kind == kind).count()).unwrap_or(i64::MAX);
        // One file without a row id makes the range unknown.
        let row_ids: Option<Vec<(i64, i64)>> = entries
            .iter()
            .map(|e| e.file.first_row_id.map(|first| (first, first.saturating_add(e.file.row_count - 1))))
            .collect();
        let row_ids = row_ids.unwrap_or_default();
        Ok(Self {
            file_name,
            file_size,
            num_added_files: count(FileKind::Add),
            num_deleted_files: count(FileKind::Delete),
            partition_stats: partition_stats(entries, partition_types)?,
            schema_id: entries.iter().map(|e| e.file.schema_id).max().unwrap_or(schema_id),
            min_bucket: entries.iter().map(|e| e.bucket).min(),
            max_bucket: entries.iter().map(|e| e.bucket).max(),
            min_level: entries.iter().map(|e| e.file.level).min(),
            max_level: entries.iter().map(|e| e.file.level).max(),
            min_row_id: row_ids.iter().map(|(first, _)| *first).min(),
            max_row_id: row_ids.iter().map(|(_, last)| *last).max(),
        })
    }
}

/// Untruncated minima and maxima of the partition values; null counts count entries.
fn partition_stats(entries: &[ManifestEntry], types: &[DataType]) -> Result<SimpleStats> {
    let width = types.len();
    let mut bounds: Vec<(Option<Datum>, Option<Datum>)> = vec![(None, None); width];
    let distinct: HashSet<&BinaryRow> = entries.iter().map(|e| &e.partition).collect();
    for partition in distinct {
        let values = partition.to_datums(types)?;
        for ((min, max), value) in bounds.iter_mut().zip(values) {
            let Some(value) = value else { continue };
            let beyond = |bound: &Option<Datum>, side| match bound {
                Some(bound) => compare_datums(&value, bound) == Some(side),
                None => true,
            };
            if beyond(max, Ordering::Greater) {
                *max = Some(value.clone());
            }
            if beyond(min, Ordering::Less) {
                *min = Some(value);
            }
        }
    }
    let nulls = |i: usize| entries.iter().filter(|e| e.partition.is_null_at(i)).count();
    let (minima, maxima): (Vec<_>, Vec<_>) = bounds.into_iter().unzip();
    Ok(SimpleStats {
        min_values: BinaryRow::from_datums(types, &minima)?,
        max_values: BinaryRow::from_datums(types, &maxima)?,
        null_counts: (0..width).map(|i| Some(i64::try_from(nulls(i)).unwrap_or(i64::MAX))).collect(),
    })
}
