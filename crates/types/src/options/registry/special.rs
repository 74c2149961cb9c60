//! Deletion vectors, special column kinds, indexes, Iceberg metadata.

use super::reasons::{NO_DELETION_VECTORS, NO_ICEBERG, NO_INDEX, SPECIAL_COLUMNS};
use crate::options::spec::options;

options! {
    /// Deletion vectors.
    DELETION_VECTORS: Table;
    "deletion-vectors.enabled": Bool = "false" => Refused("writing deletion vectors");
        "Use deletion vectors; fixed once snapshots exist"
    "deletion-vectors.modifiable": Bool = "false" => Ignored(NO_DELETION_VECTORS);
        "Allow changing the switch above"
    "deletion-vector.index-file.target-size": Bytes = "2 mb" => Ignored(NO_DELETION_VECTORS);
        "Size of a DV index file"
    "deletion-vectors.merge-on-read": Bool = "false" => Implemented;
        "Batch reads see level-0 files too"
    "deletion-vectors.bitmap64": Bool = "false" => Ignored(NO_DELETION_VECTORS);
        "64-bit bitmaps"
}

options! {
    /// Data evolution, BLOB, VARIANT, VECTOR.
    COLUMN_KINDS: Table;
    "data-evolution.enabled": Bool = "false", immutable => Refused("data evolution");
        "Column-wise files joined by row id"
    "data-evolution.reassign.skip-contiguous-row-count": Long = "1000000000" => Ignored(SPECIAL_COLUMNS);
        "Runs longer than this keep their ids in reassign_row_id; 0 off"
    "data-evolution.row-id-conflict-rewrite.max-size": Bytes = "256 mb" => Ignored(SPECIAL_COLUMNS);
        "Pypaimon rebase limit after compaction conflicts; 0 off"
    "data-evolution.row-sidecar.enabled": Bool = "false" => Ignored(SPECIAL_COLUMNS);
        "Write row-store sidecar files"
    "data-evolution.row-sidecar.max-selected-rows": Long = "4096" => Ignored(SPECIAL_COLUMNS);
        "Use a sidecar up to this many rows"
    "data-evolution.row-sidecar.max-selection-ratio": Double = "0.05" => Ignored(SPECIAL_COLUMNS);
        "And up to this ratio"
    "data-evolution.merge-into.file-pruning": Bool = "true" => Ignored(SPECIAL_COLUMNS);
        "Collect touched files first in MERGE INTO"
    "data-evolution.merge-into.source-persist": Bool = "false" => Ignored(SPECIAL_COLUMNS);
        "Cache the MERGE source"
    "data-evolution.compaction.rewrite-row-ids": Bool = "false" => Ignored(SPECIAL_COLUMNS);
        "Compaction may apply DVs and renumber rows"
    "blob-compaction.enabled": Bool = "false" => Ignored(SPECIAL_COLUMNS);
        "Compact blob files too"
    "blob-field": String, immutable => Refused("BLOB columns");
        "Columns stored as BLOB"
    "blob-descriptor-field" | "blob.stored-descriptor-fields": String, immutable => Refused("BLOB columns");
        "BLOB columns stored inline as descriptors"
    "blob-view-field": String, immutable => Refused("BLOB columns");
        "BLOB columns stored inline as references to other tables"
    "blob-view.resolve.enabled": Bool = "true" => Ignored(SPECIAL_COLUMNS);
        "Resolve such references on read"
    "blob-as-descriptor": Bool = "false" => Ignored(SPECIAL_COLUMNS);
        "Input values are descriptors"
    "blob-descriptor.source-table": String => Ignored(SPECIAL_COLUMNS);
        "Table whose file access is used to read descriptors"
    "blob-write-null-on-missing-file": Bool = "false" => Ignored(SPECIAL_COLUMNS);
        "Missing referenced file becomes NULL"
    "blob-write-null-on-fetch-failure": Bool = "false" => Ignored(SPECIAL_COLUMNS);
        "Failed fetch becomes NULL"
    "blob.target-file-size": Bytes => Ignored(SPECIAL_COLUMNS);
        "Roll size of blob files; default target-file-size"
    "blob.split-by-file-size": Bool => Ignored(SPECIAL_COLUMNS);
        "Count blob bytes in split sizes; default: not blob-as-descriptor"
    "blob.copy-buffer-size": Bytes = "4 kb" => Ignored(SPECIAL_COLUMNS);
        "Copy buffer"
    "variant.shreddingSchema" | "parquet.variant.shreddingSchema": String => Refused("shredded VARIANT columns");
        "Fixed shredding schema (JSON row type)"
    "variant.inferShreddingSchema": Bool = "false" => Refused("shredded VARIANT columns");
        "Infer it from data"
    "variant.shredding.inferenceMode": Enum["per-file", "adaptive"] = "per-file" => Ignored(SPECIAL_COLUMNS);
        "Per file or adaptive"
    "variant.shredding.maxSchemaWidth": Int = "300" => Ignored(SPECIAL_COLUMNS);
        "Max shredded fields"
    "variant.shredding.maxSchemaDepth": Int = "50" => Ignored(SPECIAL_COLUMNS);
        "Max depth inspected"
    "variant.shredding.minFieldCardinalityRatio": Double = "0.1" => Ignored(SPECIAL_COLUMNS);
        "Field share needed for shredding"
    "variant.shredding.maxInferBufferRow": Int = "4096" => Ignored(SPECIAL_COLUMNS);
        "Rows buffered for inference"
    "variant.shredding.adaptive.maxInferBufferRow": Int = "256" => Ignored(SPECIAL_COLUMNS);
        "Rows sampled after the first file"
    "variant.shredding.adaptive.retentionRatio": Double = "0.05" => Ignored(SPECIAL_COLUMNS);
        "Share needed to keep a path"
    "vector-field": String => Refused("VECTOR columns declared by option");
        "ARRAY columns stored as VECTOR"
    "vector.file.format": String => Refused("vector-store files");
        "Format of vector-store files"
    "vector.target-file-size": Bytes => Ignored(SPECIAL_COLUMNS);
        "Roll size; default target-file-size"
    "vector-search.distribute.enabled": Bool = "false" => Ignored(SPECIAL_COLUMNS);
        "Distribute vector search"
    "vector-search.lateral-join.batch-size": Int = "256" => Ignored(SPECIAL_COLUMNS);
        "Query vectors per batch"
}

options! {
    /// Indexes.
    INDEXES: Table;
    "global-index.enabled": Bool = "true" => Ignored(NO_INDEX);
        "Use global indexes in scans"
    "global-index.search-mode": Enum["fast", "full", "detail"] => Ignored(NO_INDEX);
        "Fallback of the three modes below"
    "scalar-index.search-mode": Enum["fast", "full", "detail"] = "fast" => Ignored(NO_INDEX);
        "Freshness mode of scalar index queries"
    "vector-index.search-mode": Enum["fast", "full", "detail"] = "fast" => Ignored(NO_INDEX);
        "Freshness mode of vector queries"
    "full-text-index.search-mode": Enum["fast", "full", "detail"] = "fast" => Ignored(NO_INDEX);
        "Freshness mode of full-text queries"
    "global-index.thread-num": Int = "32" => Ignored(NO_INDEX);
        "Index I/O threads"
    "global-index.row-count-per-shard": Long = "100000" => Ignored(NO_INDEX);
        "Rows per index shard"
    "global-index.build.max-shard": Int = "32" => Ignored(NO_INDEX);
        "Preferred shard limit"
    "global-index.build.max-parallelism": Int = "4096" => Ignored(NO_INDEX);
        "Build parallelism limit"
    "global-index.column-update-action": Enum["THROW_ERROR", "DROP_PARTITION_INDEX", "IGNORE"] = "THROW_ERROR"
        => Ignored(NO_INDEX);
        "What an update of an indexed column does"
    "pk-vector.index.columns": String => Refused("primary-key indexes");
        "VECTOR column with a primary-key vector index"
    "pk-btree.index.columns": String => Refused("primary-key indexes");
        "Columns with primary-key B-tree indexes"
    "pk-bitmap.index.columns": String => Refused("primary-key indexes");
        "Columns with primary-key bitmap indexes"
    "pk-full-text.index.columns": String => Refused("primary-key indexes");
        "Text column with a primary-key full-text index"
}

options! {
    /// Schema evolution switches.
    SCHEMA_CHANGES: Table;
    "alter-column-null-to-not-null.disabled": Bool = "true" => Implemented;
        "Refuse nullable to NOT NULL"
    "disable-explicit-type-casting": Bool = "false" => Implemented;
        "Refuse narrowing type changes"
    "add-column-before-partition": Bool = "false" => Implemented;
        "New columns go before the first partition column"
}

options! {
    /// Materialized table (engine metadata).
    MATERIALIZED: Table;
    "materialized-table.definition-query": String => Ignored("engine metadata, kept as written");
        "Defining query"
    "materialized-table.interval-freshness": String => Ignored("engine metadata, kept as written");
        "Freshness number"
    "materialized-table.interval-freshness.time-unit": Enum["SECOND", "MINUTE", "HOUR", "DAY"]
        => Ignored("engine metadata, kept as written");
        "Its unit"
    "materialized-table.logical-refresh-mode": Enum["CONTINUOUS", "FULL", "AUTOMATIC"]
        => Ignored("engine metadata, kept as written");
        "Declared refresh mode"
    "materialized-table.refresh-mode": Enum["CONTINUOUS", "FULL", "AUTOMATIC"]
        => Ignored("engine metadata, kept as written");
        "Actual refresh mode"
    "materialized-table.refresh-status": Enum["INITIALIZING", "ACTIVATED", "SUSPENDED"]
        => Ignored("engine metadata, kept as written");
        "State"
    "materialized-table.refresh-handler-description": String => Ignored("engine metadata, kept as written");
        "Handler text"
    "materialized-table.refresh-handler-bytes": String => Ignored("engine metadata, kept as written");
        "Serialized handler"
}

options! {
    /// Other.
    OTHER: Table;
    "file-operation.thread-num" | "delete-file.thread-num": Int
        => Ignored("Headwater sizes its own thread pools: same results");
        "Threads for file deletes and checks; default CPU count"
}

options! {
    /// Iceberg metadata (IcebergOptions, table options).
    ICEBERG: Table;
    "metadata.iceberg.storage":
        Enum["disabled", "table-location", "hadoop-catalog", "hive-catalog", "rest-catalog"] = "disabled"
        => Refused("Iceberg metadata");
        "Write Iceberg metadata and where"
    "metadata.iceberg.storage-location": Enum["table-location", "catalog-location"] => Refused("Iceberg metadata");
        "Beside the table or in the catalog location"
    "metadata.iceberg.format-version": Int = "2" => Ignored(NO_ICEBERG);
        "2 or 3 (3 for deletion vectors)"
    "metadata.iceberg.compaction.min.file-num": Int = "10" => Ignored(NO_ICEBERG);
        "Manifest files that start metadata compaction"
    "metadata.iceberg.compaction.max.file-num": Int = "50" => Ignored(NO_ICEBERG);
        "Always compact above this"
    "metadata.iceberg.delete-after-commit.enabled": Bool = "true" => Ignored(NO_ICEBERG);
        "Delete old metadata files"
    "metadata.iceberg.previous-versions-max": Int = "0" => Ignored(NO_ICEBERG);
        "Old metadata files kept"
    "metadata.iceberg.uri": String => Ignored(NO_ICEBERG);
        "Hive metastore address"
    "metadata.iceberg.hive-conf-dir": String => Ignored(NO_ICEBERG);
        "Hive configuration directory"
    "metadata.iceberg.hadoop-conf-dir": String => Ignored(NO_ICEBERG);
        "Hadoop configuration directory"
    "metadata.iceberg.manifest-compression": String = "snappy" => Ignored(NO_ICEBERG);
        "Codec of Iceberg manifests"
    "metadata.iceberg.manifest-legacy-version": Bool = "false" => Ignored(NO_ICEBERG);
        "Write the 1.4-style manifests"
    "metadata.iceberg.hive-client-class": String = "org.apache.hadoop.hive.metastore.HiveMetaStoreClient"
        => Ignored(NO_ICEBERG);
        "Metastore client class"
    "metadata.iceberg.database": String => Ignored(NO_ICEBERG);
        "Alias database(s), ; separated"
    "metadata.iceberg.table": String => Ignored(NO_ICEBERG);
        "Alias table"
    "metadata.iceberg.glue.skip-archive": Bool = "false" => Ignored(NO_ICEBERG);
        "Glue: no archive versions"
    "metadata.iceberg.hive-skip-update-stats": Bool = "false" => Ignored(NO_ICEBERG);
        "Hive: keep statistics"
}

options! {
    /// Global index builders.
    INDEX_BUILDERS: Table;
    "bitmap-index.dictionary-block-size": Bytes = "16 kb" => Ignored(NO_INDEX);
        "Dictionary block size"
    "bitmap-index.compression": String = "none" => Ignored(NO_INDEX);
        "Dictionary codec"
    "bitmap-index.compression-level": Int = "1" => Ignored(NO_INDEX);
        "Its level"
    "bitmap-index.fallback-scan-max-size": Bytes = "256 mb" => Ignored(NO_INDEX);
        "Index size up to which dictionary scans are allowed"
    "btree-index.compression": String = "none" => Ignored(NO_INDEX);
        "Codec"
    "btree-index.compression-level": Int = "1" => Ignored(NO_INDEX);
        "Its level"
    "btree-index.block-size": Bytes = "64 kb" => Ignored(NO_INDEX);
        "Block size"
    "btree-index.cache-size": Bytes = "128 mb" => Ignored(NO_INDEX);
        "Cache size"
    "btree-index.high-priority-pool-ratio": Double = "0.1" => Ignored(NO_INDEX);
        "Cache share for index blocks"
    "btree-index.fallback-scan-max-size": Bytes = "256 mb" => Ignored(NO_INDEX);
        "Index size up to which index scans are allowed; 0 off"
    "btree-index.records-per-range": Long = "10000000" => Ignored(NO_INDEX);
        "Rows per index file"
    "btree-index.build.max-parallelism": Int = "4096" => Ignored(NO_INDEX);
        "Build parallelism"
    "sorted-index.records-per-range" | "btree-index.records-per-range": Long = "10000000" => Ignored(NO_INDEX);
        "Rows per index file of B-tree and bitmap"
    "sorted-index.build.max-parallelism" | "btree-index.build.max-parallelism": Int = "4096" => Ignored(NO_INDEX);
        "Build parallelism"
}
