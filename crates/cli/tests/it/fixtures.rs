//! Every table of the reference that we keep: its exact rows, or a refusal that names why. Never anything else.

use std::path::{Path, PathBuf};

use crate::world::{World, values};

fn fixtures() -> Vec<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../testdata/fixtures");
    let mut found: Vec<PathBuf> = std::fs::read_dir(root)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.join("table").is_dir() && path.join("expected/latest.jsonl").is_file())
        .collect();
    found.sort();
    assert!(found.len() > 80, "only {} fixtures", found.len());
    found
}

/// Tables of the kinds that have to work: keyed, deduplicating, fixed buckets, Parquet.
const MUST_READ: [&str; 14] = [
    "many-commits",
    "java09-pk",
    "pk-dedup-levels",
    "pk-dedup-partitioned-buckets",
    "pk-bucket-mod",
    "pk-deletes-only-top",
    "pk-ignore-delete",
    "pk-key-types",
    "pk-rowkind-field",
    "pk-sequence-desc",
    "pk-sequence-two-fields",
    "pk-spill-many-rows",
    "pk-thin-mode",
    "types-pk-parquet",
];

#[test]
fn every_table_is_read_exactly_or_refused_by_name() {
    let world = World::new();
    let (mut wrong, mut read, mut refused) = (Vec::new(), Vec::new(), Vec::new());
    for fixture in fixtures() {
        let name = fixture.file_name().unwrap().to_str().unwrap().to_owned();
        let run = world.run(&["cat", fixture.join("table").to_str().unwrap()]);
        let expected = values(&std::fs::read_to_string(fixture.join("expected/latest.jsonl")).unwrap());
        match run.code {
            Some(0) if values(&run.stdout) == expected => read.push(name),
            Some(0) => wrong.push(format!("{name}: {} rows, expected {}", run.stdout.lines().count(), expected.len())),
            Some(8) => refused.push((name, run.stderr)),
            _ => wrong.push(format!("{name}: {run:?}")),
        }
    }
    for (name, why) in &refused {
        if MUST_READ.iter().any(|prefix| name.starts_with(prefix)) && !why.contains("in format 'orc'") {
            wrong.push(format!("{name} is refused: {why}"));
        }
    }
    assert!(wrong.is_empty(), "{}\nread: {read:?}", wrong.join("\n"));
}

#[test]
fn earlier_snapshots_and_tags_are_read_exactly() {
    let world = World::new();
    let mut wrong = Vec::new();
    for fixture in fixtures() {
        let name = fixture.file_name().unwrap().to_str().unwrap().to_owned();
        for entry in std::fs::read_dir(fixture.join("expected")).unwrap() {
            let path = entry.unwrap().path();
            let stem = path.file_stem().unwrap().to_str().unwrap().to_owned();
            let option = match stem.split_once('-') {
                Some(("snapshot", id)) if id.parse::<i64>().is_ok() => ["--snapshot", id].map(str::to_owned),
                Some(("tag", tag)) => ["--tag", tag].map(str::to_owned),
                _ => continue,
            };
            let run = world.run(&["cat", fixture.join("table").to_str().unwrap(), &option[0], &option[1]]);
            let expected = values(&std::fs::read_to_string(&path).unwrap());
            match run.code {
                Some(0) if values(&run.stdout) == expected => {}
                Some(8) => {}
                _ => wrong.push(format!("{name} {option:?}: {:?} {}", run.code, run.stderr)),
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
