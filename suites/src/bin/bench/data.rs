//! Generated rows: row number in, row out, so that any part can be made again anywhere.
#![expect(clippy::cast_possible_wrap, reason = "all numbers are small by construction")]

use std::fmt::Write as _;
use std::ops::Range;
use std::sync::Arc;

use arrow_array::{ArrayRef, Float64Array, Int32Array, Int64Array, RecordBatch, StringArray};
use arrow_schema::SchemaRef;
use headwater_types::{DataField, DataType, TypeKind, arrow_schema};

/// How keys are chosen.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Keys {
    /// Every row its own.
    Unique,
    /// Some of that many keys far more often than others: half of the rows go to an eighth of the keys.
    Skewed(u64),
    /// That many keys, all alike.
    Even(u64),
}

pub(crate) const CITIES: u64 = 50;
const CATEGORIES: u64 = 100;

/// What a row counts for in the checks; its texts are made only where they are stored.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Row {
    pub(crate) id: i64,
    pub(crate) version: i64,
    pub(crate) category: i32,
    /// The amount in quarters: sums of such doubles are exact in any order.
    pub(crate) quarters: i64,
    pub(crate) city: u64,
    note: u64,
}

impl Row {
    pub(crate) fn numbered(number: u64, keys: Keys) -> Self {
        let noise = mix(number);
        let other = mix(noise);
        let id = match keys {
            Keys::Unique => number,
            Keys::Even(keys) => scaled(noise >> 32, keys),
            Keys::Skewed(keys) => {
                let unit = noise >> 32;
                let skewed = (((unit * unit) >> 32) * unit) >> 32;
                // Hot keys are not neighbours.
                (scaled(skewed, keys) * 7_919) % keys.max(1)
            }
        };
        Self {
            id: id as i64,
            version: number as i64,
            category: (other % CATEGORIES) as i32,
            quarters: ((other >> 8) % 4_000_000) as i64,
            city: (other >> 40) % CITIES,
            note: mix(other),
        }
    }

    pub(crate) fn letters(&self) -> i64 {
        // "city-" and two digits.
        7 + self.note_length() as i64
    }

    fn note_length(&self) -> usize {
        16 + (self.note % 17) as usize
    }
}

/// `unit` of 2^32 as a share of `of`.
fn scaled(unit: u64, of: u64) -> u64 {
    (unit * of) >> 32
}

/// The finaliser of SplitMix64.
fn mix(number: u64) -> u64 {
    let mut z = number.wrapping_add(1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

/// The columns of every case.
pub(crate) fn fields() -> Vec<DataField> {
    let nullable = |id, name, kind| DataField::new(id, name, DataType::new(kind, true));
    vec![
        DataField::new(0, "id", DataType::new(TypeKind::BigInt, false)),
        nullable(1, "version", TypeKind::BigInt),
        nullable(2, "category", TypeKind::Int),
        nullable(3, "amount", TypeKind::Double),
        nullable(4, "city", TypeKind::STRING),
        nullable(5, "note", TypeKind::STRING),
    ]
}

pub(crate) fn schema() -> SchemaRef {
    arrow_schema(&fields())
}

/// Rows of these numbers.
pub(crate) fn batch(numbers: Range<u64>, keys: Keys) -> Result<RecordBatch, arrow_schema::ArrowError> {
    let rows: Vec<Row> = numbers.map(|number| Row::numbered(number, keys)).collect();
    let mut text = String::new();
    let notes = rows.iter().map(|row| {
        text.clear();
        // Writing to a string cannot fail.
        let _ = write!(text, "{:016x}{:016x}", row.note, mix(row.note));
        text.truncate(row.note_length());
        Some(text.clone())
    });
    let notes: StringArray = notes.collect();
    let columns: Vec<ArrayRef> = vec![
        Arc::new(Int64Array::from_iter_values(rows.iter().map(|row| row.id))),
        Arc::new(Int64Array::from_iter_values(rows.iter().map(|row| row.version))),
        Arc::new(Int32Array::from_iter_values(rows.iter().map(|row| row.category))),
        Arc::new(Float64Array::from_iter_values(rows.iter().map(|row| row.quarters as f64 / 4.0))),
        Arc::new(StringArray::from_iter_values(rows.iter().map(|row| format!("city-{:02}", row.city)))),
        Arc::new(notes),
    ];
    RecordBatch::try_new(schema(), columns)
}
