//! What a table is, where its files lie, how rows find their bucket.

use super::reasons::{DYNAMIC, POSTPONE};
use crate::options::spec::options;

options! {
    /// Table kind, keys, storage location.
    KIND_AND_PLACE: Table;
    "type":
        Enum["table", "format-table", "materialized-table", "object-table", "lance-table",
            "iceberg-table"] = "table", immutable
        => Implemented;
        "What the table is; only data tables use the snapshot format"
    "primary-key": String, immutable => Implemented;
        "Alternative to DDL primary key (comma list); moved into the schema at creation"
    "partition": String, immutable => Implemented;
        "Alternative to DDL partition keys (comma list); moved into the schema at creation"
    "path": String => Ignored("the catalog knows where its tables are");
        "Table directory; set by the catalog on load, not stored by it"
    "branch": String = "main" => Refused("a branch chosen by option; open the branch itself");
        "Branch this table object works on"
    "auto-create": Bool = "false" => Refused("creating a table on first use");
        "Create the table directory on first use; must be false for catalog tables"
    "data-file.prefix": String = "data-" => Implemented;
        "File name prefix of data files"
    "data-file.path-directory": String, immutable => Refused("a directory between the table and its partitions");
        "Sub-directory of the table that holds partition and bucket directories"
    "data-file.external-paths": String => Refused("data files outside the table");
        "Comma list of roots outside the table for new data files"
    "data-file.external-paths.strategy":
        Enum["none", "specific-fs", "round-robin", "entropy-inject", "weight-robin"] = "none"
        => Refused("data files outside the table");
        "How a root is chosen for a new file"
    "data-file.external-paths.specific-fs": String
        => Ignored("without effect unless data-file.external-paths is set, which is refused");
        "Scheme used by strategy specific-fs"
    "data-file.external-paths.weights": String
        => Ignored("without effect unless data-file.external-paths is set, which is refused");
        "Positive integers parallel to the roots, for weight-robin"
    "index-file-in-data-file-dir": Bool = "false", immutable => Refused("index files beside data files");
        "Store index files in the bucket directory instead of index/"
    "global-index.external-path": String => Refused("index files outside the table");
        "Root for global index files instead of index/"
    "data-file.thin-mode": Bool = "false" => Implemented;
        "Do not store key columns twice in PK data files"
    "partition.default-name": String = "__DEFAULT_PARTITION__" => Implemented;
        "Directory text for a null or empty partition value"
    "partition.legacy-name": Bool = "true" => Implemented;
        "True: Java toString of the internal value in directory names (dates as day numbers); false: cast to string"
}

options! {
    /// Buckets.
    BUCKETS: Table;
    "bucket": Int = "-1" => Implemented;
        "-1 dynamic/unaware, -2 postpone, >0 fixed; changing to or from -1 is refused"
    "bucket-key": String, immutable => Implemented;
        "Columns hashed for the bucket; default primary key without partition keys, else all columns"
    "bucket-function.type": Enum["default", "mod", "hive"] = "default", immutable => Implemented;
        "Default: abs(hash % n); mod: floorMod of one INT/BIGINT key; hive: Hive hash"
    "bucket-append-ordered": Bool = "true" => Ignored("rows of a bucket are always read in the order they were written");
        "Append table with fixed buckets keeps write order per bucket; false allows unordered writing and compaction"
    "dynamic-bucket.target-row-num": Long = "2000000" => Ignored(DYNAMIC);
        "Rows per bucket before a new dynamic bucket is opened"
    "dynamic-bucket.initial-buckets": Int, immutable => Ignored(DYNAMIC);
        "Initial buckets per partition for the assigner"
    "dynamic-bucket.max-buckets": Int = "-1" => Ignored(DYNAMIC);
        "Upper bound of buckets per partition; -1 none"
    "dynamic-bucket.assigner-parallelism": Int => Ignored(DYNAMIC);
        "Parallelism of the bucket assigner; default = sink"
    "postpone.batch-write-fixed-bucket": Bool = "true" => Ignored(POSTPONE);
        "Batch writes to a postpone table go straight to real buckets"
    "postpone.batch-write-fixed-bucket.max-parallelism": Int = "2048" => Ignored(POSTPONE);
        "Cap of writer parallelism for that (the shipped description text is a copy mistake)"
    "postpone.merge-on-read": Bool = "false" => Refused("merging postponed rows on read");
        "Batch reads merge bucket -2 records into real buckets"
    "postpone.default-bucket-num": Int = "1" => Ignored(POSTPONE);
        "Bucket number for a partition compacted for the first time"
    "postpone.target-row-num-per-bucket": Long => Ignored(POSTPONE);
        "Derive the bucket number from rows"
    "postpone.target-size-per-bucket": Bytes = "1 gb" => Ignored(POSTPONE);
        "Derive the bucket number from bytes; ignored if the row option is set"
}
