//! Logical types of table columns.

mod json;
#[cfg(test)]
mod tests;
mod text;

pub use json::assign_field_ids;

use crate::DataField;

/// A logical type with its nullability. Source: spec page 01 §2.2, `paimon-api/…/types/`.
///
/// `Display` writes Paimon's canonical spelling, `FromStr` reads the grammar of atomic types,
/// [`DataType::to_json`] and [`DataType::from_json`] the form of schema files.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct DataType {
    kind: TypeKind,
    nullable: bool,
}

/// The closed set of Paimon's types. Lengths count characters (CHAR, VARCHAR) or bytes; precisions are decimal digits.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum TypeKind {
    /// `BOOLEAN`
    Boolean,
    /// `TINYINT`: i8
    TinyInt,
    /// `SMALLINT`: i16
    SmallInt,
    /// `INT`: i32
    Int,
    /// `BIGINT`: i64
    BigInt,
    /// `FLOAT`: f32
    Float,
    /// `DOUBLE`: f64
    Double,
    /// `DECIMAL(precision, scale)`, 1 ≤ precision ≤ 38, 0 ≤ scale ≤ precision
    Decimal {
        /// All digits.
        precision: u8,
        /// Digits after the point.
        scale: u8,
    },
    /// `CHAR(length)`; not padded
    Char {
        /// Characters, at least 1.
        length: u32,
    },
    /// `VARCHAR(length)`; `STRING` is [`TypeKind::MAX_LENGTH`]
    VarChar {
        /// Characters, at least 1.
        length: u32,
    },
    /// `BINARY(length)`; not padded
    Binary {
        /// Bytes, at least 1.
        length: u32,
    },
    /// `VARBINARY(length)`; `BYTES` is [`TypeKind::MAX_LENGTH`]
    VarBinary {
        /// Bytes, at least 1.
        length: u32,
    },
    /// `DATE`: days since 1970-01-01
    Date,
    /// `TIME(precision)`: milliseconds of the day whatever the precision
    Time {
        /// 0 to 9.
        precision: u8,
    },
    /// `TIMESTAMP(precision)`: wall clock
    Timestamp {
        /// 0 to 9.
        precision: u8,
    },
    /// `TIMESTAMP(precision) WITH LOCAL TIME ZONE`: instant
    LocalZonedTimestamp {
        /// 0 to 9.
        precision: u8,
    },
    /// `ARRAY<element>`
    Array(Box<DataType>),
    /// `VECTOR<element, length>`
    Vector {
        /// BOOLEAN, an integer type, FLOAT or DOUBLE.
        element: Box<DataType>,
        /// Elements, at least 1.
        length: u32,
    },
    /// `MAP<key, value>`
    Map {
        /// Type of the keys.
        key: Box<DataType>,
        /// Type of the values.
        value: Box<DataType>,
    },
    /// `MULTISET<element>`: a map from element to INT count
    Multiset(Box<DataType>),
    /// `ROW<…>`: fields with ids of their own
    Row(Vec<DataField>),
    /// `VARIANT`
    Variant,
    /// `BLOB`
    Blob,
}

impl TypeKind {
    /// The length that makes `VARCHAR` a `STRING` and `VARBINARY` a `BYTES`.
    pub const MAX_LENGTH: u32 = 2_147_483_647;
    /// `STRING`
    pub const STRING: Self = Self::VarChar { length: Self::MAX_LENGTH };
    /// `BYTES`
    pub const BYTES: Self = Self::VarBinary { length: Self::MAX_LENGTH };
}

impl DataType {
    /// A type with the given nullability.
    #[must_use]
    pub fn new(kind: TypeKind, nullable: bool) -> Self {
        Self { kind, nullable }
    }

    /// The type without its nullability.
    #[must_use]
    pub fn kind(&self) -> &TypeKind {
        &self.kind
    }

    /// Whether values may be null.
    #[must_use]
    pub fn is_nullable(&self) -> bool {
        self.nullable
    }

    /// The same type with another nullability.
    #[must_use]
    pub fn with_nullable(&self, nullable: bool) -> Self {
        Self { kind: self.kind.clone(), nullable }
    }
}

impl From<TypeKind> for DataType {
    /// The nullable type of that kind.
    fn from(kind: TypeKind) -> Self {
        Self { kind, nullable: true }
    }
}
