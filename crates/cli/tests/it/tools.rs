//! cat, inspect, compact and simulate.

use crate::world::{World, json_lines};

fn world() -> World {
    let world = World::with_table();
    for i in 1..=3 {
        world.sql(&format!("INSERT INTO db.t VALUES ({i}, 'n{i}', {i}), (10, 'ten', {i})")).ok();
    }
    world
}

#[test]
fn cat_selects_filters_and_limits() {
    let world = world();
    let dir = world.table_dir();
    let dir = dir.to_str().unwrap();
    let cat = |args: &[&str]| world.run(&[&["cat", dir], args].concat()).ok();
    assert_eq!(cat(&["--where", "id = 10"]), "{\"id\":10,\"name\":\"ten\",\"price\":\"3.00\"}\n");
    assert_eq!(cat(&["--where", "price = 2", "--columns", "name,id"]), "{\"name\":\"n2\",\"id\":2}\n");
    assert_eq!(cat(&["--limit", "2"]).lines().count(), 2);
    assert_eq!(cat(&["--limit", "0"]), "");
    assert_eq!(cat(&["--snapshot", "1"]).lines().count(), 2);
    assert_eq!(cat(&["--where", "id > 100"]), "");
    assert_eq!(world.run(&["cat", "db.t"]).ok().lines().count(), 4);
    assert_eq!(world.run(&["cat", "./warehouse/db.db/t"]).ok().lines().count(), 4);
    assert_eq!(world.run(&["cat", &format!("file://{dir}")]).ok().lines().count(), 4);
}

#[test]
fn inspect_shows_every_side() {
    let world = world();
    for view in ["summary", "schema", "snapshots", "levels", "files", "scan"] {
        let text = world.run(&["inspect", "db.t", view]).ok();
        assert!(!text.is_empty(), "{view}");
        let json = json_lines(&world.run(&["--json", "inspect", "db.t", view]).ok());
        assert!(!json.is_empty(), "{view}");
    }
    let levels = world.run(&["inspect", "db.t", "levels"]).ok();
    assert!(levels.contains("bucket-0") && levels.contains('█'), "{levels}");
    let empty = World::with_table();
    assert!(empty.run(&["inspect", "db.t"]).ok().contains("no rows were written yet"));
    empty.run(&["inspect", "db.t", "levels"]).fails(3, &["no snapshot yet"]);
}

#[test]
fn compact_leaves_one_run_a_bucket_and_the_same_rows() {
    let world = world();
    let before = world.rows();
    let report = json_lines(&world.run(&["--json", "compact", "db.t", "--full"]).ok());
    assert!(!report[0]["snapshots"].as_array().unwrap().is_empty(), "{report:?}");
    assert_eq!(world.rows(), before);
    let levels = json_lines(&world.run(&["--json", "inspect", "db.t", "levels"]).ok());
    assert!(levels.iter().all(|bucket| bucket["runs"] == 1), "{levels:?}");
    assert!(world.run(&["compact", "db.t"]).ok().contains("nothing to compact"));
}

#[test]
fn simulate_prints_levels_and_write_amplification() {
    let world = World::new();
    let text = world.run(&["simulate", "--commits", "60"]).ok();
    assert!(text.contains("write amplification") && text.contains('█'), "{text}");
    let lines = json_lines(&world.run(&["--json", "simulate", "--commits", "60"]).ok());
    assert!(lines.last().unwrap()["writeAmplification"].as_f64().unwrap() >= 1.0, "{lines:?}");
    world.run(&["simulate", "-o", "num-levels=x"]).fails(2, &["num-levels"]);
}

#[test]
fn a_reader_that_goes_away_is_no_error() {
    let world = world();
    let rows: String = (0..20_000).map(|i| format!("{i},{}\n", "x".repeat(50))).collect();
    let file = world.file("rows.csv", format!("id,name\n{rows}"));
    world.run(&["ingest", "db.t", &file]).ok();
    let mut command = world.command(&["cat", "db.t"]);
    let mut child = command.stdout(std::process::Stdio::piped()).spawn().unwrap();
    drop(child.stdout.take());
    assert!(child.wait().unwrap().success());
}
