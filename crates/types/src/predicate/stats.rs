//! Tests of whole files or groups by their statistics. Source: spec page 02 §6.1.

use std::cmp::Ordering;

use super::{Leaf, LeafTest, Predicate};
use crate::{Datum, compare_datums};

/// What is known of the values of one column in a set of rows. Bounds may be wider than the values, never narrower.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ColumnRange {
    /// A lower bound of the values that are not null.
    pub min: Option<Datum>,
    /// An upper bound of the values that are not null.
    pub max: Option<Datum>,
    /// Number of nulls.
    pub null_count: Option<i64>,
}

/// Statistics by column.
pub trait ColumnStats {
    /// What is known of the column; `None` when nothing is.
    fn of(&self, column: &str) -> Option<ColumnRange>;
}

impl Predicate {
    /// Whether some of the `row_count` rows may satisfy the predicate; `false` proves that none does.
    #[must_use]
    pub fn test_stats(&self, row_count: i64, stats: &dyn ColumnStats) -> bool {
        match self {
            Self::True => true,
            Self::False => false,
            Self::And(parts) => parts.iter().all(|part| part.test_stats(row_count, stats)),
            Self::Or(parts) => parts.iter().any(|part| part.test_stats(row_count, stats)),
            Self::Leaf(leaf) => stats.of(&leaf.column).is_none_or(|range| leaf.may_match(row_count, &range)),
        }
    }
}

impl Leaf {
    fn may_match(&self, row_count: i64, range: &ColumnRange) -> bool {
        match &self.test {
            LeafTest::IsNull => return range.null_count.is_none_or(|nulls| nulls > 0),
            LeafTest::IsNotNull => return range.null_count.is_none_or(|nulls| nulls < row_count),
            _ => {}
        }
        if range.null_count == Some(row_count) {
            return false;
        }
        let (Some(min), Some(max)) = (&range.min, &range.max) else { return true };
        let is = |order: Option<Ordering>, wanted: &[Ordering]| order.is_none_or(|order| wanted.contains(&order));
        let (less, equal, greater) = (Ordering::Less, Ordering::Equal, Ordering::Greater);
        let inside = |literal: &Datum| {
            is(compare_datums(min, literal), &[less, equal]) && is(compare_datums(max, literal), &[greater, equal])
        };
        // All values equal the literal. Truncated bounds differ from each other, so this is exact.
        let only = |literal: &Datum| {
            compare_datums(min, literal) == Some(equal) && compare_datums(max, literal) == Some(equal)
        };
        match &self.test {
            LeafTest::Equal(literal) => inside(literal),
            LeafTest::NotEqual(literal) => !only(literal),
            LeafTest::LessThan(literal) => is(compare_datums(min, literal), &[less]),
            LeafTest::LessOrEqual(literal) => is(compare_datums(min, literal), &[less, equal]),
            LeafTest::GreaterThan(literal) => is(compare_datums(max, literal), &[greater]),
            LeafTest::GreaterOrEqual(literal) => is(compare_datums(max, literal), &[greater, equal]),
            LeafTest::In(literals) => literals.iter().any(inside),
            LeafTest::NotIn(literals) => !literals.iter().any(only),
            LeafTest::StartsWith(prefix) => {
                (starts_with(min, prefix) || is(compare_datums(min, prefix), &[less, equal]))
                    && (starts_with(max, prefix) || is(compare_datums(max, prefix), &[greater, equal]))
            }
            _ => true,
        }
    }
}

fn starts_with(value: &Datum, prefix: &Datum) -> bool {
    match (value, prefix) {
        (Datum::String(value), Datum::String(prefix)) => value.starts_with(prefix.as_str()),
        (Datum::Bytes(value), Datum::Bytes(prefix)) => value.starts_with(prefix),
        _ => true,
    }
}
