//! `docs/compatibility.md` and the registry of options agree.

use std::collections::BTreeSet;

use headwater::types::options::{OptionSpec, PATTERNS, Scope, Status, specs};

const PAGE: &str = include_str!("../../../../docs/compatibility.md");

/// The keys in code marks in the rows of a section's table.
fn keys(heading: &str) -> BTreeSet<&'static str> {
    let section = PAGE.split(heading).nth(1).unwrap_or_default();
    let rows = section.lines().skip_while(|line| !line.starts_with('|')).take_while(|line| line.starts_with('|'));
    rows.flat_map(|row| row.split('`').skip(1).step_by(2)).collect()
}

fn registry(wanted: impl Fn(&OptionSpec) -> bool) -> BTreeSet<&'static str> {
    let patterns = PATTERNS.iter().flat_map(|specs| specs.iter());
    specs().chain(patterns).filter(|spec| spec.scope != Scope::Catalog && wanted(spec)).map(|spec| spec.key).collect()
}

#[test]
fn options_are_listed_as_the_registry_has_them() {
    let obeyed = registry(|spec| spec.status == Status::Implemented);
    let refused = registry(|spec| matches!(spec.status, Status::Refused(_)));
    assert!(!obeyed.is_empty() && !refused.is_empty());
    for (heading, registry) in [("### Obeyed", obeyed), ("### Refused", refused)] {
        let page = keys(heading);
        let missing: Vec<_> = registry.difference(&page).collect();
        let wrong: Vec<_> = page.difference(&registry).collect();
        assert!(missing.is_empty() && wrong.is_empty(), "{heading} lacks {missing:?} and should not have {wrong:?}");
    }
}
