//! A table of the simplest kind that can be right: the newest row of each key.

use std::collections::BTreeMap;

/// What a deduplicating table of `id BIGINT, v BIGINT, s STRING` must hold.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ModelTable {
    rows: BTreeMap<i64, (i64, String)>,
}

impl ModelTable {
    /// Writes a row over the one of its key.
    pub fn upsert(&mut self, id: i64, v: i64, s: &str) {
        self.rows.insert(id, (v, s.to_owned()));
    }

    /// Deletes the row of a key.
    pub fn delete(&mut self, id: i64) {
        self.rows.remove(&id);
    }

    /// The rows as sorted lines of canonical JSON.
    #[must_use]
    pub fn lines(&self) -> Vec<String> {
        let mut lines: Vec<String> =
            self.rows.iter().map(|(id, (v, s))| serde_json::json!({ "id": id, "v": v, "s": s }).to_string()).collect();
        lines.sort();
        lines
    }
}
