//! User behaviour that looks real and repeats itself: a few users do most of what happens, sessions come in waves.
//!
//! The table holds one row of features a user. An event is the user's whole new row, so the row after the last event
//! is the truth, whoever wrote it, and `event_no` (the table's `sequence.field`) says which event is the last.

use std::sync::Arc;

use arrow_array::{
    ArrayRef, Decimal128Array, Float64Array, Int64Array, RecordBatch, StringArray, TimestampMillisecondArray,
};
use headwater_types::{DataField, arrow_schema};

use crate::error::{Error, Result};

const COUNTRIES: [&str; 12] = ["DE", "US", "IN", "BR", "JP", "FR", "NG", "ID", "MX", "PL", "KE", "VN"];
const ACTIONS: [&str; 5] = ["view", "search", "cart", "purchase", "share"];
/// 2024-01-01T00:00:00, when the first event happens.
const START_MILLIS: i64 = 1_704_067_200_000;

/// What the features of one user add up to so far.
#[derive(Clone, Copy, Default)]
struct UserState {
    views: i64,
    purchases: i64,
    spent_cents: i64,
    /// Exponentially weighted share of purchases.
    affinity: f64,
    last_millis: i64,
}

/// All events in order; every process that walks them with the same numbers sees the same.
pub(super) struct Events {
    random: u64,
    users: u64,
    states: Vec<UserState>,
    next_event: u64,
    millis: i64,
}

/// One event: the user's features after it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Event {
    pub(super) event_no: i64,
    pub(super) user_id: i64,
    pub(super) country: &'static str,
    pub(super) last_action: &'static str,
    pub(super) views: i64,
    pub(super) purchases: i64,
    pub(super) spent_cents: i64,
    pub(super) affinity: f64,
    pub(super) updated_millis: i64,
}

impl Events {
    pub(super) fn new(seed: u64, users: u64) -> Self {
        let states = vec![UserState::default(); usize::try_from(users).unwrap_or(usize::MAX)];
        Self { random: seed, users, states, next_event: 0, millis: START_MILLIS }
    }

    /// SplitMix64.
    fn random(&mut self) -> u64 {
        self.random = self.random.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.random;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// Uniform in [0, 1).
    #[expect(clippy::cast_precision_loss, reason = "53 bits fit a double")]
    fn uniform(&mut self) -> f64 {
        (self.random() >> 11) as f64 / (1_u64 << 53) as f64
    }

    /// A user; the cube makes the first tenth of them do nearly half of everything.
    #[expect(
        clippy::cast_precision_loss,
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "below `users`"
    )]
    fn pick_user(&mut self) -> u64 {
        let skewed = self.uniform().powi(3);
        let rank = ((skewed * self.users as f64) as u64).min(self.users - 1);
        // Spreads the busy users over the whole range of ids.
        rank.wrapping_mul(0x9e37_79b1) % self.users
    }

    pub(super) fn next(&mut self) -> Event {
        let user = self.pick_user();
        let action = match self.random() % 100 {
            0..62 => 0,
            62..82 => 1,
            82..92 => 2,
            92..97 => 3,
            _ => 4,
        };
        let price_cents = 99 + i64::try_from(self.random() % 20_000).unwrap_or(0);
        self.millis += i64::try_from(self.random() % 173).unwrap_or(0);
        let millis = self.millis;
        let mut state = usize::try_from(user).ok().and_then(|at| self.states.get(at)).copied().unwrap_or_default();
        let bought = action == 3;
        state.views += i64::from(action == 0);
        state.purchases += i64::from(bought);
        state.spent_cents += if bought { price_cents } else { 0 };
        state.affinity = state.affinity * 0.9 + if bought { 0.1 } else { 0.0 };
        state.last_millis = millis;
        if let Some(place) = usize::try_from(user).ok().and_then(|at| self.states.get_mut(at)) {
            *place = state;
        }
        self.next_event += 1;
        let pick = |names: &[&'static str], at: usize| names.get(at % names.len()).copied().unwrap_or_default();
        Event {
            event_no: i64::try_from(self.next_event).unwrap_or(i64::MAX),
            user_id: i64::try_from(user).unwrap_or(i64::MAX),
            country: pick(&COUNTRIES, usize::try_from(user / 7).unwrap_or(0)),
            last_action: pick(&ACTIONS, action),
            views: state.views,
            purchases: state.purchases,
            spent_cents: state.spent_cents,
            affinity: state.affinity,
            updated_millis: millis,
        }
    }

    /// Totals over all users, as the table must show them after all events so far.
    pub(super) fn totals(&self) -> Totals {
        let mut totals = Totals::default();
        for state in self.states.iter().filter(|state| state.last_millis > 0) {
            totals.users += 1;
            totals.views += state.views;
            totals.purchases += state.purchases;
            totals.spent_cents += state.spent_cents;
        }
        totals
    }
}

/// What the whole table adds up to.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Totals {
    pub(super) users: i64,
    pub(super) views: i64,
    pub(super) purchases: i64,
    pub(super) spent_cents: i64,
}

/// The statement that makes the table.
pub(super) const CREATE_TABLE: &str = "\
CREATE TABLE IF NOT EXISTS quickstart.user_features (
  user_id BIGINT NOT NULL,
  country STRING,
  last_action STRING,
  views BIGINT,
  purchases BIGINT,
  spent DECIMAL(18, 2),
  affinity DOUBLE,
  updated_at TIMESTAMP(3),
  event_no BIGINT,
  PRIMARY KEY (user_id) NOT ENFORCED
) COMMENT 'one row of features a user'
WITH ('bucket' = '2', 'sequence.field' = 'event_no')";

/// Events as rows of the table.
pub(super) fn batch(fields: &[DataField], events: &[Event]) -> Result<RecordBatch> {
    fn column<T: From<Vec<V>> + arrow_array::Array + 'static, V>(
        events: &[Event],
        of: impl Fn(&Event) -> V,
    ) -> ArrayRef {
        Arc::new(T::from(events.iter().map(of).collect::<Vec<V>>()))
    }
    let spent = Decimal128Array::from_iter_values(events.iter().map(|e| i128::from(e.spent_cents)))
        .with_precision_and_scale(18, 2)
        .map_err(internal)?;
    let columns: Vec<ArrayRef> = vec![
        column::<Int64Array, i64>(events, |e| e.user_id),
        column::<StringArray, &str>(events, |e| e.country),
        column::<StringArray, &str>(events, |e| e.last_action),
        column::<Int64Array, i64>(events, |e| e.views),
        column::<Int64Array, i64>(events, |e| e.purchases),
        Arc::new(spent),
        column::<Float64Array, f64>(events, |e| e.affinity),
        column::<TimestampMillisecondArray, i64>(events, |e| e.updated_millis),
        column::<Int64Array, i64>(events, |e| e.event_no),
    ];
    RecordBatch::try_new(arrow_schema(fields), columns).map_err(internal)
}

fn internal(error: arrow_schema::ArrowError) -> Error {
    Error::new(headwater_types::ErrorKind::Internal, "the events make no batch").with_source(error)
}

#[cfg(test)]
mod tests;
