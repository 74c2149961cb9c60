//! Which partitions an overwrite replaces.

use std::collections::BTreeMap;

use headwater_metadata::{FileKind, IndexManifestEntry, ManifestEntry};
use headwater_types::{BinaryRow, Datum, parse_datum};

use crate::{BaseState, Changes, Error, ErrorKind, Result, TableFacts};

/// The partitions that go.
pub(crate) enum Scope {
    /// These.
    Of(Vec<BinaryRow>),
    /// Those that one of the specs matches: values by position, `None` for any value.
    Matching(TypesAndSpecs),
}

pub(crate) struct TypesAndSpecs {
    types: Vec<headwater_types::DataType>,
    specs: Vec<Vec<Option<Option<Datum>>>>,
}

impl Scope {
    /// Reads specs such as `dt=2024-01-01`; the name of the default partition stands for null.
    pub(crate) fn matching(facts: &TableFacts, partitions: &[BTreeMap<String, String>]) -> Result<Self> {
        let specs = partitions.iter().map(|spec| {
            if let Some(unknown) = spec.keys().find(|key| !facts.partition_keys.contains(key)) {
                let known =
                    if facts.partition_keys.is_empty() { "none".to_owned() } else { facts.partition_keys.join(", ") };
                let message = format!("'{unknown}' is not a partition column; the partition columns are: {known}");
                return Err(Error::new(ErrorKind::InvalidInput, message));
            }
            let values = facts.partition_keys.iter().zip(&facts.partition_types).map(|(key, data_type)| {
                let Some(text) = spec.get(key) else { return Ok(None) };
                if *text == facts.default_partition_name {
                    return Ok(Some(None));
                }
                Ok(Some(Some(parse_datum(text, data_type).map_err(|e| e.with("column", key))?)))
            });
            values.collect::<Result<Vec<_>>>()
        });
        Ok(Self::Matching(TypesAndSpecs { types: facts.partition_types.clone(), specs: specs.collect::<Result<_>>()? }))
    }

    /// Whether it can match nothing at all.
    pub(crate) fn is_empty(&self) -> bool {
        matches!(self, Self::Of(partitions) if partitions.is_empty())
    }

    pub(crate) fn matches(&self, partition: &BinaryRow) -> bool {
        match self {
            Self::Of(partitions) => partitions.contains(partition),
            Self::Matching(TypesAndSpecs { types, specs }) => {
                let Ok(values) = partition.to_datums(types) else { return false };
                specs.iter().any(|spec| {
                    spec.iter().zip(&values).all(|(wanted, value)| wanted.as_ref().is_none_or(|wanted| wanted == value))
                })
            }
        }
    }

    /// Refuses new files outside the scope.
    pub(crate) fn covers(&self, facts: &TableFacts, added: &Changes) -> Result<()> {
        match added.table_files.iter().find(|entry| !self.matches(&entry.partition)) {
            None => Ok(()),
            Some(entry) => {
                let message = "a row lies outside the partition that is overwritten";
                Err(Error::new(ErrorKind::InvalidInput, message).with("partition", facts.describe(&entry.partition)))
            }
        }
    }

    /// The removal of everything in the scope, then what is added. Changelog files of an overwrite are dropped.
    pub(crate) fn replace(&self, base: &BaseState, added: &Changes) -> Changes {
        let removed = base.files.iter().filter(|entry| self.matches(&entry.partition));
        let mut table_files: Vec<ManifestEntry> =
            removed.map(|entry| ManifestEntry { kind: FileKind::Delete, ..entry.clone() }).collect();
        table_files.extend(added.table_files.iter().cloned());
        let indexes = base.index.iter().filter(|entry| self.matches(&entry.partition));
        let mut index_files: Vec<IndexManifestEntry> =
            indexes.map(|entry| IndexManifestEntry { kind: FileKind::Delete, ..entry.clone() }).collect();
        index_files.extend(added.index_files.iter().cloned());
        Changes { table_files, changelog: Vec::new(), index_files }
    }
}
