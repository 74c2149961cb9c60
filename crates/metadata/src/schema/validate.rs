//! The rules a schema file must keep before it is written.

use std::collections::BTreeSet;

use headwater_types::{ChangelogProducer, CoreOptions, DataField, DataType, MergeEngine, TypeKind};

use crate::{Error, ErrorKind, Result, Schema};

/// Names the format uses for itself.
const SYSTEM_FIELDS: [&str; 5] = ["_SEQUENCE_NUMBER", "_VALUE_KIND", "_LEVEL", "rowkind", "_ROW_ID"];

impl Schema {
    /// Checks the rules that every schema keeps before it is written, be it created or altered.
    ///
    /// # Errors
    /// `InvalidInput` naming the rule that is broken.
    ///
    /// # Source
    /// Spec page 01 §2.5, numbers in comments.
    pub fn validate(&self) -> Result<()> {
        let options = self.core_options()?;
        self.check_names()?;
        self.check_keys()?;
        self.check_buckets(&options)?;
        self.check_sequence(&options)?;
        self.check_changelog(&options)?;
        self.check_deletion_vectors(&options)?;
        self.check_row_tracking(&options)?;
        self.check_field_options()?;
        self.check_limits(&options)?;
        self.check_formats(&options)
    }

    /// Rule 1.
    fn check_names(&self) -> Result<()> {
        if self.fields.is_empty() {
            return Err(invalid("a table needs at least one column"));
        }
        for field in &self.fields {
            if SYSTEM_FIELDS.contains(&field.name.as_str()) || field.name.starts_with("_KEY_") {
                return Err(invalid("this column name belongs to the format").with("column", &field.name));
            }
        }
        unique_names(&self.fields)
    }

    /// Rules 2 and 3.
    fn check_keys(&self) -> Result<()> {
        for (keys, what) in [(&self.partition_keys, "partition key"), (&self.primary_keys, "primary key")] {
            let mut seen = BTreeSet::new();
            for key in keys {
                if !seen.insert(key) {
                    return Err(invalid(format!("the {what} names a column twice")).with("column", key));
                }
                let field = self
                    .field(key)
                    .ok_or_else(|| invalid(format!("the {what} names no column of the table")).with("column", key))?;
                if is_constructed(&field.data_type) || matches!(field.data_type.kind(), TypeKind::Blob) {
                    let message = format!("a column of type {} cannot be in the {what}", field.data_type);
                    return Err(invalid(message).with("column", key));
                }
            }
        }
        if !self.primary_keys.is_empty() && self.trimmed_primary_keys().is_empty() {
            return Err(invalid("the primary key needs a column that is no partition column"));
        }
        if let Some(keys) = self.options.get("upsert-key") {
            if !self.primary_keys.is_empty() {
                return Err(invalid("upsert-key cannot be set on a table with a primary key"));
            }
            for key in keys.split(',').map(str::trim) {
                self.existing(key, "upsert-key")?;
            }
        }
        Ok(())
    }

    /// Rules 4 to 7.
    fn check_buckets(&self, options: &CoreOptions) -> Result<()> {
        let bucket = options.bucket();
        let has_key = !self.primary_keys.is_empty();
        let bucket_key = self.options.get("bucket-key").filter(|keys| !keys.trim().is_empty());
        match bucket {
            -1 if bucket_key.is_some() => {
                return Err(invalid("bucket-key needs a fixed number of buckets; set 'bucket' to 1 or more"));
            }
            -1 if !has_key && self.options.contains_key("full-compaction.delta-commits") => {
                return Err(invalid("full-compaction.delta-commits cannot be set on a table without buckets and key"));
            }
            -1 => {}
            -2 if has_key => {}
            ..=0 => {
                return Err(invalid(format!("bucket cannot be {bucket}; use 1 or more, or -1 for dynamic buckets")));
            }
            _ if !has_key && bucket_key.is_none() && self.version > 1 => {
                return Err(invalid("a table without primary key needs a bucket-key when 'bucket' is 1 or more"));
            }
            _ => {}
        }
        if bucket_key.is_none() {
            return Ok(());
        }
        for key in self.bucket_keys() {
            let field = self.existing(&key, "bucket-key")?;
            if self.partition_keys.contains(&key) {
                return Err(invalid("bucket-key cannot name a partition column").with("column", key));
            }
            if has_key && !self.primary_keys.contains(&key) {
                return Err(invalid("bucket-key must name columns of the primary key").with("column", key));
            }
            if is_constructed(&field.data_type) {
                let message = format!("bucket-key cannot name a column of type {}", field.data_type);
                return Err(invalid(message).with("column", key));
            }
        }
        Ok(())
    }

    /// Rules 10, 15 and 17.
    fn check_sequence(&self, options: &CoreOptions) -> Result<()> {
        let sequence = options.sequence_field();
        let mut seen = BTreeSet::new();
        for column in &sequence {
            self.existing(column, "sequence.field")?;
            if !seen.insert(column) {
                return Err(invalid("sequence.field names a column twice").with("column", column));
            }
            if self.options.contains_key(&format!("fields.{column}.aggregate-function")) {
                return Err(
                    invalid("a column of sequence.field cannot have an aggregate function").with("column", column)
                );
            }
        }
        if !sequence.is_empty() && options.merge_engine() == MergeEngine::FirstRow {
            return Err(invalid("sequence.field cannot be used with merge-engine first-row"));
        }
        if !sequence.is_empty() && self.is_cross_partition_update() {
            return Err(invalid("sequence.field cannot be used when the primary key lacks a partition column"));
        }
        if let Some(column) = options.rowkind_field() {
            self.existing(&column, "rowkind.field")?;
        }
        if let Some(column) = self.options.get("record-level.time-field") {
            let field = self.existing(column, "record-level.time-field")?;
            let timed = matches!(
                field.data_type.kind(),
                TypeKind::Int | TypeKind::BigInt | TypeKind::Timestamp { .. } | TypeKind::LocalZonedTimestamp { .. }
            );
            if !timed {
                return Err(
                    invalid("record-level.time-field must be INT, BIGINT or a timestamp").with("column", column)
                );
            }
        }
        if self.is_true("sequence.snapshot-ordering") {
            let fits = !self.primary_keys.is_empty() && sequence.is_empty() && options.write_only();
            if !fits {
                let message = "sequence.snapshot-ordering needs a primary key, no sequence.field and write-only=true";
                return Err(invalid(message));
            }
        }
        Ok(())
    }

    /// Rule 12.
    fn check_changelog(&self, options: &CoreOptions) -> Result<()> {
        let producer = options.changelog_producer();
        let has_key = !self.primary_keys.is_empty();
        if producer != ChangelogProducer::None && !has_key {
            return Err(invalid("changelog-producer needs a primary key"));
        }
        if self.is_true("streaming-read-overwrite")
            && (!has_key || matches!(producer, ChangelogProducer::FullCompaction | ChangelogProducer::Lookup))
        {
            let message = "streaming-read-overwrite needs a primary key and changelog-producer none or input";
            return Err(invalid(message));
        }
        if producer == ChangelogProducer::Lookup && self.options.contains_key("full-compaction.delta-commits") {
            return Err(invalid("full-compaction.delta-commits cannot be used with changelog-producer lookup"));
        }
        if has_key
            && options.merge_engine() == MergeEngine::FirstRow
            && !matches!(producer, ChangelogProducer::None | ChangelogProducer::Lookup)
        {
            return Err(invalid("merge-engine first-row allows changelog-producer none and lookup only"));
        }
        Ok(())
    }

    /// Rule 16.
    fn check_deletion_vectors(&self, options: &CoreOptions) -> Result<()> {
        if !options.deletion_vectors_enabled() {
            return Ok(());
        }
        if options.changelog_producer() == ChangelogProducer::FullCompaction {
            return Err(invalid("deletion vectors allow changelog-producer none, input and lookup only"));
        }
        if !self.primary_keys.is_empty()
            && options.merge_engine() == MergeEngine::FirstRow
            && !self.is_true("pk-clustering-override")
        {
            return Err(invalid("deletion vectors cannot be used with merge-engine first-row"));
        }
        Ok(())
    }

    /// Rules 18 and 24.
    fn check_row_tracking(&self, options: &CoreOptions) -> Result<()> {
        let has_key = !self.primary_keys.is_empty();
        if options.row_tracking_enabled() && (has_key || options.bucket() != -1) {
            return Err(invalid("row-tracking.enabled needs a table without primary key and bucket = -1"));
        }
        if options.data_evolution_enabled() && !options.row_tracking_enabled() {
            return Err(invalid("data-evolution.enabled needs row-tracking.enabled"));
        }
        if self.is_true("table-read.sequence-number.enabled") && !has_key {
            return Err(invalid("table-read.sequence-number.enabled needs a primary key"));
        }
        if self.is_true("manifest-sort.enabled") && self.partition_keys.is_empty() && !options.data_evolution_enabled()
        {
            return Err(invalid("manifest-sort.enabled needs partition keys"));
        }
        Ok(())
    }

    /// Rule 9: `fields.a,b.option` names columns.
    fn check_field_options(&self) -> Result<()> {
        for key in self.options.keys() {
            let Some(rest) = key.strip_prefix("fields.") else { continue };
            let names = rest.split('.').next().unwrap_or_default();
            if names == "default-aggregate-function" {
                continue;
            }
            for name in names.split(',') {
                self.existing(name, key)?;
            }
        }
        Ok(())
    }

    /// Rule 13.
    fn check_limits(&self, options: &CoreOptions) -> Result<()> {
        if options.target_file_row_num() <= 0 {
            return Err(invalid("target-file-row-num must be 1 or more"));
        }
        let (min, max) = (options.snapshot_num_retained_min(), options.snapshot_num_retained_max());
        if min == 0 || min > max {
            return Err(invalid("snapshot.num-retained.min must be 1 or more and at most snapshot.num-retained.max"));
        }
        Ok(())
    }

    /// Rule 14, for Avro; the other formats hold every type.
    fn check_formats(&self, options: &CoreOptions) -> Result<()> {
        let per_level = (0..6).map(|level| options.file_format_for_level(level));
        let formats: BTreeSet<String> = per_level.chain([options.file_format()]).collect();
        if !formats.contains("avro") {
            return Ok(());
        }
        for field in &self.fields {
            let refused = match field.data_type.kind() {
                TypeKind::Timestamp { precision } | TypeKind::LocalZonedTimestamp { precision } => *precision > 6,
                TypeKind::Time { precision } => *precision > 3,
                _ => false,
            };
            if refused {
                let message = format!("the avro format cannot hold {}", field.data_type);
                return Err(invalid(message).with("column", &field.name));
            }
        }
        Ok(())
    }

    fn existing(&self, column: &str, option: &str) -> Result<&DataField> {
        self.field(column)
            .ok_or_else(|| invalid("an option names no column").with("option", option).with("column", column))
    }

    fn is_true(&self, option: &str) -> bool {
        self.options.get(option).is_some_and(|value| value.trim().eq_ignore_ascii_case("true"))
    }
}

pub(super) fn invalid(message: impl Into<String>) -> Error {
    Error::new(ErrorKind::InvalidInput, message)
}

fn is_constructed(data_type: &DataType) -> bool {
    matches!(
        data_type.kind(),
        TypeKind::Array(_) | TypeKind::Map { .. } | TypeKind::Multiset(_) | TypeKind::Row(_) | TypeKind::Vector { .. }
    )
}

/// Names are unique and not blank in every ROW, columns included.
fn unique_names(fields: &[DataField]) -> Result<()> {
    let mut seen = BTreeSet::new();
    for field in fields {
        if field.name.trim().is_empty() {
            return Err(invalid("a column or member of a ROW needs a name"));
        }
        if !seen.insert(field.name.as_str()) {
            return Err(invalid("a name occurs twice").with("column", &field.name));
        }
        unique_below(&field.data_type)?;
    }
    Ok(())
}

fn unique_below(data_type: &DataType) -> Result<()> {
    match data_type.kind() {
        TypeKind::Row(fields) => unique_names(fields),
        TypeKind::Array(element) | TypeKind::Multiset(element) | TypeKind::Vector { element, .. } => {
            unique_below(element)
        }
        TypeKind::Map { key, value } => unique_below(key).and_then(|()| unique_below(value)),
        _ => Ok(()),
    }
}
