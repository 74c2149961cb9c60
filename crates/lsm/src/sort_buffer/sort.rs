//! Sorting the positions of records.

mod words;

use std::cmp::Ordering;

use self::words::Words;
use crate::codes::{Coder, Codes};
use crate::engine::{Groups, RecordRef};
use crate::{KeyValueBatch, KeyValueLayout, Result};

/// Positions of all records by key, user sequence and arrival, handed out by groups of equal keys.
pub(super) struct Sorter {
    words: Words,
    /// Whether each word has the key of the one before; `None` when their key bits tell.
    repeats: Option<Vec<bool>>,
    position: usize,
}

impl Sorter {
    /// Sorts the records of the chunks; sequence numbers must grow with arrival.
    pub(super) fn new(layout: &KeyValueLayout, chunks: &[KeyValueBatch]) -> Result<Self> {
        let coder = Coder::of_keys(layout.keys())?;
        let keys: Vec<Codes> = chunks.iter().map(|chunk| coder.encode(&chunk.keys)).collect::<Result<_>>()?;
        let mut words = Words::new(&keys);
        words.sort();
        let repeats = (!words.exact).then(|| sort_ties(&mut words, &keys));
        let mut sorter = Self { words, repeats, position: 0 };
        sorter.sort_sequences(layout, chunks)?;
        Ok(sorter)
    }

    /// Replaces `groups` by the next ones, at most `count`; false when there are none.
    pub(super) fn next_groups(&mut self, count: usize, groups: &mut Groups) -> bool {
        groups.clear();
        let Some(rest) = self.words.words.get(self.position..).filter(|rest| !rest.is_empty()) else { return false };
        for (i, &word) in (self.position..).zip(rest) {
            groups.records.push(self.words.record(word));
            if !self.repeats_at(i + 1) {
                groups.ends.push(groups.records.len());
                if groups.len() >= count {
                    break;
                }
            }
        }
        self.position += groups.records.len();
        true
    }

    /// Whether the word at that position has the key of the one before.
    #[inline]
    fn repeats_at(&self, i: usize) -> bool {
        if let Some(repeats) = &self.repeats {
            return repeats.get(i).copied().unwrap_or(false);
        }
        let key = |i: usize| self.words.words.get(i).map(|&word| self.words.layout.key(word));
        key(i).is_some_and(|this| key(i.wrapping_sub(1)) == Some(this))
    }

    /// Puts the records of each key in the order of the user's sequence columns.
    fn sort_sequences(&mut self, layout: &KeyValueLayout, chunks: &[KeyValueBatch]) -> Result<()> {
        let fields: Vec<_> =
            layout.sequence_columns().iter().filter_map(|&i| layout.values().get(i)).cloned().collect();
        if fields.is_empty() {
            return Ok(());
        }
        let coder = Coder::of_sequence(&fields, layout.sequence_descending())?;
        let columns = |chunk: &KeyValueBatch| {
            layout.sequence_columns().iter().filter_map(|&i| chunk.values.get(i)).cloned().collect::<Vec<_>>()
        };
        let codes: Vec<Codes> = chunks.iter().map(|chunk| coder.encode(&columns(chunk))).collect::<Result<_>>()?;
        let layout = self.words.layout;
        let mut start = 0;
        while start < self.words.words.len() {
            let mut end = start + 1;
            while self.repeats_at(end) {
                end += 1;
            }
            if let Some(versions) = self.words.words.get_mut(start..end)
                && versions.len() > 1
            {
                versions.sort_by(|&a, &b| compare(&codes, layout.record(a), layout.record(b)));
            }
            start = end;
        }
        Ok(())
    }
}

/// Puts records whose words agree in the order of their keys; says which have the key of the one before.
fn sort_ties(words: &mut Words, keys: &[Codes]) -> Vec<bool> {
    let layout = words.layout;
    let mut repeats = Vec::with_capacity(words.words.len());
    for tied in words.words.chunk_by_mut(|&a, &b| layout.key(a) == layout.key(b)) {
        let order = |a: u64, b: u64| compare(keys, layout.record(a), layout.record(b));
        if tied.len() > 1 {
            tied.sort_by(|&a, &b| order(a, b));
        }
        repeats.push(false);
        repeats.extend(tied.array_windows().map(|&[a, b]| order(a, b) == Ordering::Equal));
    }
    repeats
}

fn compare(codes: &[Codes], a: RecordRef, b: RecordRef) -> Ordering {
    match (codes.get(a.batch as usize), codes.get(b.batch as usize)) {
        (Some(x), Some(y)) => x.compare(a.row as usize, y, b.row as usize),
        _ => Ordering::Equal,
    }
}
