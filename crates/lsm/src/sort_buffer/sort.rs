//! Sorting the positions of records.

use std::cmp::Ordering;

use crate::codes::{Coder, Codes, first_word};
use crate::engine::{Groups, RecordRef};
use crate::{KeyValueBatch, KeyValueLayout, Result};

/// Positions of all records by key, user sequence and arrival, handed out by groups of equal keys.
pub(super) struct Sorter {
    keys: Vec<Codes>,
    entries: Vec<Entry>,
    position: usize,
}

/// A word of the key and where the record is: orders by key as far as the word goes, then by arrival.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Entry {
    prefix: u64,
    /// Chunk in the high half, row in the low half.
    place: u64,
}

impl Entry {
    #[expect(clippy::cast_possible_truncation, reason = "the halves are meant")]
    fn record(self) -> RecordRef {
        RecordRef { batch: (self.place >> 32) as u32, row: self.place as u32 }
    }
}

impl Sorter {
    /// Sorts the records of the chunks; sequence numbers must grow with arrival.
    pub(super) fn new(layout: &KeyValueLayout, chunks: &[KeyValueBatch]) -> Result<Self> {
        let coder = Coder::of_keys(layout.keys())?;
        let keys: Vec<Codes> = chunks.iter().map(|chunk| coder.encode(&chunk.keys)).collect::<Result<_>>()?;
        let exact = keys.iter().all(Codes::is_exact);
        let skip = shared_prefix(&keys);
        let mut entries = Vec::with_capacity(keys.iter().map(|codes| codes.prefix.len()).sum());
        for (chunk, codes) in (0_u64..).zip(&keys) {
            let places = chunk << 32..;
            if skip == 0 {
                entries.extend(codes.prefix.iter().zip(places).map(|(&prefix, place)| Entry { prefix, place }));
            } else {
                let words = (0..codes.prefix.len()).map(|row| first_word(codes.bytes(row).get(skip..).unwrap_or(&[])));
                entries.extend(words.zip(places).map(|(prefix, place)| Entry { prefix, place }));
            }
        }
        sort_entries(&mut entries, chunks);
        let mut sorter = Self { keys, entries, position: 0 };
        if !exact {
            sorter.sort_ties();
        }
        sorter.sort_sequences(layout, chunks)?;
        Ok(sorter)
    }

    /// Replaces `groups` by the next ones, at most `count`; false when there are none.
    pub(super) fn next_groups(&mut self, count: usize, groups: &mut Groups) -> bool {
        groups.clear();
        let Some(rest) = self.entries.get(self.position..).filter(|rest| !rest.is_empty()) else { return false };
        for (entry, next) in rest.iter().zip(rest.iter().skip(1).map(Some).chain([None])) {
            groups.records.push(entry.record());
            if next.is_none_or(|next| !self.same_key(*entry, *next)) {
                groups.ends.push(groups.records.len());
                if groups.len() >= count {
                    break;
                }
            }
        }
        self.position += groups.records.len();
        true
    }

    #[inline]
    fn same_key(&self, a: Entry, b: Entry) -> bool {
        a.prefix == b.prefix && compare_rest(&self.keys, a, b) == Ordering::Equal
    }

    /// Puts records whose words agree in the order of the rest of their keys.
    fn sort_ties(&mut self) {
        let keys = &self.keys;
        for_each_run(
            &mut self.entries,
            |a, b| a.prefix == b.prefix,
            |tied| {
                tied.sort_by(|a, b| compare_rest(keys, *a, *b));
            },
        );
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
        let keys = &self.keys;
        for_each_run(
            &mut self.entries,
            |a, b| a.prefix == b.prefix && compare_rest(keys, a, b) == Ordering::Equal,
            |same_key| {
                same_key.sort_by(|a, b| compare(&codes, *a, *b));
            },
        );
        Ok(())
    }
}

fn compare(codes: &[Codes], a: Entry, b: Entry) -> Ordering {
    let (a, b) = (a.record(), b.record());
    match (codes.get(a.batch as usize), codes.get(b.batch as usize)) {
        (Some(x), Some(y)) => x.compare(a.row as usize, y, b.row as usize),
        _ => Ordering::Equal,
    }
}

fn compare_rest(codes: &[Codes], a: Entry, b: Entry) -> Ordering {
    let (a, b) = (a.record(), b.record());
    match (codes.get(a.batch as usize), codes.get(b.batch as usize)) {
        (Some(x), Some(y)) => x.compare_rest(a.row as usize, y, b.row as usize),
        _ => Ordering::Equal,
    }
}

/// Calls `sort` with every stretch of more than one neighbour that are `same`.
fn for_each_run(entries: &mut [Entry], same: impl Fn(Entry, Entry) -> bool, mut sort: impl FnMut(&mut [Entry])) {
    for run in entries.chunk_by_mut(|a, b| same(*a, *b)) {
        if run.len() > 1 {
            sort(run);
        }
    }
}

/// Sorts by word, then arrival. When word and place fit one integer together, such integers are sorted: half the bytes.
fn sort_entries(entries: &mut [Entry], chunks: &[KeyValueBatch]) {
    if entries.is_sorted() {
        return;
    }
    let bits = |n: usize| usize::BITS - n.leading_zeros();
    let row_bits = bits(chunks.iter().map(KeyValueBatch::num_rows).max().unwrap_or(0));
    let place_bits = row_bits + bits(chunks.len());
    let least = entries.iter().map(|e| e.prefix).min().unwrap_or(0);
    let span = entries.iter().map(|e| e.prefix).max().unwrap_or(0) - least;
    if place_bits >= 64 || span.leading_zeros() < place_bits {
        entries.sort_unstable();
        return;
    }
    let row_mask = (1_u64 << row_bits) - 1;
    let mut packed: Vec<u64> = entries
        .iter()
        .map(|e| (e.prefix - least) << place_bits | (e.place >> 32) << row_bits | e.place & row_mask)
        .collect();
    packed.sort_unstable();
    for (entry, word) in entries.iter_mut().zip(packed) {
        let place = word & ((1 << place_bits) - 1);
        *entry = Entry { prefix: least + (word >> place_bits), place: (place >> row_bits) << 32 | place & row_mask };
    }
}

/// Bytes all keys begin with, when they are bytes and their first words cannot tell them apart.
fn shared_prefix(keys: &[Codes]) -> usize {
    let Some(first) = keys.iter().find(|codes| !codes.prefix.is_empty()) else { return 0 };
    let word = first.prefix_at(0);
    if !first.has_bytes() || keys.iter().flat_map(|codes| &codes.prefix).any(|&other| other != word) {
        return 0;
    }
    let model = first.bytes(0);
    let mut shared = model.len();
    for codes in keys {
        for row in 0..codes.prefix.len() {
            let bytes = codes.bytes(row);
            let model = model.get(..shared).unwrap_or(model);
            if !bytes.starts_with(model) {
                shared = bytes.iter().zip(model).take_while(|(a, b)| a == b).count();
            }
        }
    }
    shared
}
