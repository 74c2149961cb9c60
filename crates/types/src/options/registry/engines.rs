//! Options that only other engines read.

use super::reasons::{ONLY_FLINK, ONLY_HIVE, ONLY_SPARK};
use crate::options::spec::options;

options! {
    /// Flink catalog.
    FLINK_CATALOG: Catalog;
    "default-database": String = "default" => Ignored(ONLY_FLINK);
        "Default database"
    "disable-create-table-in-default-db": Bool = "false" => Ignored(ONLY_FLINK);
        "Refuse tables in the default database"
    "lineage-use-catalog-key-as-identifier": Bool = "false" => Ignored(ONLY_FLINK);
        "Lineage names start with catalog-key (JDBC)"
}

options! {
    /// Flink connector (table options or hints; none changes bytes except where noted).
    FLINK: Engine;
    "sink.parallelism": Int => Ignored(ONLY_FLINK);
        "Writer parallelism"
    "scan.parallelism": Int => Ignored(ONLY_FLINK);
        "Source parallelism"
    "unaware-bucket.compaction.parallelism": Int => Ignored(ONLY_FLINK);
        "Compaction parallelism"
    "unaware-bucket.no-shuffle": Bool = "false" => Ignored(ONLY_FLINK);
        "CDC: no shuffle before append writers"
    "compaction.bucket-distribution-strategy": String = "linear" => Ignored(ONLY_FLINK);
        "Distribution of buckets in compaction jobs"
    "scan.infer-parallelism": Bool = "true" => Ignored(ONLY_FLINK);
        "Infer source parallelism"
    "scan.infer-parallelism.max": Int = "1024" => Ignored(ONLY_FLINK);
        "Its limit"
    "changelog-producer.compaction-interval": Duration = "0 s" => Ignored(ONLY_FLINK);
        "Full-compaction producer: time-based trigger"
    "scan.watermark.emit.strategy": Enum["on-periodic", "on-event"] = "on-event" => Ignored(ONLY_FLINK);
        "When watermarks are emitted"
    "scan.watermark.alignment.group": String => Ignored(ONLY_FLINK);
        "Alignment group"
    "scan.watermark.idle-timeout": Duration => Ignored(ONLY_FLINK);
        "Idle source timeout"
    "scan.watermark.alignment.max-drift": Duration => Ignored(ONLY_FLINK);
        "Alignment drift"
    "scan.watermark.alignment.update-interval": Duration = "1 s" => Ignored(ONLY_FLINK);
        "Alignment interval"
    "scan.split-enumerator.batch-size": Int = "10" => Ignored(ONLY_FLINK);
        "Splits per assignment"
    "scan.max-snapshot.count": Int = "-1" => Ignored(ONLY_FLINK);
        "Snapshots per checkpoint; negative no limit"
    "scan.split-enumerator.mode": Enum["fair", "preemptive"] = "fair" => Ignored(ONLY_FLINK);
        "Fair or preemptive assignment"
    "sink.use-managed-memory-allocator": Bool = "false" => Ignored(ONLY_FLINK);
        "Managed memory for writers"
    "scan.remove-normalize" | "log.scan.remove-normalize": Bool = "false" => Ignored(ONLY_FLINK);
        "Drop the normalize node"
    "read.shuffle-bucket-with-partition" | "streaming-read.shuffle-bucket-with-partition": Bool = "true"
        => Ignored(ONLY_FLINK);
        "Shuffle by partition and bucket"
    "sink.managed.writer-buffer-memory": Bytes = "256 mb" => Ignored(ONLY_FLINK);
        "Weight of writer memory"
    "sink.cross-partition.managed-memory": Bytes = "256 mb" => Ignored(ONLY_FLINK);
        "Weight of key index memory"
    "source.checkpoint-align.enabled": Bool = "false" => Ignored(ONLY_FLINK);
        "One snapshot per checkpoint"
    "source.checkpoint-align.timeout": Duration = "30 s" => Ignored(ONLY_FLINK);
        "Its timeout"
    "lookup.async": Bool = "false" => Ignored(ONLY_FLINK);
        "Async lookup join"
    "lookup.bootstrap-parallelism": Int = "4" => Ignored(ONLY_FLINK);
        "Bootstrap threads"
    "lookup.async-thread-number": Int = "16" => Ignored(ONLY_FLINK);
        "Async threads"
    "lookup.cache": Enum["auto", "full", "memory"] = "auto" => Ignored(ONLY_FLINK);
        "Auto, full, memory"
    "scan.partitions" | "lookup.dynamic-partition": String => Ignored(ONLY_FLINK);
        "Partitions to read, or max_pt()-like dynamic ones"
    "lookup.dynamic-partition.refresh-interval": Duration = "1 h" => Ignored(ONLY_FLINK);
        "Refresh of dynamic partitions"
    "lookup.refresh.async": Bool = "false" => Ignored(ONLY_FLINK);
        "Refresh in background"
    "lookup.dynamic-partition.refresh.async": Bool = "false" => Ignored(ONLY_FLINK);
        "Same for partitions"
    "lookup.refresh.async.pending-snapshot-count": Int = "5" => Ignored(ONLY_FLINK);
        "Fall back to sync above this"
    "lookup.refresh.time-periods-blacklist": String => Ignored(ONLY_FLINK);
        "No refresh in these periods"
    "lookup.refresh.full-load-threshold": Int => Ignored(ONLY_FLINK);
        "Reload fully above this lag"
    "sink.savepoint.auto-tag": Bool = "false" => Ignored(ONLY_FLINK);
        "Tag snapshots of savepoints"
    "sink.writer-cpu": Double = "1.0" => Ignored(ONLY_FLINK);
        "Resource"
    "sink.writer-memory": Bytes => Ignored(ONLY_FLINK);
        "Resource"
    "sink.committer-cpu": Double = "1.0" => Ignored(ONLY_FLINK);
        "Resource"
    "sink.committer-memory": Bytes => Ignored(ONLY_FLINK);
        "Resource"
    "sink.committer-operator-chaining": Bool = "true" => Ignored(ONLY_FLINK);
        "Chain committer and writer"
    "partition.mark-done-action.mode": Enum["process-time", "watermark"] = "process-time" => Ignored(ONLY_FLINK);
        "Process-time or watermark"
    "partition.idle-time-to-done": Duration => Ignored(ONLY_FLINK);
        "Idle time before done"
    "partition.time-interval": Duration => Ignored(ONLY_FLINK);
        "Partition length"
    "partition.mark-done.recover-from-state": Bool = "true" => Ignored(ONLY_FLINK);
        "Trigger on recovery"
    "sink.clustering.sort-in-cluster": Bool = "true" => Ignored(ONLY_FLINK);
        "Sort inside ranges"
    "sink.clustering.sample-factor": Int = "100" => Ignored(ONLY_FLINK);
        "Sample factor"
    "end-input.watermark": Long => Refused("a watermark committed at end of input");
        "Watermark committed at end of input (written to snapshots)"
    "precommit-compact" | "changelog.precommit-compact": Bool = "false" => Ignored(ONLY_FLINK);
        "Compact small changelog or new files before committing (changes file layout)"
    "changelog.precommit-compact.thread-num": Int => Ignored(ONLY_FLINK);
        "Its threads"
    "changelog.precommit-compact.buffer-size": Bytes = "128 mb" => Ignored(ONLY_FLINK);
        "Its buffer"
    "source.operator-uid.suffix": String => Ignored(ONLY_FLINK);
        "Operator uid"
    "sink.operator-uid.suffix": String => Ignored(ONLY_FLINK);
        "Operator uid"
    "scan.bounded": Bool => Ignored(ONLY_FLINK);
        "Force bounded mode"
    "scan.dedicated-split-generation": Bool = "false" => Ignored(ONLY_FLINK);
        "Generate splits in a task"
    "commit.custom-listeners": String = "" => Ignored(ONLY_FLINK);
        "Commit listener names"
    "sink.coordinator-commit.enabled": Bool = "false" => Ignored(ONLY_FLINK);
        "Commit in the job manager"
    "sink.writer-coordinator.enabled": Bool = "false" => Ignored(ONLY_FLINK);
        "Plan writers' files in the job manager"
    "sink.key-only-deletes.enabled": Bool = "false" => Ignored(ONLY_FLINK);
        "Accept key-only deletes"
    "sink.writer-coordinator.cache-memory": Bytes = "2048 mb" => Ignored(ONLY_FLINK);
        "Its manifest cache"
    "sink.writer-coordinator.cache-expire-after-access": Duration => Ignored(ONLY_FLINK);
        "Cache idle expiry"
    "sink.writer-coordinator.cache-soft-values": Bool = "true" => Ignored(ONLY_FLINK);
        "Soft references"
    "sink.writer-coordinator.page-size": Bytes = "32 kb" => Ignored(ONLY_FLINK);
        "RPC page"
    "sink.writer-coordinator.prefetch-manifests": Bool = "false" => Ignored(ONLY_FLINK);
        "Warm the cache"
    "filesystem.job-level-settings.enabled": Bool = "true" => Ignored(ONLY_FLINK);
        "Pass job settings to file access"
    "sink.writer-refresh-detectors": String => Ignored(ONLY_FLINK);
        "Option groups refreshed while streaming"
}

options! {
    /// Spark catalog.
    SPARK_CATALOG: Catalog;
    "catalog.create-underlying-session-catalog": Bool = "false" => Ignored(ONLY_SPARK);
        "Generic catalog: own session catalog"
    "defaultDatabase": String = "default" => Ignored(ONLY_SPARK);
        "Default database"
    "v1Function.enabled": Bool = "true" => Ignored(ONLY_SPARK);
        "V1 functions"
}

options! {
    /// Spark connector.
    SPARK: Engine;
    "requiredSparkConfsCheck.enabled": Bool = "true" => Ignored(ONLY_SPARK);
        "Check session settings"
    "legacy-timestamp-mapping.enabled": Bool = "false" => Ignored(ONLY_SPARK);
        "TIMESTAMP maps to Spark TIMESTAMP"
    "vector-search.lateral-join.parallelism": Int = "16" => Ignored(ONLY_SPARK);
        "Parallelism"
    "write.merge-schema": Bool = "false" => Ignored(ONLY_SPARK);
        "Add columns found in the data"
    "write.merge-schema.type-widening": Bool = "false" => Ignored(ONLY_SPARK);
        "Widen types too"
    "write.merge-schema.explicit-cast": Bool = "false" => Ignored(ONLY_SPARK);
        "Allow narrowing too"
    "write.use-v2-write": Bool = "false" => Ignored(ONLY_SPARK);
        "V2 write path"
    "write.data-evolution.update-conflict-retry.max-attempts": Int = "20" => Ignored(ONLY_SPARK);
        "Retries of conflicting updates"
    "write.data-evolution.update-conflict-retry.wait-ms": Long = "10" => Ignored(ONLY_SPARK);
        "Wait between them"
    "read.stream.maxFilesPerTrigger": Int => Ignored(ONLY_SPARK);
        "Streaming limit"
    "read.stream.maxBytesPerTrigger": Long => Ignored(ONLY_SPARK);
        "Streaming limit"
    "read.stream.maxRowsPerTrigger": Long => Ignored(ONLY_SPARK);
        "Streaming limit"
    "read.stream.minRowsPerTrigger": Long => Ignored(ONLY_SPARK);
        "Streaming minimum"
    "read.stream.maxTriggerDelayMs": Long => Ignored(ONLY_SPARK);
        "Wait for the minimum"
    "read.changelog": Bool = "false" => Ignored(ONLY_SPARK);
        "Add rowkind column"
    "read.allow.fullScan": Bool = "true" => Ignored(ONLY_SPARK);
        "Allow reads without partition filter"
    "source.split.target-size-with-column-pruning": Bool = "false" => Ignored(ONLY_SPARK);
        "Size splits by read columns"
}

options! {
    /// Hive catalog.
    HIVE_CATALOG: Catalog;
    "hive-conf-dir": String => Ignored(ONLY_HIVE);
        "Directory of hive-site.xml"
    "hadoop-conf-dir": String => Ignored(ONLY_HIVE);
        "Directory of Hadoop files"
    "metastore.client.class": String = "org.apache.hadoop.hive.metastore.HiveMetaStoreClient" => Ignored(ONLY_HIVE);
        "Client class"
    "location-in-properties": Bool = "false" => Ignored(ONLY_HIVE);
        "Keep the location as a property"
    "client-pool-cache.eviction-interval-ms": Long = "300000" => Ignored(ONLY_HIVE);
        "Pool eviction"
    "hive.skip-update-stats": Bool = "false" => Ignored(ONLY_HIVE);
        "Keep Hive statistics"
    "client-pool-cache.keys": String => Ignored(ONLY_HIVE);
        "Pool key parts"
    "alter-table-cascade": Bool = "true" => Ignored(ONLY_HIVE);
        "Cascade column changes to partitions"
}

options! {
    /// Hive connector.
    HIVE: Engine;
    "paimon.respect.minmaxsplitsize.enabled": Bool = "false" => Ignored(ONLY_HIVE);
        "Use Hive split sizes"
    "paimon.split.openfilecost": Long => Ignored(ONLY_HIVE);
        "Overrides source.split.open-file-cost"
}

options! {
    /// Flink CDC pipeline source.
    FLINK_CDC: Catalog;
    "database": String => Ignored(ONLY_FLINK);
        "Database scanned; default all"
    "table": String => Ignored(ONLY_FLINK);
        "Table scanned; default all"
    "table.discovery-interval": Duration = "1 min" => Ignored(ONLY_FLINK);
        "Discovery of new tables"
}
