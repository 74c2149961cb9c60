//! Tests of rows: whole batches by kernels, single rows by values.

use std::cmp::Ordering;
use std::sync::Arc;

use arrow_array::cast::AsArray;
use arrow_array::types::{Float32Type, Float64Type};
use arrow_array::{Array, ArrayRef, BooleanArray, RecordBatch, Scalar};
use arrow_buffer::{BooleanBuffer, NullBuffer};
use arrow_ord::cmp;
use arrow_schema::ArrowError;

use super::{Leaf, LeafTest, Predicate};
use crate::binary_row::canonical;
use crate::datum_array::{binary_at, string_at};
use crate::{DataType, Datum, Error, ErrorKind, Result, TypeKind, array_from_datums, compare_datums, datum_at};

type Kernel = fn(&dyn arrow_array::Datum, &dyn arrow_array::Datum) -> Result<BooleanArray, ArrowError>;

impl Predicate {
    /// The truth of every row, null where it is unknown (a comparison with null).
    ///
    /// # Errors
    /// `InvalidInput` when a column is missing or its values do not have the type of the predicate.
    pub fn evaluate(&self, batch: &RecordBatch) -> Result<BooleanArray> {
        let constant = |value| {
            let buffer = if value {
                BooleanBuffer::new_set(batch.num_rows())
            } else {
                BooleanBuffer::new_unset(batch.num_rows())
            };
            BooleanArray::new(buffer, None)
        };
        match self {
            Self::True => Ok(constant(true)),
            Self::False => Ok(constant(false)),
            Self::And(parts) => {
                parts.iter().try_fold(constant(true), |all, part| Ok(and(&all, &part.evaluate(batch)?)))
            }
            Self::Or(parts) => parts.iter().try_fold(constant(false), |any, part| Ok(or(&any, &part.evaluate(batch)?))),
            Self::Leaf(leaf) => {
                let column = batch.column_by_name(&leaf.column).ok_or_else(|| {
                    Error::new(ErrorKind::InvalidInput, "the predicate tests a column that the batch does not have")
                        .with("column", &leaf.column)
                })?;
                leaf.evaluate(column).map_err(|e| e.with("column", &leaf.column))
            }
        }
    }

    /// The truth of one row, whose values `value_of` tells by column name (`None` for null); `None` when it is unknown.
    #[must_use]
    pub fn test_row(&self, value_of: &dyn Fn(&str) -> Option<Datum>) -> Option<bool> {
        match self {
            Self::True => Some(true),
            Self::False => Some(false),
            Self::And(parts) => parts.iter().try_fold_kleene(false, value_of),
            Self::Or(parts) => parts.iter().try_fold_kleene(true, value_of),
            Self::Leaf(leaf) => leaf.test_value(value_of(&leaf.column).as_ref()),
        }
    }
}

/// Three-valued folding: `decisive` decides at once, unknown outlives the other value.
trait FoldKleene<'a>: Iterator<Item = &'a Predicate> + Sized {
    fn try_fold_kleene(self, decisive: bool, value_of: &dyn Fn(&str) -> Option<Datum>) -> Option<bool> {
        let mut result = Some(!decisive);
        for part in self {
            match part.test_row(value_of) {
                Some(value) if value == decisive => return Some(decisive),
                None => result = None,
                Some(_) => {}
            }
        }
        result
    }
}

impl<'a, I: Iterator<Item = &'a Predicate>> FoldKleene<'a> for I {}

impl Leaf {
    fn evaluate(&self, column: &ArrayRef) -> Result<BooleanArray> {
        let nested = matches!(
            self.data_type.kind(),
            TypeKind::Array(_) | TypeKind::Map { .. } | TypeKind::Multiset(_) | TypeKind::Row(_) | TypeKind::Variant
        );
        let compare = |literal: &Datum, kernel: Kernel| self.compare(column, literal, kernel);
        match &self.test {
            LeafTest::IsNull => Ok(validity(column, false)),
            LeafTest::IsNotNull => Ok(validity(column, true)),
            _ if nested => Err(Error::new(
                ErrorKind::Unsupported,
                format!("columns of {} can only be tested for null", self.data_type),
            )),
            LeafTest::Equal(literal) => compare(literal, cmp::eq),
            LeafTest::NotEqual(literal) => compare(literal, cmp::neq),
            LeafTest::LessThan(literal) => compare(literal, cmp::lt),
            LeafTest::LessOrEqual(literal) => compare(literal, cmp::lt_eq),
            LeafTest::GreaterThan(literal) => compare(literal, cmp::gt),
            LeafTest::GreaterOrEqual(literal) => compare(literal, cmp::gt_eq),
            LeafTest::In(literals) => {
                let none = BooleanArray::new(BooleanBuffer::new_unset(column.len()), column.logical_nulls());
                literals.iter().try_fold(none, |any, literal| Ok(or(&any, &compare(literal, cmp::eq)?)))
            }
            LeafTest::NotIn(literals) => {
                let all = BooleanArray::new(BooleanBuffer::new_set(column.len()), column.logical_nulls());
                literals.iter().try_fold(all, |all, literal| Ok(and(&all, &compare(literal, cmp::neq)?)))
            }
            LeafTest::StartsWith(literal) => by_bytes(column, &self.data_type, literal, |v, l| v.starts_with(l)),
            LeafTest::EndsWith(literal) => by_bytes(column, &self.data_type, literal, |v, l| v.ends_with(l)),
            LeafTest::Contains(literal) => by_bytes(column, &self.data_type, literal, contains),
        }
    }

    fn compare(&self, column: &ArrayRef, literal: &Datum, kernel: Kernel) -> Result<BooleanArray> {
        let column = one_nan(canonical(column, &self.data_type)?);
        // Sub-precision digits of a literal would be lost in the column's unit.
        if let Datum::Timestamp { .. } = literal
            && datum_at(&array_from_datums(&self.data_type, &[Some(literal.clone())])?, 0, &self.data_type)?.as_ref()
                != Some(literal)
        {
            return self.by_values(&column);
        }
        let scalar = Scalar::new(one_nan(array_from_datums(&self.data_type, &[Some(literal.clone())])?));
        kernel(&column, &scalar).map_err(|e| {
            Error::new(ErrorKind::InvalidInput, format!("{} values cannot be compared", self.data_type)).with_source(e)
        })
    }

    fn by_values(&self, column: &ArrayRef) -> Result<BooleanArray> {
        (0..column.len())
            .map(|row| Ok(self.test_value(datum_at(column, row, &self.data_type)?.as_ref())))
            .collect::<Result<Vec<Option<bool>>>>()
            .map(BooleanArray::from)
    }

    /// The truth of the test for one value, `None` when unknown.
    fn test_value(&self, value: Option<&Datum>) -> Option<bool> {
        match &self.test {
            LeafTest::IsNull => return Some(value.is_none()),
            LeafTest::IsNotNull => return Some(value.is_some()),
            _ => {}
        }
        let value = value?;
        let order = |literal: &Datum| compare_datums(value, literal);
        match &self.test {
            LeafTest::Equal(literal) => order(literal).map(Ordering::is_eq),
            LeafTest::NotEqual(literal) => order(literal).map(Ordering::is_ne),
            LeafTest::LessThan(literal) => order(literal).map(Ordering::is_lt),
            LeafTest::LessOrEqual(literal) => order(literal).map(Ordering::is_le),
            LeafTest::GreaterThan(literal) => order(literal).map(Ordering::is_gt),
            LeafTest::GreaterOrEqual(literal) => order(literal).map(Ordering::is_ge),
            LeafTest::In(literals) => Some(literals.iter().any(|l| order(l) == Some(Ordering::Equal))),
            LeafTest::NotIn(literals) => Some(literals.iter().all(|l| order(l) != Some(Ordering::Equal))),
            LeafTest::StartsWith(literal) => Some(bytes_of(value)?.starts_with(bytes_of(literal)?)),
            LeafTest::EndsWith(literal) => Some(bytes_of(value)?.ends_with(bytes_of(literal)?)),
            LeafTest::Contains(literal) => Some(contains(bytes_of(value)?, bytes_of(literal)?)),
            LeafTest::IsNull | LeafTest::IsNotNull => None,
        }
    }
}

/// Arrow tells NaNs apart by their bits and puts some below all numbers; Paimon knows one, above all.
fn one_nan(column: ArrayRef) -> ArrayRef {
    if let Some(floats) = column.as_primitive_opt::<Float32Type>() {
        return Arc::new(floats.unary::<_, Float32Type>(|v| if v.is_nan() { f32::NAN } else { v }));
    }
    if let Some(floats) = column.as_primitive_opt::<Float64Type>() {
        return Arc::new(floats.unary::<_, Float64Type>(|v| if v.is_nan() { f64::NAN } else { v }));
    }
    column
}

fn bytes_of(value: &Datum) -> Option<&[u8]> {
    match value {
        Datum::String(text) => Some(text.as_bytes()),
        Datum::Bytes(bytes) => Some(bytes),
        _ => None,
    }
}

fn contains(value: &[u8], part: &[u8]) -> bool {
    part.is_empty() || value.windows(part.len()).any(|window| window == part)
}

fn by_bytes(
    column: &ArrayRef,
    data_type: &DataType,
    literal: &Datum,
    test: impl Fn(&[u8], &[u8]) -> bool,
) -> Result<BooleanArray> {
    let column = canonical(column, data_type)?;
    let Some(literal) = bytes_of(literal) else {
        return Err(Error::new(ErrorKind::InvalidInput, format!("LIKE does not apply to {data_type}")));
    };
    (0..column.len())
        .map(|row| {
            if column.is_null(row) {
                return Ok(None);
            }
            let value = string_at(&column, row).map(str::as_bytes).or_else(|| binary_at(&column, row));
            value
                .map(|value| Some(test(value, literal)))
                .ok_or_else(|| Error::new(ErrorKind::InvalidInput, format!("LIKE does not apply to {data_type}")))
        })
        .collect::<Result<Vec<Option<bool>>>>()
        .map(BooleanArray::from)
}

fn validity(column: &ArrayRef, valid: bool) -> BooleanArray {
    let values = match column.logical_nulls() {
        Some(nulls) if valid => nulls.inner().clone(),
        Some(nulls) => !nulls.inner(),
        None if valid => BooleanBuffer::new_set(column.len()),
        None => BooleanBuffer::new_unset(column.len()),
    };
    BooleanArray::new(values, None)
}

/// The rows that are true and those that are false.
fn split(array: &BooleanArray) -> (BooleanBuffer, BooleanBuffer) {
    match array.nulls() {
        Some(nulls) => (array.values() & nulls.inner(), &!array.values() & nulls.inner()),
        None => (array.values().clone(), !array.values()),
    }
}

fn join(yes: BooleanBuffer, no: &BooleanBuffer) -> BooleanArray {
    let known = NullBuffer::new(&yes | no);
    BooleanArray::new(yes, Some(known).filter(|nulls| nulls.null_count() > 0))
}

fn and(left: &BooleanArray, right: &BooleanArray) -> BooleanArray {
    let ((yes, no), (right_yes, right_no)) = (split(left), split(right));
    join(&yes & &right_yes, &(&no | &right_no))
}

fn or(left: &BooleanArray, right: &BooleanArray) -> BooleanArray {
    let ((yes, no), (right_yes, right_no)) = (split(left), split(right));
    join(&yes | &right_yes, &(&no & &right_no))
}
