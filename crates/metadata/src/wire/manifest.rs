//! Manifests: the entries of data files.

use headwater_types::BinaryRow;

use crate::avro::{AvroType, ContainerWriter, Cursor, ManifestCompression, Out, Plan, RecordType, read_blocks};
use crate::{DataFileMeta, Error, ErrorKind, FileKind, FileSource, ManifestEntry, Result, SimpleStats};

/// The schema of the reference, character by character. Source: spec page 01 §5.4.
const SCHEMA: &str = concat!(
    r#"{"type":"record","name":"record","namespace":"org.apache.paimon.avro.generated","fields":[{"name":"_VERSION","type":"int"},"#,
    r#"{"name":"_KIND","type":"int"},{"name":"_PARTITION","type":"bytes"},"#,
    r#"{"name":"_BUCKET","type":"int"},{"name":"_TOTAL_BUCKETS","type":"int"},"#,
    r#"{"name":"_FILE","type":{"type":"record","name":"record__FILE","fields":[{"name":"_FILE_NAME","type":"string"},"#,
    r#"{"name":"_FILE_SIZE","type":"long"},{"name":"_ROW_COUNT","type":"long"},"#,
    r#"{"name":"_MIN_KEY","type":"bytes"},{"name":"_MAX_KEY","type":"bytes"},"#,
    r#"{"name":"_KEY_STATS","type":{"type":"record","name":"record__FILE__KEY_STATS","fields":[{"name":"_MIN_VALUES","type":"bytes"},"#,
    r#"{"name":"_MAX_VALUES","type":"bytes"},"#,
    r#"{"name":"_NULL_COUNTS","type":["null",{"type":"array","items":["null","long"]}],"default":null}]}},"#,
    r#"{"name":"_VALUE_STATS","type":{"type":"record","name":"record__FILE__VALUE_STATS","fields":[{"name":"_MIN_VALUES","type":"bytes"},"#,
    r#"{"name":"_MAX_VALUES","type":"bytes"},"#,
    r#"{"name":"_NULL_COUNTS","type":["null",{"type":"array","items":["null","long"]}],"default":null}]}},"#,
    r#"{"name":"_MIN_SEQUENCE_NUMBER","type":"long"},{"name":"_MAX_SEQUENCE_NUMBER","type":"long"},"#,
    r#"{"name":"_SCHEMA_ID","type":"long"},{"name":"_LEVEL","type":"int"},"#,
    r#"{"name":"_EXTRA_FILES","type":{"type":"array","items":"string"}},"#,
    r#"{"name":"_CREATION_TIME","type":["null",{"type":"long","logicalType":"timestamp-millis"}],"default":null},"#,
    r#"{"name":"_DELETE_ROW_COUNT","type":["null","long"],"default":null},"#,
    r#"{"name":"_EMBEDDED_FILE_INDEX","type":["null","bytes"],"default":null},"#,
    r#"{"name":"_FILE_SOURCE","type":["null","int"],"default":null},"#,
    r#"{"name":"_VALUE_STATS_COLS","type":["null",{"type":"array","items":"string"}],"default":null},"#,
    r#"{"name":"_EXTERNAL_PATH","type":["null","string"],"default":null},"#,
    r#"{"name":"_FIRST_ROW_ID","type":["null","long"],"default":null},"#,
    r#"{"name":"_WRITE_COLS","type":["null",{"type":"array","items":"string"}],"default":null}]}}]}"#,
);

const VERSION: i32 = 2;

/// Reads a manifest of any writer.
///
/// # Errors
/// `Corrupt` when the bytes are damaged, `Unsupported` for another format, codec or version of manifests.
pub fn decode_manifest(file: &[u8]) -> Result<Vec<ManifestEntry>> {
    let state = read_blocks(
        file,
        |schema| Ok((EntryReader::new(schema)?, Vec::new())),
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

/// Writes a manifest as the reference does.
///
/// # Errors
/// `Internal` when a codec fails.
pub fn encode_manifest(entries: &[ManifestEntry], compression: ManifestCompression) -> Result<Vec<u8>> {
    let mut writer = ManifestWriter::new(compression);
    for entry in entries {
        writer.push(entry)?;
    }
    writer.finish()
}

/// A manifest being written entry by entry, for writers that roll by size.
pub(crate) struct ManifestWriter(ContainerWriter);

impl ManifestWriter {
    pub(crate) fn new(compression: ManifestCompression) -> Self {
        Self(ContainerWriter::new(SCHEMA, compression))
    }

    pub(crate) fn push(&mut self, entry: &ManifestEntry) -> Result<()> {
        self.0.record(|out| write_entry(entry, out))
    }

    #[cfg(feature = "store")]
    pub(crate) fn flushed_bytes(&self) -> u64 {
        self.0.flushed_bytes()
    }

    pub(crate) fn finish(self) -> Result<Vec<u8>> {
        self.0.finish()
    }
}

/// Statistics, in manifests and manifest lists alike.
pub(super) fn write_stats(stats: &SimpleStats, out: &mut Out) {
    out.bytes(&stats.min_values.to_serialized());
    out.bytes(&stats.max_values.to_serialized());
    out.optional(Some(&stats.null_counts), |out, counts| {
        out.array(counts, |out, count| out.optional(*count, Out::long));
    });
}

fn write_texts(texts: &[String], out: &mut Out) {
    out.array(texts, |out, text| out.string(text));
}

fn write_entry(entry: &ManifestEntry, out: &mut Out) {
    out.int(VERSION);
    out.int(entry.kind.to_byte());
    out.bytes(&entry.partition.to_serialized());
    out.int(entry.bucket);
    out.int(entry.total_buckets);
    let file = &entry.file;
    out.string(&file.file_name);
    out.long(file.file_size);
    out.long(file.row_count);
    out.bytes(&file.min_key.to_serialized());
    out.bytes(&file.max_key.to_serialized());
    write_stats(&file.key_stats, out);
    write_stats(&file.value_stats, out);
    out.long(file.min_sequence_number);
    out.long(file.max_sequence_number);
    out.long(file.schema_id);
    out.int(file.level);
    write_texts(&file.extra_files, out);
    out.optional(file.creation_time_millis, Out::long);
    out.optional(file.delete_row_count, Out::long);
    out.optional(file.embedded_index.as_deref(), Out::bytes);
    out.optional(file.file_source, |out, source| out.int(source.to_byte()));
    out.optional(file.value_stats_cols.as_deref(), |out, cols| write_texts(cols, out));
    out.optional(file.external_path.as_deref(), Out::string);
    out.optional(file.first_row_id, Out::long);
    out.optional(file.write_cols.as_deref(), |out, cols| write_texts(cols, out));
}

#[derive(Clone, Copy)]
enum EntrySlot {
    Version,
    Kind,
    Partition,
    Bucket,
    TotalBuckets,
    File,
}

#[derive(Clone, Copy)]
enum FileSlot {
    Name,
    Size,
    Rows,
    MinKey,
    MaxKey,
    KeyStats,
    ValueStats,
    MinSequence,
    MaxSequence,
    SchemaId,
    Level,
    ExtraFiles,
    CreationTime,
    DeleteRows,
    EmbeddedIndex,
    Source,
    ValueStatsCols,
    ExternalPath,
    FirstRowId,
    WriteCols,
}

const ENTRY_FIELDS: &[(&str, EntrySlot)] = &[
    ("_VERSION", EntrySlot::Version),
    ("_KIND", EntrySlot::Kind),
    ("_PARTITION", EntrySlot::Partition),
    ("_BUCKET", EntrySlot::Bucket),
    ("_TOTAL_BUCKETS", EntrySlot::TotalBuckets),
    ("_FILE", EntrySlot::File),
];

const FILE_FIELDS: &[(&str, FileSlot)] = &[
    ("_FILE_NAME", FileSlot::Name),
    ("_FILE_SIZE", FileSlot::Size),
    ("_ROW_COUNT", FileSlot::Rows),
    ("_MIN_KEY", FileSlot::MinKey),
    ("_MAX_KEY", FileSlot::MaxKey),
    ("_KEY_STATS", FileSlot::KeyStats),
    ("_VALUE_STATS", FileSlot::ValueStats),
    ("_MIN_SEQUENCE_NUMBER", FileSlot::MinSequence),
    ("_MAX_SEQUENCE_NUMBER", FileSlot::MaxSequence),
    ("_SCHEMA_ID", FileSlot::SchemaId),
    ("_LEVEL", FileSlot::Level),
    ("_EXTRA_FILES", FileSlot::ExtraFiles),
    ("_CREATION_TIME", FileSlot::CreationTime),
    ("_DELETE_ROW_COUNT", FileSlot::DeleteRows),
    ("_EMBEDDED_FILE_INDEX", FileSlot::EmbeddedIndex),
    ("_FILE_SOURCE", FileSlot::Source),
    ("_VALUE_STATS_COLS", FileSlot::ValueStatsCols),
    ("_EXTERNAL_PATH", FileSlot::ExternalPath),
    ("_FIRST_ROW_ID", FileSlot::FirstRowId),
    ("_WRITE_COLS", FileSlot::WriteCols),
];
/// What every writer since 0.4 has: up to `_LEVEL`.
const REQUIRED_FILE_FIELDS: usize = 11;

struct EntryReader {
    entry: Plan<EntrySlot>,
    file: Plan<FileSlot>,
    key_stats: StatsReader,
    value_stats: StatsReader,
}

impl EntryReader {
    fn new(schema: &AvroType) -> Result<Self> {
        let entry = top_record(schema)?;
        let file = child(entry, "_FILE")?;
        Ok(Self {
            entry: Plan::new(entry, ENTRY_FIELDS, ENTRY_FIELDS.len())?,
            file: Plan::new(file, FILE_FIELDS, REQUIRED_FILE_FIELDS)?,
            key_stats: StatsReader::new(child(file, "_KEY_STATS")?)?,
            value_stats: StatsReader::new(child(file, "_VALUE_STATS")?)?,
        })
    }

    fn read(&self, cursor: &mut Cursor<'_>) -> Result<ManifestEntry> {
        let (mut kind, mut partition, mut bucket, mut total_buckets) = (FileKind::Add, BinaryRow::empty(), 0, 0);
        let mut file = DataFileMeta::blank();
        for (slot, avro) in &self.entry.steps {
            match slot {
                Some(EntrySlot::Version) => check_version(cursor.int(avro)?, VERSION, "manifest")?,
                Some(EntrySlot::Kind) => kind = FileKind::from_byte(cursor.int(avro)?)?,
                Some(EntrySlot::Partition) => partition = row(cursor, avro)?,
                Some(EntrySlot::Bucket) => bucket = cursor.int(avro)?,
                Some(EntrySlot::TotalBuckets) => total_buckets = cursor.int(avro)?,
                Some(EntrySlot::File) => {
                    if !cursor.opt_record(avro)? {
                        return Err(Error::new(ErrorKind::Corrupt, "an entry of a manifest has no file"));
                    }
                    self.read_file(cursor, &mut file)?;
                }
                None => cursor.skip(avro)?,
            }
        }
        Ok(ManifestEntry { kind, partition, bucket, total_buckets, file })
    }

    fn read_file(&self, cursor: &mut Cursor<'_>, file: &mut DataFileMeta) -> Result<()> {
        for (slot, avro) in &self.file.steps {
            let Some(slot) = slot else {
                cursor.skip(avro)?;
                continue;
            };
            match slot {
                FileSlot::Name => file.file_name = cursor.string(avro)?,
                FileSlot::Size => file.file_size = cursor.long(avro)?,
                FileSlot::Rows => file.row_count = cursor.long(avro)?,
                FileSlot::MinKey => file.min_key = row(cursor, avro)?,
                FileSlot::MaxKey => file.max_key = row(cursor, avro)?,
                FileSlot::KeyStats => file.key_stats = self.key_stats.read(cursor, avro)?,
                FileSlot::ValueStats => file.value_stats = self.value_stats.read(cursor, avro)?,
                FileSlot::MinSequence => file.min_sequence_number = cursor.long(avro)?,
                FileSlot::MaxSequence => file.max_sequence_number = cursor.long(avro)?,
                FileSlot::SchemaId => file.schema_id = cursor.long(avro)?,
                FileSlot::Level => file.level = cursor.int(avro)?,
                FileSlot::ExtraFiles => file.extra_files = texts(cursor, avro)?.unwrap_or_default(),
                FileSlot::CreationTime => file.creation_time_millis = cursor.opt_long(avro)?,
                FileSlot::DeleteRows => file.delete_row_count = cursor.opt_long(avro)?,
                FileSlot::EmbeddedIndex => file.embedded_index = cursor.opt_bytes(avro)?.map(<[u8]>::to_vec),
                FileSlot::Source => file.file_source = cursor.opt_int(avro)?.map(FileSource::from_byte).transpose()?,
                FileSlot::ValueStatsCols => file.value_stats_cols = texts(cursor, avro)?,
                FileSlot::ExternalPath => file.external_path = cursor.opt_string(avro)?,
                FileSlot::FirstRowId => file.first_row_id = cursor.opt_long(avro)?,
                FileSlot::WriteCols => file.write_cols = texts(cursor, avro)?,
            }
        }
        Ok(())
    }
}

#[derive(Clone, Copy)]
enum StatsSlot {
    Min,
    Max,
    Nulls,
}

/// Reads statistics, in manifests and manifest lists alike.
pub(super) struct StatsReader(Plan<StatsSlot>);

impl StatsReader {
    pub(super) fn new(record: &RecordType) -> Result<Self> {
        let fields =
            [("_MIN_VALUES", StatsSlot::Min), ("_MAX_VALUES", StatsSlot::Max), ("_NULL_COUNTS", StatsSlot::Nulls)];
        Plan::new(record, &fields, 2).map(Self)
    }

    pub(super) fn read(&self, cursor: &mut Cursor<'_>, avro: &AvroType) -> Result<SimpleStats> {
        let mut stats = SimpleStats::empty();
        if !cursor.opt_record(avro)? {
            return Ok(stats);
        }
        for (slot, avro) in &self.0.steps {
            match slot {
                Some(StatsSlot::Min) => stats.min_values = row(cursor, avro)?,
                Some(StatsSlot::Max) => stats.max_values = row(cursor, avro)?,
                Some(StatsSlot::Nulls) => {
                    stats.null_counts =
                        cursor.opt_array(avro, |cursor, item| cursor.opt_long(item))?.unwrap_or_default();
                }
                None => cursor.skip(avro)?,
            }
        }
        Ok(stats)
    }
}

pub(super) fn row(cursor: &mut Cursor<'_>, avro: &AvroType) -> Result<BinaryRow> {
    Ok(BinaryRow::from_serialized(cursor.bytes(avro)?)?)
}

fn texts(cursor: &mut Cursor<'_>, avro: &AvroType) -> Result<Option<Vec<String>>> {
    cursor.opt_array(avro, |cursor, item| cursor.string(item))
}

/// The record a file holds.
pub(super) fn top_record(schema: &AvroType) -> Result<&RecordType> {
    match schema {
        AvroType::Record(record) => Ok(record),
        // Values of a file whose top level is a union would begin with a branch; no known writer does that.
        _ => Err(Error::new(ErrorKind::Corrupt, "the Avro schema is no record")),
    }
}

/// The record below a field.
pub(super) fn child<'a>(record: &'a RecordType, name: &str) -> Result<&'a RecordType> {
    let kind = record.fields.iter().find(|(field, _)| field == name).map(|(_, kind)| kind);
    kind.and_then(AvroType::as_record)
        .ok_or_else(|| Error::new(ErrorKind::Corrupt, format!("the Avro schema has no record '{name}'")))
}

pub(super) fn check_version(found: i32, known: i32, what: &str) -> Result<()> {
    if found == known {
        return Ok(());
    }
    let message = format!("entries of version {found} in a {what} are not supported, only version {known} is");
    Err(Error::new(ErrorKind::Unsupported, message))
}
