//! Many processes on one table, without a lock service.

use std::process::Stdio;

use crate::world::{World, ended, json_lines};

#[test]
fn what_every_process_wrote_is_there() {
    let world = World::with_table();
    let writers = 4;
    let children: Vec<_> = (0..writers)
        .map(|writer| {
            let rows: String = (0..400).map(|i| format!("{},writer {writer} row {i}\n", writer * 1000 + i)).collect();
            let file = world.file(&format!("rows-{writer}.csv"), format!("id,name\n{rows}"));
            let mut command = world.command(&["--json", "ingest", "db.t", &file, "--batch-rows", "50"]);
            command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap()
        })
        .collect();
    let mut committed = 0;
    for child in children {
        let report = json_lines(&ended(&child.wait_with_output().unwrap()).ok());
        committed += report.last().unwrap()["rows"].as_i64().unwrap();
    }
    assert_eq!(committed, writers * 400);
    let rows = world.rows();
    assert_eq!(rows.len(), usize::try_from(writers * 400).unwrap());
    let snapshots = world.snapshots();
    assert_eq!(snapshots, (1..=i64::try_from(snapshots.len()).unwrap()).collect::<Vec<_>>(), "ids have no gap");
    assert!(snapshots.len() >= 32, "{} snapshots for 32 commits", snapshots.len());

    world.run(&["compact", "db.t", "--full"]).ok();
    assert_eq!(world.rows(), rows);
}

#[test]
fn one_creator_of_a_table_wins() {
    let world = World::new();
    world.sql("CREATE DATABASE db").ok();
    let children: Vec<_> = (0..4)
        .map(|_| {
            let create = "CREATE TABLE db.t (id INT NOT NULL, PRIMARY KEY (id) NOT ENFORCED) WITH ('bucket' = '1')";
            let mut command = world.command(&["sql", create]);
            command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap()
        })
        .collect();
    let codes: Vec<_> = children.into_iter().map(|child| ended(&child.wait_with_output().unwrap()).code).collect();
    assert_eq!(codes.iter().filter(|code| **code == Some(0)).count(), 1, "{codes:?}");
    assert_eq!(codes.iter().filter(|code| **code == Some(4)).count(), 3, "{codes:?}");
}
