//! Where rows of a table without primary key are stored, as columns.

use std::collections::HashMap;
use std::sync::Arc;

use arrow_array::{ArrayRef, Int64Array, RecordBatch, RecordBatchOptions};
use arrow_schema::{DataType, Field, Schema, SchemaRef};
use futures::StreamExt;
use futures::stream::BoxStream;
use headwater_types::{DataField, ErrorKind, arrow_schema};

use super::evolve;
use crate::{Error, Result, Split};

/// The column that tells the file of a row: its number in the plan of [`crate::RowChanges`].
pub const ROW_FILE: &str = "__headwater_file";
/// The column that tells the position of a row in its file, from 0.
pub const ROW_POSITION: &str = "__headwater_position";

/// Numbers of files by their names, which are unique in a table.
#[derive(Clone, Debug, Default)]
pub(crate) struct FileNumbers(Arc<HashMap<String, i64>>);

impl FileNumbers {
    /// Numbers the files of the splits in their order.
    pub(crate) fn new(splits: &[Arc<Split>]) -> Self {
        let names = splits.iter().flat_map(|split| &split.files).map(|file| file.file_name.clone());
        Self(Arc::new(names.zip(0..).collect()))
    }

    pub(super) fn of(&self, split: &Split, number: usize) -> Result<i64> {
        let name = split.files.get(number).map(|file| &file.file_name);
        name.and_then(|name| self.0.get(name)).copied().ok_or_else(|| {
            Error::new(ErrorKind::Internal, "a file of the read is not in the plan whose rows are changed")
        })
    }
}

pub(super) fn schema_with(columns: &[DataField]) -> SchemaRef {
    let address = |name: &str| Arc::new(Field::new(name, DataType::Int64, false));
    let own = [address(ROW_FILE), address(ROW_POSITION)];
    let columns = arrow_schema(columns);
    Arc::new(Schema::new(own.into_iter().chain(columns.fields().iter().cloned()).collect::<Vec<_>>()))
}

/// The address of each row before its columns.
pub(super) fn prepend(
    file: i64,
    columns: &[DataField],
    rows: BoxStream<'static, Result<(Int64Array, RecordBatch)>>,
) -> BoxStream<'static, Result<RecordBatch>> {
    let schema = schema_with(columns);
    let with_address = move |item: Result<(Int64Array, RecordBatch)>| {
        let (positions, batch) = item?;
        let options = RecordBatchOptions::new().with_row_count(Some(batch.num_rows()));
        let files: ArrayRef = Arc::new(Int64Array::from(vec![file; batch.num_rows()]));
        let own = [files, Arc::new(positions) as ArrayRef];
        evolve::record_batch(&schema, own.into_iter().chain(batch.columns().iter().cloned()).collect(), &options)
    };
    rows.map(with_address).boxed()
}
