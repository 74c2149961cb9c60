//! Rows as they come, made rows of the table. Source: spec page 03 §1.1.

use std::sync::Arc;

use arrow_array::cast::AsArray;
use arrow_array::{Array, ArrayRef, BooleanArray, Int8Array, RecordBatch, RecordBatchOptions, Scalar, new_null_array};
use arrow_schema::{DataType as ArrowType, SchemaRef};
use arrow_select::filter::{filter, filter_record_batch};
use arrow_select::zip::zip;
use headwater_metadata::Schema;
use headwater_types::{
    CoreOptions, DataField, ErrorKind, RowKind, array_from_datums, arrow_schema, parse_datum, with_arrow_type,
};

use crate::{Error, Result, error};

/// Checks and completes batches.
pub(super) struct Conform {
    fields: Vec<DataField>,
    schema: SchemaRef,
    /// Nulls of these columns are replaced; one value each.
    defaults: Vec<Option<ArrayRef>>,
    kind_column: Option<String>,
    ignore_delete: bool,
    ignore_update_before: bool,
    keyed: bool,
}

impl Conform {
    pub(super) fn new(schema: &Schema, options: &CoreOptions) -> Result<Self> {
        let default = |field: &DataField| -> Result<Option<ArrayRef>> {
            let Some(text) = &field.default_value else { return Ok(None) };
            let text = text.strip_prefix('\'').and_then(|t| t.strip_suffix('\'')).unwrap_or(text);
            let value = parse_datum(text, &field.data_type).map_err(|e| Error::from(e).with("column", &field.name))?;
            Ok(Some(array_from_datums(&field.data_type, &[Some(value)])?))
        };
        let keyed = !schema.primary_keys.is_empty();
        let mut fields = schema.fields.clone();
        for field in &mut fields {
            // Schemas of other writers may call a key nullable; it never is.
            if schema.primary_keys.contains(&field.name) {
                field.data_type = field.data_type.with_nullable(false);
            }
        }
        Ok(Self {
            schema: arrow_schema(&schema.fields),
            defaults: schema.fields.iter().map(default).collect::<Result<_>>()?,
            fields,
            kind_column: options.rowkind_field(),
            ignore_delete: options.ignore_delete(),
            ignore_update_before: options.ignore_update_before(),
            keyed,
        })
    }

    /// The rows of the table and their kinds; rows the options ignore are left out.
    pub(super) fn apply(&self, batch: &RecordBatch, kinds: &Int8Array) -> Result<(RecordBatch, Int8Array)> {
        for field in batch.schema().fields() {
            if !self.fields.iter().any(|known| known.name == *field.name()) {
                return Err(
                    Error::new(ErrorKind::InvalidInput, "the table has no such column").with("column", field.name())
                );
            }
        }
        let mut columns = Vec::with_capacity(self.fields.len());
        for ((field, arrow_field), default) in self.fields.iter().zip(self.schema.fields()).zip(&self.defaults) {
            let column = match batch.column_by_name(&field.name) {
                None => new_null_array(arrow_field.data_type(), batch.num_rows()),
                Some(column) => conform(column, arrow_field.data_type(), &field.name)?,
            };
            if column.null_count() > 0 && !field.data_type.is_nullable() {
                let message = format!("Cannot write null to non-null column({})", field.name);
                return Err(Error::new(ErrorKind::InvalidInput, message).with("column", &field.name));
            }
            columns.push(match default {
                Some(default) if column.null_count() > 0 => fill(&column, default)?,
                _ => column,
            });
        }
        let rows = RecordBatchOptions::new().with_row_count(Some(batch.num_rows()));
        let batch = RecordBatch::try_new_with_options(Arc::clone(&self.schema), columns, &rows)
            .map_err(|e| Error::new(ErrorKind::InvalidInput, "the rows are not of the table's types").with_source(e))?;
        let kinds = self.kinds(&batch, kinds)?;
        self.leave_out(batch, kinds)
    }

    fn kinds(&self, batch: &RecordBatch, given: &Int8Array) -> Result<Int8Array> {
        let kinds = match &self.kind_column {
            None => given.clone(),
            Some(name) => {
                let texts = batch.column_by_name(name).and_then(|column| column.as_string_opt::<i32>());
                let texts = texts.ok_or_else(|| {
                    Error::new(ErrorKind::InvalidInput, "rowkind.field must name a STRING column").with("column", name)
                })?;
                let kind = |text: Option<&str>| match text {
                    None => Err(Error::new(ErrorKind::InvalidInput, "Row kind cannot be null.").with("column", name)),
                    Some(text) => Ok(RowKind::from_short_string(text)?.to_byte()),
                };
                texts.iter().map(kind).collect::<Result<Vec<_>>>()?.into()
            }
        };
        if kinds.len() != batch.num_rows() || kinds.null_count() > 0 {
            return Err(Error::new(ErrorKind::InvalidInput, "every row needs a row kind"));
        }
        if let Some(wrong) = kinds.values().iter().find(|kind| !(0..=3).contains(*kind)) {
            return Err(Error::new(ErrorKind::InvalidInput, format!("{wrong} is not a row kind (0 to 3)")));
        }
        Ok(kinds)
    }

    fn leave_out(&self, batch: RecordBatch, kinds: Int8Array) -> Result<(RecordBatch, Int8Array)> {
        let ignored = |kind: i8| match kind {
            1 => self.ignore_delete || self.ignore_update_before,
            3 => self.ignore_delete,
            _ => false,
        };
        let (batch, kinds) = if kinds.values().iter().any(|&kind| ignored(kind)) {
            let keep: BooleanArray = kinds.values().iter().map(|&kind| Some(!ignored(kind))).collect();
            let doing = "leave out ignored rows";
            let kinds = filter(&kinds, &keep).map_err(error::arrow(doing))?.as_primitive().clone();
            (filter_record_batch(&batch, &keep).map_err(error::arrow(doing))?, kinds)
        } else {
            (batch, kinds)
        };
        if !self.keyed && kinds.values().iter().any(|kind| kind & 1 == 1) {
            let message = "a table without primary key takes no deletes (-D, -U)";
            return Err(Error::new(ErrorKind::InvalidInput, message));
        }
        Ok((batch, kinds))
    }
}

/// The column in the Arrow form the table uses. Other layouts of the same values are fine, other values are not.
fn conform(column: &ArrayRef, wanted: &ArrowType, name: &str) -> Result<ArrayRef> {
    if column.data_type() == wanted {
        return Ok(Arc::clone(column));
    }
    let wrong = || {
        Error::new(
            ErrorKind::InvalidInput,
            format!("the column holds {}, the table wants {wanted}: cast it", column.data_type()),
        )
        .with("column", name)
    };
    if !same_values(column.data_type(), wanted) {
        return Err(wrong());
    }
    let cast = with_arrow_type(column, wanted).map_err(|e| wrong().with_source(e))?;
    if cast.null_count() != column.logical_null_count() { Err(wrong()) } else { Ok(cast) }
}

/// Whether two Arrow types hold the same values in different layouts.
fn same_values(given: &ArrowType, wanted: &ArrowType) -> bool {
    use ArrowType as T;
    match (given, wanted) {
        (T::Dictionary(_, values), wanted) => same_values(values, wanted),
        (T::Null, _) => true,
        (T::Utf8 | T::LargeUtf8 | T::Utf8View, T::Utf8) => true,
        (T::Binary | T::LargeBinary | T::BinaryView | T::FixedSizeBinary(_), T::Binary) => true,
        (T::Decimal128(_, from) | T::Decimal256(_, from), T::Decimal128(_, to)) => from == to,
        (T::Timestamp(_, from), T::Timestamp(_, to)) => from.is_some() == to.is_some(),
        (T::Time32(_) | T::Time64(_), T::Time32(_)) => true,
        (T::List(from) | T::LargeList(from) | T::FixedSizeList(from, _), T::List(to)) => {
            same_values(from.data_type(), to.data_type())
        }
        (T::FixedSizeList(from, m), T::FixedSizeList(to, n)) => m == n && same_values(from.data_type(), to.data_type()),
        (T::Map(from, _), T::Map(to, _)) => same_values(from.data_type(), to.data_type()),
        (T::Struct(from), T::Struct(to)) => {
            from.len() == to.len() && from.iter().zip(to).all(|(a, b)| same_values(a.data_type(), b.data_type()))
        }
        (given, wanted) => given == wanted,
    }
}

fn fill(column: &ArrayRef, default: &ArrayRef) -> Result<ArrayRef> {
    let present: BooleanArray = match column.logical_nulls() {
        Some(nulls) => BooleanArray::new(nulls.into_inner(), None),
        None => return Ok(Arc::clone(column)),
    };
    let default = with_arrow_type(default, column.data_type())?;
    zip(&present, column, &Scalar::new(default)).map_err(error::arrow("fill in defaults"))
}
