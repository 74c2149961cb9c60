//! `cargo xtask interop`: the Java reference judges what we read and write.

mod fixtures;
mod java;

use crate::shell::Outcome;

/// Sets the reference up (once), then lets it judge.
pub(crate) fn interop(_rest: &[&str]) -> Outcome {
    let class_path = java::set_up()?;
    let mut driver = java::Driver::start(&class_path)?;
    fixtures::check(&mut driver)
}
