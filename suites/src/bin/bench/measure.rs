//! What one process measured.

use std::time::{Duration, Instant};

use serde_json::{Map, Value, json};

use crate::checks::Checks;

/// Wall and processor time of the part that counts.
#[derive(Debug)]
pub(crate) struct Clock {
    rss_bytes: u64,
    started: Instant,
    cpu: f64,
}

impl Clock {
    pub(crate) fn start() -> Self {
        Self { rss_bytes: status_bytes("VmRSS:"), started: Instant::now(), cpu: cpu_seconds() }
    }

    pub(crate) fn stop(&self) -> (f64, f64) {
        (self.started.elapsed().as_secs_f64(), cpu_seconds() - self.cpu)
    }
}

/// The result of one case in one process.
#[derive(Debug)]
pub(crate) struct Measured {
    pub(crate) rows: u64,
    pub(crate) seconds: f64,
    pub(crate) cpu_seconds: f64,
    /// Taken when the clock stopped: reading back for the checks comes after.
    pub(crate) peak_rss_bytes: u64,
    pub(crate) checks: String,
    pub(crate) extra: Map<String, Value>,
}

impl Measured {
    pub(crate) fn new(rows: u64, clock: &Clock) -> Self {
        let (seconds, cpu_seconds) = clock.stop();
        let peak_rss_bytes = status_bytes("VmHWM:");
        Self { rows, seconds, cpu_seconds, peak_rss_bytes, checks: String::new(), extra: Map::new() }
            .with("rss_at_start_bytes", clock.rss_bytes)
    }

    pub(crate) fn checked(mut self, checks: &Checks) -> Self {
        self.checks = checks.to_string();
        self
    }

    pub(crate) fn with(mut self, name: &str, value: impl Into<Value>) -> Self {
        self.extra.insert(name.to_owned(), value.into());
        self
    }

    /// One line of JSON.
    #[expect(clippy::cast_precision_loss, reason = "rows per second are read by people")]
    pub(crate) fn line(&self, case: &str, engine: &str) -> Value {
        let mut line = json!({
            "case": case,
            "engine": engine,
            "rows": self.rows,
            "seconds": self.seconds,
            "rows_per_second": (self.rows as f64 / self.seconds).round(),
            "cpu_seconds": self.cpu_seconds,
            "peak_rss_bytes": self.peak_rss_bytes,
            "checks": self.checks,
        });
        if let Value::Object(fields) = &mut line {
            fields.extend(self.extra.clone());
        }
        line
    }
}

/// The resident set (`VmRSS:`) or the largest so far (`VmHWM:`); zero where the system does not tell.
fn status_bytes(which: &str) -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix(which));
    let kilobytes = line.and_then(|rest| rest.split_whitespace().next()).and_then(|number| number.parse::<u64>().ok());
    kilobytes.unwrap_or(0) * 1024
}

/// Processor time of all threads; zero where the system does not tell.
fn cpu_seconds() -> f64 {
    let stat = std::fs::read_to_string("/proc/self/stat").unwrap_or_default();
    // Behind the name in parentheses; user and system time are fields 14 and 15, in hundredths of a second.
    let fields = stat.rsplit_once(')').map_or("", |(_, rest)| rest);
    let ticks = fields.split_whitespace().skip(11).take(2).filter_map(|field| field.parse::<u32>().ok());
    f64::from(ticks.sum::<u32>()) / 100.0
}

/// A share of a sorted list of durations, in milliseconds.
pub(crate) fn percentile_ms(durations: &[Duration], percent: usize) -> f64 {
    let mut sorted = durations.to_vec();
    sorted.sort();
    let at = (sorted.len() * percent / 100).min(sorted.len().saturating_sub(1));
    sorted.get(at).map_or(0.0, |duration| duration.as_secs_f64() * 1000.0)
}
