//! What tables this crate refuses, each with the name of what is missing.

use headwater_metadata::Schema;
use headwater_types::{ChangelogProducer, CoreOptions, ErrorKind, MergeEngine, TypeKind, options};

use crate::{Error, Result};

fn unsupported(feature: &str) -> Error {
    Error::new(ErrorKind::Unsupported, format!("{feature} is not supported yet"))
}

/// Whether rows of the table would come out right.
pub(crate) fn check_readable(schema: &Schema, table_options: &CoreOptions) -> Result<()> {
    options::refuse_unusable(&schema.options)?;
    let flag = |key: &str| schema.options.get(key).is_some_and(|value| value.eq_ignore_ascii_case("true"));
    if !schema.primary_keys.is_empty() && table_options.merge_engine() != MergeEngine::Deduplicate {
        return Err(unsupported(&format!("merge-engine '{}'", table_options.merge_engine())));
    }
    if table_options.data_evolution_enabled() {
        return Err(unsupported("data evolution (data-evolution.enabled)"));
    }
    for key in ["chain-table.enabled", "pk-clustering-override", "sequence.snapshot-ordering"] {
        if flag(key) {
            return Err(unsupported(&format!("the option {key}")));
        }
    }
    if schema.options.contains_key("scan.fallback-branch") {
        return Err(unsupported("the option scan.fallback-branch"));
    }
    Ok(())
}

/// Whether this crate can write to the table without leaving out what it promises.
pub(crate) fn check_writable(schema: &Schema, table_options: &CoreOptions) -> Result<()> {
    options::refuse_unwritable(&schema.options)?;
    check_readable(schema, table_options)?;
    let keyed = !schema.primary_keys.is_empty();
    if keyed {
        match table_options.bucket() {
            -1 if schema.is_cross_partition_update() => {
                return Err(unsupported("writing to tables whose primary key lacks a partition column"));
            }
            -1 => return Err(unsupported("writing to tables with dynamic buckets (bucket = -1 with a primary key)")),
            -2 => return Err(unsupported("writing to tables with postponed buckets (bucket = -2)")),
            _ => {}
        }
        if table_options.changelog_producer() != ChangelogProducer::None {
            return Err(unsupported(&format!("changelog-producer '{}'", table_options.changelog_producer())));
        }
    }
    if table_options.deletion_vectors_enabled() {
        return Err(unsupported("writing to tables with deletion vectors"));
    }
    if table_options.row_tracking_enabled() {
        return Err(unsupported("writing to tables with row tracking"));
    }
    if let Some(field) = schema.fields.iter().find(|field| matches!(field.data_type.kind(), TypeKind::Blob)) {
        return Err(unsupported("writing BLOB columns").with("column", &field.name));
    }
    Ok(())
}
