use std::os::unix::fs::PermissionsExt;
use std::os::unix::process::CommandExt;

use crate::world::{BINARY, World, finish};

#[test]
fn wrong_rows_are_refused_with_row_and_column_and_nothing_is_written() {
    let world = World::with_table();
    world.sql("INSERT INTO db.t VALUES (1, 'one', 1.00)").ok();
    let before = (world.rows(), world.snapshots());
    let cases: [(&str, &str, &[&str]); 8] = [
        ("type.csv", "id,name,price\n5,a,1.5\nx,b,2\n", &["InvalidInput", "'x'", "INT", "row=2", "column=id"]),
        ("null.csv", "id,name\n5,a\n,b\n", &["null in a key column", "row=2", "column=id"]),
        ("unknown.csv", "id,nmae\n5,a\n", &["no column 'nmae'", "id, name, price"]),
        ("nokey.csv", "name\na\n", &["column=id"]),
        ("scale.csv", "id,price\n5,1.005\n", &["1.005", "column=price", "row=1"]),
        ("fields.csv", "id,name\n5,a,b\n", &["3 fields, not 2", "row=1"]),
        ("type.ndjson", "{\"id\":5}\n{\"id\":\"6\"}\n{\"id\":7.5}\n", &["7.5", "row=3", "column=id"]),
        ("broken.ndjson", "{\"id\":5}\n{\"id\":\n", &["no JSON object", "row=2"]),
    ];
    for (name, content, says) in cases {
        let file = world.file(name, content);
        world.run(&["ingest", "db.t", &file]).fails(2, says);
        assert_eq!((world.rows(), world.snapshots()), before, "{name}");
    }
}

#[test]
fn wrong_requests_have_codes_and_say_what_to_do() {
    let world = World::with_table();
    world.run(&["ingest", "db.t", "no-such.csv"]).fails(3, &["NotFound", "no-such.csv"]);
    world.run(&["ingest", "db.t", &world.file("rows.xyz", "")]).fails(2, &["--format"]);
    world.run(&["ingest", "db.nope", &world.file("rows.csv", "id\n1\n")]).fails(3, &["NotFound"]);
    world.run(&["cat", "/no/such/table"]).fails(3, &["NotFound", "schema-0"]);
    world.run(&["cat", world.table_dir().to_str().unwrap(), "--snapshot", "9"]).fails(3, &["NotFound"]);
    world.run(&["cat", world.table_dir().to_str().unwrap(), "--columns", "nme"]).fails(2, &["no column 'nme'"]);
    world.run(&["cat", world.table_dir().to_str().unwrap(), "--where", "id >"]).fails(2, &["a literal"]);
    world.run(&["compact", "db.t", "-o", "no-such-option=1"]).fails(2, &["no-such-option"]);
    world.run(&["inspect", "db.t", "nothing"]).fails(2, &["possible values"]);
    world.sql("SELEC 1").fails(2, &["InvalidInput"]);
    world.sql("SELECT * FROM db.nope").fails(3, &["nope"]);
    world.sql("CREATE TABLE db.u (id INT) WITH ('buckt' = '1')").fails(2, &["buckt"]);
    let mut without = world.command(&["sql", "SHOW DATABASES"]);
    without.env_remove("HEADWATER_WAREHOUSE");
    finish(without).fails(2, &["--warehouse", "HEADWATER_WAREHOUSE"]);
}

#[test]
fn errors_are_json_for_programs() {
    let world = World::with_table();
    let text = world.run(&["--json", "cat", "/no/such/table"]).fails(3, &[]);
    let error: serde_json::Value = serde_json::from_str(text.trim()).unwrap();
    assert_eq!(error["error"]["kind"], "NotFound");
    assert!(error["error"]["message"].is_string());
}

/// As root, permissions do not count; there the program runs as nobody, from a place where nobody may run it.
#[test]
fn a_read_only_directory_is_a_named_error_and_leaves_the_table() {
    let world = World::with_table();
    world.sql("INSERT INTO db.t VALUES (1, 'one', 1.00)").ok();
    let before = (world.rows(), world.snapshots());
    let rows = world.file("rows.csv", "id,name\n2,two\n");
    let open = |mode| {
        let everything = std::iter::once(world.path("warehouse")).chain(dirs_below(&world.path("warehouse")));
        for dir in everything {
            std::fs::set_permissions(dir, std::fs::Permissions::from_mode(mode)).unwrap();
        }
    };
    let program = world.path("program");
    std::fs::copy(BINARY, &program).unwrap();
    std::fs::set_permissions(&program, std::fs::Permissions::from_mode(0o755)).unwrap();
    std::fs::set_permissions(world.path(""), std::fs::Permissions::from_mode(0o755)).unwrap();
    open(0o555);
    let mut command = std::process::Command::new(&program);
    command.args(["ingest", "db.t", &rows]).env("HEADWATER_WAREHOUSE", world.path("warehouse"));
    if is_root() {
        command.uid(65534).gid(65534);
    }
    let run = finish(command);
    open(0o755);
    run.fails(2, &["InvalidInput", "permission denied", "path="]);
    assert_eq!((world.rows(), world.snapshots()), before);
}

fn is_root() -> bool {
    let text = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    text.lines().any(|line| line.starts_with("Uid:\t0\t"))
}

fn dirs_below(dir: &std::path::Path) -> Vec<std::path::PathBuf> {
    let mut found = Vec::new();
    for entry in std::fs::read_dir(dir).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            found.extend(dirs_below(&path));
            found.push(path);
        }
    }
    found
}
