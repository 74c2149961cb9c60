//! Damaged tables: a named error, no panic, and not a byte changed.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use crate::world::{World, files_below};

/// A table with a few commits and a compaction behind it.
fn world() -> World {
    let world = World::with_table();
    for round in 0..3 {
        let rows: String = (0..300).map(|i| format!("{},name {i} of {round},{i}.25\n", i + round * 100)).collect();
        let file = world.file("rows.csv", format!("id,name,price\n{rows}"));
        world.run(&["ingest", "db.t", &file]).ok();
    }
    world
}

fn content(dir: &Path) -> BTreeMap<PathBuf, Vec<u8>> {
    files_below(dir, "").into_iter().map(|path| (path.clone(), std::fs::read(path).unwrap())).collect()
}

/// Reads and writes the table; the first must fail with a code of `codes`, and nothing may change.
fn check(world: &World, what: &str, codes: &[i32]) {
    let dir = world.table_dir();
    let before = content(&dir);
    let cat = world.run(&["cat", dir.to_str().unwrap()]);
    assert!(cat.code.is_some_and(|code| codes.contains(&code)), "{what}: {cat:?}");
    assert!(!cat.stderr.contains("panicked"), "{what}: {}", cat.stderr);
    if cat.code != Some(0) {
        assert!(cat.stderr.contains("path=") || cat.stderr.contains("file="), "{what}: {}", cat.stderr);
    }
    let compact = world.run(&["compact", "db.t", "--full"]);
    assert!(!compact.stderr.contains("panicked"), "{what}: {}", compact.stderr);
    if compact.code != Some(0) {
        assert_eq!(content(&dir), before, "{what}: a failed compaction left something behind");
    }
}

fn newest(files: Vec<PathBuf>) -> PathBuf {
    files.into_iter().max_by_key(|path| std::fs::metadata(path).unwrap().modified().unwrap()).unwrap()
}

fn manifests(world: &World, prefix: &str) -> Vec<PathBuf> {
    let named = |path: &PathBuf| path.file_name().unwrap().to_str().unwrap().starts_with(prefix);
    files_below(&world.table_dir().join("manifest"), "").into_iter().filter(named).collect()
}

#[test]
fn truncated_files_are_corrupt() {
    let world = world();
    let targets = [
        newest(manifests(&world, "manifest-list-")),
        newest(manifests(&world, "manifest-").into_iter().filter(|p| !p.to_str().unwrap().contains("list")).collect()),
        newest(files_below(&world.table_dir(), ".parquet")),
    ];
    for target in targets {
        let whole = std::fs::read(&target).unwrap();
        for length in [0, 3, whole.len() / 2, whole.len() - 1] {
            std::fs::write(&target, &whole[..length]).unwrap();
            check(&world, &format!("{} cut to {length}", target.display()), &[7]);
        }
        std::fs::write(&target, &whole).unwrap();
    }
    assert_eq!(world.run(&["cat", world.table_dir().to_str().unwrap()]).ok().lines().count(), 500);
}

#[test]
fn flipped_bits_never_panic() {
    let world = world();
    let manifest = newest(manifests(&world, "manifest-"));
    let data = newest(files_below(&world.table_dir(), ".parquet"));
    for target in [manifest, data] {
        let whole = std::fs::read(&target).unwrap();
        // Marks at both ends, then places all over the file.
        let places = [0, 1, whole.len() - 1, whole.len() - 6].into_iter().chain((0..12).map(|i| i * whole.len() / 12));
        for place in places {
            let mut flipped = whole.clone();
            flipped[place] ^= 0x10;
            std::fs::write(&target, &flipped).unwrap();
            let cat = world.run(&["cat", world.table_dir().to_str().unwrap()]);
            assert!(!cat.stderr.contains("panicked"), "bit flip at {place}: {}", cat.stderr);
            assert!(cat.code.is_some_and(|code| [0, 3, 7, 8].contains(&code)), "bit flip at {place}: {cat:?}");
        }
        std::fs::write(&target, &whole).unwrap();
    }
}

#[test]
fn a_vanished_file_is_named() {
    let world = world();
    for target in [newest(files_below(&world.table_dir(), ".parquet")), newest(manifests(&world, "manifest-list-"))] {
        let whole = std::fs::read(&target).unwrap();
        std::fs::remove_file(&target).unwrap();
        let name = target.file_name().unwrap().to_str().unwrap();
        let cat = world.run(&["cat", world.table_dir().to_str().unwrap()]);
        assert!(cat.code == Some(3) || cat.code == Some(7), "{cat:?}");
        assert!(cat.stderr.contains(name), "{name} is missing in: {}", cat.stderr);
        std::fs::write(&target, whole).unwrap();
    }
}

#[test]
fn a_broken_hint_does_no_harm() {
    let world = world();
    for (hint, content) in [("LATEST", "99"), ("EARLIEST", "99"), ("LATEST", "x"), ("EARLIEST", "")] {
        std::fs::write(world.table_dir().join("snapshot").join(hint), content).unwrap();
        assert_eq!(world.rows().len(), 500, "{hint} {content}");
    }
}
