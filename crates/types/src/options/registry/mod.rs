//! Every option of the reference release and what Headwater does with it, by topic.

mod catalog;
mod compaction;
mod engines;
mod files;
mod formats;
mod layout;
mod lifecycle;
mod patterns;
mod reasons;
mod scan;
mod special;
mod write;

use super::{OptionSpec, Scope};

/// Every option with a fixed key, by topic: the name of the topic and its options.
///
/// Source: spec page 07, which follows the option classes of the reference release 2.0.0.
pub const REGISTRY: &[(&str, &[OptionSpec])] = &[
    ("kind and place", layout::KIND_AND_PLACE),
    ("buckets", layout::BUCKETS),
    ("files", files::FILES),
    ("statistics and manifests", files::STATISTICS_AND_MANIFESTS),
    ("write and commit", write::WRITE_AND_COMMIT),
    ("merge", write::MERGE),
    ("compaction of primary-key tables", compaction::LSM),
    ("compaction of append tables", compaction::APPEND),
    ("changelog", compaction::CHANGELOG),
    ("snapshots, tags, branches", lifecycle::SNAPSHOTS),
    ("partitions", lifecycle::PARTITIONS),
    ("scan", scan::SCAN),
    ("lookup", scan::LOOKUP),
    ("deletion vectors", special::DELETION_VECTORS),
    ("special columns", special::COLUMN_KINDS),
    ("indexes", special::INDEXES),
    ("schema changes", special::SCHEMA_CHANGES),
    ("materialized tables", special::MATERIALIZED),
    ("other", special::OTHER),
    ("iceberg metadata", special::ICEBERG),
    ("index builders", special::INDEX_BUILDERS),
    ("orc", formats::ORC),
    ("json", formats::JSON),
    ("csv", formats::CSV),
    ("text", formats::TEXT),
    ("flink connector", engines::FLINK),
    ("spark connector", engines::SPARK),
    ("hive connector", engines::HIVE),
    ("catalog", catalog::CATALOG),
    ("rest catalog", catalog::REST),
    ("jdbc catalog", catalog::JDBC),
    ("security", catalog::SECURITY),
    ("flink catalog", engines::FLINK_CATALOG),
    ("flink cdc", engines::FLINK_CDC),
    ("spark catalog", engines::SPARK_CATALOG),
    ("hive catalog", engines::HIVE_CATALOG),
];

/// Every option whose key has a variable part; the key shows it as `<x>`.
pub const PATTERNS: &[&[OptionSpec]] = &[patterns::TABLE_PATTERNS, patterns::CATALOG_PATTERNS];

/// All options with a fixed key.
pub fn specs() -> impl Iterator<Item = &'static OptionSpec> {
    REGISTRY.iter().flat_map(|(_, specs)| specs.iter())
}

/// The option a key of a table belongs to: by its key, an older key of it, or a pattern.
/// `None` for catalog options and unknown keys.
#[must_use]
pub fn table_option(key: &str) -> Option<&'static OptionSpec> {
    find(key, |spec| spec.scope != Scope::Catalog)
}

/// The option a key given to a catalog belongs to.
#[must_use]
pub fn catalog_option(key: &str) -> Option<&'static OptionSpec> {
    find(key, |spec| spec.scope == Scope::Catalog)
}

fn find(key: &str, wanted: impl Fn(&OptionSpec) -> bool) -> Option<&'static OptionSpec> {
    let patterns = || PATTERNS.iter().flat_map(|specs| specs.iter());
    specs()
        .filter(|spec| wanted(spec))
        .find(|spec| spec.key == key || spec.aliases.contains(&key))
        .or_else(|| specs().chain(patterns()).filter(|spec| wanted(spec)).find(|spec| matches_pattern(spec.key, key)))
}

/// Whether `key` is `pattern` with every `<x>` (or `#`) replaced by one or more characters.
fn matches_pattern(pattern: &str, key: &str) -> bool {
    let Some(start) = pattern.find(['<', '#']) else {
        return pattern == key;
    };
    let (before, variable) = pattern.split_at(start);
    let rest = match variable.split_once('>') {
        Some((_, rest)) if variable.starts_with('<') => rest,
        _ => variable.get(1..).unwrap_or_default(),
    };
    let Some(key) = key.strip_prefix(before) else {
        return false;
    };
    key.char_indices().skip(1).map(|(at, _)| at).chain([key.len()]).any(|at| {
        at > 0
            && key
                .get(at..)
                .is_some_and(|tail| if rest.is_empty() { tail.is_empty() } else { matches_pattern(rest, tail) })
    })
}
