//! Snapshots, tags, branches and partitions over time.

use super::reasons::{NO_AUTO_TAGS, NO_EXPIRY, NO_PARTITION_EXPIRY};
use crate::options::spec::options;

options! {
    /// Snapshots, changelogs, tags, branches: lifecycle.
    SNAPSHOTS: Table;
    "snapshot.num-retained.min": Int = "10" => Ignored(NO_EXPIRY);
        "Always keep at least this many"
    "snapshot.num-retained.max": Int = "2147483647" => Ignored(NO_EXPIRY);
        "Keep at most this many"
    "snapshot.time-retained": Duration = "1 h" => Ignored(NO_EXPIRY);
        "Keep while the next snapshot is younger than this"
    "snapshot.expire.limit": Int = "50" => Ignored(NO_EXPIRY);
        "Snapshots expired per run"
    "snapshot.expire.execution-mode": Enum["sync", "async"] = "sync" => Ignored(NO_EXPIRY);
        "Expire in the committer or in the background"
    "snapshot.clean-empty-directories" | "snapshot.expire.clean-empty-directories": Bool = "false"
        => Ignored(NO_EXPIRY);
        "Delete empty bucket/partition directories"
    "snapshot.watermark-idle-timeout": Duration => Ignored(NO_AUTO_TAGS);
        "Force a snapshot when the watermark stalls (tag creation)"
    "changelog.num-retained.min": Int => Ignored(NO_EXPIRY);
        "As snapshot.*, for decoupled changelogs; default the snapshot option"
    "changelog.num-retained.max": Int => Ignored(NO_EXPIRY);
        "As snapshot.*; default the snapshot option"
    "changelog.time-retained": Duration => Ignored(NO_EXPIRY);
        "As snapshot.*; default the snapshot option"
    "tag.automatic-creation": Enum["none", "process-time", "watermark", "batch"] = "none"
        => Refused("automatic tags");
        "Automatic tag mode"
    "tag.creation-period": Enum["daily", "hourly", "two-hours"] = "daily" => Ignored(NO_AUTO_TAGS);
        "Length of a tag period"
    "tag.creation-period-duration": Duration => Ignored(NO_AUTO_TAGS);
        "Free period length, overrides tag.creation-period"
    "tag.creation-delay": Duration = "0 ms" => Ignored(NO_AUTO_TAGS);
        "Wait this long after a period ends"
    "tag.period-formatter": Enum["with_dashes", "without_dashes", "without_dashes_and_spaces"] = "with_dashes"
        => Ignored(NO_AUTO_TAGS);
        "Tag name format"
    "tag.num-retained-max": Int => Ignored(NO_AUTO_TAGS);
        "Keep this many auto tags"
    "tag.default-time-retained": Duration => Ignored("tags are never deleted by this release: nothing goes early");
        "TTL of new tags"
    "tag.time-expire-enabled": Bool = "true" => Ignored("tags are never deleted by this release: nothing goes early");
        "Delete tags past their TTL"
    "tag.automatic-completion": Bool = "false" => Ignored(NO_AUTO_TAGS);
        "Create missed tags one by one"
    "tag.batch.customized-name": String => Ignored(NO_AUTO_TAGS);
        "Tag name of batch mode"
    "tag.create-success-file": Bool = "false" => Ignored(NO_AUTO_TAGS);
        "Write a success file per tag"
    "tag.callbacks": String = "" => Refused("tag callbacks (Java classes)");
        "Comma list of tag callback classes"
    "tag.callback.#.param": String => Refused("tag callbacks (Java classes)");
        "Constructor string of callback class #"
    "sink.process-time-zone": String => Ignored(NO_AUTO_TAGS);
        "Zone for process-time tags; default JVM zone"
    "sink.watermark-time-zone": String = "UTC" => Ignored(NO_AUTO_TAGS);
        "Zone for watermark tags"
    "scan.fallback-branch": String => Refused("reading missing partitions from another branch");
        "Batch: partitions missing here are read from this branch"
    "scan.fallback-branch.read-fail-fast": Bool = "false"
        => Ignored("without effect unless scan.fallback-branch is set, which is refused");
        "Fail instead of logging when the fallback read fails"
    "scan.primary-branch": String => Refused("reading partitions of another branch first");
        "Batch: prefer partitions of this branch"
    "chain-table.enabled": Bool = "false" => Refused("chain tables");
        "Chain table (snapshot and delta branches)"
    "chain-table.chain-partition-keys": String
        => Ignored("only chain tables have it, and chain-table.enabled is refused");
        "Partition key suffix that forms the chain"
    "chain-table.streaming.merge-snapshot": Bool = "false"
        => Ignored("only chain tables have it, and chain-table.enabled is refused");
        "Streaming start merges snapshot and delta partitions"
    "chain-table.split.key-range-enabled": Bool = "true"
        => Ignored("only chain tables have it, and chain-table.enabled is refused");
        "Split buckets of chain scans by key range"
    "scan.fallback-snapshot-branch": String => Refused("chain tables");
        "Chain table snapshot branch"
    "scan.fallback-delta-branch": String => Refused("chain tables");
        "Chain table delta branch"
}

options! {
    /// Partition lifecycle.
    PARTITIONS: Table;
    "partition.expiration-time": Duration => Refused("partition expiry");
        "Expire partitions older than this"
    "partition.expiration-strategy": String = "values-time" => Ignored(NO_PARTITION_EXPIRY);
        "Values-time or update-time"
    "partition.expiration-check-interval": Duration = "1 h" => Ignored(NO_PARTITION_EXPIRY);
        "Time between checks"
    "partition.expiration-max-num": Int = "100" => Ignored(NO_PARTITION_EXPIRY);
        "Partitions dropped per run"
    "partition.expiration-batch-size": Int => Ignored(NO_PARTITION_EXPIRY);
        "Partitions per drop commit; default expiration-max-num"
    "partition.timestamp-formatter": String => Ignored(NO_PARTITION_EXPIRY);
        "Format of the partition time"
    "partition.timestamp-pattern": String => Ignored(NO_PARTITION_EXPIRY);
        "Expression over partition columns with $name"
    "partition.timestamp-format.strict": Bool = "false" => Refused("checking partition values against a time format");
        "Fail writes whose partition value does not parse"
    "end-input.check-partition-expire": Bool = "false" => Refused("partition expiry");
        "Check expiration at end of batch input"
    "partition.end-input-to-done": Bool = "false" => Refused("marking partitions done");
        "Mark partitions done at end of input"
    "partition.mark-done-action": String = "success-file"
        => Ignored("without effect unless partitions are marked done, which is refused");
        "Comma list: success-file, done-partition, mark-event, http-report, custom"
    "partition.mark-done-action.custom.class": String
        => Ignored("without effect unless partitions are marked done, which is refused");
        "Class for custom"
    "partition.mark-done-action.http.url": String
        => Ignored("without effect unless partitions are marked done, which is refused");
        "Address for http-report"
    "partition.mark-done-action.http.params": String
        => Ignored("without effect unless partitions are marked done, which is refused");
        "Text added to the http-report body"
    "partition.idle-time-to-report-statistic": Duration = "0 ms" => Ignored("there is no metastore to report to");
        "Report partition statistics to the metastore after this idle time; 0 off"
    "metastore.partitioned-table": Bool = "false" => Refused("partitions registered in a metastore");
        "Register partitions in the metastore"
    "metastore.tag-to-partition": String => Refused("partitions registered in a metastore");
        "Map tags to a partition column in the metastore"
    "metastore.tag-to-partition.preview": Enum["none", "process-time", "watermark", "batch"] = "none"
        => Refused("partitions registered in a metastore");
        "Preview such tags before creation"
}
