//! Scenarios: small plays of a table that Headwater and the Java reference perform alone, in turns and on each other's
//! files, and that must come out the same.
//!
//! A scenario is a text file, one operation a line, in the language of [`Script::parse`]. A [`Side`] performs
//! operations on a table directory; [`Play`] says who performs which; [`judge()`] compares what both saw after every step.

mod alter;
mod create;
mod facts;
mod file;
mod headwater;
mod java;
mod judge;
mod play;
mod rows;
mod script;
mod side;
mod values;

pub use file::ScenarioFile;
pub use headwater::HeadwaterSide;
pub use java::JavaSide;
pub use judge::{Outcome, Verdict, judge, perform_alone, rows_seen};
pub use play::{Actor, Play};
pub use rows::Row;
pub(crate) use script::top_level;
pub use script::{Op, Script, Step};
pub use side::{Failure, Played, Scene, Side};

#[cfg(test)]
mod tests;
