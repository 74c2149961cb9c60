//! Tables of the reference and of pypaimon: rows, filters and live files, compared with what the reference returned.
//!
//! A fixture either reads like the reference, everything of it, or is in [`refused::REFUSED`] and is refused by name,
//! everything of it. There is no third case.

mod files;
mod refused;

use std::path::Path;

use headwater_io::Env;
use headwater_suites::{Error, ErrorKind, Fixture, canonical_lines, canonical_rows, collect, parse_filter};
use headwater_table::{ScanBuilder, Table};
use headwater_types::{JsonRowWriter, Predicate};

/// What became of one expectation.
enum Outcome {
    Equal,
    Refused(Error),
    Wrong(String),
}

fn judge(found: Result<Vec<String>, Error>, wanted: &[String]) -> Outcome {
    match found {
        Ok(found) if found == wanted => Outcome::Equal,
        Ok(found) => {
            let missing = wanted.iter().find(|line| !found.contains(line));
            let extra = found.iter().find(|line| !wanted.contains(line));
            let counts = format!("{} rows instead of {}", found.len(), wanted.len());
            Outcome::Wrong(format!("{counts}\n  missing {missing:?}\n  extra   {extra:?}"))
        }
        Err(error) if error.kind() == ErrorKind::Unsupported => Outcome::Refused(error),
        Err(error) => Outcome::Wrong(format!("{error:?}")),
    }
}

async fn read(
    fixture: &Fixture,
    branch: Option<&str>,
    options: &[(&str, &str)],
    scan: impl Fn(&Table) -> ScanBuilder,
) -> Result<Vec<String>, Error> {
    let env = Env::system();
    let io = fixture.io(&env)?;
    let table = match branch {
        Some(branch) => Table::open_branch(io, branch, &env).await?,
        None => Table::open(io, &env).await?,
    };
    let table = table.with_options(options.iter().map(|(k, v)| ((*k).to_owned(), (*v).to_owned())).collect())?;
    canonical_rows(&table, &scan(&table)).await
}

/// The rows of the expectation called `what`; `None` when it is of a kind this test does not read.
async fn rows_of(fixture: &Fixture, what: &str) -> Option<Result<Vec<String>, Error>> {
    if what == "latest" {
        return Some(read(fixture, None, &[], Table::scan).await);
    }
    if let Some(id) = what.strip_prefix("snapshot-").and_then(|id| id.parse::<i64>().ok()) {
        return Some(read(fixture, None, &[], |table| table.scan().snapshot(id)).await);
    }
    if what == "merge-on-read" {
        return Some(read(fixture, None, &[("deletion-vectors.merge-on-read", "true")], Table::scan).await);
    }
    if let Some(tag) = what.strip_prefix("tag-") {
        return Some(read(fixture, None, &[], |table| table.scan().tag(tag)).await);
    }
    match what.strip_prefix("branch-") {
        Some(branch) if !branch.ends_with("-stream") => Some(read(fixture, Some(branch), &[], Table::scan).await),
        _ => None,
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn every_fixture_reads_like_the_reference_or_is_refused_by_name() {
    let mut wrong = Vec::new();
    let (mut equal, mut refused) = (0, 0);
    for fixture in Fixture::all().unwrap() {
        let feature = refused::feature(&fixture.name);
        for (what, path) in fixture.expectations().unwrap() {
            let Some(found) = rows_of(&fixture, &what).await else { continue };
            let wanted = canonical_lines(&std::fs::read_to_string(&path).unwrap()).unwrap();
            let case = format!("{}/{what}", fixture.name);
            match (judge(found, &wanted), feature) {
                (Outcome::Equal, None) => equal += 1,
                (Outcome::Refused(error), Some(feature)) if error.to_string().contains(feature) => refused += 1,
                (Outcome::Equal, Some(_)) if refused::reads_in_part(&case) => equal += 1,
                (Outcome::Equal, Some(feature)) => {
                    wrong.push(format!("{case} reads although {feature} is refused: strike it off"))
                }
                (Outcome::Refused(error), Some(feature)) => {
                    wrong.push(format!("{case}: {error} does not name {feature}"))
                }
                (Outcome::Refused(error), None) => wrong.push(format!("{case}: {error}")),
                (Outcome::Wrong(how), _) => wrong.push(format!("{case}: {how}")),
            }
        }
    }
    println!("{equal} expectations equal, {refused} refused by name");
    assert!(wrong.is_empty(), "{} wrong:\n{}", wrong.len(), wrong.join("\n"));
}

/// One line of `filters.jsonl`: the rows that match, whatever was pruned on the way.
async fn filtered(table: &Table, filter: &str) -> Result<Vec<String>, Error> {
    let predicate: Predicate = parse_filter(filter, table.schema())?;
    let plan = table.scan().filter(predicate.clone()).plan().await?;
    let mut text = Vec::new();
    for batch in collect(&table.read(&plan).filter(predicate)).await? {
        JsonRowWriter::write_rows(&plan.schema.fields, &batch, &mut text)?;
    }
    canonical_lines(&String::from_utf8(text).unwrap())
}

/// The filter that the reference answers with a part of the rows (3 of 22): its range bitmap loses most nulls. Headwater
/// must return all of them.
const REFERENCE_LOSES_ROWS: (&str, &str) = ("index-range-bitmap", "s isnull");

/// The rows of a file of expected rows whose `column` is null.
fn null_rows(expected: &Path, column: &str) -> Vec<String> {
    json_lines(expected).iter().filter(|row| row[column].is_null()).map(ToString::to_string).collect()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn filters_return_exactly_the_matching_rows() {
    let env = Env::system();
    let (mut compared, mut wrong) = (0, Vec::new());
    for fixture in Fixture::all().unwrap() {
        let expectations = fixture.expectations().unwrap();
        let Some(path) = expectations.get("filters").filter(|_| refused::feature(&fixture.name).is_none()) else {
            continue;
        };
        let table = Table::open(fixture.io(&env).unwrap(), &env).await.unwrap();
        for line in json_lines(path) {
            let filter = line["filter"].as_str().unwrap();
            let rows = match REFERENCE_LOSES_ROWS == (fixture.name.as_str(), filter) {
                true => null_rows(&expectations["latest"], "s"),
                false => line["rows"].as_array().unwrap().iter().map(ToString::to_string).collect(),
            };
            match judge(filtered(&table, filter).await, &canonical_lines(&rows.join("\n")).unwrap()) {
                Outcome::Equal => compared += 1,
                Outcome::Refused(error) => wrong.push(format!("{} where {filter}: {error}", fixture.name)),
                Outcome::Wrong(how) => wrong.push(format!("{} where {filter}: {how}", fixture.name)),
            }
        }
    }
    println!("{compared} filters compared");
    assert!(wrong.is_empty(), "{} wrong:\n{}", wrong.len(), wrong.join("\n"));
}

fn json_lines(path: &Path) -> Vec<serde_json::Value> {
    let text = std::fs::read_to_string(path).unwrap();
    text.lines().filter(|line| !line.is_empty()).map(|line| serde_json::from_str(line).unwrap()).collect()
}
