//! Which options a table may be created, written or read with.

use std::collections::BTreeMap;

use super::value::invalid;
use super::{OptionSpec, Scope, Status, catalog_option, specs, table_option};
use crate::{CoreOptions, Error, ErrorKind, Result};

/// Checks all options of a table to be created; `keyed` says whether it has a primary key.
///
/// # Errors
/// `InvalidInput` for an unknown key (with the nearest known one) or a value that does not parse;
/// `Unsupported` naming the feature for an option this release refuses.
pub fn validate_new(options: &BTreeMap<String, String>, keyed: bool) -> Result<()> {
    for (key, value) in options {
        validate_option(key, value)?;
    }
    let parsed = CoreOptions::from_map(options)?;
    if keyed && parsed.bucket() < 1 {
        return Err(unsupported(
            "writing dynamic or postponed buckets; set 'bucket' to the number of buckets, for example 1",
            "bucket",
            &parsed.bucket().to_string(),
        ));
    }
    Ok(())
}

/// Checks one option of a table to be created or altered.
///
/// # Errors
/// As [`validate_new`].
pub fn validate_option(key: &str, value: &str) -> Result<()> {
    let Some(spec) = table_option(key) else {
        let message = match (catalog_option(key), nearest(key)) {
            (Some(_), _) => format!("'{key}' is an option of catalogs, not of tables"),
            (None, Some(near)) => format!("unknown option '{key}'; did you mean '{near}'?"),
            (None, None) => format!("unknown option '{key}'"),
        };
        return Err(invalid(message).with("option", key));
    };
    spec.kind.parse(value).map_err(|e| e.with("option", key))?;
    match refused_value(spec, value) {
        Some(feature) => Err(unsupported(feature, key, value)),
        None => Ok(()),
    }
}

/// Checks an option given to one handle of a table that exists, whose options are `stored`.
///
/// # Errors
/// As [`validate_option`]; `InvalidInput` when the option is fixed at creation and the table has another value.
///
/// # Source
/// `paimon-core/…/table/AbstractFileStoreTable.java@release-2.0.0` (immutability of dynamic options).
pub fn validate_dynamic(stored: &BTreeMap<String, String>, key: &str, value: &str) -> Result<()> {
    validate_option(key, value)?;
    let Some(spec) = table_option(key).filter(|spec| spec.immutable) else { return Ok(()) };
    let same = |name: &String| table_option(name).is_some_and(|other| other.key == spec.key);
    let has = stored.iter().find(|(name, _)| same(name)).map(|(_, value)| value.as_str()).or(spec.default);
    if has == Some(value) {
        return Ok(());
    }
    let has = has.unwrap_or("not set");
    let message = format!("'{key}' is fixed when a table is created; here it is {has}");
    Err(invalid(message).with("option", format!("{key} = {value}")))
}

fn unsupported(feature: &str, key: &str, value: &str) -> Error {
    Error::new(ErrorKind::Unsupported, format!("this release does not support {feature}"))
        .with("option", format!("{key} = {value}"))
}

/// The feature for which an option's value is refused; `None` when the value is accepted.
///
/// A refused option may be given its default, which asks for nothing.
#[must_use]
pub fn refused_value(spec: &OptionSpec, value: &str) -> Option<&'static str> {
    match spec.status {
        Status::Refused(feature) => (!is_default(spec, value)).then_some(feature),
        Status::Ignored(_) => None,
        Status::Implemented => refused_choice(spec.key, &value.trim().to_lowercase()),
    }
}

fn is_default(spec: &OptionSpec, value: &str) -> bool {
    spec.default.is_some_and(|default| match (spec.kind.parse(default), spec.kind.parse(value)) {
        (Ok(default), Ok(value)) => default == value,
        _ => false,
    })
}

/// The values of implemented options that this release refuses all the same.
fn refused_choice(key: &str, value: &str) -> Option<&'static str> {
    let feature = match (key, value) {
        ("type", "format-table") => "type = format-table",
        ("type", "materialized-table") => "type = materialized-table",
        ("type", "object-table") => "type = object-table",
        ("type", "lance-table") => "type = lance-table",
        ("type", "iceberg-table") => "type = iceberg-table",
        ("merge-engine", "partial-update") => "merge-engine = partial-update",
        ("merge-engine", "aggregation") => "merge-engine = aggregation",
        ("merge-engine", "first-row") => "merge-engine = first-row",
        ("changelog-producer", "input") => "changelog-producer = input",
        ("changelog-producer", "full-compaction") => "changelog-producer = full-compaction",
        ("changelog-producer", "lookup") => "changelog-producer = lookup",
        ("write.sequence-number-init-mode", "snapshot") => "sequence numbers kept in snapshots",
        ("bucket", "-2") => "writing postponed buckets (bucket = -2)",
        ("file.format", format) => return refused_format(format),
        ("file.format.per.level" | "file.format.per.level.<level>", levels) => {
            return levels.split(',').filter_map(|entry| refused_format(entry.rsplit(':').next()?.trim())).next();
        }
        ("manifest.format", format) if format != "avro" => "manifests in a format other than avro",
        (
            "scan.mode",
            "latest" | "compacted-full" | "from-creation-timestamp" | "from-file-creation-time" | "incremental",
        ) => "this scan.mode; default, latest-full, from-snapshot, from-snapshot-full and from-timestamp are",
        _ => return None,
    };
    Some(feature)
}

fn refused_format(format: &str) -> Option<&'static str> {
    match format {
        "parquet" => None,
        "orc" => Some("data files in ORC"),
        "avro" => Some("data files in Avro"),
        "csv" => Some("data files in CSV"),
        "json" => Some("data files in JSON"),
        _ => Some("data files in this format"),
    }
}

/// Options of an existing table without which its rows would come out wrong.
const NEEDED_TO_READ: &[&str] = &[
    "type",
    "merge-engine",
    "branch",
    "data-file.path-directory",
    "postpone.merge-on-read",
    "sequence.snapshot-ordering",
    "pk-clustering-override",
    "scan.mode",
    "scan.fallback-branch",
    "scan.primary-branch",
    "chain-table.enabled",
    "scan.fallback-snapshot-branch",
    "scan.fallback-delta-branch",
    "scan.watermark",
    "scan.bounded.watermark",
    "scan.timestamp",
    "scan.file-creation-time-millis",
    "scan.creation-time-millis",
    "scan.version",
    "scan.bucket",
    "incremental-between",
    "incremental-between-timestamp",
    "incremental-to-auto-tag",
    "query-auth.enabled",
    "data-evolution.enabled",
    "blob-field",
    "blob-descriptor-field",
    "blob-view-field",
    "vector-field",
    "vector.file.format",
    "fields.<f>.map.storage-layout",
    "manifest.format",
];

/// Checks the options of an existing table before it is read: unknown keys and options that do not change
/// what a read returns are fine.
///
/// # Errors
/// `Unsupported` naming the feature when rows would come out wrong; `InvalidInput` for a needed value that does not parse.
pub fn refuse_unusable(options: &BTreeMap<String, String>) -> Result<()> {
    refuse(options, |spec| NEEDED_TO_READ.contains(&spec.key))
}

/// Checks the options of an existing table before it is written, compaction included.
///
/// # Errors
/// `Unsupported` naming the feature when a write would leave out what the table promises (a changelog, an index,
/// an aggregate); `InvalidInput` for a needed value that does not parse. Unknown keys are fine.
pub fn refuse_unwritable(options: &BTreeMap<String, String>) -> Result<()> {
    refuse(options, |spec| spec.scope == Scope::Table && !ONLY_AT_CREATION.contains(&spec.key))
}

/// Options that ask for something once, when the table is created, or that only reads obey.
const ONLY_AT_CREATION: &[&str] = &["primary-key", "partition", "auto-create", "scan.timestamp", "scan.version"];

fn refuse(options: &BTreeMap<String, String>, needed: impl Fn(&OptionSpec) -> bool) -> Result<()> {
    for (key, value) in options {
        let Some(spec) = table_option(key).filter(|spec| needed(spec)) else { continue };
        if let Some(feature) = refused_value(spec, value) {
            return Err(unsupported(feature, key, value));
        }
    }
    Ok(())
}

/// The known table option most like a mistyped key, if one is near enough to be meant.
#[must_use]
pub fn nearest(key: &str) -> Option<&'static str> {
    let normal = key.trim().to_lowercase().replace(['_', ' '], "-");
    let limit = (normal.chars().count() / 4).clamp(2, 4);
    specs()
        .filter(|spec| spec.scope != Scope::Catalog)
        .map(|spec| (distance(&normal, &spec.key.to_lowercase()), spec.key))
        .filter(|(distance, _)| *distance <= limit)
        .min()
        .map(|(_, key)| key)
}

/// Single-character edits between two texts; `.` and `-` count as the same character.
fn distance(a: &str, b: &str) -> usize {
    let a: Vec<char> = a.chars().map(|c| if c == '.' { '-' } else { c }).collect();
    let b: Vec<char> = b.chars().map(|c| if c == '.' { '-' } else { c }).collect();
    let mut above: Vec<usize> = (0..=b.len()).collect();
    for (i, x) in a.iter().enumerate() {
        let mut row = vec![i + 1];
        for ((y, diagonal), up) in b.iter().zip(&above).zip(above.iter().skip(1)) {
            let left = row.last().copied().unwrap_or(i);
            row.push((diagonal + usize::from(x != y)).min(left + 1).min(up + 1));
        }
        above = row;
    }
    above.last().copied().unwrap_or_default()
}
