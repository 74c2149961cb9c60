//! Random tables with random histories, for two engines to disagree on.
//!
//! [`history()`] makes a scenario from a seed; [`minimised`] drops from a scenario what a disagreement does not need.

mod history;
mod minimise;
mod table;
mod values;

pub use history::{History, HistoryStep, history};
pub use minimise::minimised;
