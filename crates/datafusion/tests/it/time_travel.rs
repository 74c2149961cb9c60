//! Earlier versions of tables.

use headwater_datafusion::ErrorKind;

use crate::world::World;

/// 2024-01-01T00:00:00Z.
const NEW_YEAR: i64 = 1_704_067_200_000;

/// Snapshots 1 to 3 at one, two and three o'clock of 2024-01-01, UTC; a row more each.
async fn hours() -> World {
    let world = World::with("CREATE TABLE t (k INT, PRIMARY KEY (k) NOT ENFORCED) WITH ('bucket' = '1')").await;
    for hour in 1..=3_i64 {
        world.env.set_millis(NEW_YEAR + hour * 3_600_000);
        world.run(&format!("INSERT INTO t VALUES ({hour})")).await;
    }
    world
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_version_is_named_by_snapshot_tag_or_time() {
    let world = hours().await;
    world.tag("t", 2, "two o'clock").await;
    let cases: &[(&str, &str)] = &[
        ("t", "3"),
        ("t FOR VERSION AS OF 1", "1"),
        ("t VERSION AS OF 2", "2"),
        ("db.t FOR SYSTEM_VERSION AS OF 2", "2"),
        ("t for version as of 2 x", "2"),
        ("t FOR VERSION AS OF 'two o''clock'", "2"),
        ("t FOR TIMESTAMP AS OF '2024-01-01 01:00:00'", "1"),
        ("t FOR TIMESTAMP AS OF '2024-01-01 01:59:59.999'", "1"),
        ("t TIMESTAMP AS OF TIMESTAMP '2024-01-01 02:00:00'", "2"),
        ("t FOR SYSTEM_TIME AS OF '2024-01-01 12:00:00'", "3"),
        ("t FOR TIMESTAMP AS OF 1704074400000", "2"),
        ("\"t\" VERSION AS OF 1 WHERE \"t\".k = 1", "1"),
        ("`t` VERSION AS OF 1", "1"),
        ("t VERSION AS OF 1 LEFT SEMI JOIN t VERSION AS OF 2 y ON t.k = y.k", "1"),
        ("(SELECT k AS version FROM t) WHERE version IN (SELECT version AS of FROM (SELECT 1 AS version))", "1"),
        ("t /* then */ FOR VERSION -- one\n AS OF 1", "1"),
    ];
    for (from, count) in cases {
        assert_eq!(world.rows(&format!("SELECT count(*) FROM {from}")).await, [*count], "{from}");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn versions_meet_in_one_query() {
    let world = hours().await;
    world
        .check(&[
            (
                "SELECT n.k FROM t n LEFT JOIN t FOR VERSION AS OF 1 o ON n.k = o.k WHERE o.k IS NULL ORDER BY n.k",
                &["2", "3"],
            ),
            ("SELECT t.k FROM t FOR VERSION AS OF 1 WHERE t.k = 1", &["1"]),
            ("SELECT 'FOR VERSION AS OF 9', count(*) FROM t FOR VERSION AS OF 2", &["FOR VERSION AS OF 9|2"]),
            ("SELECT k FROM t EXCEPT SELECT k FROM t VERSION AS OF 2", &["3"]),
            ("SELECT count(*) FROM (SELECT k FROM t FOR VERSION AS OF 2) x", &["2"]),
            ("WITH old AS (SELECT k FROM t FOR VERSION AS OF 1) SELECT k FROM old", &["1"]),
        ])
        .await;
    world.run("CREATE TABLE copy (k INT); INSERT INTO copy SELECT k FROM t FOR VERSION AS OF 2").await;
    world.check(&[("SELECT count(*) FROM copy", &["2"])]).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn versions_that_are_not_there_are_named() {
    use ErrorKind::{InvalidInput, NotFound, Unsupported};
    let world = hours().await;
    world
        .refuse(&[
            ("SELECT * FROM t FOR VERSION AS OF 9", NotFound, &["snapshot 9", "1 to 3"]),
            ("SELECT * FROM t FOR VERSION AS OF 'v1'", NotFound, &["tag 'v1'", "none"]),
            ("SELECT * FROM t FOR TIMESTAMP AS OF '2023-12-31 00:00:00'", NotFound, &["as old as"]),
            ("SELECT * FROM t FOR TIMESTAMP AS OF 'noon'", InvalidInput, &["noon"]),
            ("SELECT * FROM t FOR VERSION AS OF k", InvalidInput, &["VERSION AS OF takes", "not k"]),
            ("SELECT * FROM t VERSION AS OF 1.5", InvalidInput, &["VERSION AS OF takes", "not 1.5"]),
            ("SELECT * FROM t VERSION AS OF 99999999999999999999", InvalidInput, &["VERSION AS OF takes"]),
            ("SELECT * FROM t VERSION AS OF -1", InvalidInput, &["VERSION AS OF takes", "not -"]),
            ("SELECT * FROM t FOR VERSION AS OF", InvalidInput, &["not nothing"]),
            ("SELECT * FROM t FOR TIMESTAMP AS OF now()", InvalidInput, &["TIMESTAMP AS OF takes", "not now"]),
            ("SELECT * FROM t FOR VERSION AS OF 'it''s'", NotFound, &["tag 'it's'"]),
            ("SELECT * FROM t /*+ OPTIONS('scan.snapshot-id' = '1') */", Unsupported, &["/*+ OPTIONS"]),
            ("SELECT * FROM t$files FOR VERSION AS OF 1", Unsupported, &["time travel on system tables"]),
        ])
        .await;
}
