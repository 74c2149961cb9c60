//! A random table.

use fastrand::Rng;

use super::values::{key_type, value, value_type};

/// A column: name, type, whether it is part of the key, how many values it takes.
#[derive(Clone, Debug)]
pub(super) struct Column {
    pub(super) name: String,
    data_type: &'static str,
    key: bool,
    few: Option<u64>,
}

/// A table as the scenario language creates it.
#[derive(Clone, Debug)]
pub(super) struct RandomTable {
    pub(super) columns: Vec<Column>,
    partitions: usize,
    options: Vec<(&'static str, String)>,
}

impl RandomTable {
    pub(super) fn draw(rng: &mut Rng) -> Self {
        let mut columns = Vec::new();
        let partitions = if rng.u8(..3) == 0 { rng.usize(1..=2) } else { 0 };
        for at in 0..partitions {
            columns.push(Column { name: format!("p{at}"), data_type: key_type(rng), key: true, few: Some(3) });
        }
        for at in 0..rng.usize(1..=3) {
            columns.push(Column { name: format!("k{at}"), data_type: key_type(rng), key: true, few: Some(6) });
        }
        for at in 0..rng.usize(1..=5) {
            columns.push(Column { name: format!("v{at}"), data_type: value_type(rng), key: false, few: None });
        }
        let mut options = vec![("bucket", rng.u8(1..=4).to_string())];
        if rng.u8(..3) == 0 {
            let few = rng.bool().then_some(4);
            columns.push(Column { name: "seq".to_owned(), data_type: "INT", key: false, few });
            options.push(("sequence.field", "seq".to_owned()));
            if rng.u8(..3) == 0 {
                options.push(("sequence.field.sort-order", "descending".to_owned()));
            }
        }
        for (key, values) in CHOICES {
            if rng.u8(..6) == 0
                && let Some(value) = values.get(rng.usize(..values.len()))
            {
                options.push((key, (*value).to_owned()));
            }
        }
        Self { columns, partitions, options }
    }

    /// The line that creates it.
    pub(super) fn create(&self) -> String {
        let column = |c: &Column| format!("{} {}{}", c.name, c.data_type, if c.key { " NOT NULL" } else { "" });
        let columns: Vec<String> = self.columns.iter().map(column).collect();
        let keys: Vec<&str> = self.columns.iter().filter(|c| c.key).map(|c| c.name.as_str()).collect();
        let mut line = format!("create {} ; pk={}", columns.join(", "), keys.join(" "));
        if self.partitions > 0 {
            let names: Vec<&str> = keys.iter().take(self.partitions).copied().collect();
            line.push_str(&format!(" ; part={}", names.join(" ")));
        }
        for (key, value) in &self.options {
            line.push_str(&format!(" ; {key}={value}"));
        }
        line
    }

    /// Whether the table has partitions.
    pub(super) fn is_partitioned(&self) -> bool {
        self.partitions > 0
    }

    /// A row with a kind.
    pub(super) fn row(&self, rng: &mut Rng) -> String {
        let kind = ["+I", "+I", "+I", "+U", "-D", "-U"].get(rng.usize(..6)).unwrap_or(&"+I");
        let values: Vec<String> = self.columns.iter().map(|c| value(rng, c.data_type, c.few, !c.key)).collect();
        format!("{kind} {}", values.join(","))
    }
}

/// Options and values that change what is written or read.
const CHOICES: [(&str, &[&str]); 11] = [
    ("ignore-delete", &["true"]),
    ("ignore-update-before", &["true"]),
    ("num-sorted-run.compaction-trigger", &["2", "3"]),
    ("num-levels", &["3", "4"]),
    ("metadata.stats-mode", &["none", "counts", "full", "truncate(3)"]),
    ("metadata.stats-dense-store", &["false"]),
    ("file.compression", &["snappy", "none", "gzip", "lz4"]),
    ("data-file.thin-mode", &["true"]),
    ("manifest.merge-min-count", &["2", "3"]),
    ("write-only", &["true"]),
    ("target-file-size", &["1b"]),
];
