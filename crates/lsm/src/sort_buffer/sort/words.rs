//! Records as words to sort: what tells keys apart above, where the record is below.

use crate::codes::{Codes, first_word};
use crate::engine::RecordRef;

/// One word per record: as many telling bits of its key as fit above the record's place. Words of ascending places
/// have ascending low bits, so that words order by key, then by arrival.
#[derive(Debug)]
pub(super) struct Words {
    pub(super) words: Vec<u64>,
    pub(super) layout: WordLayout,
    /// Whether words whose key bits agree have the same key.
    pub(super) exact: bool,
}

/// Which bits of a word are what: key bits, then chunk, then row.
#[derive(Clone, Copy, Debug)]
pub(super) struct WordLayout {
    chunk_bits: u32,
    row_bits: u32,
}

impl WordLayout {
    fn place_bits(self) -> u32 {
        self.chunk_bits + self.row_bits
    }

    /// The key bits of a word.
    #[inline]
    pub(super) fn key(self, word: u64) -> u64 {
        word >> self.place_bits()
    }

    /// The record of a word.
    #[inline]
    #[expect(clippy::cast_possible_truncation, reason = "chunk and row are counted in 32 bits")]
    pub(super) fn record(self, word: u64) -> RecordRef {
        let place = word & low_bits(self.place_bits());
        RecordRef { batch: (place >> self.row_bits) as u32, row: (place & low_bits(self.row_bits)) as u32 }
    }
}

impl Words {
    /// The words of all records, unsorted. Chunks and rows together must not need more than 32 bits to count records,
    /// which leaves at least half of each word to the key.
    pub(super) fn new(keys: &[Codes]) -> Self {
        let rows = keys.iter().map(|codes| codes.prefix.len()).max().unwrap_or(0);
        let (chunk_bits, row_bits) = (bits(keys.len() as u64), bits(rows as u64));
        let available = 64_u32.saturating_sub(chunk_bits + row_bits).max(1);
        let Shared { skip, rest_is_telling } = Shared::new(keys);
        let telling = Telling::new(|| codes_of(keys, skip), available);
        let layout = WordLayout { chunk_bits, row_bits };
        let mut words = Vec::with_capacity(keys.iter().map(|codes| codes.prefix.len()).sum());
        for (chunk, codes) in (0_u64..).zip(keys) {
            let mut place = chunk << row_bits;
            let mut push = |code: u64| {
                words.push(telling.pack(code) << layout.place_bits() | place);
                place += 1;
            };
            if skip == 0 {
                codes.prefix.iter().for_each(|&code| push(code));
            } else {
                (0..codes.prefix.len()).for_each(|row| push(skipped(codes, row, skip)));
            }
        }
        let exact = telling.bits <= available && (rest_is_telling || keys.iter().all(Codes::is_exact));
        Self { words, layout, exact }
    }

    /// Sorts by key bits, then arrival. Counting digits instead was measured and is slower for a million words.
    pub(super) fn sort(&mut self) {
        self.words.sort_unstable();
    }

    /// The record of a word.
    #[inline]
    pub(super) fn record(&self, word: u64) -> RecordRef {
        self.layout.record(word)
    }
}

/// The bits in which codes differ. Leaving out the others keeps their order.
#[derive(Debug)]
struct Telling {
    /// Subtracted first.
    least: u64,
    /// `(shift, length)` of the stretches of bits that differ, most significant first.
    stretches: Vec<(u32, u32)>,
    /// All of them.
    bits: u32,
    /// Lowest bits that do not fit.
    cut: u32,
}

impl Telling {
    /// Of two ways the one that needs fewer bits: the distance to the least code, or the bits that vary.
    fn new<I: Iterator<Item = u64>>(codes: impl Fn() -> I, available: u32) -> Self {
        let model = codes().next().unwrap_or(0);
        let (least, most, varying) = codes().fold((model, model, 0), |(least, most, varying), code| {
            (least.min(code), most.max(code), varying | code ^ model)
        });
        let span = most - least;
        let stretches = stretches(varying);
        // Many short stretches cost more to gather than the bits are worth, unless they make the words exact.
        let (least, stretches) = if bits(span) <= varying.count_ones() || stretches.len() > 16 {
            (least, vec![(0, bits(span))])
        } else {
            (0, stretches)
        };
        let bits = stretches.iter().map(|(_, length)| length).sum();
        Self { least, stretches, bits, cut: u32::saturating_sub(bits, available) }
    }

    #[inline]
    fn pack(&self, code: u64) -> u64 {
        let code = code.wrapping_sub(self.least);
        let gathered = self.stretches.iter().fold(0_u64, |word, &(shift, length)| {
            word.checked_shl(length).unwrap_or(0) | code.checked_shr(shift).unwrap_or(0) & low_bits(length)
        });
        gathered.checked_shr(self.cut).unwrap_or(0)
    }
}

/// The stretches of ones, most significant first.
fn stretches(mut ones: u64) -> Vec<(u32, u32)> {
    let mut found = Vec::new();
    while ones != 0 {
        let shift = ones.trailing_zeros();
        let length = (ones >> shift).trailing_ones();
        found.push((shift, length));
        ones &= !(low_bits(length) << shift);
    }
    found.reverse();
    found
}

fn codes_of(keys: &[Codes], skip: usize) -> impl Iterator<Item = u64> + '_ {
    keys.iter().flat_map(move |codes| {
        (0..codes.prefix.len()).map(move |row| if skip == 0 { codes.prefix_at(row) } else { skipped(codes, row, skip) })
    })
}

/// The word of a key behind the bytes all keys share.
#[inline]
fn skipped(codes: &Codes, row: usize, skip: usize) -> u64 {
    first_word(codes.bytes(row).get(skip..).unwrap_or_default())
}

/// Bits needed for numbers below and up to `most`.
fn bits(most: u64) -> u32 {
    64 - most.leading_zeros()
}

fn low_bits(count: u32) -> u64 {
    1_u64.checked_shl(count).map_or(u64::MAX, |bit| bit - 1)
}

/// What keys that are bytes have in common.
struct Shared {
    /// Bytes that all begin with; 0 when keys are not bytes.
    skip: usize,
    /// Whether keys whose words behind these bytes agree are the same.
    rest_is_telling: bool,
}

impl Shared {
    fn new(keys: &[Codes]) -> Self {
        let first = keys.iter().find(|codes| !codes.prefix.is_empty()).filter(|codes| codes.has_bytes());
        let Some(first) = first else { return Self { skip: 0, rest_is_telling: false } };
        let mut model = first.bytes(0);
        let mut longest = 0;
        let mut ends_in_zero = false;
        for codes in keys {
            for row in 0..codes.prefix.len() {
                let bytes = codes.bytes(row);
                longest = longest.max(bytes.len());
                ends_in_zero |= bytes.last() == Some(&0);
                if !bytes.starts_with(model) {
                    let shared = bytes.iter().zip(model).take_while(|(a, b)| a == b).count();
                    model = model.get(..shared).unwrap_or_default();
                }
            }
        }
        // Words of shorter rests are filled up with zeros: a key that ends in zero could look like a shorter one.
        Self { skip: model.len(), rest_is_telling: longest - model.len() <= 8 && !ends_in_zero }
    }
}

#[cfg(test)]
mod tests;
