//! Keys with a variable part, written `<x>`: one or more characters of any kind.

use super::reasons::{NO_INDEX, OTHER_FORMAT, SPECIAL_COLUMNS};
use crate::options::spec::options;

const AGGREGATION: &str = "aggregate functions of columns";

options! {
    /// Keys with a variable part that tables store.
    TABLE_PATTERNS: Table;
    "fields.<f>.aggregate-function": String => Refused(AGGREGATION);
        "Aggregate of a column (aggregation, partial-update)"
    "fields.<f>.ignore-retract": Bool = "false" => Refused(AGGREGATION);
        "Ignore -U and -D rows for the column"
    "fields.<f>.sequence-group": String => Refused("sequence groups of merge-engine = partial-update");
        "The columns named in the key order the columns named in the value"
    "fields.<f>.nested-key": String => Refused(AGGREGATION);
        "Key of the rows nested_update keeps"
    "fields.<f>.nested-key-null-strategy": Enum["merge", "ignore", "error"] = "merge" => Refused(AGGREGATION);
        "What nested_update does with a null key"
    "fields.<f>.nested-sequence-field": String => Refused(AGGREGATION);
        "Which nested row is newest"
    "fields.<f>.count-limit": Int = "2147483647" => Refused(AGGREGATION);
        "Most nested rows kept"
    "fields.<f>.distinct": Bool = "false" => Refused(AGGREGATION);
        "Collect and listagg keep each value once"
    "fields.<f>.list-agg-delimiter": String = "," => Refused(AGGREGATION);
        "Text between the values of listagg"
    "fields.<f>.ts-field": String => Refused(AGGREGATION);
        "Time column of merge_map_with_keytime"
    "fields.<f>.stats-mode": String => Implemented;
        "Statistics of one column: none, counts, truncate(n), full"
    "fields.<f>.map.storage-layout": Enum["default", "shared-shredding"] = "default"
        => Refused("shredded MAP columns");
        "Physical layout of a MAP column"
    "fields.<f>.map.shared-shredding.max-columns": Int = "256" => Ignored(SPECIAL_COLUMNS);
        "Columns a shredded MAP may use"
    "fields.<f>.map.shared-shredding.column-placement-policy": Enum["plain", "sequential", "lru"] = "lru"
        => Ignored(SPECIAL_COLUMNS);
        "How keys of a shredded MAP get their columns"
    "fields.<f>.pk-vector.index.type": String => Ignored(NO_INDEX);
        "Kind of the primary-key vector index"
    "fields.<f>.pk-vector.index.options": String => Ignored(NO_INDEX);
        "Options of the primary-key vector index"
    "fields.<f>.pk-vector.distance.metric": String => Ignored(NO_INDEX);
        "Distance of the primary-key vector index: l2, cosine, inner_product"
    "fields.<f>.pk-btree.index.options": String => Ignored(NO_INDEX);
        "Options of the primary-key B-tree index"
    "fields.<f>.pk-bitmap.index.options": String => Ignored(NO_INDEX);
        "Options of the primary-key bitmap index"
    "fields.<f>.pk-full-text.index.options": String => Ignored(NO_INDEX);
        "Options of the primary-key full-text index"
    "file-index.<type>.columns": String => Refused("writing file indexes");
        "Columns with a file index of that type: bloom-filter, bitmap, bsi, range-bitmap"
    "file-index.<type>.<column>.<option>": String
        => Ignored("without effect unless file-index.<type>.columns is set, which is refused");
        "An option of one column's file index"
    "blob-descriptor.<k>": String => Ignored(SPECIAL_COLUMNS);
        "File access for the sources of BLOB descriptors"
    "hive.<k>": String => Ignored("only a Hive metastore reads it");
        "A parameter of the table in a Hive metastore"
    "parquet.<k>": String => Implemented;
        "Passed to the Parquet writer"
    "orc.<k>": String => Ignored(OTHER_FORMAT);
        "Passed to the ORC writer"
    "avro.codec": String => Ignored(OTHER_FORMAT);
        "Codec of Avro data files"
    "avro.row-name-mapping": String => Ignored(OTHER_FORMAT);
        "Names of nested records in Avro data files"
    "file.format.per.level.<level>": String => Implemented;
        "One entry of file.format.per.level"
    "file.compression.per.level.<level>": String => Implemented;
        "One entry of file.compression.per.level"
    "metadata.stats-mode.per.level.<level>": String => Implemented;
        "One entry of metadata.stats-mode.per.level"
}

options! {
    /// Keys with a variable part that catalogs take.
    CATALOG_PATTERNS: Catalog;
    "table-default.<k>": String => Refused("default table options of a catalog");
        "Default of a table option at creation"
    "header.<name>": String => Refused("the REST catalog");
        "A header of REST requests"
    "jdbc.<k>": String => Refused("the JDBC catalog");
        "A property of the JDBC driver"
    "fs.<k>": String => Implemented;
        "Passed to the file system"
    "s3.<k>": String => Implemented;
        "Passed to the S3 client"
    "dfs.<k>": String => Ignored("Headwater uses no Hadoop client");
        "Passed to the Hadoop client"
}
