//! The options of one table, parsed.

use std::collections::BTreeMap;
use std::time::Duration;

use super::value::invalid;
use super::{
    BucketFunction, ChangelogProducer, MergeEngine, OptionKind, OptionSpec, OptionValue, StatsMode, parse_column_list,
    table_option,
};
use crate::Result;

/// The options of one table with their types: what the table stores, older keys and defaults resolved.
///
/// Methods are named after the keys and documented in the registry; those that add something say so here.
///
/// ```
/// use headwater_types::{CoreOptions, MergeEngine};
/// let stored = [("bucket", "4"), ("write-buffer-size", "64 mb")].map(|(k, v)| (k.to_owned(), v.to_owned()));
/// let options = CoreOptions::from_map(&stored.into())?;
/// assert_eq!(options.bucket(), 4);
/// assert_eq!(options.write_buffer_size(), 64 << 20);
/// assert_eq!(options.merge_engine(), MergeEngine::Deduplicate);
/// # Ok::<(), headwater_types::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct CoreOptions {
    raw: BTreeMap<String, String>,
    values: BTreeMap<&'static str, OptionValue>,
    column_stats: BTreeMap<String, StatsMode>,
    level_stats: BTreeMap<u32, StatsMode>,
}

impl CoreOptions {
    /// Parses the options a table stores. Unknown keys are kept in [`Self::raw`] and have no effect.
    ///
    /// # Errors
    /// `InvalidInput` naming the option whose value does not parse.
    pub fn from_map(options: &BTreeMap<String, String>) -> Result<Self> {
        let mut values = BTreeMap::new();
        for (key, check) in ACCESSORS {
            let Some(spec) = table_option(key) else { continue };
            if let Some(value) = effective_value(options, spec)? {
                if !check(&value) {
                    return Err(invalid("the value is out of range").with("option", spec.key));
                }
                values.insert(spec.key, value);
            }
        }
        let mut level_stats = BTreeMap::new();
        for (level, text) in text_map(&values, "metadata.stats-mode.per.level") {
            let named = |e: crate::Error| e.with("option", "metadata.stats-mode.per.level");
            level_stats.insert(level_number(level).map_err(named)?, text.parse().map_err(named)?);
        }
        let mut column_stats = BTreeMap::new();
        for (key, text) in options {
            if let Some(column) = key.strip_prefix("fields.").and_then(|rest| rest.strip_suffix(".stats-mode")) {
                column_stats.insert(column.to_owned(), text.parse().map_err(|e: crate::Error| e.with("option", key))?);
            }
        }
        let parsed = Self { raw: options.clone(), values, column_stats, level_stats };
        parsed.text("metadata.stats-mode").parse::<StatsMode>().map_err(|e| e.with("option", "metadata.stats-mode"))?;
        for key in ["file.format.per.level", "file.compression.per.level"] {
            for level in text_map(&parsed.values, key).keys() {
                level_number(level).map_err(|e| e.with("option", key))?;
            }
        }
        Ok(parsed)
    }

    /// The options as stored, unknown ones included.
    #[must_use]
    pub fn raw(&self) -> &BTreeMap<String, String> {
        &self.raw
    }

    fn get<T: FromValue>(&self, key: &'static str) -> Option<T> {
        self.values.get(key).and_then(T::from_value)
    }

    fn text(&self, key: &'static str) -> String {
        self.get(key).unwrap_or_default()
    }

    fn level_text(&self, map: &'static str, level: i32) -> Option<String> {
        text_map(&self.values, map).get(level.to_string().as_str()).map(|text| (*text).to_owned())
    }
}

/// The value of an option: from its key, the first older key present, `<key>.<k>` entries of a map, or the default.
fn effective_value(options: &BTreeMap<String, String>, spec: &OptionSpec) -> Result<Option<OptionValue>> {
    let stored =
        std::iter::once(&spec.key).chain(spec.aliases).find_map(|key| options.get(*key).map(|text| (*key, text)));
    let mut value = match stored {
        Some((key, text)) => Some(spec.kind.parse(text).map_err(|e| e.with("option", key))?),
        None => spec.default.map(|text| spec.kind.parse(text)).transpose()?,
    };
    if let (OptionKind::Map, Some(OptionValue::Map(map))) = (spec.kind, &mut value) {
        for (key, text) in options {
            if let Some(entry) = key.strip_prefix(spec.key).and_then(|rest| rest.strip_prefix('.')) {
                map.insert(entry.to_owned(), text.clone());
            }
        }
    }
    Ok(value)
}

fn text_map<'a>(values: &'a BTreeMap<&'static str, OptionValue>, key: &'static str) -> BTreeMap<&'a str, &'a str> {
    match values.get(key) {
        Some(OptionValue::Map(map)) => map.iter().map(|(k, v)| (k.as_str(), v.as_str())).collect(),
        _ => BTreeMap::new(),
    }
}

fn level_number(text: &str) -> Result<u32> {
    text.trim().parse().map_err(|_| invalid(format!("'{text}' is not the number of a level")))
}

/// A type an accessor can return; `None` when the value is out of the type's range.
pub(super) trait FromValue: Sized {
    fn from_value(value: &OptionValue) -> Option<Self>;
}

macro_rules! from_value {
    ($($type:ty: $pattern:pat => $result:expr;)+) => {$(
        impl FromValue for $type {
            fn from_value(value: &OptionValue) -> Option<Self> {
                match value {
                    $pattern => $result,
                    _ => None,
                }
            }
        }
    )+};
}

from_value! {
    bool: OptionValue::Bool(b) => Some(*b);
    i32: OptionValue::Long(n) => i32::try_from(*n).ok();
    u32: OptionValue::Long(n) => u32::try_from(*n).ok();
    i64: OptionValue::Long(n) => Some(*n);
    f64: OptionValue::Double(n) => Some(*n);
    u64: OptionValue::Bytes(n) => Some(*n);
    Duration: OptionValue::Duration(d) => Some(*d);
    Vec<String>: OptionValue::Text(text) => Some(parse_column_list(text));
    MergeEngine: OptionValue::Choice(choice) => Some(match *choice {
        "partial-update" => Self::PartialUpdate,
        "aggregation" => Self::Aggregation,
        "first-row" => Self::FirstRow,
        _ => Self::Deduplicate,
    });
    ChangelogProducer: OptionValue::Choice(choice) => Some(match *choice {
        "input" => Self::Input,
        "full-compaction" => Self::FullCompaction,
        "lookup" => Self::Lookup,
        _ => Self::None,
    });
    BucketFunction: OptionValue::Choice(choice) => choice.parse().ok();
}

impl FromValue for String {
    fn from_value(value: &OptionValue) -> Option<Self> {
        match value {
            OptionValue::Text(text) => Some(text.clone()),
            OptionValue::Choice(choice) => Some((*choice).to_owned()),
            _ => None,
        }
    }
}

type Check = fn(&OptionValue) -> bool;

fn fits<T: FromValue>(value: &OptionValue) -> bool {
    T::from_value(value).is_some()
}

/// Writes the accessors: `name: type = "key", default;`, and `name: type = "key";` for keys without default.
macro_rules! accessors {
    (with_default { $($(#[$meta:meta])* $name:ident: $type:ty = $key:literal, $absent:expr;)+ }
     optional { $($(#[$optional_meta:meta])* $optional:ident: $optional_type:ty = $optional_key:literal;)+ }) => {
        impl CoreOptions {
            $(
                #[doc = concat!("`", $key, "`.")] $(#[$meta])*
                #[must_use]
                pub fn $name(&self) -> $type {
                    self.get($key).unwrap_or($absent)
                }
            )+
            $(
                #[doc = concat!("`", $optional_key, "`; `None` when it is not set.")] $(#[$optional_meta])*
                #[must_use]
                pub fn $optional(&self) -> Option<$optional_type> {
                    self.get($optional_key)
                }
            )+
        }

        /// Every key an accessor reads, and whether a value fits what the accessor returns.
        pub(super) const ACCESSORS: &[(&str, Check)] = &[
            $(($key, fits::<$type>),)+
            $(($optional_key, fits::<$optional_type>),)+
            ("metadata.stats-mode", fits::<String>),
            ("sequence.field.sort-order", fits::<String>),
            ("metadata.stats-mode.per.level", |value| matches!(value, OptionValue::Map(_))),
            ("file.format.per.level", |value| matches!(value, OptionValue::Map(_))),
            ("file.compression.per.level", |value| matches!(value, OptionValue::Map(_))),
            ("target-file-size", fits::<u64>),
            ("num-sorted-run.stop-trigger", fits::<u32>),
            ("num-levels", fits::<u32>),
            ("sort-spill-threshold", fits::<u32>),
        ];
    };
}

accessors! {
    with_default {
        bucket: i32 = "bucket", -1;
        bucket_function: BucketFunction = "bucket-function.type", BucketFunction::Default;
        merge_engine: MergeEngine = "merge-engine", MergeEngine::Deduplicate;
        changelog_producer: ChangelogProducer = "changelog-producer", ChangelogProducer::None;
        /// The columns, first one most significant; empty when the order of writing decides.
        sequence_field: Vec<String> = "sequence.field", Vec::new();
        ignore_delete: bool = "ignore-delete", false;
        ignore_update_before: bool = "ignore-update-before", false;
        write_only: bool = "write-only", false;
        /// Bytes.
        write_buffer_size: u64 = "write-buffer-size", 256 << 20;
        write_buffer_spillable: bool = "write-buffer-spillable", true;
        /// Bytes.
        write_buffer_max_disk_size: u64 = "write-buffer-spill.max-disk-size", u64::MAX;
        local_sort_max_num_file_handles: u32 = "local-sort.max-num-file-handles", 128;
        spill_compression: String = "spill-compression", "zstd".to_owned();
        spill_compression_zstd_level: i32 = "spill-compression.zstd-level", 1;
        /// `scan` or `snapshot`.
        write_sequence_number_init_mode: String = "write.sequence-number-init-mode", "scan".to_owned();
        num_sorted_run_compaction_trigger: u32 = "num-sorted-run.compaction-trigger", 5;
        /// Percent.
        compaction_max_size_amplification_percent: u32 = "compaction.max-size-amplification-percent", 200;
        /// Percent.
        compaction_size_ratio: u32 = "compaction.size-ratio", 1;
        compaction_force_up_level_0: bool = "compaction.force-up-level-0", false;
        /// Hour of the day, -1 when there are no off-peak hours.
        compaction_offpeak_start_hour: i32 = "compaction.offpeak.start.hour", -1;
        /// Hour of the day, exclusive, -1 when there are no off-peak hours.
        compaction_offpeak_end_hour: i32 = "compaction.offpeak.end.hour", -1;
        /// Percent.
        compaction_offpeak_ratio: u32 = "compaction.offpeak-ratio", 0;
        compaction_force_rewrite_all_files: bool = "compaction.force-rewrite-all-files", false;
        compaction_small_file_ratio: f64 = "compaction.small-file-ratio", 0.7;
        compaction_min_file_num: u32 = "compaction.min.file-num", 5;
        /// Files.
        compaction_file_num_limit: u32 = "compaction.file-num-limit", 100_000;
        compaction_delete_ratio_threshold: f64 = "compaction.delete-ratio-threshold", 0.2;
        /// Rows.
        target_file_row_num: i64 = "target-file-row-num", i64::MAX;
        file_format: String = "file.format", "parquet".to_owned();
        file_compression: String = "file.compression", "zstd".to_owned();
        zstd_level: i32 = "file.compression.zstd-level", 1;
        file_suffix_include_compression: bool = "file.suffix.include.compression", false;
        stats_dense_store: bool = "metadata.stats-dense-store", true;
        /// -1 for all.
        stats_keep_first_n_columns: i32 = "metadata.stats-keep-first-n-columns", -1;
        thin_mode: bool = "data-file.thin-mode", false;
        data_file_prefix: String = "data-file.prefix", "data-".to_owned();
        changelog_file_prefix: String = "changelog-file.prefix", "changelog-".to_owned();
        partition_default_name: String = "partition.default-name", "__DEFAULT_PARTITION__".to_owned();
        partition_legacy_name: bool = "partition.legacy-name", true;
        manifest_format: String = "manifest.format", "avro".to_owned();
        manifest_compression: String = "manifest.compression", "zstd".to_owned();
        /// Bytes.
        manifest_target_file_size: u64 = "manifest.target-file-size", 8 << 20;
        manifest_merge_min_count: u32 = "manifest.merge-min-count", 30;
        /// Bytes.
        manifest_full_compaction_threshold_size: u64 = "manifest.full-compaction-threshold-size", 16 << 20;
        manifest_delete_file_drop_stats: bool = "manifest.delete-file-drop-stats", false;
        commit_max_retries: u32 = "commit.max-retries", 10;
        commit_min_retry_wait: Duration = "commit.min-retry-wait", Duration::from_millis(10);
        commit_max_retry_wait: Duration = "commit.max-retry-wait", Duration::from_secs(10);
        commit_force_compact: bool = "commit.force-compact", false;
        dynamic_partition_overwrite: bool = "dynamic-partition-overwrite", true;
        /// `default`, `latest-full`, `from-snapshot`, …
        scan_mode: String = "scan.mode", "default".to_owned();
        /// Bytes.
        source_split_target_size: u64 = "source.split.target-size", 128 << 20;
        /// Bytes.
        source_split_open_file_cost: u64 = "source.split.open-file-cost", 4 << 20;
        /// Rows.
        read_batch_size: u32 = "read.batch-size", 1024;
        deletion_vectors_enabled: bool = "deletion-vectors.enabled", false;
        deletion_vectors_bitmap64: bool = "deletion-vectors.bitmap64", false;
        row_tracking_enabled: bool = "row-tracking.enabled", false;
        data_evolution_enabled: bool = "data-evolution.enabled", false;
        snapshot_num_retained_min: u32 = "snapshot.num-retained.min", 10;
        snapshot_num_retained_max: u32 = "snapshot.num-retained.max", i32::MAX.unsigned_abs();
        snapshot_time_retained: Duration = "snapshot.time-retained", Duration::from_secs(3600);
        snapshot_expire_limit: u32 = "snapshot.expire.limit", 50;
        file_index_in_manifest_threshold: u64 = "file-index.in-manifest-threshold", 500;
        file_index_read_enabled: bool = "file-index.read.enabled", true;
    }
    optional {
        bucket_key: Vec<String> = "bucket-key";
        rowkind_field: String = "rowkind.field";
        compaction_optimization_interval: Duration = "compaction.optimization-interval";
        /// Bytes.
        compaction_total_size_threshold: u64 = "compaction.total-size-threshold";
        /// Bytes.
        compaction_incremental_size_threshold: u64 = "compaction.incremental-size-threshold";
        /// Bytes.
        file_block_size: u64 = "file.block-size";
        commit_timeout: Duration = "commit.timeout";
        commit_user_prefix: String = "commit.user-prefix";
        snapshot_ignore_empty_commit: bool = "snapshot.ignore-empty-commit";
        scan_snapshot_id: i64 = "scan.snapshot-id";
        scan_tag_name: String = "scan.tag-name";
        /// Milliseconds since 1970 UTC.
        scan_timestamp_millis: i64 = "scan.timestamp-millis";
        scan_timestamp: String = "scan.timestamp";
        scan_version: String = "scan.version";
    }
}

impl CoreOptions {
    /// Whether `sequence.field.sort-order` is descending: the smallest sequence value wins.
    #[must_use]
    pub fn sequence_field_descending(&self) -> bool {
        self.text("sequence.field.sort-order") == "descending"
    }

    /// `num-sorted-run.stop-trigger`: by default the compaction trigger + 3, never below the trigger.
    #[must_use]
    pub fn num_sorted_run_stop_trigger(&self) -> u32 {
        let trigger = self.num_sorted_run_compaction_trigger();
        self.get("num-sorted-run.stop-trigger").unwrap_or_else(|| trigger.saturating_add(3)).max(trigger)
    }

    /// `num-levels`: by default the compaction trigger + 1.
    #[must_use]
    pub fn num_levels(&self) -> u32 {
        self.get("num-levels").unwrap_or_else(|| self.num_sorted_run_compaction_trigger().saturating_add(1))
    }

    /// `sort-spill-threshold`: by default the stop trigger + 1, at least 2.
    #[must_use]
    pub fn sort_spill_threshold(&self) -> u32 {
        self.get("sort-spill-threshold").unwrap_or_else(|| self.num_sorted_run_stop_trigger().saturating_add(1)).max(2)
    }

    /// `target-file-size` in bytes: by default 128 MiB with a primary key, 256 MiB without.
    #[must_use]
    pub fn target_file_size(&self, has_primary_key: bool) -> u64 {
        self.get("target-file-size").unwrap_or(if has_primary_key { 128 << 20 } else { 256 << 20 })
    }

    /// `file.format.per.level`, else `file.format`.
    #[must_use]
    pub fn file_format_for_level(&self, level: i32) -> String {
        self.level_text("file.format.per.level", level).unwrap_or_else(|| self.file_format())
    }

    /// `file.compression.per.level`, else `file.compression`.
    #[must_use]
    pub fn file_compression_for_level(&self, level: i32) -> String {
        self.level_text("file.compression.per.level", level).unwrap_or_else(|| self.file_compression())
    }

    /// `metadata.stats-mode`.
    #[must_use]
    pub fn stats_mode(&self) -> StatsMode {
        self.text("metadata.stats-mode").parse().unwrap_or(StatsMode::Truncate(16))
    }

    /// `metadata.stats-mode.per.level`, else `metadata.stats-mode`.
    #[must_use]
    pub fn stats_mode_for_level(&self, level: i32) -> StatsMode {
        u32::try_from(level)
            .ok()
            .and_then(|level| self.level_stats.get(&level))
            .copied()
            .unwrap_or_else(|| self.stats_mode())
    }

    /// `fields.<column>.stats-mode`; `None` when the column follows the table's or the level's mode.
    #[must_use]
    pub fn stats_mode_of_column(&self, column: &str) -> Option<StatsMode> {
        self.column_stats.get(column).copied()
    }
}
