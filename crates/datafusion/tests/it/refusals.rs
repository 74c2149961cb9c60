//! What is not there, and what is wrong, is said by name.

use headwater_datafusion::ErrorKind;

use crate::world::World;

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn statements_that_are_not_there_are_named() {
    let world = World::with("CREATE TABLE t (a INT)").await;
    let cases = [
        ("ALTER VIEW v AS SELECT 1", "ALTER VIEW"),
        ("ANALYZE TABLE t", "ANALYZE"),
        ("CREATE VIEW v AS SELECT 1", "CREATE VIEW"),
        ("CREATE EXTERNAL TABLE x STORED AS PARQUET LOCATION '/x'", "CREATE EXTERNAL TABLE"),
        ("CREATE TEMPORARY TABLE x (a INT)", "CREATE TEMPORARY"),
        ("COPY t TO '/x'", "COPY"),
        ("GRANT SELECT ON t TO me", "GRANT"),
    ];
    for (statement, name) in cases {
        world.refuse(&[(statement, ErrorKind::Unsupported, &[name, "docs/compatibility.md"])]).await;
    }
    world
        .refuse(&[
            ("SHOW PARTITIONS t", ErrorKind::Unsupported, &["SHOW PARTITIONS"]),
            ("EXPLAIN ANALYZE INSERT INTO t VALUES (1)", ErrorKind::Unsupported, &["nsert"]),
            ("INSERT INTO t /*+ OPTIONS('write-only' = 'true') */ VALUES (1)", ErrorKind::Unsupported, &["OPTIONS"]),
        ])
        .await;
    world.check(&[("SELECT count(*) /*+ BROADCAST(t) */ FROM t", &["0"])]).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn wrong_queries_say_what_is_wrong() {
    use ErrorKind::{InvalidInput, NotFound};
    let world = World::with("CREATE TABLE t (a INT, Name STRING); INSERT INTO t VALUES (1, 'x')").await;
    world
        .refuse(&[
            ("SELECT nope FROM t", InvalidInput, &["nope"]),
            ("SELECT a FROM t WHERE nope = 1", InvalidInput, &["nope"]),
            // Names are case-sensitive, as in the format.
            ("SELECT name FROM t", InvalidInput, &["name"]),
            ("SELECT * FROM nowhere", NotFound, &["'nowhere'", "it has t"]),
            ("SELECT * FROM nowhere.t", NotFound, &["database 'nowhere'"]),
            ("SELECT * FROM a.b.c.d", InvalidInput, &["a.b.c.d"]),
            ("SELECT nofunction(a) FROM t", InvalidInput, &["nofunction"]),
            ("SELEC a FROM t", InvalidInput, &["SELEC"]),
            ("SELECT 'open", InvalidInput, &["cannot be read"]),
            ("SELECT a / 0 FROM t", InvalidInput, &["zero"]),
            ("SELECT CAST(Name AS INT) FROM t", InvalidInput, &["x"]),
        ])
        .await;
    world.check(&[("SELECT Name FROM t", &["x"])]).await;
}

/// Statements before the one that fails took effect, those after did not.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_script_stops_at_the_first_failure() {
    let world = World::with("CREATE TABLE t (a INT)").await;
    let script = "INSERT INTO t VALUES (1); INSERT INTO t VALUES ('x'); INSERT INTO t VALUES (3)";
    world.refuse(&[(script, ErrorKind::InvalidInput, &["a"])]).await;
    world.check(&[("SELECT a FROM t", &["1"])]).await;
}

/// A damaged file is `Corrupt` wherever in a plan it is met.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn errors_of_tables_keep_their_kind_through_the_engine() {
    let world = World::with("CREATE TABLE t (a INT); CREATE TABLE s (a INT); INSERT INTO s VALUES (1)").await;
    world.run("INSERT INTO t VALUES (1)").await;
    world.damage("db.db/t/bucket-0").await;
    for query in [
        "SELECT a FROM t",
        "SELECT sum(a) FROM t",
        "SELECT a FROM t ORDER BY a",
        "SELECT s.a FROM s JOIN t ON s.a = t.a",
        "SELECT t.a FROM t JOIN s ON s.a = t.a",
        "SELECT a FROM s WHERE a IN (SELECT a FROM t)",
        "SELECT a FROM s UNION SELECT a FROM t",
        "SELECT a FROM s WHERE a = (SELECT max(a) FROM t)",
        "INSERT INTO s SELECT a FROM t",
    ] {
        world.refuse(&[(query, ErrorKind::Corrupt, &["bucket-0"])]).await;
    }
}
