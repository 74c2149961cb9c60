//! Batch and streaming reads, lookups.

use super::reasons::{NO_LOOKUP, NO_STREAMS};
use crate::options::spec::options;

options! {
    /// Scan and time travel.
    SCAN: Table;
    "scan.mode" | "log.scan":
        Enum["default", "latest-full", "full", "latest", "compacted-full", "from-timestamp",
            "from-creation-timestamp", "from-file-creation-time", "from-snapshot", "from-snapshot-full",
            "incremental"] = "default"
        => Implemented;
        "Where a read starts"
    "scan.snapshot-id": Long => Implemented;
        "For from-snapshot(-full)"
    "scan.tag-name": String => Implemented;
        "For from-snapshot, batch only"
    "scan.watermark": Long => Refused("time travel by watermark");
        "For from-snapshot, batch only"
    "scan.timestamp": String => Refused("time travel by text; give scan.timestamp-millis");
        "For from-timestamp, local-zone text"
    "scan.timestamp-millis" | "log.scan.timestamp-millis": Long => Implemented;
        "For from-timestamp"
    "scan.file-creation-time-millis": Long => Refused("start by file creation time");
        "For from-file-creation-time"
    "scan.creation-time-millis": Long => Refused("start by file creation time");
        "For from-creation-timestamp"
    "scan.version": String => Refused("a version as text; give scan.snapshot-id or scan.tag-name");
        "VERSION AS OF text: tag, watermark-n or snapshot id"
    "scan.bounded.watermark": Long => Refused("time travel by watermark");
        "End the stream past this watermark"
    "scan.bucket": Int => Refused("reading one bucket");
        "Read one bucket (fixed-bucket PK tables)"
    "scan.manifest.parallelism": Int => Ignored("how reads are scheduled does not change results");
        "Threads reading manifests; default CPU count"
    "scan.max-splits-per-task": Int = "10" => Ignored("how reads are scheduled does not change results");
        "Splits cached per task before pausing"
    "scan.plan-sort-partition": Bool = "false" => Refused("splits in partition order");
        "Order splits by partition"
    "scan.plan-auto-tag-for-read.time-retained": Duration => Refused("automatic tags for reads");
        "Create a temporary tag protecting the planned snapshot"
    "scan.ignore-corrupt-files": Bool = "false" => Refused("reading past damaged or missing files");
        "Skip unreadable files"
    "scan.ignore-lost-files": Bool = "false" => Refused("reading past damaged or missing files");
        "Skip missing files"
    "source.split.target-size": Bytes = "128 mb" => Implemented;
        "Split size"
    "source.split.open-file-cost": Bytes = "4 mb" => Implemented;
        "Minimum weight of a file in a split"
    "incremental-between": String => Refused("incremental reads");
        "Start,end snapshot ids or tags"
    "incremental-between-timestamp": String => Refused("incremental reads");
        "Start,end times"
    "incremental-between-scan-mode": Enum["auto", "delta", "changelog", "diff"] = "auto"
        => Ignored("without effect unless incremental-between is set, which is refused");
        "What an incremental read returns"
    "incremental-between-tag-to-snapshot": Bool = "false"
        => Ignored("without effect unless incremental-between is set, which is refused");
        "Treat tags as their snapshots (no diff)"
    "incremental-to-auto-tag": String => Refused("incremental reads");
        "Diff from the previous auto tag to this one"
    "continuous.discovery-interval": Duration = "10 s" => Ignored(NO_STREAMS);
        "Poll interval of streaming reads"
    "streaming.read.snapshot.delay": Duration => Ignored(NO_STREAMS);
        "Read snapshots only when older than this"
    "streaming-read-overwrite": Bool = "false" => Ignored(NO_STREAMS);
        "PK tables: stream overwrite changes too"
    "streaming-read-append-overwrite": Bool = "false" => Ignored(NO_STREAMS);
        "Append tables: stream files added by overwrites"
    "consumer-id": String => Refused("consumers of streaming reads");
        "Record progress under this id"
    "consumer.mode": Enum["exactly-once", "at-least-once"] = "exactly-once" => Ignored(NO_STREAMS);
        "Exactly-once or at-least-once progress"
    "consumer.expiration-time": Duration => Ignored(NO_STREAMS);
        "Delete consumers not updated for this long"
    "consumer.ignore-progress": Bool = "false" => Ignored(NO_STREAMS);
        "Start by scan.mode although the consumer exists"
    "consumer.changelog-only": Bool = "false" => Ignored(NO_STREAMS);
        "Consumers protect changelogs only (decoupled lifecycle)"
    "stream-scan-mode": Enum["none", "compact-bucket-table", "file-monitor"] = "none"
        => Ignored("internal to the reference");
        "Internal follow-up mode"
    "batch-scan-mode": Enum["none", "compact"] = "none" => Ignored("internal to the reference");
        "Internal batch mode"
    "table-read.sequence-number.enabled": Bool = "false" => Refused("sequence numbers in system tables");
        "Add _SEQUENCE_NUMBER to audit_log and binlog"
    "key-value.sequence_number.enabled": Bool = "false" => Refused("sequence numbers in system tables");
        "Internal twin of the above"
    "query-auth.enabled": Bool = "false" => Refused("row filters and masks of a catalog");
        "Ask the catalog for row filters and masks"
}

options! {
    /// Lookup (join and compaction).
    LOOKUP: Table;
    "lookup.hash-load-factor": Float = "0.75" => Ignored(NO_LOOKUP);
        "Load factor of hash lookup files"
    "lookup.cache-rows": Long = "10000" => Ignored(NO_LOOKUP);
        "Rows cached by lookup joins"
    "lookup.continuous.discovery-interval": Duration => Ignored(NO_LOOKUP);
        "Poll interval of lookup reads; default the continuous one"
    "lookup.cache-file-retention": Duration = "1 h" => Ignored(NO_LOOKUP);
        "Keep lookup files this long"
    "lookup.cache-max-disk-size": Bytes = "9223372036854775807 bytes" => Ignored(NO_LOOKUP);
        "Disk limit"
    "lookup.cache-spill-compression": String = "zstd" => Ignored(NO_LOOKUP);
        "Codec of lookup files"
    "lookup.cache-max-memory-size": Bytes = "256 mb" => Ignored(NO_LOOKUP);
        "Memory limit"
    "lookup.cache.high-priority-pool-ratio": Double = "0.25" => Ignored(NO_LOOKUP);
        "Share for index and filter blocks"
    "lookup.cache.bloom.filter.enabled": Bool = "true" => Ignored(NO_LOOKUP);
        "Bloom filter in lookup files"
    "lookup.cache.bloom.filter.fpp": Double = "0.05" => Ignored(NO_LOOKUP);
        "Its false positive rate"
    "lookup.remote-file.enabled": Bool = "false" => Ignored(NO_LOOKUP);
        "Store lookup files beside data files"
    "lookup.remote-file.level-threshold": Int = "-2147483648" => Ignored(NO_LOOKUP);
        "Lowest level that gets remote lookup files"
    "lookup.merge-buffer-size": Bytes = "8 mb" => Ignored(NO_LOOKUP);
        "Memory for merging one key"
    "lookup.merge-records-threshold": Int = "1024" => Ignored(NO_LOOKUP);
        "Records of a key kept as objects before binary buffering"
    "lookup.blob-as-descriptor": Bool = "false" => Ignored(NO_LOOKUP);
        "Cache BLOB descriptors only"
    "local-kv-db.block-size": Bytes = "4 kb" => Ignored(NO_LOOKUP);
        "Block size of the local key-value store"
}
