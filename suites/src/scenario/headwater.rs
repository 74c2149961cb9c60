//! Headwater's side: the public crates, in this process.

use std::collections::{BTreeMap, HashMap};
use std::path::{Path, PathBuf};

use arrow_array::{Int8Array, RecordBatch};
use headwater_io::{Env, FileIo};
use headwater_metadata::{Schema, SchemaStore, Tag};
use headwater_table::{Table, TableCommitter, TableWriter};
use headwater_types::{DataField, Datum, Leaf, LeafTest, Predicate, array_from_datums, parse_datum};
use tokio::runtime::Runtime;

use super::rows::Row;
use super::script::{Op, invalid};
use super::side::{Failure, Played, Scene, Side};
use super::{alter, create, facts};
use crate::{Error, ErrorKind, Result, canonical_rows, collect};

/// The commit user of streaming writers.
const USER: &str = "lab";

/// Plays operations through the public crates.
pub struct HeadwaterSide {
    runtime: Runtime,
    env: Env,
    streams: HashMap<PathBuf, (TableWriter, TableCommitter)>,
}

impl std::fmt::Debug for HeadwaterSide {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("HeadwaterSide").field("streams", &self.streams.len()).finish_non_exhaustive()
    }
}

impl HeadwaterSide {
    /// A side with threads of its own.
    ///
    /// # Errors
    /// `Unavailable` when threads cannot be started.
    pub fn new() -> Result<Self> {
        let runtime = tokio::runtime::Builder::new_multi_thread()
            .enable_all()
            .build()
            .map_err(|e| Error::new(ErrorKind::Unavailable, "cannot start threads").with_source(e))?;
        Ok(Self { runtime, env: Env::system(), streams: HashMap::new() })
    }

    /// The columns of a table; none when it does not exist.
    ///
    /// # Errors
    /// Those of reading the schema.
    pub fn fields(&self, path: &Path) -> Result<Vec<DataField>> {
        self.runtime.block_on(async {
            let latest = SchemaStore::new(open(path, &self.env)?, None).latest().await?;
            Ok(latest.map(|schema| schema.fields.clone()).unwrap_or_default())
        })
    }

    async fn play(&mut self, scene: &Scene<'_>) -> Result<Vec<String>> {
        let path = scene.path;
        let none = BTreeMap::new();
        match scene.op {
            Op::Create { .. } => self.create(path, scene.op).await?,
            Op::Write { compact, options, .. } => {
                let mut options = options.clone();
                if !compact {
                    options.insert("write-only".to_owned(), "true".to_owned());
                }
                let table = self.table(path, &options).await?;
                let messages = written(table.batch_writer()?, scene).await?;
                table.commit_batch(messages).await?;
            }
            Op::StreamWrite { options, .. } => self.stream_write(scene, options).await?,
            Op::StreamClose => {
                if let Some((writer, _)) = self.streams.remove(path) {
                    writer.close().await?;
                }
            }
            Op::Compact { full, options } => {
                self.table(path, options).await?.compact_all(*full, &[]).await?;
            }
            Op::Overwrite { partition, options, .. } => {
                let table = self.table(path, options).await?;
                let messages = written(table.overwrite_writer()?, scene).await?;
                table.overwrite_batch(partition, messages).await?;
            }
            Op::Truncate => drop(self.table(path, &none).await?.truncate().await?),
            Op::DropPartition { partition } => {
                self.table(path, &none).await?.drop_partitions(std::slice::from_ref(partition)).await?;
            }
            Op::Delete { column, value } => delete(&self.table(path, &none).await?, column, value).await?,
            Op::Tag { name, snapshot } => self.tag(path, name, *snapshot).await?,
            Op::Alter { change } => {
                let schemas = SchemaStore::new(open(path, &self.env)?, None);
                schemas.alter(&[alter::change(change)?], self.env.now_millis()).await?;
            }
            Op::Stream { .. } => return Err(missing("streaming reads")),
            Op::Read { options } => {
                let table = self.table(path, options).await?;
                return canonical_rows(&table, &table.scan()).await;
            }
        }
        Ok(Vec::new())
    }

    async fn table(&self, path: &Path, options: &BTreeMap<String, String>) -> Result<Table> {
        Ok(Table::open(open(path, &self.env)?, &self.env).await?.with_options(options.clone())?)
    }

    async fn create(&self, path: &Path, op: &Op) -> Result<()> {
        let Op::Create { columns, keys, partitions, options } = op else { return Ok(()) };
        let fields = create::columns(columns)?;
        let now = self.env.now_millis();
        let schema = Schema::create(fields, partitions.clone(), keys.clone(), options.clone(), None, now)?;
        SchemaStore::new(open(path, &self.env)?, None).create(&schema).await?;
        Ok(())
    }

    async fn stream_write(&mut self, scene: &Scene<'_>, options: &BTreeMap<String, String>) -> Result<()> {
        if !self.streams.contains_key(scene.path) {
            let table = self.table(scene.path, options).await?;
            let opened = (table.stream_writer_as(USER)?, table.committer_as(USER)?);
            self.streams.insert(scene.path.to_owned(), opened);
        }
        let Some((writer, committer)) = self.streams.get_mut(scene.path) else { return Ok(()) };
        let (batch, kinds) = batch_of(scene.fields, scene.rows)?;
        writer.write_with_kinds(batch, kinds).await?;
        let messages = writer.prepare_commit(true).await?;
        committer.commit(scene.identifier, messages, None).await?;
        Ok(())
    }

    async fn tag(&self, path: &Path, name: &str, snapshot: Option<i64>) -> Result<()> {
        let table = self.table(path, &BTreeMap::new()).await?;
        let snapshots = table.snapshots();
        let snapshot = match snapshot {
            Some(id) => snapshots.get(id).await?,
            None => {
                let latest = snapshots.latest().await?;
                latest.ok_or_else(|| Error::new(ErrorKind::NotFound, "the table has no snapshot"))?
            }
        };
        Ok(table.tags().create(name, &Tag { snapshot, create_time: None, time_retained: None }).await?)
    }

    async fn facts_of(&self, path: &Path, after: i64) -> Result<Vec<String>> {
        let table = self.table(path, &BTreeMap::new()).await?;
        let mut lines = Vec::new();
        for id in table.snapshots().list().await?.into_iter().filter(|id| *id > after) {
            lines.extend(facts::lines(&table.manifests(), &table.snapshots().get(id).await?).await?);
        }
        Ok(lines)
    }
}

impl Side for HeadwaterSide {
    fn perform(&mut self, scene: &Scene<'_>) -> Played {
        let handle = self.runtime.handle().clone();
        let played = handle.block_on(self.play(scene));
        if played.is_err() {
            // What a failed writer held is lost, as with the reference.
            if let Some((writer, _)) = self.streams.remove(scene.path) {
                let _leftovers = handle.block_on(writer.close());
            }
        }
        played.map_err(|error| failure(&error))
    }

    fn facts(&mut self, path: &Path, after: i64) -> Played {
        self.runtime.block_on(self.facts_of(path, after)).map_err(|error| failure(&error))
    }
}

fn open(path: &Path, env: &Env) -> Result<FileIo> {
    Ok(FileIo::open(&path.to_string_lossy(), &BTreeMap::new(), env)?)
}

fn missing(feature: &str) -> Error {
    Error::new(ErrorKind::Unsupported, format!("{feature} is not supported yet"))
}

fn failure(error: &Error) -> Failure {
    match error.kind() {
        ErrorKind::Unsupported => Failure::Missing(error.to_string()),
        _ => Failure::Refused(error.to_string()),
    }
}

/// Deletes the rows with that value by their addresses.
async fn delete(table: &Table, column: &str, value: &str) -> Result<()> {
    let field = table.schema().field(column).ok_or_else(|| invalid("there is no such column"))?;
    let test = LeafTest::Equal(parse_datum(value, &field.data_type)?);
    let wanted = Predicate::Leaf(Leaf { column: column.to_owned(), data_type: field.data_type.clone(), test });
    let mut changes = table.row_changes().await?;
    let rows = changes.rows();
    let plan = rows.scan().filter(wanted.clone()).plan().await?;
    for batch in collect(&rows.read(&plan).filter(wanted)).await? {
        changes.delete(batch.column(0), batch.column(1))?;
    }
    changes.commit().await?;
    Ok(())
}

/// Writes the rows of an operation; gives what has to be committed.
async fn written(mut writer: TableWriter, scene: &Scene<'_>) -> Result<Vec<headwater_metadata::CommitMessage>> {
    let (batch, kinds) = batch_of(scene.fields, scene.rows)?;
    let messages = match writer.write_with_kinds(batch, kinds).await {
        Ok(()) => writer.prepare_commit(true).await,
        Err(error) => Err(error),
    };
    writer.close().await?;
    Ok(messages?)
}

fn batch_of(fields: &[DataField], rows: &[Row]) -> Result<(RecordBatch, Int8Array)> {
    let column = |(at, field): (usize, &DataField)| {
        let values: Vec<Option<Datum>> = rows.iter().map(|row| row.values.get(at).cloned().flatten()).collect();
        // A null in a column without nulls is the writer's to refuse.
        array_from_datums(&field.data_type.with_nullable(true), &values)
    };
    let columns = fields.iter().enumerate().map(column).collect::<Result<Vec<_>, _>>()?;
    let named = fields.iter().zip(&columns);
    let named: Vec<_> =
        named.map(|(field, c)| arrow_schema::Field::new(&field.name, c.data_type().clone(), true)).collect();
    let schema = std::sync::Arc::new(arrow_schema::Schema::new(named));
    let batch = RecordBatch::try_new(schema, columns)
        .map_err(|e| Error::new(ErrorKind::Internal, "rows make no batch").with_source(e))?;
    Ok((batch, rows.iter().map(|row| row.kind.to_byte()).collect::<Vec<_>>().into()))
}
