//! `headwater compact`: compaction now, beside any writers.

use serde_json::json;

use crate::args::CompactArgs;
use crate::error::Result;
use crate::output::{Out, bytes_text};
use crate::target::{Session, partition};

pub(crate) async fn run(args: &CompactArgs, session: &Session, out: &mut Out) -> Result<()> {
    let mut table = session.table(&args.table).await?;
    if !args.options.is_empty() {
        table = table.with_options(args.options.iter().cloned().collect())?;
    }
    let partitions = args.partition.iter().map(|text| partition(text)).collect::<Result<Vec<_>>>()?;
    let started = session.env.monotonic();
    let report = table.compact_all(args.full, &partitions).await?;
    let seconds = (session.env.monotonic() - started).as_secs_f64();
    out.object(&json!({
        "snapshots": report.snapshots, "buckets": report.buckets, "filesBefore": report.files_before,
        "filesAfter": report.files_after, "bytesBefore": report.bytes_before, "bytesAfter": report.bytes_after,
        "seconds": seconds,
    }))?;
    if report.snapshots.is_empty() {
        return out.say("nothing to compact: the rules pick no bucket (--full compacts every bucket)");
    }
    out.say(&format!(
        "compacted {} buckets in {seconds:.1} s: {} files of {} became {} of {}; snapshot {}",
        report.buckets,
        report.files_before,
        bytes_text(report.bytes_before),
        report.files_after,
        bytes_text(report.bytes_after),
        report.snapshots.iter().map(ToString::to_string).collect::<Vec<_>>().join(", "),
    ))
}
