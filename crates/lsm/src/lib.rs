//! Merge trees over Arrow batches: what a bucket of a primary-key table does with its records.
//!
//! Everything here is a function of values: no files, no threads, no clock. Callers read and write files, pass the time
//! in, and feed batches to machines that say what they need next. May depend on `headwater-types`,
//! `headwater-metadata` without its store, and the small Arrow crates; never on I/O, async or a file format.
//!
//! ```text
//! rows ─► SortBuffer ─► sorted batches ─► (level-0 file)
//!            └─ spill ─► SpillTarget          │
//!                                             ▼
//!                                           Levels ─► pick ─► CompactUnit ─► plan_task ─► CompactTask
//!                                                                                             │
//! merged batches ◄─ Merge (loser tree, then Engine, then gather) ◄─ sorted runs of a Section ◄┘
//! ```
//!
//! The k-way merge decides with keys, sequence numbers and kinds alone and knows nothing of merge engines; an
//! [`Engine`] turns groups of records into picks or columns and knows nothing of runs; values are gathered last, once.
//!
//! ```
//! use std::sync::Arc;
//! use arrow_array::{Int8Array, Int32Array, RecordBatch, StringArray};
//! use headwater_lsm::{Engine, KeyValueLayout, SortBuffer, SortBufferOptions};
//! use headwater_types::{DataField, DataType, TypeKind, arrow_schema};
//!
//! let fields = vec![
//!     DataField::new(0, "id", DataType::new(TypeKind::Int, false)),
//!     DataField::new(1, "name", TypeKind::STRING),
//! ];
//! let layout = KeyValueLayout::from_parts(fields, &["id".to_owned()], &[], false)?;
//! let rows = RecordBatch::try_new(
//!     arrow_schema(layout.values()),
//!     vec![Arc::new(Int32Array::from(vec![2, 1, 2])), Arc::new(StringArray::from(vec!["b", "a", "B"]))],
//! )?;
//! let mut buffer = SortBuffer::new(&layout, &Engine::deduplicate(false), SortBufferOptions::default());
//! buffer.append(&rows, &Int8Array::from(vec![0, 0, 0]), 0)?;
//! let flushed = buffer.drain(1024)?.collect::<Result<Vec<_>, _>>()?;
//! assert_eq!(flushed[0].sequence.values(), &[1, 2]); // key 1, then the newest record of key 2
//! assert_eq!(flushed[0].to_file(&layout, false)?.num_columns(), 5);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod batch;
mod codes;
mod compact_task;
mod engine;
mod error;
mod gather;
mod layout;
mod levels;
mod loser_tree;
mod merge;
mod pick;
mod sections;
mod simulator;
mod sort_buffer;
mod spill;
#[cfg(test)]
mod testing;

pub use batch::KeyValueBatch;
pub use compact_task::{CompactTask, CompactUnit, TaskOptions, plan_task};
pub use engine::Engine;
pub use error::{Error, Result};
pub use headwater_types::ErrorKind;
pub use layout::KeyValueLayout;
pub use levels::{LevelSortedRun, Levels};
pub use merge::{Merge, MergeOptions, MergeStep};
pub use pick::{
    CompactStrategy, OffPeak, Pick, PickInput, PickReason, RunView, UniversalOptions, force_up_level_0, full, pick,
};
pub use sections::{Section, SortedRun, interval_partition};
pub use simulator::{KeyPattern, SimulatedCompaction, SimulatedStep, SimulationReport, Simulator, Workload};
pub use sort_buffer::{SortBuffer, SortBufferOptions, SortedBatches};
pub use spill::{SpillCompression, SpillSource, SpillTarget};
