//! A whole bucket in memory: flush, pick, plan, rewrite, read, against a map.

use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

use arrow_array::cast::AsArray;
use arrow_array::types::Int32Type;
use arrow_array::{Int8Array, Int32Array, RecordBatch, StringArray};
use headwater_lsm::{
    CompactStrategy, CompactUnit, Engine, KeyValueBatch, KeyValueLayout, Levels, Merge, MergeOptions, MergeStep,
    PickInput, Section, SortBuffer, SortBufferOptions, TaskOptions, UniversalOptions, interval_partition, plan_task,
};
use headwater_metadata::{DataFileMeta, FileSource, SimpleStats};
use headwater_types::{BinaryRow, DataField, DataType, Datum, RowComparator, TypeKind, arrow_schema};
use proptest::prelude::*;

/// `+I` or `-D` of a key with a value.
type Change = (bool, i32, u16);

/// Files are batches in a map, by name.
struct Bucket {
    layout: KeyValueLayout,
    engine: Engine,
    strategy: CompactStrategy,
    universal: UniversalOptions,
    task: TaskOptions,
    levels: Levels,
    files: HashMap<String, Vec<KeyValueBatch>>,
    next_file: usize,
    misses: u32,
}

fn key_types() -> [DataType; 1] {
    [DataType::new(TypeKind::Int, false)]
}

impl Bucket {
    fn new(strategy: CompactStrategy) -> Self {
        let fields =
            vec![DataField::new(0, "v", TypeKind::STRING), DataField::new(1, "k", DataType::new(TypeKind::Int, false))];
        let comparator = RowComparator::new(&key_types()).unwrap();
        let mut task = TaskOptions::default();
        task.target_file_size = 40;
        let mut universal = UniversalOptions::default();
        universal.trigger = 3;
        Self {
            layout: KeyValueLayout::from_parts(fields, &["k".to_owned()], &[], false).unwrap(),
            engine: Engine::deduplicate(false),
            strategy,
            universal,
            task,
            levels: Levels::from_files(Vec::new(), 4, &comparator).unwrap(),
            files: HashMap::new(),
            next_file: 0,
            misses: 0,
        }
    }

    fn flush(&mut self, changes: &[Change]) {
        let rows = RecordBatch::try_new(
            arrow_schema(self.layout.values()),
            vec![
                Arc::new(StringArray::from_iter_values(changes.iter().map(|c| c.2.to_string()))),
                Arc::new(Int32Array::from_iter_values(changes.iter().map(|c| c.1))),
            ],
        )
        .unwrap();
        let kinds: Int8Array = changes.iter().map(|c| Some(if c.0 { 0 } else { 3 })).collect();
        let mut buffer = SortBuffer::new(&self.layout, &self.engine, SortBufferOptions::default());
        buffer.append(&rows, &kinds, self.levels.max_sequence() + 1).unwrap();
        let batches: Vec<_> = buffer.drain(3).unwrap().collect::<Result<_, _>>().unwrap();
        let files = self.write(batches, 0);
        self.levels = self.levels.apply(&[], files).unwrap();
    }

    /// Writes batches as files of at most ten rows.
    fn write(&mut self, batches: Vec<KeyValueBatch>, level: u32) -> Vec<DataFileMeta> {
        let mut metas = Vec::new();
        let mut batches = batches.into_iter().peekable();
        while batches.peek().is_some() {
            let mut file: Vec<KeyValueBatch> = Vec::new();
            while file.iter().map(KeyValueBatch::num_rows).sum::<usize>() < 10
                && let Some(batch) = batches.next()
            {
                file.push(batch);
            }
            self.next_file += 1;
            let meta = meta(format!("f{}", self.next_file), &file, level);
            self.files.insert(meta.file_name.clone(), file);
            metas.push(meta);
        }
        metas
    }

    fn compact(&mut self) {
        loop {
            let views = self.levels.views();
            let input = PickInput {
                runs: &views,
                num_levels: self.levels.num_levels(),
                busy: false,
                now_ms: 0,
                local_hour: 0,
                last_full_ms: None,
            };
            let Some(unit) = self.levels.unit(&self.strategy.pick(&self.universal, &input, &mut self.misses)) else {
                return;
            };
            self.run(unit);
        }
    }

    fn run(&mut self, unit: CompactUnit) {
        let task = plan_task(&self.levels, unit, &self.task, &|_| false);
        let removed: Vec<DataFileMeta> = task.rewritten().chain(&task.upgrades).cloned().collect();
        let mut added: Vec<DataFileMeta> = task.upgraded().collect();
        for sections in &task.rewrites {
            let merged: Vec<KeyValueBatch> =
                sections.iter().flat_map(|section| self.merge(section, task.drop_delete)).collect();
            added.extend(self.write(merged, task.output_level));
        }
        self.levels = self.levels.apply(&removed, added).unwrap();
    }

    fn merge(&self, section: &Section, drop_deletes: bool) -> Vec<KeyValueBatch> {
        let options = MergeOptions::default().with_batch_rows(4).with_drop_deletes(drop_deletes);
        let mut merge = Merge::new(&self.layout, &self.engine, section.runs.len(), options).unwrap();
        let mut feeds: Vec<_> = section
            .runs
            .iter()
            .map(|run| run.files.iter().flat_map(|f| self.files[&f.file_name].iter().cloned()))
            .collect();
        let mut output = Vec::new();
        loop {
            match merge.step().unwrap() {
                MergeStep::NeedBatch(run) => merge.supply(run, feeds[run].next()).unwrap(),
                MergeStep::Output(batch) => output.push(batch),
                MergeStep::Done => return output,
            }
        }
    }

    fn read(&self) -> BTreeMap<i32, String> {
        let mut rows = BTreeMap::new();
        for section in interval_partition(self.levels.files().cloned().collect(), self.levels.comparator()) {
            for batch in self.merge(&section, true) {
                let values = batch.to_values(&self.layout).unwrap();
                let (texts, keys) = (values.column(0).as_string::<i32>(), values.column(1).as_primitive::<Int32Type>());
                for (key, text) in keys.values().iter().zip(texts) {
                    assert!(rows.insert(*key, text.unwrap().to_owned()).is_none(), "a key once");
                }
            }
        }
        rows
    }
}

fn meta(file_name: String, batches: &[KeyValueBatch], level: u32) -> DataFileMeta {
    let keys: Vec<i32> = batches.iter().flat_map(|b| b.keys[0].as_primitive::<Int32Type>().values().to_vec()).collect();
    assert!(keys.is_sorted_by(|a, b| a < b));
    let sequences: Vec<i64> = batches.iter().flat_map(|b| b.sequence.values().to_vec()).collect();
    let key = |k: &i32| BinaryRow::from_datums(&key_types(), &[Some(Datum::Int(*k))]).unwrap();
    let rows = i64::try_from(keys.len()).unwrap();
    DataFileMeta {
        file_name,
        file_size: rows * 5,
        row_count: rows,
        min_key: key(keys.first().unwrap()),
        max_key: key(keys.last().unwrap()),
        key_stats: SimpleStats::empty(),
        value_stats: SimpleStats::empty(),
        min_sequence_number: *sequences.iter().min().unwrap(),
        max_sequence_number: *sequences.iter().max().unwrap(),
        schema_id: 0,
        level: i32::try_from(level).unwrap(),
        extra_files: Vec::new(),
        creation_time_millis: Some(0),
        delete_row_count: Some(batches.iter().map(|b| i64::try_from(b.retractions()).unwrap()).sum()),
        embedded_index: None,
        file_source: Some(FileSource::Append),
        value_stats_cols: None,
        external_path: None,
        first_row_id: None,
        write_cols: None,
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    /// Whatever is written, picked and rewritten, readers see the newest row of each key that is not deleted, and after
    /// a full compaction no retraction is stored.
    #[test]
    fn readers_see_a_map(
        flushes in prop::collection::vec(prop::collection::vec((any::<bool>(), 0_i32..40, any::<u16>()), 1..30), 1..14),
        force_up: bool,
    ) {
        let strategy =
            if force_up { CompactStrategy::ForceUpLevel0 { max_interval: None } } else { CompactStrategy::Universal };
        let mut bucket = Bucket::new(strategy);
        let mut expected = BTreeMap::new();
        for changes in flushes {
            for (insert, key, value) in &changes {
                if *insert { expected.insert(*key, value.to_string()); } else { expected.remove(key); }
            }
            bucket.flush(&changes);
            prop_assert_eq!(&bucket.read(), &expected);
            bucket.compact();
            prop_assert_eq!(&bucket.read(), &expected);
        }
        if let Some(unit) = bucket.levels.full_unit(|_| false) {
            bucket.run(unit);
        }
        prop_assert_eq!(&bucket.read(), &expected);
        prop_assert!(bucket.levels.sorted_run_count() <= 1);
        prop_assert_eq!(bucket.levels.files().map(|f| f.delete_row_count.unwrap()).sum::<i64>(), 0);
    }
}

#[test]
fn what_crosses_threads_can() {
    fn send<T: Send>() {}
    send::<SortBuffer>();
    send::<headwater_lsm::SortedBatches>();
    send::<Merge>();
    send::<Levels>();
    send::<Engine>();
}
