//! `cargo xtask graph`: which crate may import which, and how large things may grow.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

use crate::shell::{Outcome, root};
use crate::sizes;

/// Workspace crates and the workspace crates each may depend on (normal dependencies).
const LAYERS: &[(&str, &[&str])] = &[
    ("types", &[]),
    ("io", &[]),
    ("metadata", &["types", "io"]),
    ("format", &["types", "io"]),
    ("index", &["types", "metadata", "io"]),
    ("lsm", &["types", "metadata"]),
    ("commit", &["types", "io", "metadata", "index"]),
    ("catalog", &["types", "io", "metadata", "commit"]),
    ("table", &["types", "io", "metadata", "format", "index", "lsm", "commit", "catalog"]),
    ("datafusion", &["types", "io", "metadata", "commit", "catalog", "table"]),
    ("cli", &["types", "io", "metadata", "format", "lsm", "commit", "catalog", "table", "datafusion"]),
    ("headwater", &["types", "io", "metadata", "format", "index", "lsm", "commit", "catalog", "table", "datafusion"]),
];

/// Outside crates (by prefix) and the only crates that may name them as a normal dependency.
const OWNERS: &[(&str, &[&str])] = &[
    ("datafusion", &["datafusion", "cli"]),
    ("clap", &["cli"]),
    ("parquet", &["format"]),
    ("orc-rust", &["format"]),
    ("apache-avro", &["metadata", "format"]),
    ("object_store", &["io"]),
    ("roaring", &["index"]),
    ("tokio", &["io", "commit", "catalog", "format", "table", "datafusion", "cli"]),
    ("arrow-", &["types", "lsm", "format", "table", "datafusion", "cli"]),
    ("proptest", &[]),
    ("tempfile", &[]),
];

/// Words of source text and the crates whose `src/` may hold them.
const WORDS: &[(&str, &[&str])] =
    &[("std::fs", &["io", "cli"]), ("Uuid::new_v4", &["io"]), ("SystemTime::now", &["io"]), ("Instant::now", &["io"])];

/// Fails with every finding.
pub(crate) fn check() -> Outcome {
    let mut findings = Vec::new();
    for (name, allowed) in LAYERS {
        let folder = root().join("crates").join(name);
        let manifest = fs::read_to_string(folder.join("Cargo.toml")).map_err(|e| format!("{name}/Cargo.toml: {e}"))?;
        imports(name, allowed, &normal_dependencies(&manifest), &mut findings);
        words(name, &folder.join("src"), &mut findings)?;
    }
    unknown_crates(&mut findings)?;
    findings.extend(sizes::check()?);
    if findings.is_empty() {
        println!("graph: {} crates, imports go down only, sizes hold", LAYERS.len());
        return Ok(());
    }
    Err(format!("graph found {}:\n  {}", findings.len(), findings.join("\n  ")))
}

/// Names in the `[dependencies]` table of a manifest.
fn normal_dependencies(manifest: &str) -> BTreeSet<String> {
    let mut inside = false;
    let mut names = BTreeSet::new();
    for line in manifest.lines() {
        if line.starts_with('[') {
            inside = line.trim() == "[dependencies]";
        } else if inside
            && !line.trim_start().starts_with('#')
            && let Some(name) = line.split(['.', '=', ' ']).next().filter(|n| !n.is_empty())
        {
            names.insert(name.to_owned());
        }
    }
    names
}

fn imports(name: &str, allowed: &[&str], dependencies: &BTreeSet<String>, findings: &mut Vec<String>) {
    for dependency in dependencies {
        match dependency.strip_prefix("headwater-") {
            Some(inner) if !allowed.contains(&inner) => findings.push(format!("{name} may not import {inner}")),
            Some(_) => {}
            None => {
                for (prefix, owners) in OWNERS {
                    if dependency.starts_with(prefix) && !owners.contains(&name) {
                        findings.push(format!("{name} may not depend on {dependency} (only {owners:?})"));
                    }
                }
            }
        }
    }
}

fn words(name: &str, src: &Path, findings: &mut Vec<String>) -> Outcome {
    for file in sizes::sources(src)? {
        let text = fs::read_to_string(&file).map_err(|e| format!("{}: {e}", file.display()))?;
        for (word, owners) in WORDS {
            if !owners.contains(&name) && text.lines().any(|l| l.contains(word) && !l.trim_start().starts_with("//")) {
                findings.push(format!("{} holds '{word}' (only {owners:?})", file.display()));
            }
        }
    }
    Ok(())
}

fn unknown_crates(findings: &mut Vec<String>) -> Outcome {
    let known: BTreeMap<&str, ()> = LAYERS.iter().map(|(name, _)| (*name, ())).collect();
    for entry in fs::read_dir(root().join("crates")).map_err(|e| format!("crates/: {e}"))? {
        let name = entry.map_err(|e| e.to_string())?.file_name().to_string_lossy().into_owned();
        if !known.contains_key(name.as_str()) {
            findings.push(format!("crates/{name} has no place in the graph (xtask/src/graph.rs)"));
        }
    }
    Ok(())
}
