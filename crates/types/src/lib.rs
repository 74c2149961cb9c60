//! The vocabulary of the Paimon table format: logical types, binary rows, bucket functions, predicates, casts and the
//! registry of options.
//!
//! Everything here is a pure function of values and Arrow arrays. This crate does no I/O, is not async, and may depend on
//! no other crate of the workspace; every other crate depends on it.
//!
//! ```text
//! schema JSON ⇄ DataType ⇄ Arrow type        Arrow columns → BinaryRowEncoder → bucket, partition path
//! text → parse_datum → Datum ⇄ BinaryRow     Predicate → statistics (may match) → batches (three-valued)
//! ```
//!
//! # Examples
//! ```
//! use headwater_types::{BinaryRow, BucketFunction, Bucketer, DataType, PartitionPath, array_from_datums, parse_datum};
//!
//! let types: Vec<DataType> = vec!["DATE".parse()?, "STRING".parse()?];
//! let values = [Some(parse_datum("2024-01-01", &types[0])?), Some(parse_datum("a/b", &types[1])?)];
//! let row = BinaryRow::from_datums(&types, &values)?;
//! assert_eq!(row.to_datums(&types)?, values);
//!
//! let keys = ["dt".to_owned(), "kind".to_owned()];
//! let path = PartitionPath::new(&keys, &types, "__DEFAULT_PARTITION__", false);
//! assert_eq!(path.of(&row)?, "dt=2024-01-01/kind=a%2Fb");
//!
//! let columns = [array_from_datums(&types[0], &values[..1])?, array_from_datums(&types[1], &values[1..])?];
//! let bucketer = Bucketer::new(BucketFunction::Default, 4, &types)?;
//! assert_eq!(bucketer.assign(&columns)?, [bucketer.of_row(&row)?]);
//! # Ok::<(), headwater_types::Error>(())
//! ```

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
pub use cast::{can_change_type, cast_array, cast_datum, parse_datum, with_arrow_type};
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
