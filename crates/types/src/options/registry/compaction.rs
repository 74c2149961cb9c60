//! Compaction of primary-key and append tables, changelogs.

use super::reasons::{NO_CHANGELOG, NO_CLUSTERING, NO_DELETION_VECTORS, NO_LOOKUP};
use crate::options::spec::options;

options! {
    /// LSM compaction.
    LSM: Table;
    "num-sorted-run.compaction-trigger": Int = "5" => Implemented;
        "Sorted runs that start a compaction"
    "num-sorted-run.stop-trigger": Int => Implemented;
        "Sorted runs that block writes; default trigger + 3"
    "num-levels": Int => Implemented;
        "Number of levels; default trigger + 1"
    "compaction.max-size-amplification-percent": Int = "200" => Implemented;
        "Universal compaction space amplification limit"
    "compaction.size-ratio": Int = "1" => Implemented;
        "Universal compaction size ratio in percent"
    "compaction.force-up-level-0": Bool = "false" => Implemented;
        "Always include all level-0 files"
    "compaction.optimization-interval": Duration => Implemented;
        "Interval of forced full compaction for read-optimised queries"
    "compaction.total-size-threshold": Bytes => Implemented;
        "Full compaction while the bucket is smaller than this"
    "compaction.incremental-size-threshold": Bytes => Implemented;
        "Full compaction when the increment is larger than this"
    "compaction.offpeak.start.hour": Int = "-1" => Implemented;
        "Start of off-peak hours; -1 off"
    "compaction.offpeak.end.hour": Int = "-1" => Implemented;
        "End (exclusive); -1 off"
    "compaction.offpeak-ratio": Int = "0" => Implemented;
        "Size ratio in off-peak hours"
    "compaction.skip-expired-partitions": Bool = "false" => Refused("leaving expired partitions out of compaction");
        "Do not compact expired partitions (values-time only)"
    "compaction.force-rewrite-all-files": Bool = "false" => Implemented;
        "Full compaction rewrites every file"
    "full-compaction.delta-commits": Int => Refused("full compaction every n commits");
        "Full compaction every n commits"
    "force-lookup": Bool = "false", immutable => Refused("lookup compaction");
        "Use the lookup compaction without a producer needing it"
    "lookup-wait" | "changelog-producer.lookup-wait": Bool = "true" => Ignored(NO_LOOKUP);
        "Commits wait for lookup compaction"
    "lookup-compact": Enum["RADICAL", "GENTLE"] = "RADICAL" => Ignored(NO_LOOKUP);
        "Radical: every compaction includes level 0; gentle: as needed"
    "lookup-compact.max-interval": Int => Ignored(NO_LOOKUP);
        "Gentle: force after this many compactions"
}

options! {
    /// Append table compaction and clustering.
    APPEND: Table;
    "compaction.min.file-num": Int = "5" => Implemented;
        "Small files that start an append compaction"
    "compaction.file-num-limit": Int = "100000" => Implemented;
        "Files scanned per unaware-bucket compaction"
    "compaction.small-file-ratio": Double = "0.7" => Implemented;
        "Files below this share of the target size are small"
    "compaction.delete-ratio-threshold": Double = "0.2" => Ignored(NO_DELETION_VECTORS);
        "Deleted-row share that forces rewriting"
    "clustering.columns" | "sink.clustering.by-columns": String => Refused("clustering");
        "Columns to cluster by"
    "clustering.strategy" | "sink.clustering.strategy": String = "auto" => Ignored(NO_CLUSTERING);
        "Zorder, hilbert, order or auto"
    "clustering.incremental": Bool = "false" => Refused("clustering");
        "Incremental clustering on/off"
    "clustering.incremental.mode": Enum["global-sort", "local-sort"] = "global-sort" => Ignored(NO_CLUSTERING);
        "Global-sort or local-sort"
    "clustering.incremental.optimize-write": Bool = "false" => Ignored(NO_CLUSTERING);
        "Cluster also before writing"
    "clustering.history-partition.limit": Int = "5" => Ignored(NO_CLUSTERING);
        "History partitions fully clustered per run"
    "clustering.history-partition.idle-to-full-sort": Duration => Ignored(NO_CLUSTERING);
        "Idle time after which a partition counts as history"
    "sort-compaction.range-strategy": Enum["SIZE", "QUANTITY"] = "SIZE" => Ignored(NO_CLUSTERING);
        "Split ranges by size or quantity"
    "sort-compaction.local-sample.magnification": Int = "1000" => Ignored(NO_CLUSTERING);
        "Sample size factor"
    "zorder.var-length-contribution": Int = "8" => Ignored(NO_CLUSTERING);
        "Bytes of variable-length types in the z-order key"
}

options! {
    /// Changelog.
    CHANGELOG: Table;
    "changelog-producer": Enum["none", "input", "full-compaction", "lookup"] = "none" => Implemented;
        "Source of the changelog"
    "changelog-producer.row-deduplicate": Bool = "false" => Ignored(NO_CHANGELOG);
        "Drop -U/+U pairs of equal rows (lookup, full-compaction)"
    "changelog-producer.row-deduplicate-ignore-fields": String => Ignored(NO_CHANGELOG);
        "Columns ignored by that comparison"
}
