//! What every bucket of a writer shares.

use std::sync::Arc;

use headwater_io::{Env, FileIo};
use headwater_lsm::{CompactStrategy, Engine, KeyValueLayout, SortBufferOptions, TaskOptions, UniversalOptions};
use headwater_metadata::{Schema, TablePaths};
use headwater_types::{CoreOptions, RowComparator};
use tokio::sync::Semaphore;

use super::WriteMode;
use super::append_queue::AppendCompactOptions;
use crate::handover::Handover;
use crate::read::ReadContext;
use crate::{Result, Table, support};

pub(super) struct WriteContext {
    pub(super) io: FileIo,
    pub(super) env: Env,
    pub(super) schema: Arc<Schema>,
    pub(super) options: Arc<CoreOptions>,
    pub(super) paths: Arc<TablePaths>,
    pub(super) read: ReadContext,
    pub(super) handover: Arc<Handover>,
    /// `None` for a table without primary key.
    pub(super) layout: Option<Keyed>,
    pub(super) mode: WriteMode,
    pub(super) strategy: CompactStrategy,
    pub(super) universal: UniversalOptions,
    pub(super) tasks: TaskOptions,
    /// How files without keys are put together.
    pub(super) appended: AppendCompactOptions,
    /// Compactions at work, at most one a core.
    pub(super) compactions: Arc<Semaphore>,
    pub(super) location: String,
}

/// What only tables with a primary key have.
#[derive(Clone)]
pub(super) struct Keyed {
    pub(super) layout: KeyValueLayout,
    pub(super) engine: Engine,
    pub(super) comparator: RowComparator,
    pub(super) buffers: SortBufferOptions,
    pub(super) thin: bool,
}

impl WriteContext {
    pub(super) fn new(table: &Table, user: &str, mode: WriteMode) -> Result<Self> {
        let schema = table.shared_schema();
        let options = table.options().clone();
        support::check_writable(&schema, &options)?;
        let layout = if schema.primary_keys.is_empty() {
            None
        } else {
            let layout = KeyValueLayout::new(&schema)?;
            Some(Keyed {
                engine: Engine::new(&options)?,
                comparator: RowComparator::new(&layout.key_types())?,
                buffers: SortBufferOptions::new(&options)?,
                thin: options.thin_mode(),
                layout,
            })
        };
        let strategy = match mode {
            WriteMode::Add => CompactStrategy::new(&options),
            WriteMode::Replace => CompactStrategy::None,
            WriteMode::Compact => CompactStrategy::Universal,
        };
        tracing::debug!(table = table.location(), user, ?mode, ?strategy, "opened a writer");
        Ok(Self {
            io: table.io().clone(),
            env: table.env().clone(),
            paths: Arc::new(table.paths()?),
            read: ReadContext::new(table, Arc::clone(&schema), options.clone())?,
            handover: table.handover(),
            layout,
            mode,
            strategy,
            universal: UniversalOptions::new(&options),
            tasks: TaskOptions::new(&options),
            appended: AppendCompactOptions::new(&options),
            compactions: Arc::new(Semaphore::new(table.env().parallelism())),
            location: table.location().to_owned(),
            options: Arc::new(options),
            schema,
        })
    }

    /// Whether writers look at the files that are there: all but those that replace them, and appends without buckets.
    pub(super) fn restores(&self) -> bool {
        self.mode != WriteMode::Replace && (self.layout.is_some() || self.options.bucket() > 0)
    }

    /// Whether writers compact: not in append tables without buckets, whose files several writers share.
    pub(super) fn compacts(&self) -> bool {
        self.strategy != CompactStrategy::None && (self.layout.is_some() || self.options.bucket() > 0)
    }

    /// `totalBuckets` of messages.
    pub(super) fn total_buckets(&self) -> i32 {
        self.options.bucket()
    }
}
