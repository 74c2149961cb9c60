//! Which files of a bucket without keys are compacted. Source: spec page 03 §8.2, `BucketedAppendCompactManager`.

use headwater_metadata::DataFileMeta;
use headwater_types::CoreOptions;

#[cfg(test)]
mod tests;

/// A full compaction of fewer files is not worth it.
const FULL_MIN_FILES: usize = 3;

/// When files are put together.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct AppendCompactOptions {
    /// So many files in a row are compacted.
    pub(crate) min_files: usize,
    /// Bytes a file shall have.
    pub(crate) target_size: u64,
    /// Bytes below which a file is small.
    pub(crate) small_size: u64,
    /// Whether a full compaction takes every file.
    pub(crate) force_rewrite: bool,
}

impl AppendCompactOptions {
    pub(crate) fn new(options: &CoreOptions) -> Self {
        let target_size = options.target_file_size(false);
        Self {
            min_files: options.compaction_min_file_num() as usize,
            target_size,
            small_size: share(target_size, options.compaction_small_file_ratio()),
            force_rewrite: options.compaction_force_rewrite_all_files(),
        }
    }
}

/// A share of a size, rounded down as the reference does.
#[expect(
    clippy::cast_precision_loss,
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "a size of a file to a part of a byte"
)]
fn share(size: u64, ratio: f64) -> u64 {
    (size as f64 * ratio) as u64
}

/// Files that wait for compaction, in the order of their rows.
#[derive(Clone, Debug)]
pub(crate) struct AppendQueue {
    options: AppendCompactOptions,
    /// By lowest sequence number.
    waiting: Vec<DataFileMeta>,
}

impl AppendQueue {
    pub(crate) fn new(options: AppendCompactOptions, files: Vec<DataFileMeta>) -> Self {
        let mut queue = Self { options, waiting: Vec::new() };
        queue.add(files);
        queue
    }

    pub(crate) fn add(&mut self, files: impl IntoIterator<Item = DataFileMeta>) {
        self.waiting.extend(files);
        self.waiting.sort_by_key(|file| file.min_sequence_number);
    }

    /// After a compaction: a last file that is still small waits for more.
    pub(crate) fn compacted(&mut self, after: &[DataFileMeta]) {
        self.add(after.last().filter(|file| size_of(file) < self.options.small_size).cloned());
    }

    /// Takes the files of the next compaction out of the queue, with large ones that need none.
    pub(crate) fn pick(&mut self) -> Option<Vec<DataFileMeta>> {
        let mut first = 0;
        let mut bytes = 0_u64;
        for next in 0..self.waiting.len() {
            bytes = bytes.saturating_add(self.waiting.get(next).map_or(0, size_of));
            if next + 1 - first >= self.options.min_files {
                let mut picked: Vec<DataFileMeta> = self.waiting.drain(..=next).collect();
                return Some(picked.split_off(first));
            }
            if bytes >= self.options.target_size.saturating_mul(2) {
                bytes = bytes.saturating_sub(self.waiting.get(first).map_or(0, size_of));
                first += 1;
            }
        }
        self.waiting.drain(..first);
        None
    }

    /// Takes all files and returns those that a full compaction rewrites.
    pub(crate) fn pick_full(&mut self) -> Option<Vec<DataFileMeta>> {
        let force = self.options.force_rewrite;
        if self.waiting.is_empty() || (!force && self.waiting.len() < FULL_MIN_FILES) {
            return None;
        }
        let is_small = |file: &DataFileMeta| size_of(file) < self.options.small_size;
        let mut files = std::mem::take(&mut self.waiting);
        if force {
            return Some(files);
        }
        let leading = files.iter().take_while(|file| !is_small(file)).count();
        let rest = files.split_off(leading);
        let small = rest.iter().filter(|file| is_small(file)).count();
        (small > rest.len() - small && rest.len() >= FULL_MIN_FILES).then_some(rest)
    }
}

pub(crate) fn size_of(file: &DataFileMeta) -> u64 {
    u64::try_from(file.file_size).unwrap_or(0)
}
