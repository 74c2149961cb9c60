//! Reading a row group in parts, so that no more than a part of it is in memory.

use parquet::arrow::ProjectionMask;
use parquet::arrow::arrow_reader::{RowSelection, RowSelector};
use parquet::file::metadata::{ParquetMetaData, RowGroupMetaData};

use crate::RowSet;

#[cfg(test)]
mod tests;

/// Rows of a row group that are fetched together.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Window {
    /// The row group.
    pub(super) group: usize,
    /// The first row, counted in the row group.
    pub(super) first: u64,
    /// How many.
    pub(super) rows: u64,
}

/// Whether some row group of them has more encoded bytes in the columns asked for than `bytes`.
pub(super) fn is_larger(metadata: &ParquetMetaData, groups: &[usize], mask: &ProjectionMask, bytes: u64) -> bool {
    groups.iter().filter_map(|group| metadata.row_groups().get(*group)).any(|group| encoded(group, mask) > bytes)
}

/// The row groups in windows of about `bytes`, cut where the pages of their largest column begin. A row group without an
/// index of its pages stays whole.
pub(super) fn windows(metadata: &ParquetMetaData, groups: &[usize], mask: &ProjectionMask, bytes: u64) -> Vec<Window> {
    let mut windows = Vec::new();
    for (group, meta) in groups.iter().filter_map(|group| Some((*group, metadata.row_groups().get(*group)?))) {
        let rows = u64::try_from(meta.num_rows()).unwrap_or(0);
        let parts = encoded(meta, mask).div_ceil(bytes.max(1)).max(1);
        let wanted = rows.div_ceil(parts).max(1);
        let mut first = 0;
        for start in page_starts(metadata, group, meta, mask) {
            if start >= first + wanted && start < rows {
                windows.push(Window { group, first, rows: start - first });
                first = start;
            }
        }
        windows.push(Window { group, first, rows: rows - first });
    }
    windows
}

/// The rows of the windows that are not in the set, each window in a row group of its own.
pub(super) fn selection(metadata: &ParquetMetaData, windows: &[Window], skip: Option<&dyn RowSet>) -> RowSelection {
    let mut selectors: Vec<RowSelector> = Vec::new();
    let mut push = |count: u64, skip: bool| {
        let row_count = usize::try_from(count).unwrap_or(usize::MAX);
        match selectors.last_mut() {
            Some(last) if last.skip == skip => last.row_count += row_count,
            _ if row_count == 0 => {}
            _ => selectors.push(RowSelector { row_count, skip }),
        }
    };
    for window in windows {
        let before: i64 = metadata.row_groups().iter().take(window.group).map(RowGroupMetaData::num_rows).sum();
        let start = u64::try_from(before).unwrap_or(0) + window.first;
        let all = metadata.row_groups().get(window.group).map_or(0, RowGroupMetaData::num_rows);
        push(window.first, true);
        match skip {
            None => push(window.rows, false),
            Some(skip) => (start..start + window.rows).for_each(|position| push(1, skip.contains(position))),
        }
        push(u64::try_from(all).unwrap_or(0).saturating_sub(window.first + window.rows), true);
    }
    RowSelection::from(selectors)
}

fn encoded(group: &RowGroupMetaData, mask: &ProjectionMask) -> u64 {
    let sizes = group.columns().iter().enumerate().filter(|(leaf, _)| mask.leaf_included(*leaf));
    sizes.map(|(_, column)| u64::try_from(column.compressed_size()).unwrap_or(0)).sum()
}

/// The rows at which the pages of the largest column begin.
fn page_starts(metadata: &ParquetMetaData, group: usize, meta: &RowGroupMetaData, mask: &ProjectionMask) -> Vec<u64> {
    let leaves = meta.columns().iter().enumerate().filter(|(leaf, _)| mask.leaf_included(*leaf));
    let Some((largest, _)) = leaves.max_by_key(|(_, column)| column.compressed_size()) else { return Vec::new() };
    let pages = metadata.offset_index().and_then(|index| index.get(group)?.get(largest));
    let starts = pages.map(|pages| pages.page_locations().iter().map(|page| page.first_row_index));
    starts.into_iter().flatten().filter_map(|row| u64::try_from(row).ok()).collect()
}
