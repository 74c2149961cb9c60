//! Progress on standard error, drawn only on a terminal.

use std::time::Duration;

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

/// A counter of rows, with or without a known end.
pub(crate) struct Progress(ProgressBar);

impl Progress {
    /// Counts rows towards `total`, or open-ended; draws nothing unless `visible`.
    pub(crate) fn rows(total: Option<u64>, what: &str, visible: bool) -> Self {
        let target = if visible { ProgressDrawTarget::stderr_with_hz(8) } else { ProgressDrawTarget::hidden() };
        let bar = ProgressBar::with_draw_target(total, target);
        let template = match total {
            Some(_) => "{msg:24} {bar:32} {human_pos}/{human_len} rows  {per_sec}  {elapsed}",
            None => "{msg:24} {spinner} {human_pos} rows  {per_sec}  {elapsed}",
        };
        bar.set_style(ProgressStyle::with_template(template).unwrap_or_else(|_| ProgressStyle::default_bar()));
        bar.set_message(what.to_owned());
        if visible && total.is_none() {
            bar.enable_steady_tick(Duration::from_millis(120));
        }
        Self(bar)
    }

    pub(crate) fn add(&self, rows: u64) {
        self.0.inc(rows);
    }

    pub(crate) fn set(&self, rows: u64) {
        self.0.set_position(rows);
    }

    /// Prints a line above the bar; nothing when there is no terminal.
    pub(crate) fn above(&self, text: &str) {
        self.0.println(text);
    }

    pub(crate) fn finish(&self) {
        self.0.finish_and_clear();
    }
}
