//! What planning has to know of a table.

use headwater_metadata::Schema;
use headwater_types::options::CoreOptions;
use headwater_types::{BinaryRow, DataType, ErrorKind, PartitionPath};

use crate::{Error, Result};

/// What planning has to know of a table, taken once from its schema: numbers, types and names, no handles.
#[derive(Clone, Debug)]
pub struct TableFacts {
    /// Partition columns, in directory order.
    pub partition_keys: Vec<String>,
    /// Their types.
    pub partition_types: Vec<DataType>,
    /// Types of the trimmed primary key; empty in append tables.
    pub key_types: Vec<DataType>,
    /// The `bucket` option: -1 unaware or dynamic, -2 postpone.
    pub bucket: i32,
    /// Whether the table has a primary key.
    pub has_primary_key: bool,
    /// The `deletion-vectors.enabled` option.
    pub deletion_vectors: bool,
    /// Whether snapshots carry the highest sequence number (`write.sequence-number-init-mode = snapshot`).
    pub sequence_in_snapshot: bool,
    /// The directory name of a null partition value.
    pub default_partition_name: String,
    /// Whether directory names follow the reference's old rule (`partition.legacy-name`).
    pub legacy_partition_name: bool,
}

impl TableFacts {
    /// Takes the facts from a schema.
    ///
    /// # Errors
    /// `Unsupported` for table modes whose commits need more than this crate does (row tracking, data evolution,
    /// ordering by snapshot, strict mode); `InvalidInput` for options that cannot be parsed.
    pub fn of(schema: &Schema, options: &CoreOptions) -> Result<Self> {
        refuse_modes(schema)?;
        let type_of = |name: &String| {
            schema.field(name).map(|f| f.data_type.clone()).ok_or_else(|| {
                Error::new(ErrorKind::Corrupt, format!("the schema has no column {name}")).with("schema", schema.id)
            })
        };
        let partition_types = schema.partition_keys.iter().map(type_of).collect::<Result<Vec<_>>>()?;
        let key_types = schema.trimmed_primary_keys().iter().map(type_of).collect::<Result<Vec<_>>>()?;
        Ok(Self {
            partition_keys: schema.partition_keys.clone(),
            partition_types,
            key_types,
            bucket: options.bucket(),
            has_primary_key: !schema.primary_keys.is_empty(),
            deletion_vectors: options.deletion_vectors_enabled(),
            sequence_in_snapshot: schema.options.get("write.sequence-number-init-mode").map(String::as_str)
                == Some("snapshot"),
            default_partition_name: options.partition_default_name(),
            legacy_partition_name: options.partition_legacy_name(),
        })
    }

    /// Whether files are not assigned to buckets (append table with `bucket` = -1).
    #[must_use]
    pub fn is_bucket_unaware(&self) -> bool {
        self.bucket == -1 && !self.has_primary_key
    }

    /// A partition as people write it: `dt=2024/hr=1`; `the table` when there are no partition columns.
    #[must_use]
    pub fn describe(&self, partition: &BinaryRow) -> String {
        if self.partition_keys.is_empty() {
            return "the table".to_owned();
        }
        PartitionPath::new(
            &self.partition_keys,
            &self.partition_types,
            &self.default_partition_name,
            self.legacy_partition_name,
        )
        .of(partition)
        .unwrap_or_else(|_| "an unreadable partition".to_owned())
    }
}

/// Options under which a commit has duties this crate does not fulfil: committing without them would break the table.
const REFUSED_WHEN_TRUE: [(&str, &str); 3] = [
    ("row-tracking.enabled", "row tracking"),
    ("data-evolution.enabled", "data evolution"),
    ("sequence.snapshot-ordering", "ordering by snapshot"),
];

fn refuse_modes(schema: &Schema) -> Result<()> {
    for (key, feature) in REFUSED_WHEN_TRUE {
        if schema.options.get(key).is_some_and(|v| v.trim().eq_ignore_ascii_case("true")) {
            return Err(
                Error::new(ErrorKind::Unsupported, format!("committing to a table with {feature}")).with("option", key)
            );
        }
    }
    if schema.options.contains_key("commit.strict-mode.last-safe-snapshot") {
        return Err(Error::new(ErrorKind::Unsupported, "strict commits")
            .with("option", "commit.strict-mode.last-safe-snapshot"));
    }
    Ok(())
}
