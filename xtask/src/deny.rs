//! `cargo xtask deny`: licences, sources and bans as `deny.toml` lists them.
//!
//! The same file drives cargo-deny where that is installed; this check needs nothing but cargo.

use std::collections::BTreeSet;
use std::fs;

use crate::shell::{Outcome, cargo, output, root};

/// Fails with every finding.
pub(crate) fn check() -> Outcome {
    let text = fs::read_to_string(root().join("deny.toml")).map_err(|e| format!("deny.toml: {e}"))?;
    let mut findings = licences(&list(&text, "allow"))?;
    findings.extend(sources()?);
    findings.extend(bans(&list(&text, "ban"))?);
    if findings.is_empty() {
        println!("deny: licences, sources and bans hold");
        return Ok(());
    }
    Err(format!("deny found {}:\n  {}", findings.len(), findings.join("\n  ")))
}

/// The strings of a TOML list `name = [ "…", … ]`.
fn list(text: &str, name: &str) -> BTreeSet<String> {
    let Some(start) = text.lines().position(|line| line.trim_start().starts_with(&format!("{name} = ["))) else {
        return BTreeSet::new();
    };
    let mut found = BTreeSet::new();
    for line in text.lines().skip(start) {
        let code = line.split('#').next().unwrap_or_default();
        found.extend(code.split('"').skip(1).step_by(2).map(str::to_owned));
        if code.contains(']') {
            break;
        }
    }
    found
}

fn packages() -> Outcome<Vec<(String, String)>> {
    let tree = output(
        &cargo(),
        &["tree", "--workspace", "-e", "normal,build", "--prefix", "none", "--format", "{p}|{l}", "--target", "all"],
    )?;
    let unique: BTreeSet<&str> = tree.lines().filter(|line| !line.is_empty()).collect();
    Ok(unique
        .into_iter()
        .filter_map(|line| line.trim_end_matches(" (*)").split_once('|'))
        .map(|(package, licence)| (package.split(" (").next().unwrap_or(package).to_owned(), licence.to_owned()))
        .collect())
}

fn licences(allowed: &BTreeSet<String>) -> Outcome<Vec<String>> {
    Ok(packages()?
        .into_iter()
        .filter(|(_, licence)| !accepts(licence, allowed))
        .map(|(package, licence)| format!("{package}: licence '{licence}' is not in deny.toml"))
        .collect())
}

/// Whether an SPDX expression can be met with the allowed licences: every AND part needs one of its OR parts.
fn accepts(expression: &str, allowed: &BTreeSet<String>) -> bool {
    let flat = expression.replace(['(', ')'], "");
    flat.split(" AND ")
        .all(|part| part.split(" OR ").flat_map(|p| p.split('/')).any(|name| allowed.contains(name.trim())))
}

fn sources() -> Outcome<Vec<String>> {
    let lock = fs::read_to_string(root().join("Cargo.lock")).map_err(|e| format!("Cargo.lock: {e}"))?;
    Ok(lock
        .lines()
        .filter_map(|line| line.strip_prefix("source = "))
        .filter(|source| !source.contains("registry+https://github.com/rust-lang/crates.io-index"))
        .map(|source| format!("source {source} is not crates.io"))
        .collect())
}

fn bans(banned: &BTreeSet<String>) -> Outcome<Vec<String>> {
    Ok(packages()?
        .into_iter()
        .filter_map(|(package, _)| package.split(' ').next().map(str::to_owned))
        .filter(|name| banned.contains(name))
        .map(|name| format!("{name} is banned"))
        .collect())
}
