//! Long tests of the whole: fixtures, concurrent use, faults.
//!
//! The library holds what the tests share: the recorded tables of `testdata/fixtures` ([`Fixture`]), canonical rows
//! ([`canonical_rows`]), the filters of the recorded expectations ([`parse_filter`]) and a table of the simplest kind
//! that can be right ([`ModelTable`]), and [`scenario`]s in which the Java reference judges. No crate depends on this one.
//!
//! ```
//! let fixture = headwater_suites::Fixture::named("pk-dedup-levels")?;
//! assert!(fixture.expectations()?.contains_key("latest"));
//! # Ok::<(), headwater_suites::Error>(())
//! ```

pub mod differential;
mod filter;
mod fixture;
mod model;
mod rows;
pub mod scenario;

pub use filter::parse_filter;
pub use fixture::{Fixture, catalogue};
pub use model::ModelTable;
pub use rows::{canonical_lines, canonical_rows, collect};

headwater_types::define_error!(
    "headwater-suites";
    from headwater_types::Error, headwater_io::Error, headwater_metadata::Error, headwater_table::Error
);

pub use headwater_types::ErrorKind;
