//! Logical types, BinaryRow, bucket functions, predicates and the options registry of the Paimon table format.

mod arrow_mapping;
mod binary_row;
mod bucket;
mod cast;
mod civil;
mod comparator;
mod data_field;
mod data_type;
mod datum;
mod datum_array;
mod error;
mod java_text;
mod json_rows;
pub mod murmur;
pub mod options;
mod partition_path;
mod predicate;
mod row_kind;

pub use arrow_mapping::{arrow_field, arrow_schema, arrow_type, from_arrow_type};
pub use binary_row::{BinaryRow, BinaryRowEncoder};
pub use bucket::Bucketer;
pub use cast::{cast_array, cast_datum, parse_datum, with_arrow_type};
pub use comparator::{RowComparator, compare_datums};
pub use data_field::DataField;
pub use data_type::{DataType, TypeKind, assign_field_ids};
pub use datum::Datum;
pub use datum_array::{array_from_datums, datum_at};
pub use error::{BoxError, Error, ErrorKind, ErrorParts, Result};
pub use json_rows::{JsonRowWriter, datum_json};
pub use options::{BucketFunction, ChangelogProducer, CoreOptions, MergeEngine, StatsMode};
pub use partition_path::PartitionPath;
pub use predicate::{ColumnRange, ColumnStats, Leaf, LeafTest, Predicate};
pub use row_kind::RowKind;
