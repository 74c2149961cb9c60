//! `headwater ingest`: files of rows into a table, one commit for many rows.

mod blocks;
mod conform;
mod csv_source;
mod ipc_source;
mod json_value;
mod ndjson_source;
mod run;
mod source;

use std::sync::Arc;

use crate::args::IngestArgs;
use crate::error::{Result, invalid};
use crate::output::Out;
use crate::target::Session;
use conform::Conform;
use csv_source::CsvLayout;
use run::Ingest;
use source::Input;

pub(crate) async fn run(args: &IngestArgs, session: &Session, out: &mut Out) -> Result<()> {
    let delimiter = u8::try_from(args.delimiter)
        .ok()
        .filter(|byte| byte.is_ascii() && !matches!(byte, b'"' | b'\n' | b'\r'))
        .ok_or_else(|| invalid("the delimiter is one ASCII character, no quote and no line end"))?;
    let layout = CsvLayout { delimiter, has_header: !args.no_header, null_text: args.null_text.clone() };
    let stdin = ["-".to_owned()];
    let files: &[String] = if args.files.is_empty() { &stdin } else { &args.files };
    let inputs = files.iter().map(|path| Input::new(path, args.format)).collect::<Result<Vec<_>>>()?;

    let mut table = session.table(&args.table).await?;
    if !args.options.is_empty() {
        table = table.with_options(args.options.iter().cloned().collect())?;
    }
    let schema = table.schema();
    let conform = Conform::new(
        schema.fields.clone(),
        schema.primary_keys.clone(),
        args.kind_column.clone(),
        args.ignore_unknown_columns,
    );
    let batches = source::start(inputs, layout, Arc::new(conform), &session.env);
    Ingest::new(args, session, &table, out).await?.run(batches, out).await
}
