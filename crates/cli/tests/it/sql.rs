use crate::world::{World, json_lines};

#[test]
fn statements_come_as_argument_file_and_standard_input() {
    let world = World::with_table();
    world.sql("INSERT INTO db.t VALUES (1, 'one', 1.5), (2, 'two; half', 2.5)").ok();
    let file = world
        .file("q.sql", "-- two statements\nSELECT name FROM db.t WHERE id = 2;\nSELECT count(*) AS n FROM db.t;\n");
    let answers = world.run(&["--json", "sql", "--file", &file]).ok();
    assert_eq!(json_lines(&answers), [serde_json::json!({"name": "two; half"}), serde_json::json!({"n": 2})]);
    let text = world.run_with_input(&["sql"], "SELECT name FROM db.t WHERE id = 1;").ok();
    assert!(text.contains("one") && text.contains("1 row in"), "{text}");
    let text = world.run_with_input(&["sql", "-f", "-"], "SHOW TABLES FROM db").ok();
    assert!(text.contains('t'), "{text}");
}

#[test]
fn a_failed_statement_stops_the_script_unless_told_otherwise() {
    let world = World::with_table();
    let script = "INSERT INTO db.t VALUES (1, 'a', 1); SELECT nope FROM db.t; INSERT INTO db.t VALUES (2, 'b', 2)";
    world.sql(script).fails(2, &["nope"]);
    assert_eq!(world.rows().len(), 1);
    world.run(&["sql", script, "--keep-going"]).fails(2, &["nope", "1 of 3 statements failed"]);
    assert_eq!(world.rows().len(), 2);
    let said =
        world.run_with_input(&["sql", "--keep-going"], "SELECT one FROM db.t; SELECT two FROM db.t").fails(2, &[]);
    assert!(said.contains("one") && said.contains("two"), "every failure is reported: {said}");
}

#[test]
fn earlier_versions_answer() {
    let world = World::with_table();
    world.sql("INSERT INTO db.t VALUES (1, 'old', 1)").ok();
    world.sql("INSERT INTO db.t VALUES (1, 'new', 2)").ok();
    let answer = world.run(&["--json", "sql", "SELECT name FROM db.t FOR VERSION AS OF 1"]).ok();
    assert_eq!(answer, "{\"name\":\"old\"}\n");
    let answer = world.run(&["--json", "sql", "SELECT name FROM db.t"]).ok();
    assert_eq!(answer, "{\"name\":\"new\"}\n");
}
