//! The command line.

use std::path::PathBuf;

use clap::{Args, Parser, Subcommand, ValueEnum};

/// Streaming lakehouse tables in the Apache Paimon format: write, query and look after them.
#[derive(Debug, Parser)]
#[command(name = "headwater", version, max_term_width = 100, propagate_version = true, after_help = AFTER_HELP)]
pub(crate) struct Cli {
    /// The directory that holds databases and tables: a path, file://, s3:// or memory:// location.
    #[arg(long, global = true, env = "HEADWATER_WAREHOUSE", value_name = "LOCATION", hide_env_values = true)]
    pub(crate) warehouse: Option<String>,

    /// Print JSON, one object a line; errors too, on standard error.
    #[arg(long, global = true)]
    pub(crate) json: bool,

    /// A setting of the store, such as s3.endpoint=http://localhost:9000; may be repeated.
    #[arg(long = "store", global = true, value_name = "KEY=VALUE", value_parser = key_value)]
    pub(crate) store: Vec<(String, String)>,

    #[command(subcommand)]
    pub(crate) command: Command,
}

const AFTER_HELP: &str = "\
Exit codes: 0 done, 1 a bug of Headwater, 2 the request is wrong, 3 not found, 4 exists already, 5 somebody else changed
the table first, 6 the store did not answer, 7 a file is damaged, 8 the format has it but Headwater does not.
New here? `headwater quickstart` shows everything on real input in about a minute.";

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Run SQL: statements, a file of them, or an interactive shell.
    Sql(SqlArgs),
    /// Write files of rows into a table, in commits of many rows each.
    Ingest(IngestArgs),
    /// Print the rows of a table directory as JSON; needs no catalog.
    Cat(CatArgs),
    /// Compact a table now.
    Compact(CompactArgs),
    /// Show snapshots, levels, files, and what a scan would merge.
    Inspect(InspectArgs),
    /// Play a workload through the compaction rules and print level shapes and write amplification.
    Simulate(SimulateArgs),
    /// Build a table from a million events with two writers, and look at it from all sides.
    Quickstart(QuickstartArgs),
    /// One writer of the quickstart.
    #[command(hide = true)]
    QuickstartWriter(QuickstartWriterArgs),
}

#[derive(Debug, Args)]
pub(crate) struct SqlArgs {
    /// Statements, separated by semicolons; without them and without --file a shell starts.
    pub(crate) statements: Option<String>,
    /// A file of statements; - is standard input.
    #[arg(long, short, conflicts_with = "statements", value_name = "FILE")]
    pub(crate) file: Option<PathBuf>,
    /// Go on with the next statement after one failed; the exit code is the first failure's.
    #[arg(long)]
    pub(crate) keep_going: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum InputFormat {
    /// Comma-separated values with a header line.
    Csv,
    /// JSON, one object a line.
    Ndjson,
    /// Arrow IPC, file or stream.
    Arrow,
    /// Apache Parquet.
    Parquet,
}

#[derive(Debug, Args)]
pub(crate) struct IngestArgs {
    /// DATABASE.TABLE, or the path of a table directory.
    pub(crate) table: String,
    /// Files to read in this order; - or none is standard input.
    pub(crate) files: Vec<String>,
    /// The format of the files; told by their extensions otherwise (.parquet .csv .tsv .json .jsonl .ndjson .arrow .feather).
    #[arg(long)]
    pub(crate) format: Option<InputFormat>,
    /// Rows of one commit.
    #[arg(long, default_value_t = 100_000, value_parser = clap::value_parser!(u64).range(1..))]
    pub(crate) batch_rows: u64,
    /// Commit after that many seconds even if there are fewer rows; for slow inputs.
    #[arg(long, value_name = "SECONDS", value_parser = clap::value_parser!(u64).range(1..))]
    pub(crate) batch_seconds: Option<u64>,
    /// The input column that says what a row does: +I or +U (upsert), -U or -D (delete).
    #[arg(long, value_name = "COLUMN")]
    pub(crate) kind_column: Option<String>,
    /// Leave out input columns that the table does not have, instead of refusing them.
    #[arg(long)]
    pub(crate) ignore_unknown_columns: bool,
    /// CSV: the separator of fields.
    #[arg(long, default_value_t = ',')]
    pub(crate) delimiter: char,
    /// CSV: the files have no header line; fields are the table's columns in order.
    #[arg(long)]
    pub(crate) no_header: bool,
    /// CSV: the text that stands for null, beside the empty field.
    #[arg(long, value_name = "TEXT")]
    pub(crate) null_text: Option<String>,
    /// The commit user, by which a restarted writer is recognised; random otherwise.
    #[arg(long, value_name = "NAME")]
    pub(crate) commit_user: Option<String>,
    /// An option of the table for this run, such as write-only=true; may be repeated.
    #[arg(long = "option", short = 'o', value_name = "KEY=VALUE", value_parser = key_value)]
    pub(crate) options: Vec<(String, String)>,
}

#[derive(Debug, Args)]
pub(crate) struct CatArgs {
    /// The directory of a table: a path or a location; DATABASE.TABLE with a warehouse works too.
    pub(crate) table: String,
    /// The snapshot to read.
    #[arg(long, value_name = "ID", conflicts_with_all = ["tag", "timestamp"])]
    pub(crate) snapshot: Option<i64>,
    /// The tag to read.
    #[arg(long, value_name = "NAME", conflicts_with = "timestamp")]
    pub(crate) tag: Option<String>,
    /// The last snapshot made at or before this time: milliseconds since 1970.
    #[arg(long, value_name = "MILLIS")]
    pub(crate) timestamp: Option<i64>,
    /// The branch to read.
    #[arg(long, value_name = "NAME")]
    pub(crate) branch: Option<String>,
    /// The columns to print, separated by commas, in this order.
    #[arg(long, value_delimiter = ',', value_name = "NAMES")]
    pub(crate) columns: Option<Vec<String>>,
    /// A filter, such as "id > 17 AND name LIKE 'a%'".
    #[arg(long = "where", value_name = "FILTER")]
    pub(crate) filter: Option<String>,
    /// At most that many rows.
    #[arg(long, value_name = "ROWS")]
    pub(crate) limit: Option<usize>,
}

#[derive(Debug, Args)]
pub(crate) struct CompactArgs {
    /// DATABASE.TABLE, or the path of a table directory.
    pub(crate) table: String,
    /// Rewrite every bucket into its top level, not only what the rules pick.
    #[arg(long)]
    pub(crate) full: bool,
    /// Only this partition, as k=v or k1=v1/k2=v2; may be repeated.
    #[arg(long, value_name = "PARTITION")]
    pub(crate) partition: Vec<String>,
    /// An option of the table for this run, such as target-file-size=64mb; may be repeated.
    #[arg(long = "option", short = 'o', value_name = "KEY=VALUE", value_parser = key_value)]
    pub(crate) options: Vec<(String, String)>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum InspectView {
    /// Everything below, shortened.
    Summary,
    /// Columns, keys and options.
    Schema,
    /// Snapshots with what they changed.
    Snapshots,
    /// The shape of the merge tree of every bucket, drawn as bars.
    Levels,
    /// Every live file.
    Files,
    /// What a scan would read and merge.
    Scan,
}

#[derive(Debug, Args)]
pub(crate) struct InspectArgs {
    /// DATABASE.TABLE, or the path of a table directory.
    pub(crate) table: String,
    /// What to show.
    #[arg(default_value = "summary")]
    pub(crate) view: InspectView,
    /// Show the table as of this snapshot.
    #[arg(long, value_name = "ID")]
    pub(crate) snapshot: Option<i64>,
    /// With `scan`: the filter of the query.
    #[arg(long = "where", value_name = "FILTER")]
    pub(crate) filter: Option<String>,
    /// At most that many buckets, files or snapshots; 0 is all.
    #[arg(long, default_value_t = 50)]
    pub(crate) limit: usize,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Keys {
    /// Every commit updates keys drawn evenly from all.
    Uniform,
    /// Every commit inserts keys behind those before.
    Ascending,
}

#[derive(Debug, Args)]
pub(crate) struct SimulateArgs {
    /// Commits to play; each makes one level-0 file.
    #[arg(long, default_value_t = 200, value_parser = clap::value_parser!(u32).range(1..=100_000))]
    pub(crate) commits: u32,
    /// Rows of one commit.
    #[arg(long, default_value_t = 100_000, value_parser = clap::value_parser!(u64).range(1..))]
    pub(crate) rows: u64,
    /// Bytes of one row in a file.
    #[arg(long, default_value_t = 100, value_parser = clap::value_parser!(u64).range(1..))]
    pub(crate) row_bytes: u64,
    /// Keys there are at all.
    #[arg(long, default_value_t = 10_000_000, value_parser = clap::value_parser!(u64).range(1..=(1 << 62)))]
    pub(crate) keys: u64,
    /// Where the keys of a commit lie.
    #[arg(long, default_value = "uniform")]
    pub(crate) pattern: Keys,
    /// Draw the levels after every that many commits.
    #[arg(long, default_value_t = 40, value_parser = clap::value_parser!(u32).range(1..))]
    pub(crate) every: u32,
    /// A compaction option of the table, such as num-sorted-run.compaction-trigger=5; may be repeated.
    #[arg(long = "option", short = 'o', value_name = "KEY=VALUE", value_parser = key_value)]
    pub(crate) options: Vec<(String, String)>,
}

#[derive(Debug, Args)]
pub(crate) struct QuickstartArgs {
    /// Events to write.
    #[arg(long, default_value_t = 1_000_000, value_parser = clap::value_parser!(u64).range(1..))]
    pub(crate) events: u64,
    /// Users they belong to.
    #[arg(long, default_value_t = 100_000, value_parser = clap::value_parser!(u64).range(1..=10_000_000))]
    pub(crate) users: u64,
    /// The seed of the events.
    #[arg(long, default_value_t = 7)]
    pub(crate) seed: u64,
    /// Start over: drop the table of an earlier run.
    #[arg(long)]
    pub(crate) fresh: bool,
}

#[derive(Debug, Args)]
pub(crate) struct QuickstartWriterArgs {
    #[arg(long)]
    pub(crate) events: u64,
    #[arg(long)]
    pub(crate) users: u64,
    #[arg(long)]
    pub(crate) seed: u64,
    #[arg(long)]
    pub(crate) writer: u64,
    #[arg(long)]
    pub(crate) writers: u64,
    #[arg(long)]
    pub(crate) rows_per_commit: u64,
}

fn key_value(text: &str) -> Result<(String, String), String> {
    match text.split_once('=') {
        Some((key, value)) if !key.trim().is_empty() => Ok((key.trim().to_owned(), value.to_owned())),
        _ => Err("write KEY=VALUE".to_owned()),
    }
}
