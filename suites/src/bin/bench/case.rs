//! The cases: what is measured, and against whom.

use std::path::{Path, PathBuf};

use crate::Outcome;

/// One benchmark.
#[derive(Debug)]
pub(crate) struct Case {
    pub(crate) name: &'static str,
    /// Rows (for `planning` files, for `commits` commits) when the command line says nothing.
    pub(crate) rows: u64,
    /// Who runs it; Headwater first.
    pub(crate) engines: &'static [&'static str],
    /// Where the reading process may not hold more than that, in bytes.
    pub(crate) memory_limit: Option<u64>,
    /// Whether a run changes the prepared table and so needs a copy.
    pub(crate) changes_table: bool,
}

const MILLION: u64 = 1_000_000;

const fn case(name: &'static str, rows: u64, engines: &'static [&'static str]) -> Case {
    Case { name, rows, engines, memory_limit: None, changes_table: false }
}

/// `headwater` is as it comes: files and their directories are synced before they count, and files hold what the reference's
/// hold. PyPaimon-Rust syncs files only and leaves out the copies of the key columns, which `-thin` leaves out, too; PyPaimon
/// does not sync, as `-nosync`.
const UPSERTERS: &[&str] = &["headwater", "headwater-nosync", "headwater-thin", "pypaimon-rust", "pypaimon"];
const READERS: &[&str] = &["headwater", "pypaimon-rust", "pypaimon"];

/// All cases, in the order they run.
pub(crate) const CASES: &[Case] = &[
    case("upsert-compact", MILLION, UPSERTERS),
    case("upsert-write-only", MILLION, UPSERTERS),
    Case { memory_limit: Some(512 << 20), ..case("memory-write", 10 * MILLION, &["headwater"]) },
    Case { memory_limit: Some(512 << 20), ..case("memory-read", 10 * MILLION, &["headwater"]) },
    case("scan-merge-on-read", MILLION, READERS),
    case("scan-filter", MILLION, READERS),
    case("scan-compacted", 4 * MILLION, &["headwater", "duckdb", "pypaimon-rust", "pypaimon"]),
    Case { changes_table: true, ..case("full-compaction", MILLION, &["headwater"]) },
    case("planning", 10_000, READERS),
    case("commits", 2_000, &["headwater", "headwater-nosync", "pypaimon-rust"]),
    case("append", 4 * MILLION, &["headwater", "headwater-nosync", "pypaimon-rust", "pypaimon", "deltalake"]),
];

impl Case {
    pub(crate) fn named(name: &str) -> Outcome<&'static Self> {
        let found = CASES.iter().find(|case| case.name == name);
        found.ok_or_else(|| unknown(name).into())
    }

    /// The cases with that name, or those whose names start so: `memory` is both of them.
    pub(crate) fn starting(name: &str) -> Outcome<Vec<&'static Self>> {
        if let Ok(case) = Self::named(name) {
            return Ok(vec![case]);
        }
        let found: Vec<_> = CASES.iter().filter(|case| case.name.starts_with(name)).collect();
        if found.is_empty() { Err(unknown(name).into()) } else { Ok(found) }
    }
}

fn unknown(name: &str) -> String {
    let names: Vec<_> = CASES.iter().map(|case| case.name).collect();
    format!("there is no case '{name}': {}", names.join(", "))
}

/// Where a case keeps its data.
///
/// ```text
/// DIR/input/0.parquet …        rows of each commit, for the writers
/// DIR/expected                 the checks every engine must come to
/// DIR/warehouse/default.db/t   the table; written by the case, or before it for the readers
/// DIR/live                     the live data files of that table, one path a line, for who reads plain Parquet
/// ```
#[derive(Clone, Debug)]
pub(crate) struct Place {
    pub(crate) dir: PathBuf,
    pub(crate) rows: u64,
}

impl Place {
    pub(crate) fn input(&self, commit: u64) -> PathBuf {
        self.dir.join("input").join(format!("{commit}.parquet"))
    }

    pub(crate) fn expected(&self) -> PathBuf {
        self.dir.join("expected")
    }

    pub(crate) fn live(&self) -> PathBuf {
        self.dir.join("live")
    }

    pub(crate) fn warehouse(&self) -> PathBuf {
        self.dir.join("warehouse")
    }

    pub(crate) fn table(&self) -> PathBuf {
        table_in(&self.warehouse())
    }
}

/// Where catalogs of the file system look for table `default.t`.
pub(crate) fn table_in(warehouse: &Path) -> PathBuf {
    warehouse.join("default.db").join("t")
}
