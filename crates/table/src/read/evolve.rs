//! Columns of a file under the schema of today. Source: spec page 02 §5.

use arrow_array::{ArrayRef, RecordBatch, RecordBatchOptions, UInt32Array, new_null_array};
use arrow_schema::SchemaRef;
use arrow_select::take::take;
use headwater_types::{
    DataField, DataType, Datum, ErrorKind, Leaf, Predicate, TypeKind, array_from_datums, arrow_schema, cast_array,
    with_arrow_type,
};

use crate::{Error, Result, error};

/// A value that all rows of a file share: a partition column.
pub(crate) struct Constant {
    pub(crate) name: String,
    pub(crate) value: Option<Datum>,
}

enum Source {
    /// A column read from the file, of this type there.
    File {
        index: usize,
        stored: DataType,
    },
    Constant(ArrayRef),
    Null,
}

/// How the wanted columns come out of a file.
pub(crate) struct ColumnMap {
    /// What to read: the file's own names and types.
    pub(crate) file_fields: Vec<DataField>,
    wanted: Vec<DataField>,
    sources: Vec<Source>,
    schema: SchemaRef,
}

impl ColumnMap {
    /// Maps by field id: names and types may have changed since the file was written.
    pub(crate) fn new(stored: &[DataField], wanted: &[DataField], constants: &[Constant]) -> Result<Self> {
        let mut file_fields: Vec<DataField> = Vec::new();
        let mut sources = Vec::with_capacity(wanted.len());
        for field in wanted {
            if let Some(constant) = constants.iter().find(|constant| constant.name == field.name) {
                let array =
                    array_from_datums(&field.data_type.with_nullable(true), std::slice::from_ref(&constant.value))?;
                sources.push(Source::Constant(array));
                continue;
            }
            let found = stored.iter().find(|candidate| candidate.id == field.id);
            let pruned = found.and_then(|found| Some((found, prune(&found.data_type, &field.data_type)?)));
            sources.push(match pruned {
                None => Source::Null,
                Some((found, data_type)) => {
                    let index =
                        file_fields.iter().position(|known| known.id == found.id && known.data_type == data_type);
                    let index = index.unwrap_or_else(|| {
                        file_fields.push(DataField { data_type: data_type.clone(), ..found.clone() });
                        file_fields.len() - 1
                    });
                    Source::File { index, stored: data_type }
                }
            });
        }
        Ok(Self { file_fields, wanted: wanted.to_vec(), sources, schema: arrow_schema(wanted) })
    }

    /// Whether the file's own columns are the wanted ones, so that nothing has to be done.
    fn is_identity(&self) -> bool {
        self.file_fields.len() == self.wanted.len()
            && self.sources.iter().zip(&self.wanted).enumerate().all(|(at, (source, wanted))| match source {
                Source::File { index, stored } => *index == at && stored.kind() == wanted.data_type.kind(),
                _ => false,
            })
    }

    /// The wanted columns of a batch of `file_fields`.
    pub(crate) fn apply(&self, batch: &RecordBatch) -> Result<RecordBatch> {
        let rows = RecordBatchOptions::new().with_row_count(Some(batch.num_rows()));
        if self.is_identity() {
            return record_batch(&self.schema, batch.columns().to_vec(), &rows);
        }
        self.build(Some(batch), batch.num_rows())
    }

    /// Rows of a file of which no column is read.
    pub(crate) fn constants(&self, rows: usize) -> Result<RecordBatch> {
        self.build(None, rows)
    }

    fn build(&self, batch: Option<&RecordBatch>, rows: usize) -> Result<RecordBatch> {
        let mut columns = Vec::with_capacity(self.wanted.len());
        for ((source, wanted), arrow_field) in self.sources.iter().zip(&self.wanted).zip(self.schema.fields()) {
            columns.push(match source {
                Source::Null => new_null_array(arrow_field.data_type(), rows),
                Source::Constant(value) => {
                    let zeros = UInt32Array::from(vec![0; rows]);
                    take(value, &zeros, None).map_err(error::arrow("repeat a partition value"))?
                }
                Source::File { index, stored } => {
                    let column = batch.and_then(|batch| batch.columns().get(*index)).ok_or_else(|| {
                        Error::new(ErrorKind::Internal, "a file gave fewer columns than were asked for")
                    })?;
                    let cast = cast_array(column, stored, &wanted.data_type)
                        .map_err(|e| Error::from(e).with("column", &wanted.name))?;
                    with_arrow_type(&cast, arrow_field.data_type())?
                }
            });
        }
        let options = RecordBatchOptions::new().with_row_count(Some(rows));
        record_batch(&self.schema, columns, &options)
    }
}

/// A batch of these columns; they may differ in the names and ids of nested fields.
pub(crate) fn record_batch(
    schema: &SchemaRef,
    mut columns: Vec<ArrayRef>,
    options: &RecordBatchOptions,
) -> Result<RecordBatch> {
    for (column, field) in columns.iter_mut().zip(schema.fields()) {
        if column.data_type() != field.data_type() {
            *column = with_arrow_type(column, field.data_type())?;
        }
    }
    RecordBatch::try_new_with_options(SchemaRef::clone(schema), columns, options).map_err(|source| {
        Error::new(ErrorKind::Corrupt, "a data file does not hold what the table's schema says").with_source(source)
    })
}

/// The part of a file's type that is wanted: members of ROW by id. `None` when nothing of it is.
fn prune(stored: &DataType, wanted: &DataType) -> Option<DataType> {
    let kind = match (stored.kind(), wanted.kind()) {
        (TypeKind::Row(stored), TypeKind::Row(wanted)) => {
            let member = |field: &DataField| {
                let found = stored.iter().find(|candidate| candidate.id == field.id)?;
                Some(DataField { data_type: prune(&found.data_type, &field.data_type)?, ..found.clone() })
            };
            let members: Vec<DataField> = wanted.iter().filter_map(member).collect();
            if members.is_empty() {
                return None;
            }
            TypeKind::Row(members)
        }
        (TypeKind::Array(stored), TypeKind::Array(wanted)) => TypeKind::Array(Box::new(prune(stored, wanted)?)),
        (TypeKind::Map { key, value: stored }, TypeKind::Map { value: wanted, .. }) => {
            TypeKind::Map { key: key.clone(), value: Box::new(prune(stored, wanted)?) }
        }
        (stored, _) => stored.clone(),
    };
    Some(DataType::new(kind, stored.is_nullable()))
}

/// The conjuncts of a predicate that can be tested on the file's own columns; the rest is tested later.
pub(crate) fn file_predicate(
    filter: &Predicate,
    stored: &[DataField],
    wanted: &[DataField],
    constants: &[Constant],
) -> Option<Predicate> {
    let file_column = |leaf: &Leaf| -> Option<String> {
        if constants.iter().any(|constant| constant.name == leaf.column) {
            return None;
        }
        let field = wanted.iter().find(|field| field.name == leaf.column)?;
        let found = stored.iter().find(|candidate| candidate.id == field.id)?;
        (found.data_type.kind() == field.data_type.kind()).then(|| found.name.clone())
    };
    let mut kept = Predicate::True;
    for part in filter.clone().into_conjuncts() {
        if let Some(part) = renamed(&part, &file_column) {
            kept = kept.and(part);
        }
    }
    (kept != Predicate::True).then_some(kept)
}

fn renamed(predicate: &Predicate, name_of: &dyn Fn(&Leaf) -> Option<String>) -> Option<Predicate> {
    let all = |parts: &[Predicate]| parts.iter().map(|part| renamed(part, name_of)).collect::<Option<Vec<_>>>();
    Some(match predicate {
        Predicate::True => Predicate::True,
        Predicate::False => Predicate::False,
        Predicate::And(parts) => Predicate::And(all(parts)?),
        Predicate::Or(parts) => Predicate::Or(all(parts)?),
        Predicate::Leaf(leaf) => Predicate::Leaf(Leaf { column: name_of(leaf)?, ..leaf.clone() }),
    })
}
