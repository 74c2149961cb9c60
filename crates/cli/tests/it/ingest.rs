use std::fs::File;
use std::sync::Arc;

use arrow_array::{Int64Array, RecordBatch, StringArray};

use crate::world::{World, json_lines};

const ROWS: [&str; 2] =
    ["{\"id\":1,\"name\":\"one, \\\"quoted\\\"\",\"price\":\"1.50\"}", "{\"id\":2,\"name\":null,\"price\":null}"];

#[test]
fn every_format_brings_the_same_rows() {
    let csv = "price,id,name\n1.5,1,\"one, \"\"quoted\"\"\"\n,2,\n";
    let files: [(&str, &str); 4] = [
        ("rows.csv", csv),
        ("rows.tsv", "price\tid\tname\n1.50\t1\t\"one, \"\"quoted\"\"\"\n\t2\t\n"),
        ("rows.jsonl", &format!("{}\n\n{{\"id\":2}}", ROWS[0])),
        ("rows.ndjson", &format!("{}\n{}\n", ROWS[0], ROWS[1])),
    ];
    for (name, content) in files {
        let world = World::with_table();
        let file = world.file(name, content);
        world.run(&["ingest", "db.t", &file]).ok();
        assert_eq!(world.rows(), ROWS, "{name}");
    }
    let world = World::with_table();
    world.run_with_input(&["ingest", "db.t", "--format", "csv"], csv).ok();
    assert_eq!(world.rows(), ROWS);
    world.run_with_input(&["ingest", "db.t", "-", "--format", "csv", "--no-header"], "3,three,\n").ok();
    assert_eq!(world.rows().len(), 3);
}

fn batch() -> RecordBatch {
    let ids = Int64Array::from(vec![1, 2]);
    let names = StringArray::from(vec![Some("one, \"quoted\""), None]);
    let prices = StringArray::from(vec![Some("1.5"), None]);
    RecordBatch::try_from_iter(vec![
        ("id", Arc::new(ids) as _),
        ("name", Arc::new(names) as _),
        ("price", Arc::new(prices) as _),
    ])
    .unwrap()
}

#[test]
fn arrow_files_and_streams_are_read() {
    let world = World::with_table();
    let mut writer =
        arrow_ipc::writer::FileWriter::try_new(File::create(world.path("rows.arrow")).unwrap(), &batch().schema())
            .unwrap();
    writer.write(&batch()).unwrap();
    writer.finish().unwrap();
    world.run(&["ingest", "db.t", "rows.arrow"]).ok();
    assert_eq!(world.rows(), ROWS);

    let world = World::with_table();
    let mut writer =
        arrow_ipc::writer::StreamWriter::try_new(File::create(world.path("rows.arrows")).unwrap(), &batch().schema())
            .unwrap();
    writer.write(&batch()).unwrap();
    writer.finish().unwrap();
    world.run(&["ingest", "db.t", "rows.arrows"]).ok();
    assert_eq!(world.rows(), ROWS);
    world.run(&["ingest", "db.t", &world.file("not.arrow", "text")]).fails(2, &["Arrow IPC"]);
}

/// Our own data files are Parquet like any other.
#[test]
fn parquet_files_are_read() {
    let world = World::with_table();
    let file = world.file("rows.ndjson", ROWS.join("\n"));
    world.run(&["ingest", "db.t", &file]).ok();
    let parquet = crate::world::files_below(&world.table_dir(), ".parquet");
    world
        .sql("CREATE TABLE db.copy (id BIGINT NOT NULL, name STRING, price DECIMAL(12, 3), PRIMARY KEY (id) NOT ENFORCED) WITH ('bucket' = '1')")
        .ok();
    for file in &parquet {
        world.run(&["ingest", "db.copy", "--ignore-unknown-columns", file.to_str().unwrap()]).ok();
    }
    let copy = world.run(&["cat", world.path("warehouse/db.db/copy").to_str().unwrap()]).ok();
    let expected: Vec<String> = ROWS.iter().map(|row| row.replace("1.50", "1.500")).collect();
    assert_eq!(crate::world::sorted(&copy), expected);
    world.run_with_input(&["ingest", "db.t", "--format", "parquet"], "").fails(2, &["name a file"]);
}

#[test]
fn batches_become_commits_and_later_rows_win() {
    let world = World::with_table();
    let rows: String = (0..1000).map(|i| format!("{{\"id\":{},\"name\":\"v{i}\"}}\n", i % 100)).collect();
    let file = world.file("rows.ndjson", rows);
    let report = world.run(&["--json", "ingest", "db.t", &file, "--batch-rows", "250", "-o", "write-only=true"]).ok();
    let report = json_lines(&report);
    assert_eq!(report.iter().filter(|line| line["committed"] == 250).count(), 4);
    assert_eq!(report.last().unwrap()["rows"], 1000);
    assert_eq!(world.snapshots().len(), 4);
    let rows = world.rows();
    assert_eq!(rows.len(), 100);
    assert!(rows.iter().all(|row| row.contains("\"v9")), "{rows:?}");
    let first = world.run(&["cat", "db.t", "--snapshot", "1", "--where", "id = 7", "--columns", "name"]).ok();
    assert_eq!(first, "{\"name\":\"v207\"}\n");
}

#[test]
fn row_kinds_delete_and_upsert() {
    let world = World::with_table();
    let rows = "{\"_kind\":\"+I\",\"id\":1}\n{\"_kind\":\"+I\",\"id\":2}\n{\"_kind\":\"-D\",\"id\":1}\n{\"_kind\":\"+U\",\"id\":2,\"name\":\"x\"}\n";
    let file = world.file("rows.ndjson", rows);
    world.run(&["ingest", "db.t", &file, "--kind-column", "_kind"]).ok();
    assert_eq!(world.rows(), ["{\"id\":2,\"name\":\"x\",\"price\":null}"]);
    let wrong = world.file("wrong.ndjson", "{\"_kind\":\"insert\",\"id\":1}\n");
    world.run(&["ingest", "db.t", &wrong, "--kind-column", "_kind"]).fails(2, &["'insert' is no row kind", "row=1"]);
}

#[test]
fn a_failure_on_the_way_keeps_what_was_committed_and_says_how_much() {
    let world = World::with_table();
    let file = world.file("rows.csv", "id\n1\n2\n3\n4\nx\n");
    world.run(&["ingest", "db.t", &file, "--batch-rows", "2"]).fails(2, &["row=5", "column=id"]);
    // One block of input is conformed as a whole, so the rows before the bad one were not written either.
    assert!(world.rows().is_empty());
    let good = world.file("good.csv", "id\n1\n2\n3\n");
    world.run(&["ingest", "db.t", &good, &file, "--batch-rows", "2"]).fails(2, &["rowsCommitted=2", "commits=1"]);
    assert_eq!(world.rows().len(), 2);
}

/// A slow input is committed as it comes.
#[test]
fn seconds_end_a_batch_too() {
    use std::io::{BufRead, BufReader, Write};
    use std::process::Stdio;
    let world = World::with_table();
    let mut command = world.command(&["--json", "ingest", "db.t", "--format", "ndjson", "--batch-seconds", "1"]);
    let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    let mut input = child.stdin.take().unwrap();
    let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
    for id in [1, 2] {
        writeln!(input, "{{\"id\":{id}}}").unwrap();
        input.flush().unwrap();
        let line = lines.next().unwrap().unwrap();
        assert!(line.contains("\"committed\":1"), "{line}");
        assert_eq!(world.rows().len(), id);
    }
    drop(input);
    assert!(child.wait().unwrap().success());
}
