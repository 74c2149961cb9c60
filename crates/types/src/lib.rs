//! Logical types, BinaryRow, bucket functions, predicates and the options registry of the Paimon table format.

mod binary_row;
mod data_field;
mod data_type;
mod datum;
mod error;
mod predicate;
mod row_kind;

pub use binary_row::BinaryRow;
pub use data_field::DataField;
pub use data_type::{DataType, TypeKind};
pub use datum::Datum;
pub use error::{BoxError, Error, ErrorKind, ErrorParts, Result};
pub use predicate::{Leaf, LeafTest, Predicate};
pub use row_kind::RowKind;
