//! What a predicate says about manifests, partitions, buckets and files.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::sync::Arc;

use headwater_metadata::{ManifestEntry, ManifestFileMeta, Schema};
use headwater_types::{
    BinaryRow, Bucketer, CoreOptions, DataType, Datum, Leaf, LeafTest, MergeEngine, Predicate, Result as TypesResult,
};

use super::ScanFunnel;
use super::stats::{FileStats, PartitionStats, RowStats, StatsOf};
use crate::{Result, Table};

/// Buckets are worked out for at most that many combinations of literals.
const MAX_BUCKET_KEYS: usize = 128;

/// The files of one bucket that a scan reads, in manifest order.
pub(super) struct BucketFiles {
    pub(super) partition: BinaryRow,
    pub(super) bucket: i32,
    pub(super) entries: Vec<ManifestEntry>,
}

/// A predicate taken apart by what it can be tested on.
pub(super) struct FileFilter {
    table: Table,
    schema: Arc<Schema>,
    options: CoreOptions,
    partition_types: Vec<DataType>,
    /// Conjuncts over partition columns only.
    partitions: Predicate,
    /// Conjuncts over columns of the trimmed primary key only.
    keys: Predicate,
    /// All other conjuncts.
    values: Predicate,
    buckets: Option<BucketKeys>,
    has_keys: bool,
    skip_level_0: bool,
}

impl FileFilter {
    pub(super) fn new(table: &Table, schema: &Arc<Schema>, options: &CoreOptions, filter: &Predicate) -> Result<Self> {
        let trimmed = schema.trimmed_primary_keys();
        let within = |columns: &BTreeSet<String>, names: &[String]| {
            !columns.is_empty() && columns.iter().all(|column| names.contains(column))
        };
        let (mut partitions, mut keys, mut values) = (Predicate::True, Predicate::True, Predicate::True);
        for part in filter.clone().into_conjuncts() {
            let columns = part.columns();
            if within(&columns, &schema.partition_keys) || part == Predicate::False {
                partitions = partitions.and(part);
            } else if within(&columns, &trimmed) {
                keys = keys.and(part);
            } else {
                values = values.and(part);
            }
        }
        let has_keys = !schema.primary_keys.is_empty();
        let flag = |key: &str| options.raw().get(key).is_some_and(|value| value.eq_ignore_ascii_case("true"));
        let vectors = options.deletion_vectors_enabled() && !flag("deletion-vectors.merge-on-read");
        Ok(Self {
            table: table.clone(),
            schema: Arc::clone(schema),
            options: options.clone(),
            partition_types: schema.partition_types()?,
            partitions,
            keys,
            values,
            buckets: BucketKeys::new(schema, options, filter)?,
            has_keys,
            skip_level_0: has_keys && (vectors || options.merge_engine() == MergeEngine::FirstRow),
        })
    }

    /// Whether a manifest may hold files of the scan.
    pub(super) fn may_hold(&self, manifest: &ManifestFileMeta) -> Result<bool> {
        if manifest.min_bucket.is_some() && manifest.max_bucket.is_some_and(|max| max < 0) {
            return Ok(false);
        }
        if self.skip_level_0 && manifest.min_level.is_some() && manifest.max_level == Some(0) {
            return Ok(manifest.num_deleted_files > 0);
        }
        if self.partitions == Predicate::True {
            return Ok(true);
        }
        let names = &self.schema.partition_keys;
        let rows = manifest.num_added_files.saturating_add(manifest.num_deleted_files);
        let Some(stats) = PartitionStats::new(names, &self.partition_types, &manifest.partition_stats) else {
            return Ok(true);
        };
        Ok(self.partitions.test_stats(rows, &stats))
    }

    /// The entries that pass the tests of one file alone.
    pub(super) async fn entries(
        &self,
        live: Vec<&ManifestEntry>,
        funnel: &mut ScanFunnel,
    ) -> Result<Vec<ManifestEntry>> {
        let mut partitions: HashMap<&BinaryRow, bool> = HashMap::new();
        let mut kept = Vec::new();
        for entry in live {
            if entry.bucket < 0 || (self.skip_level_0 && entry.file.level == 0) {
                continue;
            }
            let matches = match partitions.get(&entry.partition) {
                Some(&known) => known,
                None => {
                    let matches = self.partition_matches(&entry.partition)?;
                    partitions.insert(&entry.partition, matches);
                    matches
                }
            };
            if !matches {
                continue;
            }
            funnel.files_after_partition += 1;
            if let Some(buckets) = &self.buckets
                && !buckets.may_be_in(entry.bucket, entry.total_buckets)?
            {
                continue;
            }
            funnel.files_after_bucket += 1;
            if self.keys != Predicate::True && !self.file_matches(entry, StatsOf::Keys).await? {
                continue;
            }
            funnel.files_after_keys += 1;
            kept.push(entry.clone());
        }
        Ok(kept)
    }

    fn partition_matches(&self, partition: &BinaryRow) -> Result<bool> {
        if self.partitions == Predicate::True {
            return Ok(true);
        }
        let values = partition.to_datums(&self.partition_types)?;
        let value_of = |name: &str| {
            let at = self.schema.partition_keys.iter().position(|key| key == name)?;
            values.get(at).cloned().flatten()
        };
        Ok(self.partitions.test_row(&value_of) == Some(true))
    }

    async fn file_matches(&self, entry: &ManifestEntry, which: StatsOf) -> Result<bool> {
        let file = &entry.file;
        let data_schema = if file.schema_id == self.schema.id {
            Arc::clone(&self.schema)
        } else {
            self.table.schemas().get(file.schema_id).await?
        };
        let stats = FileStats::new(file, &data_schema, &self.schema, which);
        Ok(match which {
            StatsOf::Keys => self.keys.test_stats(file.row_count, &stats),
            StatsOf::Values => {
                let partition = entry.partition.to_datums(&self.partition_types)?;
                let names = &self.schema.partition_keys;
                let partition = RowStats { names, values: &partition, rows: file.row_count };
                self.values.test_stats(file.row_count, &Either { first: &partition, second: &stats })
            }
        })
    }

    /// Groups by bucket and applies the filter over values where that cannot bring old rows back.
    pub(super) async fn by_bucket(
        &self,
        entries: Vec<ManifestEntry>,
        funnel: &mut ScanFunnel,
    ) -> Result<Vec<BucketFiles>> {
        let mut order: Vec<BucketFiles> = Vec::new();
        let mut places: HashMap<(BinaryRow, i32), usize> = HashMap::new();
        for entry in entries {
            let place = *places.entry((entry.partition.clone(), entry.bucket)).or_insert(order.len());
            match order.get_mut(place) {
                Some(bucket) => bucket.entries.push(entry),
                None => order.push(BucketFiles {
                    partition: entry.partition.clone(),
                    bucket: entry.bucket,
                    entries: vec![entry],
                }),
            }
        }
        let mut kept = Vec::with_capacity(order.len());
        for bucket in order {
            let bucket = self.filter_values(bucket).await?;
            for entry in &bucket.entries {
                funnel.files_after_values += 1;
                funnel.bytes += u64::try_from(entry.file.file_size).unwrap_or(0);
                funnel.rows += u64::try_from(entry.file.row_count).unwrap_or(0);
            }
            if !bucket.entries.is_empty() {
                kept.push(bucket);
            }
        }
        Ok(kept)
    }

    /// In a primary-key table a file may hold older versions of rows in another file, so that a single file is left
    /// out only where no two files of the bucket can hold one key. Source: spec page 03 §5.5, page 05 §12.
    async fn filter_values(&self, bucket: BucketFiles) -> Result<BucketFiles> {
        if self.values == Predicate::True {
            return Ok(bucket);
        }
        let mut matches = Vec::with_capacity(bucket.entries.len());
        for entry in &bucket.entries {
            matches.push(self.file_matches(entry, StatsOf::Values).await?);
        }
        let alone = !self.has_keys || self.skip_level_0 || without_overlap(&bucket.entries);
        let folds = matches!(self.options.merge_engine(), MergeEngine::PartialUpdate | MergeEngine::Aggregation);
        if !alone && (folds || matches.contains(&true)) {
            return Ok(bucket);
        }
        let mut matches = matches.into_iter();
        let entries = bucket.entries.into_iter().filter(|_| matches.next().unwrap_or(true)).collect();
        Ok(BucketFiles { entries, ..bucket })
    }
}

fn without_overlap(entries: &[ManifestEntry]) -> bool {
    let Some(first) = entries.first() else { return true };
    entries.len() == 1 || (first.file.level > 0 && entries.iter().all(|entry| entry.file.level == first.file.level))
}

struct Either<'a, A, B> {
    first: &'a A,
    second: &'a B,
}

impl<A, B> headwater_types::ColumnStats for Either<'_, A, B>
where
    A: headwater_types::ColumnStats,
    B: headwater_types::ColumnStats,
{
    fn of(&self, column: &str) -> Option<headwater_types::ColumnRange> {
        self.first.of(column).or_else(|| self.second.of(column))
    }
}

/// The bucket keys that a predicate allows.
struct BucketKeys {
    rows: Vec<BinaryRow>,
    types: Vec<DataType>,
    options: CoreOptions,
}

impl BucketKeys {
    /// `None` when the predicate does not fix every bucket column.
    fn new(schema: &Schema, options: &CoreOptions, filter: &Predicate) -> Result<Option<Self>> {
        let names = schema.bucket_keys();
        if options.bucket() <= 0 || names.is_empty() {
            return Ok(None);
        }
        let conjuncts = filter.clone().into_conjuncts();
        let mut combinations: Vec<Vec<Option<Datum>>> = vec![Vec::new()];
        for name in &names {
            let Some(literals) = conjuncts.iter().find_map(|part| literals(part, name)) else { return Ok(None) };
            if combinations.len().saturating_mul(literals.len()) > MAX_BUCKET_KEYS {
                return Ok(None);
            }
            let longer = |key: &Vec<Option<Datum>>, literal: &Datum| {
                key.iter().cloned().chain([Some(literal.clone())]).collect::<Vec<_>>()
            };
            combinations = combinations.iter().flat_map(|key| literals.iter().map(|l| longer(key, l))).collect();
        }
        let types = schema.bucket_key_types()?;
        let rows: TypesResult<Vec<_>> = combinations.iter().map(|key| BinaryRow::from_datums(&types, key)).collect();
        // A literal of another type than the column's cannot be hashed; then every bucket is read.
        Ok(rows.ok().map(|rows| Self { rows, types, options: options.clone() }))
    }

    fn may_be_in(&self, bucket: i32, total_buckets: i32) -> Result<bool> {
        if total_buckets <= 0 {
            return Ok(true);
        }
        let bucketer = Bucketer::new(self.options.bucket_function(), total_buckets, &self.types)?;
        for row in &self.rows {
            if bucketer.of_row(row)? == bucket {
                return Ok(true);
            }
        }
        Ok(false)
    }
}

/// The literals a conjunct limits the column to.
fn literals<'a>(part: &'a Predicate, name: &str) -> Option<&'a [Datum]> {
    match part {
        Predicate::Leaf(Leaf { column, test, .. }) if column == name => match test {
            LeafTest::Equal(literal) => Some(std::slice::from_ref(literal)),
            LeafTest::In(literals) => Some(literals),
            _ => None,
        },
        _ => None,
    }
}

/// Partition predicates as maps of column to text, each partition one map: `dt=1/hr=2`.
pub(crate) fn partition_matches(
    names: &[String],
    types: &[DataType],
    partition: &BinaryRow,
    spec: &BTreeMap<String, Option<Datum>>,
) -> Result<bool> {
    let values = partition.to_datums(types)?;
    Ok(spec
        .iter()
        .all(|(name, wanted)| names.iter().position(|key| key == name).and_then(|at| values.get(at)) == Some(wanted)))
}
