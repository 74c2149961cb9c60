//! Named snapshots and the positions of readers.

use std::time::Duration;

use super::Snapshot;

/// A date and time of some wall clock, without a zone.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct WallTime {
    /// Seconds since 1970-01-01T00:00:00 of that clock.
    pub seconds: i64,
    /// Nanoseconds within the second.
    pub nanos: u32,
}

impl WallTime {
    /// From milliseconds of the wall clock read as if UTC.
    #[must_use]
    pub fn from_millis(millis: i64) -> Self {
        let nanos = u32::try_from(millis.rem_euclid(1000)).unwrap_or_default() * 1_000_000;
        Self { seconds: millis.div_euclid(1000), nanos }
    }

    /// Milliseconds of the wall clock read as if UTC.
    #[must_use]
    pub fn to_millis(self) -> i64 {
        self.seconds.saturating_mul(1000).saturating_add(i64::from(self.nanos / 1_000_000))
    }
}

/// A named snapshot (`tag/tag-NAME`). Source: spec page 01 §4.3.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tag {
    /// What the name stands for.
    pub snapshot: Snapshot,
    /// When the tag was made, by the wall clock of its maker; only with a retention.
    pub create_time: Option<WallTime>,
    /// How long the tag is kept.
    pub time_retained: Option<Duration>,
}
