//! Why whole groups of options may be ignored without harm.

pub(super) const NO_CLUSTERING: &str = "only clustering reads it, which this release refuses";
pub(super) const DYNAMIC: &str = "only dynamic-bucket tables have it, and this release does not write them";
pub(super) const POSTPONE: &str = "only postpone-bucket tables have it, and this release does not write them";
pub(super) const NO_CHANGELOG: &str = "no changelog files are written while changelog-producer is none";
pub(super) const NO_FILE_INDEX: &str = "file indexes only skip data: none are written, none are needed to read";
pub(super) const NO_EXPIRY: &str = "this release never expires snapshots: nothing is deleted early";
pub(super) const NO_PARTITION_EXPIRY: &str = "without effect unless partition.expiration-time is set, which is refused";
pub(super) const NO_AUTO_TAGS: &str = "without effect unless tag.automatic-creation is set, which is refused";
pub(super) const NO_STREAMS: &str = "only streaming reads use it, and this release has none";
pub(super) const NO_LOOKUP: &str = "it tunes lookup files and lookup joins, which this release does not use";
pub(super) const NO_DELETION_VECTORS: &str =
    "only tables with deletion vectors have it, which this release reads and does not write";
pub(super) const SPECIAL_COLUMNS: &str = "it tunes data evolution, BLOB, VARIANT or VECTOR storage, which is refused";
pub(super) const NO_INDEX: &str = "indexes only speed queries up: none are built, none are needed to read";
pub(super) const NO_ICEBERG: &str = "without effect unless metadata.iceberg.storage is set, which is refused";
pub(super) const OTHER_FORMAT: &str = "it belongs to a file format this release refuses";
pub(super) const CATALOG_CACHE: &str = "it sizes caches of the reference: same results";
pub(super) const ONLY_FLINK: &str = "only the Flink connector reads it";
pub(super) const ONLY_SPARK: &str = "only the Spark connector reads it";
pub(super) const ONLY_HIVE: &str = "only the Hive connector reads it";
