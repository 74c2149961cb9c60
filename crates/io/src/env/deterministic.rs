//! The environment that repeats itself from a seed.

use std::collections::BTreeMap;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

const START_MILLIS: i64 = 1_704_067_200_000;

pub(super) struct Deterministic(Mutex<State>);

struct State {
    millis: i64,
    elapsed: Duration,
    random: u64,
    vars: BTreeMap<String, String>,
}

#[cfg_attr(not(feature = "testing"), expect(dead_code, reason = "made by the feature `testing`"))]
impl Deterministic {
    pub(super) fn new(seed: u64) -> Self {
        Self(Mutex::new(State { millis: START_MILLIS, elapsed: Duration::ZERO, random: seed, vars: BTreeMap::new() }))
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(super) fn now_millis(&self) -> i64 {
        self.state().millis
    }

    pub(super) fn monotonic(&self) -> Duration {
        self.state().elapsed
    }

    pub(super) fn set_millis(&self, millis: i64) {
        self.state().millis = millis;
    }

    pub(super) fn advance(&self, duration: Duration) {
        let mut state = self.state();
        state.elapsed += duration;
        state.millis += i64::try_from(duration.as_millis()).unwrap_or(i64::MAX);
    }

    pub(super) fn var(&self, name: &str) -> Option<String> {
        self.state().vars.get(name).cloned()
    }

    pub(super) fn set_var(&self, name: &str, value: &str) {
        self.state().vars.insert(name.to_owned(), value.to_owned());
    }

    /// SplitMix64.
    pub(super) fn random_u64(&self) -> u64 {
        let mut state = self.state();
        state.random = state.random.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = state.random;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }
}
