//! Minima, maxima and null counts of written columns, collected from the data (spec page 02 §4, page 01 §6.2).

use arrow_array::cast::AsArray as _;
use arrow_array::types::{
    ArrowPrimitiveType, Date32Type, Decimal128Type, Float32Type, Float64Type, Int8Type, Int16Type, Int32Type,
    Int64Type, Time32MillisecondType, TimestampMicrosecondType, TimestampMillisecondType,
};
use arrow_array::{Array, ArrayRef};
use arrow_schema::{DataType as Arrow, TimeUnit};
use headwater_types::{DataField, Datum, StatsMode, TypeKind, datum_at};

use crate::{ColumnSummary, Result};

#[cfg(test)]
mod tests;

/// Collects the statistics of one file, column by column.
pub(crate) struct StatsCollector {
    columns: Vec<Column>,
}

struct Column {
    field: DataField,
    mode: StatsMode,
    min: Option<Datum>,
    max: Option<Datum>,
    nulls: i64,
    /// Whether values of this type have statistics in Parquet files at all.
    counted: bool,
}

impl StatsCollector {
    pub(crate) fn new(fields: &[DataField], modes: &[StatsMode]) -> Self {
        let columns = fields.iter().enumerate().map(|(i, field)| Column {
            mode: modes.get(i).copied().unwrap_or(StatsMode::None),
            counted: !is_nested(field.data_type.kind()),
            field: field.clone(),
            min: None,
            max: None,
            nulls: 0,
        });
        Self { columns: columns.collect() }
    }

    /// Takes a batch in; columns in the order of the fields.
    pub(crate) fn update(&mut self, columns: &[ArrayRef]) -> Result<()> {
        for (column, values) in self.columns.iter_mut().zip(columns) {
            if column.mode == StatsMode::None || !column.counted {
                continue;
            }
            column.nulls += i64::try_from(values.null_count()).unwrap_or(i64::MAX);
            if column.mode != StatsMode::Counts
                && let Some((low, high)) = extremes(values.as_ref())
            {
                let value = |row| datum_at(values.as_ref(), row, &column.field.data_type);
                keep(&mut column.min, value(low)?, std::cmp::Ordering::Less);
                keep(&mut column.max, value(high)?, std::cmp::Ordering::Greater);
            }
        }
        Ok(())
    }

    pub(crate) fn finish(self) -> Vec<ColumnSummary> {
        self.columns.into_iter().map(Column::summary).collect()
    }
}

impl Column {
    fn summary(self) -> ColumnSummary {
        if !self.counted || self.mode == StatsMode::None {
            return ColumnSummary::default();
        }
        let (min, max) = match (self.mode, self.min, self.max) {
            (StatsMode::Truncate(length), Some(min), Some(max)) => {
                let length = usize::try_from(length).unwrap_or(usize::MAX);
                match truncate_max(max, length) {
                    Some(max) => (Some(truncate_min(min, length)), Some(max)),
                    None => (None, None),
                }
            }
            (_, min, max) => (min, max),
        };
        ColumnSummary { min, max, null_count: Some(self.nulls) }
    }
}

fn is_nested(kind: &TypeKind) -> bool {
    matches!(
        kind,
        TypeKind::Array(_)
            | TypeKind::Map { .. }
            | TypeKind::Multiset(_)
            | TypeKind::Row(_)
            | TypeKind::Variant
            | TypeKind::Vector { .. }
    )
}

fn keep(kept: &mut Option<Datum>, candidate: Option<Datum>, wanted: std::cmp::Ordering) {
    let Some(candidate) = candidate else { return };
    let better = match kept {
        None => true,
        Some(kept) => headwater_types::compare_datums(&candidate, kept) == Some(wanted),
    };
    if better {
        *kept = Some(candidate);
    }
}

/// Rows of the smallest and the largest value; none when all are null or the type has no order here.
fn extremes(values: &dyn Array) -> Option<(usize, usize)> {
    match values.data_type() {
        Arrow::Int8 => primitive::<Int8Type, _>(values, |v| v),
        Arrow::Int16 => primitive::<Int16Type, _>(values, |v| v),
        Arrow::Int32 => primitive::<Int32Type, _>(values, |v| v),
        Arrow::Int64 => primitive::<Int64Type, _>(values, |v| v),
        Arrow::Float32 => primitive::<Float32Type, _>(values, total_order_32),
        Arrow::Float64 => primitive::<Float64Type, _>(values, total_order_64),
        Arrow::Decimal128(_, _) => primitive::<Decimal128Type, _>(values, |v| v),
        Arrow::Date32 => primitive::<Date32Type, _>(values, |v| v),
        Arrow::Time32(TimeUnit::Millisecond) => primitive::<Time32MillisecondType, _>(values, |v| v),
        Arrow::Timestamp(TimeUnit::Millisecond, _) => primitive::<TimestampMillisecondType, _>(values, |v| v),
        Arrow::Timestamp(TimeUnit::Microsecond, _) => primitive::<TimestampMicrosecondType, _>(values, |v| v),
        Arrow::Boolean => extremes_of(values.as_boolean().iter()),
        Arrow::Utf8 => extremes_of(values.as_string::<i32>().iter().map(|v| v.map(str::as_bytes))),
        Arrow::Binary => extremes_of(values.as_binary::<i32>().iter()),
        // Timestamps finer than microseconds have no statistics in the reference's files.
        _ => None,
    }
}

fn primitive<T: ArrowPrimitiveType, K: Ord>(
    values: &dyn Array,
    key: impl Fn(T::Native) -> K,
) -> Option<(usize, usize)> {
    extremes_of(values.as_primitive::<T>().iter().map(|v| v.map(&key)))
}

fn extremes_of<K: Ord>(values: impl Iterator<Item = Option<K>>) -> Option<(usize, usize)> {
    let mut present = values.enumerate().filter_map(|(row, value)| Some((row, value?)));
    let first = present.next()?;
    let (mut low, mut high) = (first, None::<(usize, K)>);
    for (row, value) in present {
        if value < low.1 {
            let old = std::mem::replace(&mut low, (row, value));
            high.get_or_insert(old);
        } else if high.as_ref().is_none_or(|high| value > high.1) {
            high = Some((row, value));
        }
    }
    Some((low.0, high.map_or(low.0, |high| high.0)))
}

/// Java's order of floats: -0.0 before 0.0, NaN last whatever its sign.
fn total_order_32(value: f32) -> i32 {
    let bits = if value.is_nan() { f32::NAN.to_bits() & 0x7fff_ffff } else { value.to_bits() }.cast_signed();
    bits ^ ((bits >> 31).cast_unsigned() >> 1).cast_signed()
}

fn total_order_64(value: f64) -> i64 {
    let bits = if value.is_nan() { f64::NAN.to_bits() & 0x7fff_ffff_ffff_ffff } else { value.to_bits() }.cast_signed();
    bits ^ ((bits >> 63).cast_unsigned() >> 1).cast_signed()
}

/// The first `length` characters or bytes: never larger than the value.
fn truncate_min(value: Datum, length: usize) -> Datum {
    match value {
        Datum::String(text) => Datum::String(text.chars().take(length).collect()),
        Datum::Bytes(mut bytes) => {
            bytes.truncate(length);
            Datum::Bytes(bytes)
        }
        other => other,
    }
}

/// A value of at most `length` characters or bytes that is not smaller; none when there is none.
fn truncate_max(value: Datum, length: usize) -> Option<Datum> {
    match value {
        Datum::String(text) if text.chars().count() > length => {
            let mut kept: Vec<char> = text.chars().take(length).collect();
            while let Some(last) = kept.pop() {
                // The successor of U+D7FF would be a surrogate, which is no character.
                let next = if last == '\u{d7ff}' { Some('\u{e000}') } else { char::from_u32(u32::from(last) + 1) };
                if let Some(next) = next {
                    kept.push(next);
                    return Some(Datum::String(kept.into_iter().collect()));
                }
            }
            None
        }
        Datum::Bytes(mut bytes) if bytes.len() > length => {
            bytes.truncate(length);
            while let Some(last) = bytes.pop() {
                if last < u8::MAX {
                    bytes.push(last + 1);
                    return Some(Datum::Bytes(bytes));
                }
            }
            None
        }
        other => Some(other),
    }
}
