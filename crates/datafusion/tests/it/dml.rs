//! `DELETE`, `UPDATE` and `MERGE INTO`.

use headwater_datafusion::ErrorKind::{InvalidInput, NotFound, Unsupported};

use crate::world::World;

const TABLE: &str = "CREATE TABLE t (k INT, a INT, b STRING, dt STRING, PRIMARY KEY (k, dt) NOT ENFORCED)
     PARTITIONED BY (dt) WITH ('bucket' = '2');
     INSERT INTO t VALUES (1, 10, 'x', 'd'), (2, 20, 'y', 'd'), (3, 30, 'z', 'd'), (1, 11, NULL, 'e')";

const WITHOUT_KEY: &str = "CREATE TABLE t (k INT, a INT, b STRING, dt STRING) PARTITIONED BY (dt)
       WITH ('bucket' = '-1', 'compaction.min.file-num' = '2');
     INSERT INTO t VALUES (1, 10, 'x', 'd'), (2, 20, 'y', 'd'), (3, 30, 'z', 'd'), (1, 11, NULL, 'e')";

const IN_BUCKETS: &str = "CREATE TABLE t (k INT, a INT, b STRING, dt STRING) PARTITIONED BY (dt)
       WITH ('bucket' = '2', 'bucket-key' = 'k', 'compaction.min.file-num' = '2');
     INSERT INTO t VALUES (1, 10, 'x', 'd'), (2, 20, 'y', 'd'), (3, 30, 'z', 'd'), (1, 11, NULL, 'e')";

/// The same rows in tables of every kind.
const TABLES: [&str; 3] = [TABLE, WITHOUT_KEY, IN_BUCKETS];

const ALL: &str = "SELECT * FROM t ORDER BY dt, k";

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn rows_are_deleted() {
    for (condition, said, left) in [
        ("WHERE k = 1", "2 rows", &["2|20|y|d", "3|30|z|d"][..]),
        ("AS u WHERE u.dt = 'e' OR u.b = 'z'", "2 rows", &["1|10|x|d", "2|20|y|d"]),
        ("WHERE b IS NULL", "1 row ", &["1|10|x|d", "2|20|y|d", "3|30|z|d"]),
        ("WHERE a > (SELECT avg(a) FROM t)", "2 rows", &["1|10|x|d", "1|11|null|e"]),
        (
            "WHERE k IN (SELECT k FROM t FOR VERSION AS OF 1 WHERE b = 'y')",
            "1 row ",
            &["1|10|x|d", "3|30|z|d", "1|11|null|e"],
        ),
        ("WHERE CASE WHEN dt = 'd' THEN a > 15 ELSE false END", "2 rows", &["1|10|x|d", "1|11|null|e"]),
        ("WHERE k = 99", "0 rows", &["1|10|x|d", "2|20|y|d", "3|30|z|d", "1|11|null|e"]),
        ("", "all rows", &[]),
    ] {
        for table in TABLES {
            let world = World::with(table).await;
            let said_now = world.run(&format!("DELETE FROM t {condition}")).await;
            assert!(said_now[0].contains(said), "{condition}: {said_now:?}");
            assert_eq!(world.rows(ALL).await, left, "{condition} in {table}");
            world.run("CALL sys.compact('db.t')").await;
            assert_eq!(world.rows(ALL).await, left, "{condition}, compacted, in {table}");
        }
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn rows_are_updated() {
    for (change, left) in [
        ("SET a = a + 1, b = concat(b, '!') WHERE k < 3", ["1|11|x!|d", "2|21|y!|d", "3|30|z|d", "1|12|!|e"]),
        (
            "AS u SET u.b = CASE WHEN u.b IS NULL THEN 'none' ELSE dt END",
            ["1|10|d|d", "2|20|d|d", "3|30|d|d", "1|11|none|e"],
        ),
        (
            "SET a = (SELECT max(a) FROM t), b = NULL WHERE dt = 'e'",
            ["1|10|x|d", "2|20|y|d", "3|30|z|d", "1|30|null|e"],
        ),
        ("SET a = b WHERE k = 9", ["1|10|x|d", "2|20|y|d", "3|30|z|d", "1|11|null|e"]),
    ] {
        for table in TABLES {
            let world = World::with(table).await;
            world.run(&format!("UPDATE t {change}")).await;
            assert_eq!(world.rows(ALL).await, left, "{change} in {table}");
            world.run("CALL sys.compact('db.t')").await;
            assert_eq!(world.rows(ALL).await, left, "{change}, compacted, in {table}");
        }
    }
}

/// A statement is one snapshot; one that changes nothing is none.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn statements_are_snapshots() {
    for table in TABLES {
        let world = World::with(table).await;
        world.run("DELETE FROM t WHERE k = 99; UPDATE t SET a = 0 WHERE k = 99").await;
        world.check(&[("SELECT count(*) FROM t$snapshots", &["1"])]).await;
        world.run("DELETE FROM t WHERE k = 1; UPDATE t SET a = 0").await;
        world.check(&[("SELECT count(*) FROM t$snapshots", &["3"])]).await;
        world.check(&[("SELECT count(*) FROM t FOR VERSION AS OF 1", &["4"])]).await;
    }
}

/// Without a key rows that are alike are different rows, and every column may change.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn rows_without_key_are_told_apart_by_their_place() {
    for table in [WITHOUT_KEY, IN_BUCKETS] {
        let world = World::with(table).await;
        world.run("INSERT INTO t VALUES (1, 10, 'x', 'd'), (4, 40, 'w', 'd')").await;
        world.run("UPDATE t SET dt = 'moved', k = k + 10 WHERE a = 10").await;
        world
            .check(&[(
                "SELECT * FROM t ORDER BY k, a",
                &["1|11|null|e", "2|20|y|d", "3|30|z|d", "4|40|w|d", "11|10|x|moved", "11|10|x|moved"],
            )])
            .await;
        let merge = "MERGE INTO t USING (SELECT 11 AS k) AS s ON t.k = s.k WHEN MATCHED THEN UPDATE SET a = t.a + 1";
        world.run(merge).await;
        world.run("DELETE FROM t WHERE a < 11 OR a = 40").await;
        world
            .check(&[(
                "SELECT * FROM t ORDER BY k, a",
                &["1|11|null|e", "2|20|y|d", "3|30|z|d", "11|11|x|moved", "11|11|x|moved"],
            )])
            .await;
        // Deleted rows leave no file behind them that has no rows.
        world.run("DELETE FROM t WHERE dt = 'moved'").await;
        world.check(&[("SELECT count(*) FROM t$files WHERE record_count = 0", &["0"])]).await;
    }
}

const SOURCE: &str = "CREATE TABLE s (k INT, a INT, b STRING, dt STRING, op STRING);
     INSERT INTO s VALUES (1, 100, 'one', 'd', 'u'), (2, 200, 'two', 'd', 'd'), (7, 700, 'seven', 'd', 'i'),
                          (8, 800, NULL, 'f', 'i')";

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn sources_are_merged() {
    let on = "MERGE INTO t USING s ON t.k = s.k AND t.dt = s.dt";
    for (statement, said, left) in [
        (
            format!(
                "{on} WHEN MATCHED AND s.op = 'd' THEN DELETE WHEN MATCHED THEN UPDATE SET a = s.a + t.a, b = s.b
                 WHEN NOT MATCHED THEN INSERT (k, dt, a, b) VALUES (s.k, s.dt, s.a, upper(s.b))"
            ),
            "2 rows inserted, 1 updated, 1 deleted",
            &["1|110|one|d", "3|30|z|d", "7|700|SEVEN|d", "1|11|null|e", "8|800|null|f"][..],
        ),
        (
            format!("{on} WHEN MATCHED THEN UPDATE SET * WHEN NOT MATCHED AND s.b IS NOT NULL THEN INSERT *"),
            "1 row inserted, 2 updated, 0 deleted",
            &["1|100|one|d", "2|200|two|d", "3|30|z|d", "7|700|seven|d", "1|11|null|e"],
        ),
        (
            format!(
                "{on} WHEN NOT MATCHED BY SOURCE AND t.dt = 'e' THEN DELETE
                     WHEN NOT MATCHED BY SOURCE THEN UPDATE SET b = 'alone'"
            ),
            "0 rows inserted, 1 updated, 1 deleted",
            &["1|10|x|d", "2|20|y|d", "3|30|alone|d"],
        ),
        (
            format!(
                "{on} WHEN MATCHED THEN DELETE WHEN NOT MATCHED BY TARGET THEN INSERT (k, dt) VALUES (k + 1, 'g')
                     WHEN NOT MATCHED BY SOURCE THEN UPDATE SET a = CASE WHEN t.a > 20 THEN 1 ELSE 0 END"
            )
            .replace("(k + 1", "(s.k + 1"),
            "2 rows inserted, 2 updated, 2 deleted",
            &["3|1|z|d", "1|0|null|e", "8|null|null|g", "9|null|null|g"],
        ),
        (
            "MERGE INTO db.t AS x USING (SELECT k, max(a) AS m FROM s GROUP BY k) y ON x.k = y.k AND x.dt = 'd'
             WHEN MATCHED THEN UPDATE SET x.a = y.m"
                .to_owned(),
            "0 rows inserted, 2 updated, 0 deleted",
            &["1|100|x|d", "2|200|y|d", "3|30|z|d", "1|11|null|e"],
        ),
        (
            "MERGE INTO t USING t FOR VERSION AS OF 1 AS old ON t.k = old.k AND t.dt = old.dt
             WHEN MATCHED AND old.a < 15 THEN UPDATE SET a = -old.a"
                .to_owned(),
            "0 rows inserted, 2 updated, 0 deleted",
            &["1|-10|x|d", "2|20|y|d", "3|30|z|d", "1|-11|null|e"],
        ),
        (
            format!("{on} WHEN MATCHED AND t.a < 0 THEN DELETE"),
            "0 rows inserted, 0 updated, 0 deleted",
            &["1|10|x|d", "2|20|y|d", "3|30|z|d", "1|11|null|e"],
        ),
    ] {
        for table in TABLES {
            let world = World::with(table).await;
            world.run(SOURCE).await;
            let said_now = world.run(&statement).await;
            assert!(said_now[0].contains(said), "{statement}: {said_now:?}");
            assert_eq!(world.rows(ALL).await, left, "{statement} in {table}");
            world.run("CALL sys.compact('db.t')").await;
            assert_eq!(world.rows(ALL).await, left, "{statement}, compacted, in {table}");
        }
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn types_of_every_kind_are_merged() {
    let world = World::with(
        "CREATE TABLE t (k INT, d DECIMAL(10, 2), f FLOAT, day DATE, ts TIMESTAMP(3), l TIMESTAMP_LTZ(6), at TIME,
            bin BYTES, tags ARRAY<INT>, r ROW<x INT, y STRING>, PRIMARY KEY (k) NOT ENFORCED) WITH ('bucket' = '1');
         INSERT INTO t VALUES (1, 1.25, 0.5, '2024-01-01', '2024-01-01 01:02:03.004', '2024-01-01 01:02:03', '01:02:03',
            NULL, NULL, NULL)",
    )
    .await;
    world
        .run(
            "MERGE INTO t USING (SELECT * FROM t) AS s ON t.k = s.k
               WHEN MATCHED THEN UPDATE SET d = s.d * 2, day = '2024-02-29', tags = make_array(1, 2), f = 2
               WHEN NOT MATCHED THEN INSERT *;
             MERGE INTO t USING (SELECT 5 AS k, CAST('2025-01-01' AS DATE) AS day) AS s ON t.k = s.k
               WHEN NOT MATCHED THEN INSERT (k, day, d, bin) VALUES (s.k, s.day, 7, x'00ff')",
        )
        .await;
    world
        .check(&[(
            "SELECT k, d, f, day, ts, at, tags, bin FROM t ORDER BY k",
            &[
                "1|2.50|2.0|2024-02-29|2024-01-01T01:02:03.004|01:02:03|[1, 2]|null",
                "5|7.00|null|2025-01-01|null|null|null|00ff",
            ],
        )])
        .await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn changes_of_rows_that_cannot_be_say_why_and_change_nothing() {
    let world = World::with(TABLE).await;
    world.run(SOURCE).await;
    world
        .run(
            "CREATE TABLE kept (k INT, v INT, PRIMARY KEY (k) NOT ENFORCED) WITH ('bucket' = '1', 'ignore-delete' = 'true');
             CREATE TABLE kinds (k INT, op STRING, PRIMARY KEY (k) NOT ENFORCED)
               WITH ('bucket' = '1', 'rowkind.field' = 'op');
             INSERT INTO s VALUES (1, 101, 'again', 'd', 'u')",
        )
        .await;
    let on = "MERGE INTO t USING s ON t.k = s.k AND t.dt = s.dt";
    let merged = |clauses: &str| format!("{on} {clauses}");
    let twice = merged("WHEN MATCHED AND s.op = 'u' THEN UPDATE SET a = s.a");
    let moved = merged("WHEN MATCHED AND s.op = 'd' THEN UPDATE SET k = 99");
    let unknown = merged("WHEN MATCHED THEN UPDATE SET nope = 1");
    let order = merged("WHEN MATCHED THEN DELETE WHEN MATCHED THEN UPDATE SET a = 1");
    let counts = merged("WHEN NOT MATCHED THEN INSERT (k, dt) VALUES (s.k)");
    let star = merged("WHEN NOT MATCHED BY SOURCE THEN UPDATE SET *");
    let key = merged("WHEN NOT MATCHED THEN INSERT (k) VALUES (s.k)");
    world
        .refuse(&[
            ("DELETE FROM nowhere WHERE k = 1", NotFound, &["'nowhere'"]),
            ("DELETE FROM t WHERE nope = 1", InvalidInput, &["nope"]),
            ("DELETE FROM t WHERE", InvalidInput, &["a condition"]),
            ("DELETE FROM t USING s WHERE t.k = s.k", Unsupported, &["USING", "MERGE INTO"]),
            ("DELETE FROM kept WHERE k = 1", InvalidInput, &["'ignore-delete'", "db.kept"]),
            ("DELETE FROM kinds WHERE k = 1", InvalidInput, &["'rowkind.field'"]),
            ("UPDATE t SET k = 5", InvalidInput, &["primary key", "k"]),
            ("UPDATE t SET dt = 'x'", InvalidInput, &["primary key", "dt"]),
            ("UPDATE t SET a = 'text' WHERE k = 1", InvalidInput, &["a value does not fit INT", "a"]),
            ("UPDATE t SET nope = 5", InvalidInput, &["'nope'", "k, a, b, dt"]),
            ("UPDATE t SET a = 1, a = 2", InvalidInput, &["assigned twice"]),
            ("UPDATE t SET a = s.a FROM s WHERE s.k = t.k", Unsupported, &["FROM", "MERGE INTO"]),
            ("UPDATE t SET a", InvalidInput, &["expected ="]),
            (&twice, InvalidInput, &["several rows of the source"]),
            (&moved, InvalidInput, &["primary key"]),
            (&unknown, InvalidInput, &["'nope'"]),
            (&order, InvalidInput, &["must be the last of its kind"]),
            (&counts, InvalidInput, &["2 columns and gives 1"]),
            (&star, InvalidInput, &["no source"]),
            (&key, InvalidInput, &["dt"]),
            (on, InvalidInput, &["a WHEN clause"]),
            ("MERGE INTO t USING (SELECT 1) ON true WHEN MATCHED THEN DELETE", InvalidInput, &["needs an alias"]),
            ("MERGE INTO kept USING s ON kept.k = s.k WHEN MATCHED THEN DELETE", InvalidInput, &["'ignore-delete'"]),
        ])
        .await;
    world.check(&[(ALL, &["1|10|x|d", "2|20|y|d", "3|30|z|d", "1|11|null|e"])]).await;
    world.check(&[("SELECT count(*) FROM t$snapshots", &["1"])]).await;
}
