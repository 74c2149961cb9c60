//! The language of scenarios.

use std::collections::BTreeMap;

use super::rows::expand;
use crate::{Error, ErrorKind, Result};

/// One operation on a table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Op {
    /// A new table: column texts, then `pk`, `part` and options.
    Create {
        /// `name TYPE [NOT NULL]`.
        columns: Vec<String>,
        /// The primary key.
        keys: Vec<String>,
        /// The partition columns.
        partitions: Vec<String>,
        /// Table options.
        options: BTreeMap<String, String>,
    },
    /// One commit by a writer of its own; `compact` says whether the writer may compact.
    Write {
        /// Whether the writer may compact, and the commit waits for it.
        compact: bool,
        /// Dynamic options.
        options: BTreeMap<String, String>,
        /// Rows as text.
        rows: String,
    },
    /// One commit of the streaming writer that stays open between such steps.
    StreamWrite {
        /// Dynamic options; those of the first step count.
        options: BTreeMap<String, String>,
        /// Rows as text.
        rows: String,
    },
    /// Closes the streaming writer.
    StreamClose,
    /// Compacts every bucket: by the rules, or as a whole.
    Compact {
        /// As a whole.
        full: bool,
        /// Dynamic options.
        options: BTreeMap<String, String>,
    },
    /// `INSERT OVERWRITE`; with a partition, of that one.
    Overwrite {
        /// A static partition.
        partition: BTreeMap<String, String>,
        /// Dynamic options.
        options: BTreeMap<String, String>,
        /// Rows as text.
        rows: String,
    },
    /// Removes all rows.
    Truncate,
    /// Removes one partition.
    DropPartition {
        /// Its values.
        partition: BTreeMap<String, String>,
    },
    /// Removes the rows of a table without primary key that have a value, as engines do for DELETE.
    Delete {
        /// The column.
        column: String,
        /// The value, as text.
        value: String,
    },
    /// Changes the schema or options: `add NAME TYPE`, `drop NAME`, `rename A B`, `type NAME TYPE`, `set k=v`, `unset k`.
    Alter {
        /// The change.
        change: String,
    },
    /// Names a snapshot.
    Tag {
        /// The name.
        name: String,
        /// The snapshot; the latest without.
        snapshot: Option<i64>,
    },
    /// Reads the table with dynamic options, such as `scan.snapshot-id` or `scan.tag-name`.
    Read {
        /// Dynamic options.
        options: BTreeMap<String, String>,
    },
    /// Streams the table's changes.
    Stream {
        /// Dynamic options.
        options: BTreeMap<String, String>,
    },
}

impl Op {
    /// Whether the operation changes the table.
    #[must_use]
    pub fn changes(&self) -> bool {
        !matches!(self, Self::Read { .. } | Self::Stream { .. })
    }

    /// Whether it is compaction by itself.
    #[must_use]
    pub fn compacts(&self) -> bool {
        matches!(self, Self::Compact { .. })
    }
}

/// An operation and where it stands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Step {
    /// The line as written.
    pub text: String,
    /// What it means.
    pub op: Op,
}

/// A parsed scenario.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Script {
    /// The capability it shows.
    pub title: String,
    /// The steps in order.
    pub steps: Vec<Step>,
}

impl Script {
    /// Reads the scenarios of a file: each starts with a heading, `# the capability`. One operation a line:
    ///
    /// ```text
    /// # the capability
    /// create k INT NOT NULL, v STRING ; pk=k ; bucket=1
    /// w [{k=v …}] ROWS       a write-only commit          wc ROWS     a commit whose writer may compact
    /// sw [{k=v …}] ROWS      a streaming writer's commit  sclose      closes that writer
    /// compact [{…}]  full [{…}]   over [k=v] ROWS   truncate   drop k=v   delete COLUMN=VALUE
    /// alter CHANGE           tag NAME [SNAPSHOT]    read [{…}]    stream [{…}]
    /// ```
    ///
    /// ROWS are separated by `;`: an optional kind (`+I -U +U -D`) and values separated by `,` (`_` is null, `''` the
    /// empty text, a JSON string for anything else; arrays `[a|b]`, maps `{k:v|k:v}`, rows `(a/b)`).
    /// `gen(A,B)<TEMPLATE>>` repeats TEMPLATE for `$i` = A..B; `${M*i+C%D}` is (M·i + C) mod D.
    ///
    /// # Errors
    /// `InvalidInput` naming the line that is no operation.
    pub fn parse(name: &str, text: &str) -> Result<Vec<Self>> {
        let mut scripts: Vec<Self> = Vec::new();
        for line in text.lines().map(str::trim).filter(|line| !line.is_empty()) {
            if let Some(heading) = line.strip_prefix('#') {
                scripts.push(Self { title: heading.trim().to_owned(), steps: Vec::new() });
                continue;
            }
            let op = operation(line).map_err(|e| e.with("scenario", name).with("line", line))?;
            let script = scripts
                .last_mut()
                .ok_or_else(|| invalid("a scenario starts with a heading: # what it shows").with("scenario", name))?;
            script.steps.push(Step { text: line.to_owned(), op });
        }
        Ok(scripts)
    }

    /// The scenario as text that [`Script::parse`] reads.
    #[must_use]
    pub fn to_text(&self) -> String {
        let lines = self.steps.iter().map(|step| format!("{}\n", step.text));
        std::iter::once(format!("# {}\n", self.title)).chain(lines).collect()
    }
}

fn operation(line: &str) -> Result<Op> {
    let (verb, rest) = line.split_once(' ').unwrap_or((line, ""));
    let (options, rest) = braces(rest.trim())?;
    Ok(match verb {
        "create" => create(rest)?,
        "w" | "wc" => Op::Write { compact: verb == "wc", options, rows: expand(rest)? },
        "sw" => Op::StreamWrite { options, rows: expand(rest)? },
        "sclose" => Op::StreamClose,
        "compact" | "full" => Op::Compact { full: verb == "full", options },
        "over" => {
            let (partition, rest) = brackets(rest)?;
            Op::Overwrite { partition, options, rows: expand(rest)? }
        }
        "truncate" => Op::Truncate,
        "drop" => Op::DropPartition { partition: pairs(rest, ',')? },
        "delete" => {
            let (column, value) = rest.split_once('=').ok_or_else(|| invalid("delete takes COLUMN=VALUE"))?;
            Op::Delete { column: column.trim().to_owned(), value: value.trim().to_owned() }
        }
        "alter" => Op::Alter { change: rest.to_owned() },
        "tag" => {
            let (name, snapshot) = rest.split_once(' ').map_or((rest, None), |(name, id)| (name, Some(id)));
            let snapshot = snapshot.map(|id| id.trim().parse().map_err(|_| invalid("a snapshot id is a number")));
            Op::Tag { name: name.to_owned(), snapshot: snapshot.transpose()? }
        }
        "read" => Op::Read { options },
        "stream" => Op::Stream { options },
        _ => return Err(invalid("there is no such operation")),
    })
}

fn create(text: &str) -> Result<Op> {
    let mut parts = text.split(';').map(str::trim);
    let columns = top_level(parts.next().unwrap_or_default());
    let (mut keys, mut partitions, mut options) = (Vec::new(), Vec::new(), BTreeMap::new());
    for part in parts.filter(|part| !part.is_empty()) {
        let (key, value) = part.split_once('=').ok_or_else(|| invalid("create takes k=v after its columns"))?;
        let words = || value.split_whitespace().map(str::to_owned).collect();
        match key {
            "pk" => keys = words(),
            "part" => partitions = words(),
            _ => drop(options.insert(key.to_owned(), value.to_owned())),
        }
    }
    Ok(Op::Create { columns, keys, partitions, options })
}

/// Texts separated by commas outside parentheses and angle brackets.
pub(crate) fn top_level(text: &str) -> Vec<String> {
    let mut depth = 0_i32;
    let mut found = vec![String::new()];
    for c in text.chars() {
        match c {
            '(' | '<' => depth += 1,
            ')' | '>' => depth -= 1,
            _ => {}
        }
        if c == ',' && depth == 0 {
            found.push(String::new());
        } else if let Some(last) = found.last_mut() {
            last.push(c);
        }
    }
    found.into_iter().map(|part| part.trim().to_owned()).filter(|part| !part.is_empty()).collect()
}

fn braces(text: &str) -> Result<(BTreeMap<String, String>, &str)> {
    match text.strip_prefix('{').and_then(|rest| rest.split_once('}')) {
        Some((inside, rest)) => Ok((pairs(inside, ' ')?, rest.trim())),
        None => Ok((BTreeMap::new(), text)),
    }
}

fn brackets(text: &str) -> Result<(BTreeMap<String, String>, &str)> {
    match text.strip_prefix('[').and_then(|rest| rest.split_once(']')) {
        Some((inside, rest)) => Ok((pairs(inside, ',')?, rest.trim())),
        None => Ok((BTreeMap::new(), text)),
    }
}

fn pairs(text: &str, separator: char) -> Result<BTreeMap<String, String>> {
    let pair = |part: &str| match part.split_once('=') {
        Some((key, value)) => Ok((key.trim().to_owned(), value.trim().to_owned())),
        None => Err(invalid("options are written k=v")),
    };
    text.split(separator).filter(|part| !part.trim().is_empty()).map(pair).collect()
}

pub(super) fn invalid(message: &str) -> Error {
    Error::new(ErrorKind::InvalidInput, message)
}
