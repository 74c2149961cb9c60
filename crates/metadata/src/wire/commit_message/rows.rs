//! Files as rows: the positional form of what manifests hold by name.

use std::sync::LazyLock;

use headwater_types::{BinaryRow, DataField, DataType, Datum, TypeKind};

use super::corrupt;
use crate::{DataFileMeta, DeletionVectorMeta, FileSource, GlobalIndexMeta, IndexFileMeta, Result, SimpleStats};

/// Fields of a data file's row.
pub(super) const DATA_FILE_FIELDS: usize = 20;
/// Fields of an index file's row.
pub(super) const INDEX_FILE_FIELDS: usize = 7;

fn nullable(kind: TypeKind) -> DataType {
    DataType::new(kind, true)
}

fn row_of(kinds: Vec<TypeKind>) -> TypeKind {
    let member =
        |(i, kind): (usize, TypeKind)| DataField::new(i32::try_from(i).unwrap_or(0), format!("f{i}"), nullable(kind));
    TypeKind::Row(kinds.into_iter().enumerate().map(member).collect())
}

fn array_of(kind: TypeKind) -> TypeKind {
    TypeKind::Array(Box::new(nullable(kind)))
}

static DATA_FILE_TYPES: LazyLock<Vec<DataType>> = LazyLock::new(|| {
    let stats = || row_of(vec![TypeKind::BYTES, TypeKind::BYTES, array_of(TypeKind::BigInt)]);
    let kinds = vec![
        TypeKind::STRING,
        TypeKind::BigInt,
        TypeKind::BigInt,
        TypeKind::BYTES,
        TypeKind::BYTES,
        stats(),
        stats(),
        TypeKind::BigInt,
        TypeKind::BigInt,
        TypeKind::BigInt,
        TypeKind::Int,
        array_of(TypeKind::STRING),
        TypeKind::Timestamp { precision: 3 },
        TypeKind::BigInt,
        TypeKind::BYTES,
        TypeKind::TinyInt,
        array_of(TypeKind::STRING),
        TypeKind::STRING,
        TypeKind::BigInt,
        array_of(TypeKind::STRING),
    ];
    kinds.into_iter().map(nullable).collect()
});

static INDEX_FILE_TYPES: LazyLock<Vec<DataType>> = LazyLock::new(|| {
    let range = row_of(vec![TypeKind::STRING, TypeKind::Int, TypeKind::Int, TypeKind::BigInt]);
    let global = row_of(vec![
        TypeKind::BigInt,
        TypeKind::BigInt,
        TypeKind::Int,
        array_of(TypeKind::Int),
        TypeKind::BYTES,
        TypeKind::BYTES,
    ]);
    let kinds = vec![
        TypeKind::STRING,
        TypeKind::STRING,
        TypeKind::BigInt,
        TypeKind::BigInt,
        array_of(range),
        TypeKind::STRING,
        global,
    ];
    kinds.into_iter().map(nullable).collect()
});

fn text(text: &str) -> Option<Datum> {
    Some(Datum::String(text.to_owned()))
}

fn texts(texts: &[String]) -> Option<Datum> {
    Some(Datum::Array(texts.iter().map(|t| text(t)).collect()))
}

fn row_bytes(row: &BinaryRow) -> Option<Datum> {
    Some(Datum::Bytes(row.to_serialized()))
}

fn stats(stats: &SimpleStats) -> Option<Datum> {
    let counts = stats.null_counts.iter().map(|count| count.map(Datum::BigInt)).collect();
    Some(Datum::Row(vec![row_bytes(&stats.min_values), row_bytes(&stats.max_values), Some(Datum::Array(counts))]))
}

pub(super) fn data_file(file: &DataFileMeta) -> Result<BinaryRow> {
    let source = file.file_source.map(|source| Datum::TinyInt(if source == FileSource::Append { 0 } else { 1 }));
    let values = [
        text(&file.file_name),
        Some(Datum::BigInt(file.file_size)),
        Some(Datum::BigInt(file.row_count)),
        row_bytes(&file.min_key),
        row_bytes(&file.max_key),
        stats(&file.key_stats),
        stats(&file.value_stats),
        Some(Datum::BigInt(file.min_sequence_number)),
        Some(Datum::BigInt(file.max_sequence_number)),
        Some(Datum::BigInt(file.schema_id)),
        Some(Datum::Int(file.level)),
        texts(&file.extra_files),
        file.creation_time_millis.map(|millis| Datum::Timestamp { millis, nanos: 0 }),
        file.delete_row_count.map(Datum::BigInt),
        file.embedded_index.clone().map(Datum::Bytes),
        source,
        file.value_stats_cols.as_deref().and_then(texts),
        file.external_path.as_deref().and_then(text),
        file.first_row_id.map(Datum::BigInt),
        file.write_cols.as_deref().and_then(texts),
    ];
    Ok(BinaryRow::from_datums(&DATA_FILE_TYPES, &values)?)
}

pub(super) fn index_file(file: &IndexFileMeta) -> Result<BinaryRow> {
    let range = |range: &DeletionVectorMeta| {
        let values = vec![
            text(&range.data_file_name),
            Some(Datum::Int(range.offset)),
            Some(Datum::Int(range.length)),
            range.cardinality.map(Datum::BigInt),
        ];
        Some(Datum::Row(values))
    };
    let global = |index: &GlobalIndexMeta| {
        let ids = |ids: &Vec<i32>| Datum::Array(ids.iter().map(|id| Some(Datum::Int(*id))).collect());
        Datum::Row(vec![
            Some(Datum::BigInt(index.row_range_start)),
            Some(Datum::BigInt(index.row_range_end)),
            Some(Datum::Int(index.index_field_id)),
            index.extra_field_ids.as_ref().map(ids),
            index.index_meta.clone().map(Datum::Bytes),
            index.source_meta.clone().map(Datum::Bytes),
        ])
    };
    let values = [
        text(&file.index_type),
        text(&file.file_name),
        Some(Datum::BigInt(file.file_size)),
        Some(Datum::BigInt(file.row_count)),
        file.dv_ranges.as_ref().map(|ranges| Datum::Array(ranges.iter().map(range).collect())),
        file.external_path.as_deref().and_then(text),
        file.global_index.as_ref().map(global),
    ];
    Ok(BinaryRow::from_datums(&INDEX_FILE_TYPES, &values)?)
}

/// The values of a row, taken one after another.
struct Values(std::vec::IntoIter<Option<Datum>>);

macro_rules! take {
    ($($name:ident, $pattern:pat => $value:expr, $type:ty;)+) => {$(
        fn $name(&mut self) -> Result<Option<$type>> {
            match self.0.next().flatten() {
                None => Ok(None),
                Some($pattern) => Ok(Some($value)),
                Some(other) => Err(corrupt(format!("{other:?} is of another type than expected"))),
            }
        }
    )+};
}

impl Values {
    take! {
        opt_text, Datum::String(text) => text, String;
        opt_long, Datum::BigInt(n) => n, i64;
        opt_int, Datum::Int(n) => n, i32;
        opt_byte, Datum::TinyInt(n) => n, i8;
        opt_bytes, Datum::Bytes(bytes) => bytes, Vec<u8>;
        opt_millis, Datum::Timestamp { millis, .. } => millis, i64;
        opt_array, Datum::Array(items) => Values(items.into_iter()), Values;
        opt_row, Datum::Row(items) => Values(items.into_iter()), Values;
    }

    fn opt_texts(&mut self) -> Result<Option<Vec<String>>> {
        self.opt_array()?.map(|mut items| items.rest(|items| needed(items.opt_text()?))).transpose()
    }

    fn row_bytes(&mut self) -> Result<BinaryRow> {
        Ok(BinaryRow::from_serialized(&needed(self.opt_bytes()?)?)?)
    }

    fn stats(&mut self) -> Result<SimpleStats> {
        let mut stats = needed(self.opt_row()?)?;
        Ok(SimpleStats {
            min_values: stats.row_bytes()?,
            max_values: stats.row_bytes()?,
            null_counts: needed(stats.opt_array()?)?.rest(Self::opt_long)?,
        })
    }

    fn rest<T>(&mut self, mut item: impl FnMut(&mut Self) -> Result<T>) -> Result<Vec<T>> {
        let mut items = Vec::with_capacity(self.0.len());
        while self.0.len() > 0 {
            items.push(item(self)?);
        }
        Ok(items)
    }
}

fn needed<T>(value: Option<T>) -> Result<T> {
    value.ok_or_else(|| corrupt("a value that must be there is null".to_owned()))
}

pub(super) fn read_data_file(row: &BinaryRow) -> Result<DataFileMeta> {
    let mut values = Values(row.to_datums(&DATA_FILE_TYPES)?.into_iter());
    Ok(DataFileMeta {
        file_name: needed(values.opt_text()?)?,
        file_size: needed(values.opt_long()?)?,
        row_count: needed(values.opt_long()?)?,
        min_key: values.row_bytes()?,
        max_key: values.row_bytes()?,
        key_stats: values.stats()?,
        value_stats: values.stats()?,
        min_sequence_number: needed(values.opt_long()?)?,
        max_sequence_number: needed(values.opt_long()?)?,
        schema_id: needed(values.opt_long()?)?,
        level: needed(values.opt_int()?)?,
        extra_files: values.opt_texts()?.unwrap_or_default(),
        creation_time_millis: values.opt_millis()?,
        delete_row_count: values.opt_long()?,
        embedded_index: values.opt_bytes()?,
        file_source: values.opt_byte()?.map(|source| FileSource::from_byte(source.into())).transpose()?,
        value_stats_cols: values.opt_texts()?,
        external_path: values.opt_text()?,
        first_row_id: values.opt_long()?,
        write_cols: values.opt_texts()?,
    })
}

pub(super) fn read_index_file(row: &BinaryRow) -> Result<IndexFileMeta> {
    let mut values = Values(row.to_datums(&INDEX_FILE_TYPES)?.into_iter());
    let range = |items: &mut Values| -> Result<DeletionVectorMeta> {
        let mut range = needed(items.opt_row()?)?;
        Ok(DeletionVectorMeta {
            data_file_name: needed(range.opt_text()?)?,
            offset: needed(range.opt_int()?)?,
            length: needed(range.opt_int()?)?,
            cardinality: range.opt_long()?,
        })
    };
    let global = |mut index: Values| -> Result<GlobalIndexMeta> {
        Ok(GlobalIndexMeta {
            row_range_start: needed(index.opt_long()?)?,
            row_range_end: needed(index.opt_long()?)?,
            index_field_id: needed(index.opt_int()?)?,
            extra_field_ids: index.opt_array()?.map(|mut ids| ids.rest(|ids| needed(ids.opt_int()?))).transpose()?,
            index_meta: index.opt_bytes()?,
            source_meta: index.opt_bytes()?,
        })
    };
    Ok(IndexFileMeta {
        index_type: needed(values.opt_text()?)?,
        file_name: needed(values.opt_text()?)?,
        file_size: needed(values.opt_long()?)?,
        row_count: needed(values.opt_long()?)?,
        dv_ranges: values.opt_array()?.map(|mut items| items.rest(range)).transpose()?,
        external_path: values.opt_text()?,
        global_index: values.opt_row()?.map(global).transpose()?,
    })
}
