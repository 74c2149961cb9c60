//! Data file formats, statistics, manifests.

use super::reasons::{NO_CHANGELOG, NO_FILE_INDEX};
use crate::options::spec::options;

options! {
    /// File formats and compression.
    FILES: Table;
    "file.format": String = "parquet" => Implemented;
        "Data file format: parquet, orc, avro (others for special tables)"
    "file.format.per.level": Map = "" => Implemented;
        "Level:format list overriding file.format"
    "file.compression": String = "zstd" => Implemented;
        "Data file codec"
    "file.compression.per.level": Map = "" => Implemented;
        "Level:codec list"
    "file.compression.zstd-level": Int = "1" => Implemented;
        "Zstd level"
    "file.suffix.include.compression": Bool = "false" => Refused("the codec in file names");
        "Put the codec in file names"
    "file.block-size": Bytes => Implemented;
        "Parquet row group / orc stripe size; default of the format"
    "changelog-file.prefix": String = "changelog-" => Ignored(NO_CHANGELOG);
        "File name prefix of changelog files"
    "changelog-file.format": String => Ignored(NO_CHANGELOG);
        "Format of changelog files; default file.format"
    "changelog-file.compression": String => Ignored(NO_CHANGELOG);
        "Codec of changelog files; default file.compression"
    "changelog-file.stats-mode": String => Ignored(NO_CHANGELOG);
        "Statistics of changelog files; default metadata.stats-mode"
    "parquet.enable.dictionary": String => Implemented;
        "Switch of parquet dictionary encoding"
    "read.batch-size": Int = "1024" => Implemented;
        "Rows per read batch"
    "write.batch-size" | "orc.write.batch-size": Int = "1024"
        => Ignored("batches are written as they come: same files");
        "Rows per write batch"
    "write.batch-memory": Bytes = "128 mb" => Ignored("batches are written as they come: same files");
        "Bytes per write batch"
    "async-file-write": Bool = "true" => Ignored("how file access is scheduled does not change results");
        "Asynchronous file writing"
    "file-reader-async-threshold": Bytes = "10 mb" => Ignored("how file access is scheduled does not change results");
        "Files above this size are read asynchronously"
    "target-file-size": Bytes => Implemented;
        "Size at which data files roll; default 128 MB for PK, 256 MB for append tables"
    "target-file-row-num": Long = "9223372036854775807" => Implemented;
        "Row number at which newly written files roll"
    "format-table.implementation": Enum["paimon", "engine"] = "paimon"
        => Ignored("only format tables have it, and type = format-table is refused");
        "Read format tables with Paimon or with the engine"
    "format-table.partition-path-only-value": Bool = "false"
        => Ignored("only format tables have it, and type = format-table is refused");
        "Partition directories hold only the value"
    "format-table.file.compression" | "file.compression": String
        => Ignored("only format tables have it, and type = format-table is refused");
        "Codec of format tables"
    "format-table.commit-hive-sync-url": String
        => Ignored("only format tables have it, and type = format-table is refused");
        "Metastore url to sync partitions of a format table"
    "format-table.scan.list-parallelism": Int = "64"
        => Ignored("only format tables have it, and type = format-table is refused");
        "Parallel listing of partition files"
}

options! {
    /// Statistics, manifests, file index.
    STATISTICS_AND_MANIFESTS: Table;
    "metadata.stats-mode": String = "truncate(16)" => Implemented;
        "None, counts, truncate(n), full"
    "metadata.stats-mode.per.level": Map = "" => Implemented;
        "Level:mode list"
    "metadata.stats-dense-store": Bool = "true" => Implemented;
        "Store stats only for collected columns (_VALUE_STATS_COLS)"
    "metadata.stats-keep-first-n-columns": Int = "-1" => Implemented;
        "Only the first n columns get stats; -1 all"
    "manifest.format": String = "avro" => Implemented;
        "Format of manifests, manifest lists, index manifests"
    "manifest.compression": String = "zstd" => Implemented;
        "Codec of them"
    "manifest.target-file-size": Bytes = "8 mb" => Implemented;
        "Roll size of manifest files; smaller ones are merge candidates"
    "manifest.full-compaction-threshold-size": Bytes = "16 mb" => Implemented;
        "Sum of small or delete-holding manifests that triggers full merging"
    "manifest.merge-min-count": Int = "30" => Implemented;
        "Trailing small manifests needed for minor merging"
    "manifest.delete-file-drop-stats": Bool = "false"
        => Ignored("DELETE entries keep their statistics: larger manifests, same rows");
        "Write DELETE entries without statistics"
    "manifest-sort.enabled": Bool = "false" => Ignored("entries of a manifest stay in commit order: same rows");
        "Sort manifest entries while merging"
    "manifest-sort.partition-field": String => Ignored("entries of a manifest stay in commit order: same rows");
        "Partition column to sort by; default the first"
    "manifest-sort.max-rewrite-size": Bytes = "256 mb"
        => Ignored("entries of a manifest stay in commit order: same rows");
        "Bytes rewritten per sort pass"
    "file-index.in-manifest-threshold": Bytes = "500 bytes" => Ignored(NO_FILE_INDEX);
        "File index up to this size is embedded in the manifest entry"
    "file-index.read.enabled": Bool = "true" => Ignored(NO_FILE_INDEX);
        "Use file indexes for pruning"
}
