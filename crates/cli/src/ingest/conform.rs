//! From the columns of an input to the columns of a table: by name, cast without loss, or refused with row and column.

use std::collections::BTreeMap;
use std::sync::Arc;

use arrow_array::cast::AsArray;
use arrow_array::{Array, ArrayRef, Int8Array, RecordBatch, new_null_array};
use arrow_cast::display::{ArrayFormatter, FormatOptions};
use arrow_cast::{CastOptions, cast_with_options};
use arrow_ord::cmp::not_distinct;
use arrow_schema::{DataType as ArrowType, SchemaRef};
use headwater_types::{
    DataField, DataType, RowKind, TypeKind, array_from_datums, arrow_field, arrow_schema, arrow_type, cast_array,
    parse_datum,
};

use crate::error::{Error, Result, invalid};

/// Where a batch comes from, for messages.
#[derive(Clone, Debug)]
pub(crate) struct Origin {
    /// File name or "standard input".
    pub(crate) name: String,
    /// Number of the batch's first row within the input, from 1.
    pub(crate) first_row: u64,
}

impl Origin {
    /// The error with input and row; `row` is an index into the batch.
    pub(crate) fn blame(&self, error: Error, row: usize, column: &str) -> Error {
        error.with("input", &self.name).with("row", self.first_row + row as u64).with("column", column)
    }
}

/// The columns of a table as an input has to bring them.
pub(crate) struct Conform {
    fields: Vec<DataField>,
    schema: SchemaRef,
    keys: Vec<String>,
    kind_column: Option<String>,
    ignore_unknown: bool,
}

/// Rows in the table's own columns, with what each does.
pub(crate) struct Conformed {
    pub(crate) rows: RecordBatch,
    pub(crate) kinds: Option<Int8Array>,
}

impl Conform {
    pub(crate) fn new(
        fields: Vec<DataField>,
        keys: Vec<String>,
        kind_column: Option<String>,
        ignore_unknown: bool,
    ) -> Self {
        let schema = arrow_schema(&fields);
        Self { fields, schema, keys, kind_column, ignore_unknown }
    }

    pub(crate) fn fields(&self) -> &[DataField] {
        &self.fields
    }

    pub(crate) fn kind_column(&self) -> Option<&str> {
        self.kind_column.as_deref()
    }

    /// Refuses input columns that have no place in the table.
    pub(crate) fn check_names<'a>(&self, names: impl Iterator<Item = &'a str>, input: &str) -> Result<()> {
        if self.ignore_unknown {
            return Ok(());
        }
        for name in names {
            if !self.knows(name) {
                return Err(self.unknown(name).with("input", input));
            }
        }
        Ok(())
    }

    /// Whether a column of that name is let in.
    pub(crate) fn knows(&self, name: &str) -> bool {
        self.ignore_unknown || self.wants(name)
    }

    /// Whether a column of that name is used.
    pub(crate) fn wants(&self, name: &str) -> bool {
        self.kind_column.as_deref() == Some(name) || self.fields.iter().any(|field| field.name == name)
    }

    pub(crate) fn unknown(&self, name: &str) -> Error {
        let columns: Vec<&str> = self.fields.iter().map(|field| field.name.as_str()).collect();
        invalid(format!(
            "the table has no column '{name}'; its columns are {} (--ignore-unknown-columns leaves others out)",
            columns.join(", ")
        ))
        .with("column", name)
    }

    /// Casts a batch to the table's columns.
    pub(crate) fn apply(&self, batch: &RecordBatch, origin: &Origin) -> Result<Conformed> {
        let schema = batch.schema();
        self.check_names(schema.fields().iter().map(|field| field.name().as_str()), &origin.name)?;
        let by_name: BTreeMap<&str, &ArrayRef> =
            schema.fields().iter().map(|field| field.name().as_str()).zip(batch.columns()).collect();
        let mut columns = Vec::with_capacity(self.fields.len());
        for field in &self.fields {
            let column = match by_name.get(field.name.as_str()) {
                Some(column) => conform_column(column, field, origin)?,
                None => missing(field, batch.num_rows())?,
            };
            columns.push(column);
        }
        let kinds = match &self.kind_column {
            Some(name) => {
                let column = by_name.get(name.as_str()).ok_or_else(|| {
                    invalid(format!("the input has no column '{name}' (--kind-column)")).with("input", &origin.name)
                })?;
                Some(kinds(column, name, origin)?)
            }
            None => None,
        };
        self.finish(columns, kinds, batch.num_rows(), origin)
    }

    /// Checks nulls and lengths of columns that have the table's types already.
    pub(crate) fn finish(
        &self,
        columns: Vec<ArrayRef>,
        kinds: Option<Int8Array>,
        rows: usize,
        origin: &Origin,
    ) -> Result<Conformed> {
        for (field, column) in self.fields.iter().zip(&columns) {
            let is_key = self.keys.contains(&field.name);
            let fills_in = field.default_value.is_some() && !is_key;
            if (is_key || !field.data_type.is_nullable())
                && !fills_in
                && let Some(row) = (0..column.len()).find(|row| column.is_null(*row))
            {
                let what = if is_key { "a key column" } else { "a NOT NULL column" };
                return Err(origin.blame(invalid(format!("null in {what}")), row, &field.name));
            }
            check_lengths(field, column, origin)?;
        }
        let columns = self
            .schema
            .fields()
            .iter()
            .zip(columns)
            .map(|(field, column)| numbered(column, field.data_type()))
            .collect::<Result<Vec<ArrayRef>>>()?;
        // A default fills nulls in later, so the batch itself must be allowed to hold them.
        let schema = if self.fields.iter().zip(&columns).any(|(f, c)| !f.data_type.is_nullable() && c.null_count() > 0)
        {
            let fields: Vec<arrow_schema::Field> =
                self.schema.fields().iter().map(|field| field.as_ref().clone().with_nullable(true)).collect();
            Arc::new(arrow_schema::Schema::new(fields))
        } else {
            Arc::clone(&self.schema)
        };
        let options = arrow_array::RecordBatchOptions::new().with_row_count(Some(rows));
        let rows = RecordBatch::try_new_with_options(schema, columns, &options).map_err(|e| {
            Error::new(headwater_types::ErrorKind::Internal, "the columns make no batch").with_source(e)
        })?;
        Ok(Conformed { rows, kinds })
    }
}

/// The same values with the field ids of the table within nested types.
fn numbered(column: ArrayRef, target: &ArrowType) -> Result<ArrayRef> {
    if column.data_type() == target {
        return Ok(column);
    }
    let options = CastOptions { safe: false, ..CastOptions::default() };
    cast_with_options(&column, target, &options)
        .map_err(|e| Error::new(headwater_types::ErrorKind::Internal, "a column is not of its type").with_source(e))
}

/// A column the input does not have: nulls, or the default.
pub(crate) fn missing(field: &DataField, rows: usize) -> Result<ArrayRef> {
    if let Some(default) = &field.default_value {
        let value = parse_datum(default, &field.data_type)?;
        return Ok(array_from_datums(&field.data_type, &vec![Some(value); rows])?);
    }
    if !field.data_type.is_nullable() && rows > 0 {
        return Err(invalid("the input does not have this column, and the table demands a value for it")
            .with("column", &field.name));
    }
    Ok(new_null_array(&arrow_type(&field.data_type), rows))
}

/// Casts one column, without loss, or names the first row that cannot be.
fn conform_column(column: &ArrayRef, field: &DataField, origin: &Origin) -> Result<ArrayRef> {
    let target = arrow_field(field).data_type().clone();
    if *column.data_type() == target {
        return Ok(Arc::clone(column));
    }
    if let Some(cast) = lossless(column, &field.data_type, &target) {
        return Ok(cast);
    }
    let row = (0..column.len()).find(|row| lossless(&column.slice(*row, 1), &field.data_type, &target).is_none());
    let row = row.unwrap_or(0);
    let message = if column.is_empty() || column.is_null(row) {
        format!("values of type {} cannot become {}", column.data_type(), field.data_type)
    } else {
        format!("the value {} ({}) cannot become {}", shown(column, row), column.data_type(), field.data_type)
    };
    Err(origin.blame(invalid(message), row, &field.name))
}

fn shown(column: &ArrayRef, row: usize) -> String {
    let formatter = ArrayFormatter::try_new(column.as_ref(), &FormatOptions::default());
    let text = formatter.ok().and_then(|f| f.value(row).try_to_string().ok()).unwrap_or_default();
    if text.chars().count() > 60 {
        format!("'{}…'", text.chars().take(60).collect::<String>())
    } else {
        format!("'{text}'")
    }
}

/// The cast column, or `None` when a value would change or become null.
fn lossless(column: &ArrayRef, to: &DataType, target: &ArrowType) -> Option<ArrayRef> {
    let options = CastOptions { safe: false, ..CastOptions::default() };
    let plain = match column.data_type() {
        ArrowType::Dictionary(_, value) => cast_with_options(column, value, &options).ok()?,
        ArrowType::LargeUtf8 | ArrowType::Utf8View => cast_with_options(column, &ArrowType::Utf8, &options).ok()?,
        ArrowType::LargeBinary | ArrowType::BinaryView | ArrowType::FixedSizeBinary(_) => {
            cast_with_options(column, &ArrowType::Binary, &options).ok()?
        }
        ArrowType::Null => return Some(new_null_array(target, column.len())),
        _ => Arc::clone(column),
    };
    if plain.data_type() == target {
        return Some(plain);
    }
    if *plain.data_type() == ArrowType::Utf8 {
        if *target == ArrowType::Binary {
            return None;
        }
        let cast = cast_array(&plain, &DataType::new(TypeKind::STRING, true), to).ok()?;
        return (cast.null_count() == plain.null_count() && keeps_digits(&plain, &cast, to)).then_some(cast);
    }
    if matches!(plain.data_type(), ArrowType::Boolean) != matches!(target, ArrowType::Boolean)
        && *target != ArrowType::Utf8
    {
        return None;
    }
    let cast = cast_with_options(&plain, target, &options).ok()?;
    if cast.null_count() != plain.null_count() {
        return None;
    }
    if rounds_anyway(plain.data_type(), target) || target.is_nested() || *target == ArrowType::Utf8 {
        return Some(cast);
    }
    let back = cast_with_options(&cast, plain.data_type(), &options).ok()?;
    let same = not_distinct(&back, &plain).ok()?;
    (same.true_count() == plain.len()).then_some(cast)
}

/// Whether no text has more digits after the point than its type keeps.
fn keeps_digits(texts: &ArrayRef, cast: &ArrayRef, to: &DataType) -> bool {
    let wide = match to.kind() {
        TypeKind::Decimal { precision, scale } => {
            TypeKind::Decimal { precision: 38, scale: 38_u8.saturating_sub(precision.saturating_sub(*scale)) }
        }
        TypeKind::Timestamp { .. } => TypeKind::Timestamp { precision: 9 },
        TypeKind::LocalZonedTimestamp { .. } => TypeKind::LocalZonedTimestamp { precision: 9 },
        _ => return true,
    };
    let wide = DataType::new(wide, true);
    let exact = cast_array(texts, &DataType::new(TypeKind::STRING, true), &wide);
    let (Ok(exact), Ok(kept)) = (exact, cast_array(cast, to, &wide)) else { return false };
    not_distinct(&exact, &kept).is_ok_and(|same| same.true_count() == texts.len())
}

/// Casts that round by their nature and that SQL does without asking.
fn rounds_anyway(from: &ArrowType, to: &ArrowType) -> bool {
    matches!((from, to), (ArrowType::Float64, ArrowType::Float32))
        || matches!(
            (from, to),
            (ArrowType::Decimal128(..) | ArrowType::Decimal256(..), ArrowType::Float32 | ArrowType::Float64)
        )
}

/// CHAR(n) and VARCHAR(n) count characters, BINARY(n) and VARBINARY(n) bytes.
fn check_lengths(field: &DataField, column: &ArrayRef, origin: &Origin) -> Result<()> {
    let too_long = match field.data_type.kind() {
        TypeKind::Char { length } | TypeKind::VarChar { length } if *length < TypeKind::MAX_LENGTH => {
            let limit = usize::try_from(*length).unwrap_or(usize::MAX);
            let texts = column.as_string::<i32>();
            (0..texts.len()).find(|row| {
                !texts.is_null(*row) && texts.value(*row).len() > limit && texts.value(*row).chars().count() > limit
            })
        }
        TypeKind::Binary { length } | TypeKind::VarBinary { length } if *length < TypeKind::MAX_LENGTH => {
            let limit = usize::try_from(*length).unwrap_or(usize::MAX);
            let values = column.as_binary::<i32>();
            (0..values.len()).find(|row| !values.is_null(*row) && values.value(*row).len() > limit)
        }
        _ => None,
    };
    too_long.map_or(Ok(()), |row| {
        Err(origin.blame(invalid(format!("the value is too long for {}", field.data_type)), row, &field.name))
    })
}

/// What each row does, from its text or its number.
pub(crate) fn kinds(column: &ArrayRef, name: &str, origin: &Origin) -> Result<Int8Array> {
    let options = CastOptions { safe: false, ..CastOptions::default() };
    let texts = cast_with_options(column, &ArrowType::Utf8, &options)
        .map_err(|e| invalid("the kind column holds no text").with("column", name).with_source(e))?;
    let texts = texts.as_string::<i32>();
    let mut kinds = Vec::with_capacity(texts.len());
    for row in 0..texts.len() {
        let text = if texts.is_null(row) { "" } else { texts.value(row) };
        let kind = kind_of(text).ok_or_else(|| {
            origin.blame(invalid(format!("'{text}' is no row kind; write +I, -U, +U or -D")), row, name)
        })?;
        kinds.push(kind);
    }
    Ok(Int8Array::from(kinds))
}

pub(crate) fn kind_of(text: &str) -> Option<i8> {
    let kind = match text {
        "+I" | "0" => RowKind::Insert,
        "-U" | "1" => RowKind::UpdateBefore,
        "+U" | "2" => RowKind::UpdateAfter,
        "-D" | "3" => RowKind::Delete,
        _ => return None,
    };
    Some(kind.to_byte())
}

#[cfg(test)]
mod tests;
