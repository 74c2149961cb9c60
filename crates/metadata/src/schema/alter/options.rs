//! Changes of options.

use headwater_types::options::{table_option, validate_option};

use super::Draft;
use crate::schema::validate::invalid;
use crate::{Error, ErrorKind, Result};

impl Draft<'_> {
    pub(super) fn set_option(&mut self, key: &str, value: &str) -> Result<()> {
        if self.is_in_force(key, value) {
            return Ok(());
        }
        if key == "type" {
            return Err(fixed(key));
        }
        validate_option(key, value)?;
        if key == "bucket" && !self.old.primary_keys.is_empty() && value.trim().parse().is_ok_and(|n: i32| n < 1) {
            let message = "writing dynamic or postponed buckets; set 'bucket' to 1 or more";
            return Err(Error::new(ErrorKind::Unsupported, message).with("option", format!("bucket = {value}")));
        }
        if self.has_snapshots {
            self.check_change(key, Some(value))?;
        }
        self.options.insert(key.to_owned(), value.to_owned());
        Ok(())
    }

    pub(super) fn remove_option(&mut self, key: &str) -> Result<()> {
        if key == "type" {
            return Err(fixed(key));
        }
        if self.has_snapshots {
            if canonical(key) == "bucket" {
                return Err(invalid("the number of buckets cannot be reset once the table has snapshots"));
            }
            self.check_change(key, None)?;
        }
        self.options.remove(key);
        Ok(())
    }

    /// Whether the table is so already.
    fn is_in_force(&self, key: &str, value: &str) -> bool {
        let stored = self.old.options.get(key);
        let names: Vec<&str> = value.split(',').map(str::trim).filter(|name| !name.is_empty()).collect();
        match (key, stored) {
            ("type", stored) => value.eq_ignore_ascii_case(stored.map_or("table", String::as_str)),
            (_, Some(stored)) => stored == value,
            ("primary-key", None) => self.old.primary_keys == names,
            ("partition", None) => self.old.partition_keys == names,
            (_, None) => false,
        }
    }

    /// What is fixed once the table has snapshots; `None` for the default.
    fn check_change(&self, key: &str, value: Option<&str>) -> Result<()> {
        let key = canonical(key);
        if table_option(key).is_some_and(|spec| spec.immutable) {
            return Err(fixed(key));
        }
        let is_true = |value: Option<&str>| value.is_some_and(|v| v.trim().eq_ignore_ascii_case("true"));
        let old = self.stored(key);
        match key {
            "bucket" => {
                let number = |value: Option<&str>| value.and_then(|v| v.trim().parse().ok()).unwrap_or(-1);
                if number(old) == -1 || number(value) == -1 {
                    return Err(invalid("the number of buckets cannot be changed from or to -1"));
                }
            }
            "deletion-vectors.enabled"
                if is_true(old) != is_true(value) && !self.is_on("deletion-vectors.modifiable", false) =>
            {
                let message = "deletion vectors cannot be switched on or off in a table with rows, which could show \
                               them twice; compact it fully and set 'deletion-vectors.modifiable' = 'true' to do so";
                return Err(invalid(message));
            }
            "ignore-delete" | "ignore-update-before" if is_true(old) && !is_true(value) && value.is_some() => {
                return Err(invalid(format!("{key} cannot be changed from true to false")));
            }
            "clustering.columns" if self.old.options.contains_key("pk-clustering-override") => {
                return Err(invalid("clustering.columns cannot be changed while pk-clustering-override is set"));
            }
            _ => {}
        }
        Ok(())
    }

    fn stored(&self, key: &str) -> Option<&str> {
        let entry = self.old.options.iter().find(|(name, _)| canonical(name) == key);
        entry.map(|(_, value)| value.as_str())
    }
}

/// The key by which the registry knows an option; older spellings mean the same.
fn canonical(key: &str) -> &str {
    match table_option(key) {
        // Patterns have keys such as `fields.<f>.x`, which say less than the key itself.
        Some(spec) if spec.aliases.contains(&key) => spec.key,
        _ => key,
    }
}

fn fixed(key: &str) -> Error {
    invalid(format!("'{key}' cannot be changed: it is fixed when a table is created")).with("option", key)
}
