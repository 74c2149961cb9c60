//! Index manifests: the index files of a snapshot.

use headwater_types::BinaryRow;

use super::manifest::{check_version, row, top_record};
use crate::avro::{AvroType, ContainerWriter, Cursor, ManifestCompression, Out, Plan, RecordType, read_blocks};
use crate::{
    DeletionVectorMeta, Error, ErrorKind, FileKind, GlobalIndexMeta, IndexFileMeta, IndexManifestEntry, Result,
};

/// The schema of the reference, character by character. Source: spec page 01 §5.5.
const SCHEMA: &str = concat!(
    r#"{"type":"record","name":"record","namespace":"org.apache.paimon.avro.generated","fields":[{"name":"_VERSION","type":"int"},"#,
    r#"{"name":"_KIND","type":"int"},{"name":"_PARTITION","type":"bytes"},"#,
    r#"{"name":"_BUCKET","type":"int"},{"name":"_INDEX_TYPE","type":"string"},"#,
    r#"{"name":"_FILE_NAME","type":"string"},{"name":"_FILE_SIZE","type":"long"},"#,
    r#"{"name":"_ROW_COUNT","type":"long"},"#,
    r#"{"name":"_DELETIONS_VECTORS_RANGES","type":["null",{"type":"array","items":["null",{"type":"record","name":"record__DELETIONS_VECTORS_RANGES","fields":[{"name":"f0","type":"string"},"#,
    r#"{"name":"f1","type":"int"},{"name":"f2","type":"int"},"#,
    r#"{"name":"_CARDINALITY","type":["null","long"],"default":null}]}]}],"default":null},"#,
    r#"{"name":"_EXTERNAL_PATH","type":["null","string"],"default":null},"#,
    r#"{"name":"_GLOBAL_INDEX","type":["null",{"type":"record","name":"record__GLOBAL_INDEX","fields":[{"name":"_ROW_RANGE_START","type":"long"},"#,
    r#"{"name":"_ROW_RANGE_END","type":"long"},{"name":"_INDEX_FIELD_ID","type":"int"},"#,
    r#"{"name":"_EXTRA_FIELD_IDS","type":["null",{"type":"array","items":"int"}],"default":null},"#,
    r#"{"name":"_INDEX_META","type":["null","bytes"],"default":null},"#,
    r#"{"name":"_SOURCE_META","type":["null","bytes"],"default":null}]}],"default":null}]}"#,
);

const VERSION: i32 = 1;

/// Reads an index manifest of any writer.
///
/// # Errors
/// `Corrupt` when the bytes are damaged, `Unsupported` for another format, codec or version.
pub fn decode_index_manifest(file: &[u8]) -> Result<Vec<IndexManifestEntry>> {
    let state = read_blocks(
        file,
        |schema| Ok((IndexReader::new(schema)?, Vec::new())),
        |(reader, entries), count, cursor| {
            entries.reserve(count.min(cursor.remaining() / 64));
            for _ in 0..count {
                entries.push(reader.read(cursor)?);
            }
            Ok(())
        },
    )?;
    Ok(state.1)
}

/// Writes an index manifest as the reference does.
///
/// # Errors
/// `Internal` when a codec fails.
pub fn encode_index_manifest(entries: &[IndexManifestEntry], compression: ManifestCompression) -> Result<Vec<u8>> {
    let mut writer = ContainerWriter::new(SCHEMA, compression);
    for entry in entries {
        writer.record(|out| write_entry(entry, out))?;
    }
    writer.finish()
}

fn write_entry(entry: &IndexManifestEntry, out: &mut Out) {
    out.int(VERSION);
    out.int(entry.kind.to_byte());
    out.bytes(&entry.partition.to_serialized());
    out.int(entry.bucket);
    let file = &entry.file;
    out.string(&file.index_type);
    out.string(&file.file_name);
    out.long(file.file_size);
    out.long(file.row_count);
    out.optional(file.dv_ranges.as_deref(), |out, ranges| {
        out.array(ranges, |out, range| {
            out.optional(Some(range), |out, range| {
                out.string(&range.data_file_name);
                out.int(range.offset);
                out.int(range.length);
                out.optional(range.cardinality, Out::long);
            });
        });
    });
    out.optional(file.external_path.as_deref(), Out::string);
    out.optional(file.global_index.as_ref(), |out, index| {
        out.long(index.row_range_start);
        out.long(index.row_range_end);
        out.int(index.index_field_id);
        out.optional(index.extra_field_ids.as_deref(), |out, ids| out.array(ids, |out, id| out.int(*id)));
        out.optional(index.index_meta.as_deref(), Out::bytes);
        out.optional(index.source_meta.as_deref(), Out::bytes);
    });
}

#[derive(Clone, Copy)]
enum Slot {
    Version,
    Kind,
    Partition,
    Bucket,
    Type,
    Name,
    Size,
    Rows,
    Ranges,
    ExternalPath,
    Global,
}

const FIELDS: &[(&str, Slot)] = &[
    ("_VERSION", Slot::Version),
    ("_KIND", Slot::Kind),
    ("_PARTITION", Slot::Partition),
    ("_BUCKET", Slot::Bucket),
    ("_INDEX_TYPE", Slot::Type),
    ("_FILE_NAME", Slot::Name),
    ("_FILE_SIZE", Slot::Size),
    ("_ROW_COUNT", Slot::Rows),
    ("_DELETIONS_VECTORS_RANGES", Slot::Ranges),
    ("_EXTERNAL_PATH", Slot::ExternalPath),
    ("_GLOBAL_INDEX", Slot::Global),
];
const REQUIRED_FIELDS: usize = 8;

#[derive(Clone, Copy)]
enum RangeSlot {
    File,
    Offset,
    Length,
    Cardinality,
}

const RANGE_FIELDS: &[(&str, RangeSlot)] = &[
    ("f0", RangeSlot::File),
    ("f1", RangeSlot::Offset),
    ("f2", RangeSlot::Length),
    ("_CARDINALITY", RangeSlot::Cardinality),
];

#[derive(Clone, Copy)]
enum GlobalSlot {
    Start,
    End,
    Field,
    ExtraFields,
    Meta,
    SourceMeta,
}

const GLOBAL_FIELDS: &[(&str, GlobalSlot)] = &[
    ("_ROW_RANGE_START", GlobalSlot::Start),
    ("_ROW_RANGE_END", GlobalSlot::End),
    ("_INDEX_FIELD_ID", GlobalSlot::Field),
    ("_EXTRA_FIELD_IDS", GlobalSlot::ExtraFields),
    ("_INDEX_META", GlobalSlot::Meta),
    ("_SOURCE_META", GlobalSlot::SourceMeta),
];

struct IndexReader {
    plan: Plan<Slot>,
    ranges: Option<Plan<RangeSlot>>,
    global: Option<Plan<GlobalSlot>>,
}

impl IndexReader {
    fn new(schema: &AvroType) -> Result<Self> {
        let record = top_record(schema)?;
        let kind = |name: &str| record.fields.iter().find(|(field, _)| field == name).map(|(_, kind)| kind);
        let ranges: Option<&RecordType> =
            kind("_DELETIONS_VECTORS_RANGES").and_then(AvroType::as_array).and_then(AvroType::as_record);
        let global = kind("_GLOBAL_INDEX").and_then(AvroType::as_record);
        Ok(Self {
            plan: Plan::new(record, FIELDS, REQUIRED_FIELDS)?,
            ranges: ranges.map(|record| Plan::new(record, RANGE_FIELDS, 3)).transpose()?,
            global: global.map(|record| Plan::new(record, GLOBAL_FIELDS, 3)).transpose()?,
        })
    }

    fn read(&self, cursor: &mut Cursor<'_>) -> Result<IndexManifestEntry> {
        let (mut kind, mut partition, mut bucket) = (FileKind::Add, BinaryRow::empty(), 0);
        let mut file = IndexFileMeta {
            index_type: String::new(),
            file_name: String::new(),
            file_size: 0,
            row_count: 0,
            dv_ranges: None,
            external_path: None,
            global_index: None,
        };
        for (slot, avro) in &self.plan.steps {
            match slot {
                Some(Slot::Version) => check_version(cursor.int(avro)?, VERSION, "index manifest")?,
                Some(Slot::Kind) => kind = FileKind::from_byte(cursor.int(avro)?)?,
                Some(Slot::Partition) => partition = row(cursor, avro)?,
                Some(Slot::Bucket) => bucket = cursor.int(avro)?,
                Some(Slot::Type) => file.index_type = cursor.string(avro)?,
                Some(Slot::Name) => file.file_name = cursor.string(avro)?,
                Some(Slot::Size) => file.file_size = cursor.long(avro)?,
                Some(Slot::Rows) => file.row_count = cursor.long(avro)?,
                Some(Slot::Ranges) => {
                    file.dv_ranges = cursor.opt_array(avro, |cursor, item| self.read_range(cursor, item))?;
                }
                Some(Slot::ExternalPath) => file.external_path = cursor.opt_string(avro)?,
                Some(Slot::Global) => file.global_index = self.read_global(cursor, avro)?,
                None => cursor.skip(avro)?,
            }
        }
        Ok(IndexManifestEntry { kind, partition, bucket, file })
    }

    fn read_range(&self, cursor: &mut Cursor<'_>, avro: &AvroType) -> Result<DeletionVectorMeta> {
        let mut range = DeletionVectorMeta { data_file_name: String::new(), offset: 0, length: 0, cardinality: None };
        let plan = match &self.ranges {
            Some(plan) if cursor.opt_record(avro)? => plan,
            _ => return Err(Error::new(ErrorKind::Corrupt, "a deletion vector range is null")),
        };
        for (slot, avro) in &plan.steps {
            match slot {
                Some(RangeSlot::File) => range.data_file_name = cursor.string(avro)?,
                Some(RangeSlot::Offset) => range.offset = cursor.int(avro)?,
                Some(RangeSlot::Length) => range.length = cursor.int(avro)?,
                Some(RangeSlot::Cardinality) => range.cardinality = cursor.opt_long(avro)?,
                None => cursor.skip(avro)?,
            }
        }
        Ok(range)
    }

    fn read_global(&self, cursor: &mut Cursor<'_>, avro: &AvroType) -> Result<Option<GlobalIndexMeta>> {
        if !cursor.opt_record(avro)? {
            return Ok(None);
        }
        let Some(plan) = &self.global else {
            return Err(Error::new(ErrorKind::Corrupt, "the Avro schema has no record '_GLOBAL_INDEX'"));
        };
        let mut index = GlobalIndexMeta {
            row_range_start: 0,
            row_range_end: 0,
            index_field_id: 0,
            extra_field_ids: None,
            index_meta: None,
            source_meta: None,
        };
        for (slot, avro) in &plan.steps {
            match slot {
                Some(GlobalSlot::Start) => index.row_range_start = cursor.long(avro)?,
                Some(GlobalSlot::End) => index.row_range_end = cursor.long(avro)?,
                Some(GlobalSlot::Field) => index.index_field_id = cursor.int(avro)?,
                Some(GlobalSlot::ExtraFields) => {
                    index.extra_field_ids = cursor.opt_array(avro, |cursor, item| cursor.int(item))?;
                }
                Some(GlobalSlot::Meta) => index.index_meta = cursor.opt_bytes(avro)?.map(<[u8]>::to_vec),
                Some(GlobalSlot::SourceMeta) => index.source_meta = cursor.opt_bytes(avro)?.map(<[u8]>::to_vec),
                None => cursor.skip(avro)?,
            }
        }
        Ok(Some(index))
    }
}
