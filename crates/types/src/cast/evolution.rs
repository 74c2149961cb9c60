//! Which type a column may be changed to.

use super::{Family, executor, family};
use crate::{DataType, TypeKind};

/// Whether a column of type `from` may become `to`: the change is known to lose nothing, or, with `allow_explicit`, is one
/// that a CAST may ask for, and there is a cast that readers of old files apply. Nullability counts only where a nullable
/// column becomes NOT NULL, which needs `allow_explicit`.
///
/// # Source
/// Spec page 01 §3.2; `DataTypeCasts` and `CastExecutors` of release-2.0.0.
#[must_use]
pub fn can_change_type(from: &DataType, to: &DataType, allow_explicit: bool) -> bool {
    if from.is_nullable() && !to.is_nullable() && !allow_explicit {
        return false;
    }
    let supported =
        from.kind() == to.kind() || is_implicit(from.kind(), to.kind()) || (allow_explicit && is_explicit(from, to));
    supported && has_cast(from, to)
}

/// The reference has no cast from TIME to TIME, although readers need none.
fn has_cast(from: &DataType, to: &DataType) -> bool {
    let both_times = family(from.kind()) == Family::Time && family(to.kind()) == Family::Time;
    !both_times && executor(from, to).is_ok()
}

fn is_integer(kind: &TypeKind) -> bool {
    family(kind) == Family::Integer
}

fn is_numeric(kind: &TypeKind) -> bool {
    matches!(family(kind), Family::Integer | Family::Float | Family::Decimal)
}

fn is_implicit(from: &TypeKind, to: &TypeKind) -> bool {
    use TypeKind as T;
    match to {
        T::Char { .. } => matches!(from, T::Char { .. }),
        T::VarChar { .. } => family(from) == Family::Text,
        T::Binary { .. } => matches!(from, T::Binary { .. }),
        T::VarBinary { .. } => family(from) == Family::Bytes,
        T::Decimal { .. } | T::Double => is_numeric(from),
        T::TinyInt => matches!(from, T::TinyInt),
        T::SmallInt => matches!(from, T::TinyInt | T::SmallInt),
        T::Int => matches!(from, T::TinyInt | T::SmallInt | T::Int),
        T::BigInt => is_integer(from),
        T::Float => is_integer(from) || matches!(from, T::Float | T::Decimal { .. }),
        T::Date => matches!(from, T::Date | T::Timestamp { .. }),
        T::Time { .. } => matches!(from, T::Time { .. } | T::Timestamp { .. }),
        T::Timestamp { .. } | T::LocalZonedTimestamp { .. } => {
            matches!(family(from), Family::Timestamp | Family::Instant)
        }
        // ROW to ROW and their like pass here and fail for want of a cast.
        _ => std::mem::discriminant(from) == std::mem::discriminant(to),
    }
}

fn is_explicit(from: &DataType, to: &DataType) -> bool {
    use Family as F;
    let source = family(from.kind());
    let moment = matches!(source, F::Timestamp | F::Instant);
    match family(to.kind()) {
        F::Text => true,
        F::Boolean => matches!(source, F::Text | F::Integer),
        F::Bytes => matches!(source, F::Text | F::Bytes),
        F::Integer => is_numeric(from.kind()) || moment || matches!(source, F::Text | F::Boolean),
        F::Float | F::Decimal => {
            let float = matches!(to.kind(), TypeKind::Float) && is_numeric(from.kind());
            float || moment || matches!(source, F::Text | F::Boolean)
        }
        F::Date => moment || source == F::Text,
        F::Time => moment || matches!(source, F::Text | F::Time),
        F::Timestamp | F::Instant => moment || is_numeric(from.kind()) || matches!(source, F::Date | F::Time | F::Text),
        F::Nested | F::Other => false,
    }
}
