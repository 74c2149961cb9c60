//! Merge trees over Arrow batches: sort buffer, levels, compaction pickers, merge engines.

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
pub use sort_buffer::{SortBuffer, SortBufferOptions, SortedBatches};
pub use spill::{SpillCompression, SpillSource, SpillTarget};
