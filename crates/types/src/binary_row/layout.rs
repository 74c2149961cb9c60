//! Sizes of the parts of rows and arrays.

use crate::TypeKind;

/// Bytes of row kind and null bits of a row.
pub(super) fn header_size(arity: usize) -> usize {
    (arity + 63 + 8) / 64 * 8
}

/// Bytes of header and slots; `None` when no address space could hold them.
pub(super) fn fixed_size(arity: usize) -> Option<usize> {
    arity.checked_mul(9)?.checked_add(80)?;
    Some(header_size(arity) + 8 * arity)
}

/// Bytes of count and null bits of an array; `None` on overflow.
pub(super) fn array_header_size(length: usize) -> usize {
    4 + length.div_ceil(32) * 4
}

/// Bytes of one element's slot in an array.
pub(super) fn element_size(kind: &TypeKind) -> usize {
    match kind {
        TypeKind::Boolean | TypeKind::TinyInt => 1,
        TypeKind::SmallInt => 2,
        TypeKind::Int | TypeKind::Float | TypeKind::Date | TypeKind::Time { .. } => 4,
        _ => 8,
    }
}

/// The next multiple of 8.
pub(super) fn padded(length: usize) -> usize {
    length.next_multiple_of(8)
}

/// Whether DECIMAL values of this precision sit in the slot.
pub(super) fn is_compact_decimal(precision: u8) -> bool {
    precision <= 18
}

/// Whether timestamps of this precision sit in the slot as milliseconds.
pub(super) fn is_compact_timestamp(precision: u8) -> bool {
    precision <= 3
}

/// Bytes reserved in the variable part of a *row* even for null.
pub(super) fn reserved_for_null(kind: &TypeKind) -> usize {
    match kind {
        TypeKind::Decimal { precision, .. } if !is_compact_decimal(*precision) => 16,
        TypeKind::Timestamp { precision } | TypeKind::LocalZonedTimestamp { precision }
            if !is_compact_timestamp(*precision) =>
        {
            8
        }
        _ => 0,
    }
}
