//! The files below `testdata/fixtures`.

use std::fs;
use std::path::{Path, PathBuf};

fn walk(dir: &Path, out: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(dir).unwrap() {
        let entry = entry.unwrap();
        if entry.file_type().unwrap().is_dir() {
            walk(&entry.path(), out);
        } else {
            out.push(entry.path());
        }
    }
}

/// All files whose directory and name begin so, with their bytes, sorted by path.
pub(crate) fn files(dir: &str, prefix: &str) -> Vec<(PathBuf, Vec<u8>)> {
    let mut all = Vec::new();
    walk(&Path::new(env!("CARGO_MANIFEST_DIR")).join("../../testdata/fixtures"), &mut all);
    all.sort();
    let wanted = |path: &PathBuf| {
        let parent = path.parent().and_then(Path::file_name).is_some_and(|name| name == dir);
        parent && path.file_name().unwrap().to_str().unwrap().starts_with(prefix)
    };
    let files: Vec<_> = all.into_iter().filter(wanted).map(|path| (path.clone(), fs::read(path).unwrap())).collect();
    assert!(!files.is_empty(), "no fixture {dir}/{prefix}*");
    files
}

/// Whether Java 2.0.0 wrote the file.
pub(crate) fn by_reference(path: &Path) -> bool {
    let path = path.to_str().unwrap();
    !path.contains("java09") && !path.contains("pypaimon")
}
