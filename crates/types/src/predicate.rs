//! Filters over table columns, with SQL's three-valued logic.

mod build;
mod evaluate;
mod stats;
#[cfg(test)]
mod tests;

pub use stats::{ColumnRange, ColumnStats};

use crate::{DataType, Datum};

/// A filter over the columns of a row, as pushed to statistics, file indexes and readers.
#[derive(Clone, Debug, PartialEq)]
pub enum Predicate {
    /// Keeps every row.
    True,
    /// Keeps no row.
    False,
    /// All must hold.
    And(Vec<Predicate>),
    /// At least one must hold.
    Or(Vec<Predicate>),
    /// A test of one column.
    Leaf(Leaf),
}

/// A test of one top-level column against literals of the column's own type.
#[derive(Clone, Debug, PartialEq)]
pub struct Leaf {
    /// The column's name.
    pub column: String,
    /// The column's type; literals have the matching [`Datum`] variant and scale.
    pub data_type: DataType,
    /// The test.
    pub test: LeafTest,
}

/// Tests of one column. All but the null tests are unknown (not kept) for null.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum LeafTest {
    /// `column IS NULL`
    IsNull,
    /// `column IS NOT NULL`
    IsNotNull,
    /// `column = literal`
    Equal(Datum),
    /// `column <> literal`
    NotEqual(Datum),
    /// `column < literal`
    LessThan(Datum),
    /// `column <= literal`
    LessOrEqual(Datum),
    /// `column > literal`
    GreaterThan(Datum),
    /// `column >= literal`
    GreaterOrEqual(Datum),
    /// `column IN (…)`; the list holds no nulls
    In(Vec<Datum>),
    /// `column NOT IN (…)`; the list holds no nulls
    NotIn(Vec<Datum>),
    /// `column LIKE 'literal%'`
    StartsWith(Datum),
    /// `column LIKE '%literal'`
    EndsWith(Datum),
    /// `column LIKE '%literal%'`
    Contains(Datum),
}
