use std::io::{Cursor, Read, Write};

use proptest::prelude::*;

use super::*;
use crate::testing::{Row, layout, records, rows};

/// Spill files in memory.
#[derive(Default)]
struct Heap;

struct HeapFile(Vec<u8>);

impl SpillTarget for Heap {
    fn create(&mut self) -> std::io::Result<Box<dyn crate::SpillSource>> {
        Ok(Box::new(HeapFile(Vec::new())))
    }
}

impl Write for HeapFile {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.0.write(bytes)
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

impl crate::SpillSource for HeapFile {
    fn reader(&mut self) -> std::io::Result<Box<dyn Read + Send>> {
        Ok(Box::new(Cursor::new(self.0.clone())))
    }
}

/// A disk that is full.
struct Full;

impl SpillTarget for Full {
    fn create(&mut self) -> std::io::Result<Box<dyn crate::SpillSource>> {
        Err(std::io::Error::other("no space"))
    }
}

fn row(kind: i8, k: i32, s: Option<i32>, v: &str) -> Row {
    (kind, k, s, v.to_owned())
}

fn append(buffer: &mut SortBuffer, input: &[Row], first: usize) {
    let (batch, kinds) = rows(input);
    buffer.append(&batch, &kinds, i64::try_from(first).unwrap()).unwrap();
}

fn drain(buffer: &mut SortBuffer, batch_rows: usize) -> Vec<(i64, Row)> {
    let batches: Vec<KeyValueBatch> = buffer.drain(batch_rows).unwrap().collect::<Result<_>>().unwrap();
    assert!(batches.iter().all(|b| (1..=batch_rows).contains(&b.num_rows())));
    assert!(buffer.is_empty());
    assert_eq!(buffer.memory_bytes(), 0);
    records(&batches)
}

/// Several rows in; the stored records out.
#[track_caller]
fn check(layout: &KeyValueLayout, input: &[Row], expected: &[(i64, Row)]) {
    let mut buffer = SortBuffer::new(layout, &Engine::deduplicate(false), SortBufferOptions::default());
    append(&mut buffer, input, 0);
    assert_eq!(drain(&mut buffer, 100), expected);
}

#[test]
fn a_flush_keeps_the_newest_record_of_each_key() {
    check(
        &layout(false, false),
        &[row(0, 1, None, "x"), row(0, 2, None, "y"), row(0, 1, None, "xx")],
        &[(2, row(0, 1, None, "xx")), (1, row(0, 2, None, "y"))],
    );
    check(
        &layout(false, false),
        &[row(3, 1, None, "a"), row(1, 2, None, "b"), row(0, 3, None, "c")],
        &[(0, row(3, 1, None, "a")), (1, row(1, 2, None, "b")), (2, row(0, 3, None, "c"))],
    );
}

#[test]
fn descending_sequence_fields_keep_the_smallest_and_null_loses() {
    let input = [
        row(0, 1, Some(5), "a"),
        row(0, 1, Some(3), "b"),
        row(0, 1, Some(9), "c"),
        row(0, 2, None, "null1"),
        row(0, 2, Some(7), "x"),
        row(0, 3, Some(7), "x"),
        row(0, 3, None, "null1"),
    ];
    let smallest = [(1, row(0, 1, Some(3), "b")), (4, row(0, 2, Some(7), "x")), (5, row(0, 3, Some(7), "x"))];
    check(&layout(true, true), &input, &smallest);
    let greatest = [(2, row(0, 1, Some(9), "c")), (4, row(0, 2, Some(7), "x")), (5, row(0, 3, Some(7), "x"))];
    check(&layout(true, false), &input, &greatest);
}

#[test]
fn memory_is_counted_and_given_back() {
    let mut buffer = SortBuffer::new(&layout(false, false), &Engine::deduplicate(false), SortBufferOptions::default());
    assert!(buffer.is_empty());
    for i in 0..10 {
        let long = "x".repeat(1000);
        append(&mut buffer, &(0..100).map(|k| row(0, k, None, &long)).collect::<Vec<_>>(), i * 100);
    }
    assert!((1_000_000..1_200_000).contains(&buffer.memory_bytes()), "{}", buffer.memory_bytes());
    buffer.spill(&mut Heap).unwrap();
    assert_eq!((buffer.memory_bytes(), buffer.len(), buffer.spilled_runs()), (0, 1000, 1));
    buffer.spill(&mut Heap).unwrap();
    assert_eq!(buffer.spilled_runs(), 1, "nothing to spill");
    assert_eq!(drain(&mut buffer, 64).len(), 100);
}

#[test]
fn a_full_disk_is_unavailable() {
    let mut buffer = SortBuffer::new(&layout(false, false), &Engine::deduplicate(false), SortBufferOptions::default());
    append(&mut buffer, &[row(0, 1, None, "a")], 0);
    assert_eq!(buffer.spill(&mut Full).unwrap_err().kind(), ErrorKind::Unavailable);
    assert_eq!(buffer.len(), 1, "the rows are still there");
    assert_eq!(drain(&mut buffer, 10).len(), 1);
}

#[test]
fn options_name_what_is_wrong() {
    let parse = |key: &str, value: &str| {
        let map = [(key.to_owned(), value.to_owned())].into();
        SortBufferOptions::new(&CoreOptions::from_map(&map).unwrap())
    };
    assert_eq!(parse("spill-compression", "lz4").unwrap().compression, SpillCompression::Lz4);
    assert_eq!(parse("local-sort.max-num-file-handles", "7").unwrap().max_fan_in, 7);
    assert_eq!(parse("spill-compression", "rar").unwrap_err().context("option"), Some("spill-compression"));
}

fn any_rows() -> impl Strategy<Value = Vec<Vec<Row>>> {
    let row = (0_i8..4, -20_i32..20, prop::option::of(0_i32..4), "[a-c]{0,3}");
    prop::collection::vec(prop::collection::vec(row, 0..30), 0..12)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(128))]

    /// Spilling at any moment, with any fan-in and compression, gives what memory alone gives.
    #[test]
    fn spilling_changes_nothing(
        batches in any_rows(), spill_after in prop::collection::vec(any::<bool>(), 12), fan_in in 2_usize..5,
        batch_rows in 1_usize..20, compression in 0_usize..3, ignore_delete: bool, sequence: bool, descending: bool,
    ) {
        let layout = layout(sequence, descending);
        let compression = [SpillCompression::None, SpillCompression::Lz4, SpillCompression::Zstd][compression];
        let options = SortBufferOptions::default().with_max_fan_in(fan_in).with_compression(compression);
        let engine = Engine::deduplicate(ignore_delete);
        let mut spilling = SortBuffer::new(&layout, &engine, options);
        let mut plain = SortBuffer::new(&layout, &engine, options);
        let mut next = 0;
        for (rows, spill) in batches.iter().zip(spill_after) {
            append(&mut spilling, rows, next);
            append(&mut plain, rows, next);
            next += rows.len();
            if spill {
                spilling.spill(&mut Heap).unwrap();
                prop_assert!(spilling.spilled_runs() <= fan_in);
            }
        }
        prop_assert_eq!(spilling.len(), next);
        let expected = drain(&mut plain, 1000);
        prop_assert!(expected.windows(2).all(|w| w[0].1.1 < w[1].1.1), "one record per key, in key order");
        prop_assert_eq!(drain(&mut spilling, batch_rows), expected);
    }
}
