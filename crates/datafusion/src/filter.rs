//! DataFusion's filter expressions as predicates that scans understand.

use datafusion::common::{Column, ScalarValue};
use datafusion::logical_expr::{BinaryExpr, Expr, Operator, expr::InList};
use headwater_types::{DataField, Datum, Leaf, LeafTest, Predicate, TypeKind, array_from_datums, datum_at};

/// The strongest predicate that follows from all filters: rows it rejects are rejected by the filters as well.
pub(crate) fn to_predicate(filters: &[Expr], fields: &[DataField]) -> Predicate {
    let parts: Vec<Predicate> = filters.iter().filter_map(|filter| convert(filter, fields)).collect();
    match parts.len() {
        0 => Predicate::True,
        _ => Predicate::And(parts),
    }
}

/// Whether a filter has a predicate at all.
pub(crate) fn is_convertible(filter: &Expr, fields: &[DataField]) -> bool {
    convert(filter, fields).is_some()
}

fn convert(expr: &Expr, fields: &[DataField]) -> Option<Predicate> {
    match expr {
        Expr::BinaryExpr(BinaryExpr { left, op: Operator::And, right }) => {
            match (convert(left, fields), convert(right, fields)) {
                (Some(l), Some(r)) => Some(Predicate::And(vec![l, r])),
                (one, other) => one.or(other),
            }
        }
        Expr::BinaryExpr(BinaryExpr { left, op: Operator::Or, right }) => {
            Some(Predicate::Or(vec![convert(left, fields)?, convert(right, fields)?]))
        }
        Expr::BinaryExpr(BinaryExpr { left, op, right }) => comparison(left, *op, right, fields),
        Expr::IsNull(inner) => leaf(column(inner, fields)?, LeafTest::IsNull),
        Expr::IsNotNull(inner) => leaf(column(inner, fields)?, LeafTest::IsNotNull),
        Expr::InList(InList { expr, list, negated }) => {
            let field = column(expr, fields)?;
            let literals = list.iter().map(|item| literal(item, field)).collect::<Option<Vec<Datum>>>()?;
            leaf(field, if *negated { LeafTest::NotIn(literals) } else { LeafTest::In(literals) })
        }
        Expr::Between(between) if !between.negated => {
            let field = column(&between.expr, fields)?;
            let low = literal(&between.low, field)?;
            let high = literal(&between.high, field)?;
            Some(Predicate::And(vec![
                leaf(field, LeafTest::GreaterOrEqual(low))?,
                leaf(field, LeafTest::LessOrEqual(high))?,
            ]))
        }
        Expr::Column(_) => {
            let field = column(expr, fields)?;
            matches!(field.data_type.kind(), TypeKind::Boolean)
                .then(|| leaf(field, LeafTest::Equal(Datum::Boolean(true))))
                .flatten()
        }
        Expr::Not(inner) => {
            let field = column(inner, fields)?;
            matches!(field.data_type.kind(), TypeKind::Boolean)
                .then(|| leaf(field, LeafTest::Equal(Datum::Boolean(false))))
                .flatten()
        }
        _ => None,
    }
}

fn comparison(left: &Expr, op: Operator, right: &Expr, fields: &[DataField]) -> Option<Predicate> {
    let (field, value, op) = match (column(left, fields), column(right, fields)) {
        (Some(field), None) => (field, literal(right, field)?, op),
        (None, Some(field)) => (field, literal(left, field)?, op.swap()?),
        _ => return None,
    };
    let test = match op {
        Operator::Eq => LeafTest::Equal(value),
        Operator::NotEq => LeafTest::NotEqual(value),
        Operator::Lt => LeafTest::LessThan(value),
        Operator::LtEq => LeafTest::LessOrEqual(value),
        Operator::Gt => LeafTest::GreaterThan(value),
        Operator::GtEq => LeafTest::GreaterOrEqual(value),
        _ => return None,
    };
    leaf(field, test)
}

#[expect(clippy::unnecessary_wraps, reason = "every arm of the conversion is optional")]
fn leaf(field: &DataField, test: LeafTest) -> Option<Predicate> {
    Some(Predicate::Leaf(Leaf { column: field.name.clone(), data_type: field.data_type.clone(), test }))
}

fn column<'f>(expr: &Expr, fields: &'f [DataField]) -> Option<&'f DataField> {
    match expr {
        Expr::Column(Column { name, .. }) => fields.iter().find(|f| f.name == *name),
        _ => None,
    }
}

/// A literal as a value of the column's type; none when the conversion would lose something.
fn literal(expr: &Expr, field: &DataField) -> Option<Datum> {
    let Expr::Literal(scalar, _) = expr else { return None };
    if scalar.is_null() {
        return None;
    }
    let wanted = headwater_types::arrow_type(&field.data_type);
    let cast = scalar.cast_to(&wanted).ok()?;
    let back = cast.cast_to(&scalar.data_type()).ok()?;
    if !same(&back, scalar) {
        return None;
    }
    let array = cast.to_array().ok()?;
    let datum = datum_at(array.as_ref(), 0, &field.data_type).ok()??;
    // A value that the column cannot hold cannot be compared in the column's layout.
    array_from_datums(&field.data_type, &[Some(datum.clone())]).ok()?;
    Some(datum)
}

fn same(left: &ScalarValue, right: &ScalarValue) -> bool {
    left == right
}
