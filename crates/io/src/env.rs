//! Every effect besides files: clock, ids, randomness, environment variables, spawning and sleeping.

mod deterministic;

use std::collections::BTreeMap;
use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use chrono::{Local, Offset, Timelike};
use object_store::memory::InMemory;
use tokio::task::JoinHandle;

use crate::{Result, SpillDir};
use deterministic::Deterministic;

/// Where clock, ids, randomness, environment and spawning come from. Clones share one state.
///
/// [`Env::system`] is the real machine; with the feature `testing`, `Env::deterministic` replays everything from a seed.
#[derive(Clone)]
pub struct Env(Arc<Inner>);

struct Inner {
    source: Source,
    /// Stores of `memory://NAME/…`, shared by everything opened through this environment.
    memories: Mutex<BTreeMap<String, Arc<InMemory>>>,
}

enum Source {
    System {
        started: Instant,
    },
    #[cfg_attr(not(feature = "testing"), expect(dead_code, reason = "made by the feature `testing`"))]
    Deterministic(Deterministic),
}

impl Env {
    /// The clock, randomness and environment of this machine.
    #[must_use]
    pub fn system() -> Self {
        Self::from_source(Source::System { started: Instant::now() })
    }

    /// An environment that repeats itself: the clock starts at 2024-01-01T00:00:00Z and moves only by [`Env::sleep`],
    /// [`Env::set_millis`] and [`Env::advance`]; ids and random numbers follow from `seed`; there are no variables.
    #[cfg(feature = "testing")]
    #[must_use]
    pub fn deterministic(seed: u64) -> Self {
        Self::from_source(Source::Deterministic(Deterministic::new(seed)))
    }

    fn from_source(source: Source) -> Self {
        Self(Arc::new(Inner { source, memories: Mutex::default() }))
    }

    /// Milliseconds since 1970-01-01T00:00:00Z.
    #[must_use]
    pub fn now_millis(&self) -> i64 {
        match &self.0.source {
            Source::System { .. } => {
                let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
                i64::try_from(since.as_millis()).unwrap_or(i64::MAX)
            }
            Source::Deterministic(fake) => fake.now_millis(),
        }
    }

    /// The wall clock of the local time zone as if it were UTC, in milliseconds: how the format's timestamps without
    /// zone hold "now".
    #[must_use]
    pub fn local_millis(&self) -> i64 {
        match &self.0.source {
            Source::System { .. } => {
                self.now_millis() + i64::from(Local::now().offset().fix().local_minus_utc()) * 1000
            }
            Source::Deterministic(fake) => fake.now_millis(),
        }
    }

    /// The hour of the local time zone, 0 to 23.
    #[must_use]
    pub fn local_hour(&self) -> u8 {
        match &self.0.source {
            Source::System { .. } => u8::try_from(Local::now().hour()).unwrap_or(0),
            Source::Deterministic(fake) => u8::try_from((fake.now_millis() / 3_600_000).rem_euclid(24)).unwrap_or(0),
        }
    }

    /// Time since this environment was made; never goes back.
    #[must_use]
    pub fn monotonic(&self) -> Duration {
        match &self.0.source {
            Source::System { started } => started.elapsed(),
            Source::Deterministic(fake) => fake.monotonic(),
        }
    }

    /// A random (version 4) UUID in its usual text form.
    #[must_use]
    pub fn uuid(&self) -> String {
        match &self.0.source {
            Source::System { .. } => uuid::Uuid::new_v4().to_string(),
            Source::Deterministic(fake) => {
                let bits = (u128::from(fake.random_u64()) << 64) | u128::from(fake.random_u64());
                uuid::Builder::from_random_bytes(bits.to_be_bytes()).into_uuid().to_string()
            }
        }
    }

    /// Sixty-four random bits.
    #[must_use]
    pub fn random_u64(&self) -> u64 {
        match &self.0.source {
            Source::System { .. } => {
                // The fixed bits of a version 4 UUID sit at different places of its halves.
                let (high, low) = uuid::Uuid::new_v4().as_u64_pair();
                high ^ low
            }
            Source::Deterministic(fake) => fake.random_u64(),
        }
    }

    /// An environment variable, if it is set to valid Unicode.
    #[must_use]
    pub fn var(&self, name: &str) -> Option<String> {
        match &self.0.source {
            Source::System { .. } => std::env::var(name).ok(),
            Source::Deterministic(fake) => fake.var(name),
        }
    }

    /// Runs a future on the current runtime.
    pub fn spawn<F>(&self, future: F) -> JoinHandle<F::Output>
    where
        F: Future + Send + 'static,
        F::Output: Send + 'static,
    {
        tokio::spawn(future)
    }

    /// Runs a blocking or long computation on a thread of its own.
    pub fn spawn_blocking<F, R>(&self, work: F) -> JoinHandle<R>
    where
        F: FnOnce() -> R + Send + 'static,
        R: Send + 'static,
    {
        tokio::task::spawn_blocking(work)
    }

    /// Waits. A deterministic clock jumps ahead instead.
    pub async fn sleep(&self, duration: Duration) {
        match &self.0.source {
            Source::System { .. } => tokio::time::sleep(duration).await,
            Source::Deterministic(fake) => {
                fake.advance(duration);
                tokio::task::yield_now().await;
            }
        }
    }

    /// Where temporary files go: `HEADWATER_TEMP_DIR`, else what the operating system says.
    #[must_use]
    pub fn temp_dir(&self) -> PathBuf {
        self.var("HEADWATER_TEMP_DIR").map_or_else(std::env::temp_dir, PathBuf::from)
    }

    /// A directory for spill files below `parent`, or below [`Env::temp_dir`].
    ///
    /// # Errors
    /// `InvalidInput` or `Unavailable` when it cannot be written to.
    pub fn spill_dir(&self, parent: Option<&Path>) -> Result<SpillDir> {
        SpillDir::new(parent.map_or_else(|| self.temp_dir(), Path::to_path_buf), self.clone())
    }

    /// How many threads this machine runs at once, at least 1.
    #[must_use]
    pub fn parallelism(&self) -> usize {
        // Asking the system reads files of the control group, on every commit of a stream.
        static THREADS: OnceLock<usize> = OnceLock::new();
        *THREADS.get_or_init(|| std::thread::available_parallelism().map_or(1, usize::from))
    }

    pub(crate) fn memory(&self, name: &str) -> Arc<InMemory> {
        let mut memories = self.0.memories.lock().unwrap_or_else(PoisonError::into_inner);
        Arc::clone(memories.entry(name.to_owned()).or_default())
    }
}

#[cfg(feature = "testing")]
impl Env {
    /// Sets a deterministic clock, in milliseconds since 1970; does nothing to the system's.
    pub fn set_millis(&self, millis: i64) {
        if let Source::Deterministic(fake) = &self.0.source {
            fake.set_millis(millis);
        }
    }

    /// Moves a deterministic clock ahead; does nothing to the system's.
    pub fn advance(&self, duration: Duration) {
        if let Source::Deterministic(fake) = &self.0.source {
            fake.advance(duration);
        }
    }

    /// Sets a variable of a deterministic environment; does nothing to the system's.
    pub fn set_var(&self, name: &str, value: &str) {
        if let Source::Deterministic(fake) = &self.0.source {
            fake.set_var(name, value);
        }
    }
}

impl fmt::Debug for Env {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self.0.source {
            Source::System { .. } => "Env::system",
            Source::Deterministic(_) => "Env::deterministic",
        })
    }
}

#[cfg(test)]
mod tests;
