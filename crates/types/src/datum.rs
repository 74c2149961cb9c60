//! One value outside a column: a literal, a statistic, a partition value, a key bound.

/// A non-null value. Where null is possible, `Option<Datum>` is used and null is `None`.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Datum {
    /// BOOLEAN
    Boolean(bool),
    /// TINYINT
    TinyInt(i8),
    /// SMALLINT
    SmallInt(i16),
    /// INT
    Int(i32),
    /// BIGINT
    BigInt(i64),
    /// FLOAT
    Float(f32),
    /// DOUBLE
    Double(f64),
    /// DECIMAL: the unscaled integer at the type's scale.
    Decimal {
        /// Value × 10^scale.
        unscaled: i128,
        /// Digits after the point.
        scale: u8,
    },
    /// CHAR, VARCHAR, STRING
    String(String),
    /// BINARY, VARBINARY, BYTES, BLOB
    Bytes(Vec<u8>),
    /// DATE: days since 1970-01-01
    Date(i32),
    /// TIME: milliseconds of the day
    Time(i32),
    /// TIMESTAMP and TIMESTAMP WITH LOCAL TIME ZONE
    Timestamp {
        /// Milliseconds since the epoch, rounded down.
        millis: i64,
        /// Nanoseconds within the millisecond, 0 to 999,999.
        nanos: i32,
    },
    /// ARRAY and VECTOR
    Array(Vec<Option<Datum>>),
    /// MAP and MULTISET, in the order of the entries
    Map(Vec<(Option<Datum>, Option<Datum>)>),
    /// ROW, in the order of its fields
    Row(Vec<Option<Datum>>),
    /// VARIANT
    Variant {
        /// Encoded value.
        value: Vec<u8>,
        /// Encoded metadata.
        metadata: Vec<u8>,
    },
}
