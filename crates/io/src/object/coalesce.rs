//! Neighbouring ranges of an object, fetched together.
//!
//! `object_store` has the like, but trusts stores to return whole ranges and panics when a file is shorter than its
//! reader was told; here a short answer is an error like any other.

use std::ops::Range;

use bytes::Bytes;

/// A gap up to which two ranges are cheaper to fetch as one.
const GAP_BYTES: u64 = 512 << 10;

/// The ranges to fetch, sorted and disjoint, so that every non-empty one of `ranges` lies within one of them.
pub(super) fn merged(ranges: &[Range<u64>]) -> Vec<Range<u64>> {
    let mut sorted: Vec<Range<u64>> = ranges.iter().filter(|range| range.start < range.end).cloned().collect();
    sorted.sort_unstable_by_key(|range| (range.start, range.end));
    let mut merged: Vec<Range<u64>> = Vec::with_capacity(sorted.len());
    for range in sorted {
        match merged.last_mut() {
            Some(last) if range.start <= last.end.saturating_add(GAP_BYTES) => last.end = last.end.max(range.end),
            _ => merged.push(range),
        }
    }
    merged
}

/// Cuts `ranges` out of what was fetched; `None` when something is missing.
pub(super) fn cut(ranges: &[Range<u64>], fetched: &[(Range<u64>, Bytes)]) -> Option<Vec<Bytes>> {
    ranges.iter().map(|range| cut_one(range, fetched)).collect()
}

fn cut_one(range: &Range<u64>, fetched: &[(Range<u64>, Bytes)]) -> Option<Bytes> {
    if range.start >= range.end {
        return Some(Bytes::new());
    }
    let after = fetched.partition_point(|(whole, _)| whole.start <= range.start);
    let (whole, content) = fetched.get(after.checked_sub(1)?)?;
    let from = usize::try_from(range.start - whole.start).ok()?;
    let to = usize::try_from(range.end - whole.start).ok()?;
    (to <= content.len()).then(|| content.slice(from..to))
}

#[cfg(test)]
mod tests;
