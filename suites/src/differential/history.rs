//! A random history of a random table.

use fastrand::Rng;

use super::table::RandomTable;

/// One step: the operation and its rows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HistoryStep {
    /// Verb and options.
    pub(super) head: String,
    /// Rows.
    pub(super) rows: Vec<String>,
}

/// A history that can be taken apart again.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct History {
    /// What it is called.
    pub title: String,
    pub(super) create: String,
    pub(super) steps: Vec<HistoryStep>,
}

impl History {
    /// The history as a scenario file.
    #[must_use]
    pub fn to_text(&self) -> String {
        let mut text = format!("# {}\n{}\n", self.title, self.create);
        for step in &self.steps {
            text.push_str(step.head.as_str());
            if !step.rows.is_empty() {
                text.push(' ');
                text.push_str(&step.rows.join(" ; "));
            }
            text.push('\n');
        }
        text
    }

    /// How many operations follow the creation.
    #[must_use]
    pub fn len(&self) -> usize {
        self.steps.len()
    }

    /// Whether nothing follows the creation.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.steps.is_empty()
    }

    /// Whether compaction is picked by file sizes somewhere, which differ from writer to writer.
    #[must_use]
    pub fn picks_by_size(&self) -> bool {
        self.steps
            .iter()
            .any(|step| ["wc", "sw", "compact"].iter().any(|verb| step.head.split(' ').next() == Some(*verb)))
    }
}

/// The history of that seed.
#[must_use]
pub fn history(seed: u64) -> History {
    let mut rng = Rng::with_seed(seed);
    let table = RandomTable::draw(&mut rng);
    let mut steps = Vec::new();
    let automatic = rng.bool();
    let mut snapshots = 0;
    let length = rng.usize(4..16);
    while steps.len() < length {
        step(&mut rng, &table, automatic, &mut snapshots, &mut steps);
    }
    History { title: format!("seed {seed}"), create: table.create(), steps }
}

fn step(rng: &mut Rng, table: &RandomTable, automatic: bool, snapshots: &mut u32, steps: &mut Vec<HistoryStep>) {
    let rows = |rng: &mut Rng| -> Vec<String> {
        let count = if rng.u8(..8) == 0 { rng.usize(20..200) } else { rng.usize(1..12) };
        (0..count).map(|_| table.row(rng)).collect()
    };
    let bare = |head: &str| HistoryStep { head: head.to_owned(), rows: Vec::new() };
    match rng.u8(..20) {
        0..8 => steps.push(HistoryStep { head: "w".to_owned(), rows: rows(rng) }),
        8..11 if automatic => steps.push(HistoryStep { head: "wc".to_owned(), rows: rows(rng) }),
        11 | 12 if automatic => {
            for _ in 0..rng.usize(2..6) {
                steps.push(HistoryStep { head: "sw".to_owned(), rows: rows(rng) });
            }
            steps.push(bare("sclose"));
        }
        13 if automatic => steps.push(bare("compact")),
        14 | 15 => steps.push(bare("full")),
        16 => steps.push(HistoryStep { head: "over".to_owned(), rows: rows(rng) }),
        17 if table.is_partitioned() => {
            let head = "over {dynamic-partition-overwrite=false}".to_owned();
            steps.push(HistoryStep { head, rows: rows(rng) });
        }
        18 if rng.u8(..3) == 0 => steps.push(bare("truncate")),
        19 if *snapshots > 1 => steps.push(bare(&format!("read {{scan.snapshot-id={}}}", rng.u32(1..*snapshots)))),
        _ => return,
    }
    *snapshots += 1;
}
