//! Manifest lists: the manifests of a snapshot.

use super::manifest::{StatsReader, check_version, child, top_record, write_stats};
use crate::avro::{AvroType, ContainerWriter, Cursor, ManifestCompression, Out, Plan, read_blocks};
use crate::{ManifestFileMeta, Result, SimpleStats};

/// The schema of the reference, character by character. Source: spec page 01 §5.3.
const SCHEMA: &str = concat!(
    r#"{"type":"record","name":"record","namespace":"org.apache.paimon.avro.generated","fields":[{"name":"_VERSION","type":"int"},"#,
    r#"{"name":"_FILE_NAME","type":"string"},{"name":"_FILE_SIZE","type":"long"},"#,
    r#"{"name":"_NUM_ADDED_FILES","type":"long"},{"name":"_NUM_DELETED_FILES","type":"long"},"#,
    r#"{"name":"_PARTITION_STATS","type":{"type":"record","name":"record__PARTITION_STATS","fields":[{"name":"_MIN_VALUES","type":"bytes"},"#,
    r#"{"name":"_MAX_VALUES","type":"bytes"},"#,
    r#"{"name":"_NULL_COUNTS","type":["null",{"type":"array","items":["null","long"]}],"default":null}]}},"#,
    r#"{"name":"_SCHEMA_ID","type":"long"},"#,
    r#"{"name":"_MIN_BUCKET","type":["null","int"],"default":null},"#,
    r#"{"name":"_MAX_BUCKET","type":["null","int"],"default":null},"#,
    r#"{"name":"_MIN_LEVEL","type":["null","int"],"default":null},"#,
    r#"{"name":"_MAX_LEVEL","type":["null","int"],"default":null},"#,
    r#"{"name":"_MIN_ROW_ID","type":["null","long"],"default":null},"#,
    r#"{"name":"_MAX_ROW_ID","type":["null","long"],"default":null}]}"#,
);

const VERSION: i32 = 2;

/// Reads a manifest list of any writer.
///
/// # Errors
/// `Corrupt` when the bytes are damaged, `Unsupported` for another format, codec or version.
pub fn decode_manifest_list(file: &[u8]) -> Result<Vec<ManifestFileMeta>> {
    let state = read_blocks(
        file,
        |schema| Ok((ListReader::new(schema)?, Vec::new())),
        |(reader, metas), count, cursor| {
            metas.reserve(count.min(cursor.remaining() / 64));
            for _ in 0..count {
                metas.push(reader.read(cursor)?);
            }
            Ok(())
        },
    )?;
    Ok(state.1)
}

/// Writes a manifest list as the reference does.
///
/// # Errors
/// `Internal` when a codec fails.
pub fn encode_manifest_list(metas: &[ManifestFileMeta], compression: ManifestCompression) -> Result<Vec<u8>> {
    let mut writer = ContainerWriter::new(SCHEMA, compression);
    for meta in metas {
        writer.record(|out| {
            out.int(VERSION);
            out.string(&meta.file_name);
            out.long(meta.file_size);
            out.long(meta.num_added_files);
            out.long(meta.num_deleted_files);
            write_stats(&meta.partition_stats, out);
            out.long(meta.schema_id);
            out.optional(meta.min_bucket, Out::int);
            out.optional(meta.max_bucket, Out::int);
            out.optional(meta.min_level, Out::int);
            out.optional(meta.max_level, Out::int);
            out.optional(meta.min_row_id, Out::long);
            out.optional(meta.max_row_id, Out::long);
        })?;
    }
    writer.finish()
}

#[derive(Clone, Copy)]
enum Slot {
    Version,
    Name,
    Size,
    Added,
    Deleted,
    Partitions,
    SchemaId,
    MinBucket,
    MaxBucket,
    MinLevel,
    MaxLevel,
    MinRowId,
    MaxRowId,
}

const FIELDS: &[(&str, Slot)] = &[
    ("_VERSION", Slot::Version),
    ("_FILE_NAME", Slot::Name),
    ("_FILE_SIZE", Slot::Size),
    ("_NUM_ADDED_FILES", Slot::Added),
    ("_NUM_DELETED_FILES", Slot::Deleted),
    ("_PARTITION_STATS", Slot::Partitions),
    ("_SCHEMA_ID", Slot::SchemaId),
    ("_MIN_BUCKET", Slot::MinBucket),
    ("_MAX_BUCKET", Slot::MaxBucket),
    ("_MIN_LEVEL", Slot::MinLevel),
    ("_MAX_LEVEL", Slot::MaxLevel),
    ("_MIN_ROW_ID", Slot::MinRowId),
    ("_MAX_ROW_ID", Slot::MaxRowId),
];
/// What every writer has: up to `_SCHEMA_ID`.
const REQUIRED_FIELDS: usize = 7;

struct ListReader {
    plan: Plan<Slot>,
    stats: StatsReader,
}

impl ListReader {
    fn new(schema: &AvroType) -> Result<Self> {
        let record = top_record(schema)?;
        Ok(Self {
            plan: Plan::new(record, FIELDS, REQUIRED_FIELDS)?,
            stats: StatsReader::new(child(record, "_PARTITION_STATS")?)?,
        })
    }

    fn read(&self, cursor: &mut Cursor<'_>) -> Result<ManifestFileMeta> {
        let mut meta = ManifestFileMeta {
            file_name: String::new(),
            file_size: 0,
            num_added_files: 0,
            num_deleted_files: 0,
            partition_stats: SimpleStats::empty(),
            schema_id: 0,
            min_bucket: None,
            max_bucket: None,
            min_level: None,
            max_level: None,
            min_row_id: None,
            max_row_id: None,
        };
        for (slot, avro) in &self.plan.steps {
            match slot {
                Some(Slot::Version) => check_version(cursor.int(avro)?, VERSION, "manifest list")?,
                Some(Slot::Name) => meta.file_name = cursor.string(avro)?,
                Some(Slot::Size) => meta.file_size = cursor.long(avro)?,
                Some(Slot::Added) => meta.num_added_files = cursor.long(avro)?,
                Some(Slot::Deleted) => meta.num_deleted_files = cursor.long(avro)?,
                Some(Slot::Partitions) => meta.partition_stats = self.stats.read(cursor, avro)?,
                Some(Slot::SchemaId) => meta.schema_id = cursor.long(avro)?,
                Some(Slot::MinBucket) => meta.min_bucket = cursor.opt_int(avro)?,
                Some(Slot::MaxBucket) => meta.max_bucket = cursor.opt_int(avro)?,
                Some(Slot::MinLevel) => meta.min_level = cursor.opt_int(avro)?,
                Some(Slot::MaxLevel) => meta.max_level = cursor.opt_int(avro)?,
                Some(Slot::MinRowId) => meta.min_row_id = cursor.opt_long(avro)?,
                Some(Slot::MaxRowId) => meta.max_row_id = cursor.opt_long(avro)?,
                None => cursor.skip(avro)?,
            }
        }
        Ok(meta)
    }
}
