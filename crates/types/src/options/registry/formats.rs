//! Options of file formats other than Parquet.

use super::reasons::OTHER_FORMAT;
use crate::options::spec::options;

options! {
    /// ORC.
    ORC: Table;
    "orc.column.encoding.direct": Int => Ignored(OTHER_FORMAT);
        "Columns without dictionary"
    "orc.dictionary.key.threshold": Double = "0.8" => Ignored(OTHER_FORMAT);
        "Distinct share for dictionary encoding"
    "orc.timestamp-ltz.legacy.type": Bool = "true" => Ignored(OTHER_FORMAT);
        "Timestamp_ltz stored as plain ORC timestamp (old behaviour)"
}

options! {
    /// JSON.
    JSON: Table;
    "json.ignore-parse-errors": Bool = "false" => Ignored(OTHER_FORMAT);
        "Skip bad records"
    "json.map-null-key-mode": Enum["fail", "drop", "literal"] = "fail" => Ignored(OTHER_FORMAT);
        "Null map keys"
    "json.map-null-key-literal": String = "null" => Ignored(OTHER_FORMAT);
        "Text for null keys"
    "json.line-delimiter": String = "\\n" => Ignored(OTHER_FORMAT);
        "Line end"
}

options! {
    /// CSV.
    CSV: Table;
    "csv.field-delimiter" | "field-delimiter" | "seq": String = "," => Ignored(OTHER_FORMAT);
        "Field separator"
    "csv.line-delimiter" | "lineSep": String = "\\n" => Ignored(OTHER_FORMAT);
        "Line end"
    "csv.quote-character" | "quote": String = "\"" => Ignored(OTHER_FORMAT);
        "Quote"
    "csv.escape-character" | "escape": String = "\\" => Ignored(OTHER_FORMAT);
        "Escape"
    "csv.include-header" | "header": Bool = "false" => Ignored(OTHER_FORMAT);
        "Header line"
    "csv.null-literal" | "nullvalue": String = "" => Ignored(OTHER_FORMAT);
        "Text for null"
    "csv.mode" | "mode": Enum["permissive", "dropmalformed", "failfast"] = "permissive" => Ignored(OTHER_FORMAT);
        "Bad records: permissive, dropmalformed, failfast"
}

options! {
    /// TEXT.
    TEXT: Table;
    "text.line-delimiter" | "lineSep": String = "\\n" => Ignored(OTHER_FORMAT);
        "Line end"
}
