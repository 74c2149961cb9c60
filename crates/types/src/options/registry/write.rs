//! The write buffer, commits, merge engines.

use super::reasons::DYNAMIC;
use crate::options::spec::options;

options! {
    /// Write and commit.
    WRITE_AND_COMMIT: Table;
    "write-only" | "write.compaction-skip": Bool = "false" => Implemented;
        "No compaction, no expiration, no tags by this writer"
    "write-buffer-size": Bytes = "256 mb" => Implemented;
        "Memory per sorted run before flushing"
    "write-buffer-spillable": Bool = "true" => Implemented;
        "Allow spilling the write buffer"
    "write-buffer-spill.max-disk-size": Bytes = "9223372036854775807 bytes" => Implemented;
        "Disk limit of spilling"
    "write-buffer-for-append": Bool = "false" => Ignored("rows of append tables are always buffered: same rows");
        "Use the write buffer for append tables"
    "write-max-writers-to-spill": Int = "10" => Ignored("one budget bounds all buckets of a writer");
        "Append batch: number of writers after which buffers spill"
    "write.sequence-number-init-mode": Enum["scan", "snapshot"] = "scan" => Implemented;
        "Scan: start after the max of existing files; snapshot: use the property kept in snapshots"
    "sort-engine": Enum["min-heap", "loser-tree"] = "loser-tree" => Ignored("both algorithms give the same order");
        "Merge sort algorithm"
    "sort-spill-threshold": Int => Implemented;
        "Max sorted readers before spilling; default num-sorted-run.stop-trigger + 1"
    "sort-spill-buffer-size": Bytes = "64 mb" => Ignored("spilling is bounded by write-buffer-size");
        "Memory of the spilled sort"
    "spill-compression": String = "zstd" => Implemented;
        "Codec of spill files"
    "spill-compression.zstd-level": Int = "1" => Implemented;
        "Zstd level of spill files"
    "local-sort.max-num-file-handles": Int = "128" => Implemented;
        "Fan-in of the external merge sort"
    "page-size": Bytes = "64 kb" => Ignored("Arrow batches have no fixed memory pages");
        "Memory page of buffers"
    "cache-page-size": Bytes = "64 kb" => Ignored("Arrow batches have no fixed memory pages");
        "Memory page of caches"
    "local-merge-buffer-size": Bytes => Ignored("rows are merged in the write buffer in any case");
        "Merge records before shuffling; off when unset"
    "commit.timeout": Duration => Implemented;
        "Stop retrying after this time; unlimited when unset"
    "commit.max-retries": Int = "10" => Implemented;
        "Retries of a lost commit race"
    "commit.min-retry-wait": Duration = "10 ms" => Implemented;
        "First wait, doubled per retry"
    "commit.max-retry-wait": Duration = "10 s" => Implemented;
        "Largest wait"
    "commit.force-compact": Bool = "false"
        => Refused("waiting for compaction at every commit; ask the writer for it");
        "Wait for compaction before a commit"
    "commit.force-create-snapshot": Bool = "false" => Refused("commits without data in streams");
        "Streaming: commit even without data"
    "commit.user-prefix": String => Implemented;
        "Commit user = prefix + _ + uuid"
    "commit.strict-mode.last-safe-snapshot": Long => Refused("strict commits");
        "Abort when other users touched the partitions after this snapshot; -1 from the first"
    "commit.discard-duplicate-files": Bool = "false" => Refused("dropping duplicate files at commit");
        "Append commits drop files already in the table"
    "commit.callbacks": String = "" => Refused("commit callbacks (Java classes)");
        "Comma list of callback classes run after a commit"
    "commit.callback.#.param": String => Refused("commit callbacks (Java classes)");
        "Constructor string of callback class #"
    "snapshot.ignore-empty-commit": Bool => Implemented;
        "Batch: skip empty commits; default true when unset"
    "dynamic-partition-overwrite": Bool = "true" => Implemented;
        "INSERT OVERWRITE replaces only the partitions written"
    "overwrite-upgrade": Bool = "true" => Implemented;
        "Lift non-overlapping overwritten files to the top level"
    "delete.force-produce-changelog": Bool = "false" => Refused("changelog of DELETE statements");
        "DELETE statements write changelog"
    "partition.sink-strategy": Enum["NONE", "HASH", "PARTITION_DYNAMIC"] = "NONE" => Ignored("only the Flink connector shuffles rows before they are written");
        "How rows are distributed to writers of partitioned append or postpone tables"
    "row-tracking.enabled": Bool = "false", immutable => Refused("row tracking");
        "Assign _ROW_ID and _SEQUENCE_NUMBER (append tables)"
    "row-tracking.partition-group-on-commit": Bool = "true" => Ignored("without effect unless row-tracking.enabled is set, which is refused");
        "Order new files by partition before assigning row ids"
    "upsert-key": String => Refused("upsert into tables without primary key");
        "Key for MERGE-like INSERT on tables without primary key"
    "cross-partition-upsert.index-ttl": Duration => Ignored(DYNAMIC);
        "TTL of the local key index"
    "cross-partition-upsert.bootstrap-parallelism": Int = "10" => Ignored(DYNAMIC);
        "Threads building the local key index"
    "visibility-callback.enabled": Bool = "false" => Refused("commits that wait until data is visible");
        "Batch commits wait until compaction or index build makes data visible"
    "visibility-callback.timeout": Duration = "30 min"
        => Ignored("without effect unless visibility-callback.enabled is set, which is refused");
        "Limit of that wait"
    "visibility-callback.check-interval": Duration = "10 s"
        => Ignored("without effect unless visibility-callback.enabled is set, which is refused");
        "Poll interval of that wait"
}

options! {
    /// Merge engine and row kinds.
    MERGE: Table;
    "merge-engine": Enum["deduplicate", "partial-update", "aggregation", "first-row"] = "deduplicate", immutable
        => Implemented;
        "How rows of one key combine"
    "ignore-delete" | "first-row.ignore-delete" | "deduplicate.ignore-delete" | "partial-update.ignore-delete":
        Bool = "false" => Implemented;
        "Drop -D and -U rows on write and merge; may not go back to false"
    "ignore-update-before": Bool = "false" => Implemented;
        "Drop -U rows; may not go back to false"
    "sequence.field": String => Implemented;
        "Columns that decide which row is newest"
    "sequence.field.sort-order": Enum["ascending", "descending"] = "ascending" => Implemented;
        "Order of them"
    "sequence.snapshot-ordering": Bool = "false", immutable => Refused("ordering by snapshot");
        "Later snapshot always wins"
    "rowkind.field": String, immutable => Implemented;
        "Column holding +I, -U, +U, -D"
    "partial-update.remove-record-on-delete": Bool = "false", immutable => Refused("merge-engine = partial-update");
        "-D removes the whole row"
    "partial-update.remove-record-on-sequence-group": String, immutable => Refused("merge-engine = partial-update");
        "Sequence groups whose -D removes the row"
    "aggregation.remove-record-on-delete": Bool = "false", immutable => Refused("merge-engine = aggregation");
        "-D removes the whole row"
    "fields.default-aggregate-function": String => Refused("merge-engine = aggregation");
        "Aggregate for columns without their own"
    "record-level.expire-time": Duration => Refused("record-level expiry");
        "Drop rows older than this while compacting"
    "record-level.time-field": String
        => Ignored("without effect unless record-level.expire-time is set, which is refused");
        "Time column (INT seconds, BIGINT seconds or millis, TIMESTAMP)"
    "pk-clustering-override": Bool = "false", immutable => Refused("clustering instead of key order");
        "Physical order by clustering.columns instead of the key"
}
