//! Rows come in.

use headwater_datafusion::ErrorKind;

use crate::world::World;

const KEYED: &str =
    "CREATE TABLE t (k INT, v STRING, n BIGINT DEFAULT 7, PRIMARY KEY (k) NOT ENFORCED) WITH ('bucket' = '2')";

/// Two partitions of two rows.
const DAYS: &str = "
    CREATE TABLE days (id INT, dt STRING, hr INT) PARTITIONED BY (dt, hr);
    INSERT INTO days VALUES (1, 'mon', 1), (2, 'mon', 2), (3, 'tue', 1), (4, 'tue', 2)";

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn rows_of_a_keyed_table_are_upserts() {
    let world = World::with(KEYED).await;
    let messages = world.run("INSERT INTO t VALUES (1, 'a', 1), (2, 'b', 2); INSERT INTO t VALUES (2, 'B', 3)").await;
    assert_eq!(messages, ["2 rows written to db.t", "1 row written to db.t"]);
    world.check(&[("SELECT * FROM t ORDER BY k", &["1|a|1", "2|B|3"])]).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn columns_may_be_named_and_left_out() {
    let world = World::with(KEYED).await;
    world.run("INSERT INTO t (v, k) VALUES ('a', 1); INSERT INTO t (k) SELECT k + 1 FROM t").await;
    world.run("INSERT INTO TABLE db.t (k, v, n) WITH x AS (SELECT 5 AS k) SELECT k, 'c', 9 FROM x").await;
    world.check(&[("SELECT * FROM t ORDER BY k", &["1|a|7", "2|null|7", "5|c|9"])]).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn partition_clauses_and_overwrites_touch_what_they_name() {
    // Statement, rows left as id|dt|hr.
    let cases: &[(&str, &[&str])] = &[
        (
            "INSERT OVERWRITE days PARTITION (dt = 'mon', hr = 1) VALUES (9)",
            &["2|mon|2", "3|tue|1", "4|tue|2", "9|mon|1"],
        ),
        // Dynamic is the default: only partitions with new rows are replaced.
        ("INSERT OVERWRITE days PARTITION (dt = 'mon') SELECT 9, 1", &["2|mon|2", "3|tue|1", "4|tue|2", "9|mon|1"]),
        (
            "INSERT OVERWRITE days VALUES (8, 'mon', 2), (9, 'wed', 1)",
            &["1|mon|1", "3|tue|1", "4|tue|2", "8|mon|2", "9|wed|1"],
        ),
        (
            "INSERT INTO days PARTITION (hr = -1, dt = '__DEFAULT_PARTITION__') (id) VALUES (9)",
            &["1|mon|1", "2|mon|2", "3|tue|1", "4|tue|2", "9|null|-1"],
        ),
        // Without rows nothing is named dynamically.
        ("INSERT OVERWRITE days SELECT * FROM days WHERE id > 10", &["1|mon|1", "2|mon|2", "3|tue|1", "4|tue|2"]),
        // A query may read what it replaces.
        (
            "INSERT OVERWRITE TABLE days SELECT id + 10, dt, hr FROM days WHERE dt = 'tue'",
            &["1|mon|1", "13|tue|1", "14|tue|2", "2|mon|2"],
        ),
    ];
    for (statement, left) in cases {
        let world = World::with(DAYS).await;
        world.run(statement).await;
        assert_eq!(world.rows("SELECT * FROM days ORDER BY CAST(id AS STRING)").await, *left, "{statement}");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_overwrite_is_static_where_the_option_says_so() {
    let cases: &[(&str, &[&str])] = &[
        ("INSERT OVERWRITE days PARTITION (dt = 'mon') SELECT 9, 1", &["3|tue|1", "4|tue|2", "9|mon|1"]),
        ("INSERT OVERWRITE days PARTITION (dt = 'mon') SELECT id, hr FROM days WHERE id > 10", &["3|tue|1", "4|tue|2"]),
        ("INSERT OVERWRITE days VALUES (9, 'wed', 1)", &["9|wed|1"]),
    ];
    for (statement, left) in cases {
        let script = DAYS.replace("BY (dt, hr)", "BY (dt, hr) WITH ('dynamic-partition-overwrite' = 'false')");
        let world = World::with(&script).await;
        world.run(statement).await;
        assert_eq!(world.rows("SELECT * FROM days ORDER BY id").await, *left, "{statement}");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn overwrite_and_truncate_of_whole_tables() {
    let world = World::with(KEYED).await;
    world.run("INSERT INTO t VALUES (1, 'a', 1); INSERT OVERWRITE t VALUES (2, 'b', 2), (3, 'c', 3)").await;
    world.check(&[("SELECT k FROM t ORDER BY k", &["2", "3"])]).await;
    world.run("TRUNCATE TABLE t").await;
    world.check(&[("SELECT k FROM t", &[]), ("SELECT count(*) FROM t FOR VERSION AS OF 2", &["2"])]).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn values_of_all_types_come_back() {
    let columns = [
        ("a BOOLEAN", "true", "true"),
        ("b TINYINT", "-128", "-128"),
        ("c SMALLINT", "32767", "32767"),
        ("d BIGINT", "9223372036854775807", "9223372036854775807"),
        ("e FLOAT", "1.5", "1.5"),
        ("f DOUBLE", "-2.25", "-2.25"),
        ("g DECIMAL(10, 2)", "12345678.91", "12345678.91"),
        ("h DATE", "DATE '2024-02-29'", "2024-02-29"),
        ("i TIMESTAMP(3)", "TIMESTAMP '2024-02-29 01:02:03.004'", "2024-02-29T01:02:03.004"),
        ("j STRING", "'it''s'", "it's"),
        ("k BYTES", "X'00ff'", "00ff"),
        ("l ARRAY<INT>", "[1, 2]", "[1, 2]"),
        ("m STRING", "NULL", "null"),
    ];
    for (column, literal, shown) in columns {
        let world = World::with(&format!("CREATE TABLE t ({column}); INSERT INTO t VALUES ({literal})")).await;
        assert_eq!(world.rows("SELECT * FROM t").await, [shown], "{column}");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn rows_that_do_not_fit_are_refused_and_none_is_written() {
    use ErrorKind::{InvalidInput, NotFound};
    let world = World::with(&format!("{KEYED}; {DAYS}")).await;
    world
        .refuse(&[
            ("INSERT INTO t (k, nope) VALUES (1, 2)", InvalidInput, &["no column 'nope'", "k, v, n"]),
            ("INSERT INTO t VALUES (1)", InvalidInput, &["1 columns", "3"]),
            ("INSERT INTO t (k) VALUES (1, 2)", InvalidInput, &["2 columns", "1"]),
            ("INSERT INTO t VALUES (1, 'a', 1), (NULL, 'a', 1)", InvalidInput, &["null", "column(k)"]),
            ("INSERT INTO t (v) VALUES ('a')", InvalidInput, &["null", "column(k)"]),
            ("INSERT INTO t VALUES (3000000000, 'a', 1)", InvalidInput, &["does not fit INT", "k"]),
            ("INSERT INTO t VALUES ('x', 'a', 1)", InvalidInput, &["k"]),
            ("INSERT INTO nowhere VALUES (1)", NotFound, &["'nowhere'"]),
            ("INSERT INTO t SELECT * FROM nowhere", NotFound, &["'nowhere'"]),
            ("INSERT OVERWRITE days PARTITION (id = 1) VALUES ('mon', 1)", InvalidInput, &["'id' is not a partition"]),
            ("INSERT OVERWRITE days PARTITION (nope = 1) VALUES (1, 'mon', 1)", InvalidInput, &["'nope'"]),
            (
                "INSERT OVERWRITE days PARTITION (dt = NULL) VALUES (1, 1)",
                InvalidInput,
                &["'dt'", "__DEFAULT_PARTITION__"],
            ),
            ("INSERT OVERWRITE days PARTITION (dt = monday) VALUES (1, 1)", InvalidInput, &["'dt'"]),
            ("INSERT OVERWRITE days PARTITION (hr = 'x') VALUES (1, 'mon')", InvalidInput, &["x"]),
        ])
        .await;
    world.check(&[("SELECT count(*) FROM t", &["0"]), ("SELECT count(*) FROM t$snapshots", &["0"])]).await;
    world.check(&[("SELECT count(*) FROM days", &["4"])]).await;
}
