//! Inputs as streams of conformed batches.

use std::fs::File;
use std::io::{Read, Seek};
use std::path::Path;
use std::sync::Arc;

use futures::StreamExt;
use headwater_format::ForeignParquet;
use headwater_io::{Env, FileIo};
use tokio::sync::mpsc::{self, Receiver, Sender};

use super::conform::{Conform, Conformed, Origin};
use super::csv_source::{CsvLayout, CsvSource};
use super::ipc_source::IpcSource;
use super::ndjson_source::NdjsonSource;
use crate::args::InputFormat;
use crate::error::{Result, from_os, invalid};

/// One input, read on a thread that may block.
pub(super) trait Source: Send {
    /// The next rows; `None` at the end.
    fn next(&mut self, conform: &Conform) -> Result<Option<Conformed>>;
}

/// An input and the format it is in.
#[derive(Clone, Debug)]
pub(super) struct Input {
    /// A path, or `-`.
    pub(super) path: String,
    pub(super) format: InputFormat,
}

impl Input {
    /// Tells the format by the extension unless it is given.
    pub(super) fn new(path: &str, format: Option<InputFormat>) -> Result<Self> {
        let by_extension = || {
            let extension =
                Path::new(path).extension().and_then(|e| e.to_str()).unwrap_or_default().to_ascii_lowercase();
            match extension.as_str() {
                "csv" | "tsv" => Some(InputFormat::Csv),
                "json" | "jsonl" | "ndjson" => Some(InputFormat::Ndjson),
                "arrow" | "arrows" | "feather" | "ipc" => Some(InputFormat::Arrow),
                "parquet" | "pq" => Some(InputFormat::Parquet),
                _ => None,
            }
        };
        let Some(format) = format.or_else(by_extension) else {
            return Err(
                invalid("the format is not known; say --format csv, ndjson, arrow or parquet").with("input", path)
            );
        };
        if path == "-" && format == InputFormat::Parquet {
            return Err(invalid("Parquet cannot be read from standard input, its index is at the end; name a file"));
        }
        Ok(Self { path: path.to_owned(), format })
    }

    fn name(&self) -> &str {
        if self.path == "-" { "standard input" } else { &self.path }
    }

    fn reader(&self) -> Result<Box<dyn Read + Send>> {
        if self.path == "-" {
            return Ok(Box::new(std::io::stdin()));
        }
        Ok(Box::new(File::open(&self.path).map_err(|e| from_os(e, "open the input", &self.path))?))
    }

    fn source(&self, layout: &CsvLayout, conform: &Conform) -> Result<Box<dyn Source>> {
        let mut layout = layout.clone();
        if self.path.to_ascii_lowercase().ends_with(".tsv") && layout.delimiter == b',' {
            layout.delimiter = b'\t';
        }
        Ok(match self.format {
            InputFormat::Csv => Box::new(CsvSource::new(self.reader()?, self.name(), layout, conform)),
            InputFormat::Ndjson => Box::new(NdjsonSource::new(self.reader()?, self.name())),
            InputFormat::Arrow if self.path == "-" => Box::new(IpcSource::stream(self.reader()?, self.name())?),
            InputFormat::Arrow => {
                let mut file = File::open(&self.path).map_err(|e| from_os(e, "open the input", &self.path))?;
                let mut magic = [0; 6];
                let is_file = file.read_exact(&mut magic).is_ok() && magic == *b"ARROW1";
                file.rewind().map_err(|e| from_os(e, "read the input", &self.path))?;
                if is_file {
                    Box::new(IpcSource::file(file, self.name())?)
                } else {
                    Box::new(IpcSource::stream(file, self.name())?)
                }
            }
            InputFormat::Parquet => return Err(invalid("Parquet is read from files only")),
        })
    }
}

/// Starts reading all inputs in order; the receiver gets batches until the end or the first error.
pub(super) fn start(
    inputs: Vec<Input>,
    layout: CsvLayout,
    conform: Arc<Conform>,
    env: &Env,
) -> Receiver<Result<Conformed>> {
    let (sender, receiver) = mpsc::channel(4);
    let reading = env.clone();
    // The receiver tells the end; a reader that outlives it stops at its next batch.
    drop(env.spawn(async move {
        for input in inputs {
            let outcome = if input.format == InputFormat::Parquet {
                read_parquet(&input, &conform, &sender, &reading).await
            } else {
                let (layout, conform, sender) = (layout.clone(), Arc::clone(&conform), sender.clone());
                let finished = reading.spawn_blocking(move || read_blocking(&input, &layout, &conform, &sender)).await;
                finished.unwrap_or_else(|e| Err(invalid("reading the input did not finish").with_source(e)))
            };
            match outcome {
                Ok(true) => {}
                Ok(false) => return,
                Err(error) => {
                    // Nobody to tell means nobody needs to know.
                    drop(sender.send(Err(error)).await);
                    return;
                }
            }
        }
    }));
    receiver
}

/// Whether to go on with the next input.
fn read_blocking(
    input: &Input,
    layout: &CsvLayout,
    conform: &Conform,
    sender: &Sender<Result<Conformed>>,
) -> Result<bool> {
    let mut source = input.source(layout, conform)?;
    while let Some(rows) = source.next(conform)? {
        if sender.blocking_send(Ok(rows)).is_err() {
            return Ok(false);
        }
    }
    Ok(true)
}

async fn read_parquet(input: &Input, conform: &Conform, sender: &Sender<Result<Conformed>>, env: &Env) -> Result<bool> {
    let path = std::path::absolute(&input.path).map_err(|e| from_os(e, "open the input", &input.path))?;
    let (Some(dir), Some(file)) = (path.parent().and_then(Path::to_str), path.file_name().and_then(|f| f.to_str()))
    else {
        return Err(invalid("this is no path of a file").with("input", &input.path));
    };
    let io = FileIo::open(dir, &std::collections::BTreeMap::new(), env)?;
    let parquet = ForeignParquet::open(&io, file).await?;
    conform.check_names(parquet.schema().fields().iter().map(|field| field.name().as_str()), &input.path)?;
    let mut batches = parquet.read(|name| conform.wants(name))?;
    let mut origin = Origin { name: input.path.clone(), first_row: 1 };
    while let Some(batch) = batches.next().await {
        let batch = batch?;
        let rows = conform.apply(&batch, &origin)?;
        origin.first_row += batch.num_rows() as u64;
        if sender.send(Ok(rows)).await.is_err() {
            return Ok(false);
        }
    }
    Ok(true)
}
