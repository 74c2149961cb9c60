//! The hot loops: sorting and deduplicating a write buffer, merging sorted runs.
#![expect(
    missing_docs,
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::cast_possible_truncation,
    clippy::cast_possible_wrap,
    reason = "criterion's macros; a bench may panic, and its numbers are small"
)]

use std::hint::black_box;
use std::sync::Arc;

use arrow_array::{ArrayRef, Float64Array, Int8Array, Int64Array, RecordBatch, StringArray};
use criterion::{BatchSize, Criterion, Throughput, criterion_group, criterion_main};
use headwater_lsm::{
    Engine, KeyValueBatch, KeyValueLayout, Merge, MergeOptions, MergeStep, SortBuffer, SortBufferOptions,
};
use headwater_types::{DataField, DataType, TypeKind, arrow_schema};

const ROWS: u64 = 1 << 20;
const BATCH: u64 = 8192;

#[derive(Clone, Copy, PartialEq)]
enum Key {
    Long,
    Text,
    Both,
}

fn layout(key: Key) -> KeyValueLayout {
    let fields = vec![
        DataField::new(0, "id", DataType::new(TypeKind::BigInt, false)),
        DataField::new(1, "name", DataType::new(TypeKind::STRING, false)),
        DataField::new(2, "a", TypeKind::BigInt),
        DataField::new(3, "b", TypeKind::Double),
        DataField::new(4, "c", TypeKind::STRING),
    ];
    let keys: &[&str] = match key {
        Key::Long => &["id"],
        Key::Text => &["name"],
        Key::Both => &["id", "name"],
    };
    let keys: Vec<String> = keys.iter().map(|k| (*k).to_owned()).collect();
    KeyValueLayout::from_parts(fields, &keys, &[], false).unwrap()
}

fn rows(layout: &KeyValueLayout, ids: impl Iterator<Item = i64> + Clone) -> RecordBatch {
    let columns: Vec<ArrayRef> = vec![
        Arc::new(Int64Array::from_iter_values(ids.clone())),
        Arc::new(StringArray::from_iter_values(ids.clone().map(|id| format!("user_{id:012}")))),
        Arc::new(Int64Array::from_iter_values(ids.clone().map(|id| id * 3))),
        Arc::new(Float64Array::from_iter_values(ids.clone().map(|id| id as f64 / 7.0))),
        Arc::new(StringArray::from_iter_values(ids.map(|id| format!("value {id} of the row")))),
    ];
    RecordBatch::try_new(arrow_schema(layout.values()), columns).unwrap()
}

/// Scattered ids, each drawn about twice.
fn scattered(n: u64) -> i64 {
    (n.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 20) as i64 % (ROWS as i64 / 2)
}

fn sort_buffer(c: &mut Criterion) {
    let mut group = c.benchmark_group("sort and deduplicate");
    group.throughput(Throughput::Elements(ROWS)).sample_size(10);
    for (name, key) in [("bigint key", Key::Long), ("string key", Key::Text), ("bigint and string key", Key::Both)] {
        let layout = layout(key);
        let batches: Vec<RecordBatch> =
            (0..ROWS / BATCH).map(|b| rows(&layout, (b * BATCH..(b + 1) * BATCH).map(scattered))).collect();
        let kinds = Int8Array::from(vec![0; BATCH as usize]);
        group.bench_function(name, |bencher| {
            bencher.iter_batched(
                || SortBuffer::new(&layout, &Engine::deduplicate(false), SortBufferOptions::default()),
                |mut buffer| {
                    for (i, batch) in batches.iter().enumerate() {
                        buffer.append(batch, &kinds, i as i64 * BATCH as i64).unwrap();
                    }
                    buffer.drain(8192).unwrap().map(|b| black_box(b.unwrap()).num_rows()).sum::<usize>()
                },
                BatchSize::PerIteration,
            );
        });
    }
    group.finish();
}

fn merge(c: &mut Criterion) {
    let mut group = c.benchmark_group("merge");
    group.throughput(Throughput::Elements(ROWS)).sample_size(10);
    for (name, key, runs) in [
        ("bigint key, 1 run", Key::Long, 1),
        ("bigint key, 2 runs", Key::Long, 2),
        ("bigint key, 8 runs", Key::Long, 8),
        ("string key, 8 runs", Key::Text, 8),
    ] {
        let layout = layout(key);
        let kinds = Int8Array::from(vec![0; BATCH as usize]);
        let per_run = ROWS / runs;
        let inputs: Vec<Vec<KeyValueBatch>> = (0..runs)
            .map(|run| {
                let mut ids: Vec<i64> = (0..per_run).map(|i| scattered(run * per_run + i) * 8).collect();
                ids.sort_unstable();
                ids.dedup();
                ids.chunks(BATCH as usize)
                    .map(|ids| {
                        let rows = rows(&layout, ids.iter().copied());
                        let kinds = kinds.slice(0, ids.len());
                        KeyValueBatch::from_values(&layout, &rows, &kinds, run as i64 * per_run as i64).unwrap()
                    })
                    .collect()
            })
            .collect();
        group.bench_function(name, |bencher| {
            bencher.iter(|| {
                let mut merge =
                    Merge::new(&layout, &Engine::deduplicate(false), inputs.len(), MergeOptions::default()).unwrap();
                let mut feeds: Vec<_> = inputs.iter().map(|batches| batches.iter().cloned()).collect();
                let mut rows = 0;
                loop {
                    match merge.step().unwrap() {
                        MergeStep::NeedBatch(run) => merge.supply(run, feeds[run].next()).unwrap(),
                        MergeStep::Output(batch) => rows += black_box(batch).num_rows(),
                        _ => break rows,
                    }
                }
            });
        });
    }
    group.finish();
}

criterion_group!(benches, sort_buffer, merge);
criterion_main!(benches);
