//! The options of tables and catalogs: every key of the reference, what Headwater does with it, and typed access.

mod check;
mod core;
mod enums;
mod registry;
mod spec;
#[cfg(test)]
mod tests;
mod value;

pub use self::check::{
    nearest, refuse_unusable, refuse_unwritable, refused_value, validate_dynamic, validate_new, validate_option,
};
pub use self::core::CoreOptions;
pub use self::enums::{BucketFunction, ChangelogProducer, MergeEngine, StatsMode};
pub use self::registry::{PATTERNS, REGISTRY, catalog_option, specs, table_option};
pub use self::spec::{OptionSpec, Scope, Status};
pub use self::value::{OptionKind, OptionValue, parse_column_list, parse_duration, parse_memory_size};
