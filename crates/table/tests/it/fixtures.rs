//! Tables of the reference, read and compared with what its own reader returned.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use futures::StreamExt;
use headwater_io::{Env, FileIo};
use headwater_table::{Error, ErrorKind, ScanBuilder, Table};
use headwater_types::JsonRowWriter;

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../testdata/fixtures")
}

/// The rows of a scan as sorted lines of canonical JSON.
pub(crate) async fn rows(table: &Table, scan: &ScanBuilder) -> Result<Vec<String>, Error> {
    let plan = scan.plan().await?;
    let mut batches = table.read(&plan).all()?;
    let mut text = Vec::new();
    while let Some(batch) = batches.next().await {
        JsonRowWriter::write_rows(&plan.schema.fields, &batch?, &mut text)?;
    }
    Ok(lines(&String::from_utf8(text).unwrap()))
}

/// Sorted lines; numbers and characters may be spelt in several ways, values may not differ.
fn lines(text: &str) -> Vec<String> {
    let mut lines: Vec<String> =
        text.lines().map(|line| serde_json::from_str::<serde_json::Value>(line).unwrap().to_string()).collect();
    lines.sort();
    lines
}

#[derive(Default)]
struct Seen {
    compared: Vec<String>,
    refused: BTreeMap<String, Vec<String>>,
    wrong: Vec<String>,
}

impl Seen {
    async fn compare(&mut self, name: &str, expected: &Path, table: &Table, scan: &ScanBuilder) {
        let wanted = lines(&std::fs::read_to_string(expected).unwrap());
        match rows(table, scan).await {
            Ok(found) if found == wanted => self.compared.push(name.to_owned()),
            Ok(found) => {
                let missing = wanted.iter().find(|line| !found.contains(line));
                let extra = found.iter().find(|line| !wanted.contains(line));
                let counts = (wanted.len(), found.len());
                self.wrong.push(format!("{name}: {counts:?}\n  missing {missing:?}\n  extra   {extra:?}"));
            }
            Err(error) if error.kind() == ErrorKind::Unsupported => {
                self.refused.entry(error.message().to_owned()).or_default().push(name.to_owned());
            }
            Err(error) => self.wrong.push(format!("{name}: {error:?}")),
        }
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_rows_of_every_fixture_are_those_of_the_reference() {
    let env = Env::system();
    let mut seen = Seen::default();
    let mut fixtures: Vec<PathBuf> = std::fs::read_dir(root()).unwrap().map(|entry| entry.unwrap().path()).collect();
    fixtures.sort();
    for fixture in fixtures.iter().filter(|path| path.join("table/schema").is_dir()) {
        let name = fixture.file_name().unwrap().to_str().unwrap().to_owned();
        let io = FileIo::open(fixture.join("table").to_str().unwrap(), &BTreeMap::new(), &env).unwrap();
        let table = match Table::open(io.clone(), &env).await {
            Ok(table) => table,
            Err(error) => {
                seen.wrong.push(format!("{name}: {error:?}"));
                continue;
            }
        };
        let Ok(expectations) = std::fs::read_dir(fixture.join("expected")) else { continue };
        for file in expectations.map(|entry| entry.unwrap().path()) {
            let what = file.file_stem().unwrap().to_str().unwrap().to_owned();
            let case = format!("{name}/{what}");
            if what == "latest" {
                seen.compare(&case, &file, &table, &table.scan()).await;
            } else if let Some(id) = what.strip_prefix("snapshot-").and_then(|id| id.parse().ok()) {
                seen.compare(&case, &file, &table, &table.scan().snapshot(id)).await;
            } else if let Some(tag) = what.strip_prefix("tag-") {
                seen.compare(&case, &file, &table, &table.scan().tag(tag)).await;
            } else if let Some(branch) = what.strip_prefix("branch-").filter(|branch| !branch.ends_with("-stream")) {
                match Table::open_branch(io.clone(), branch, &env).await {
                    Ok(branch) => seen.compare(&case, &file, &branch, &branch.scan()).await,
                    Err(error) => seen.wrong.push(format!("{case}: {error:?}")),
                }
            }
        }
    }
    for (why, cases) in &seen.refused {
        println!("refused: {why}: {}", cases.join(" "));
    }
    println!("{} compared", seen.compared.len());
    assert!(seen.wrong.is_empty(), "{} wrong:\n{}", seen.wrong.len(), seen.wrong.join("\n"));
    for must in
        ["pk-dedup-levels/latest", "pk-thin-mode/latest", "evolve-pk-dedup/latest", "evolve-append-parquet/latest"]
    {
        assert!(seen.compared.iter().any(|case| case == must), "{must} was not compared");
    }
}
