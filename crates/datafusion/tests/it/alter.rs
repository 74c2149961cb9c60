//! `ALTER TABLE` in the words of Flink and Spark.

use headwater_datafusion::ErrorKind::{InvalidInput, NotFound, Unsupported};

use crate::world::World;

const TABLE: &str = "CREATE TABLE t (k INT, a INT, b STRING, dt STRING, PRIMARY KEY (k, dt) NOT ENFORCED)
     PARTITIONED BY (dt) WITH ('bucket' = '1'); INSERT INTO t VALUES (1, 10, 'x', 'd'), (2, 20, 'y', 'd')";

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn rows_follow_their_columns() {
    let world = World::with(TABLE).await;
    for (change, query, rows) in [
        ("ADD c DOUBLE", "SELECT * FROM t ORDER BY k", ["1|10|x|d|null", "2|20|y|d|null"]),
        (
            "ADD (d INT COMMENT 'new' FIRST, e INT AFTER k)",
            "SELECT * FROM t ORDER BY k",
            ["null|1|null|10|x|d|null", "null|2|null|20|y|d|null"],
        ),
        ("DROP (d, e)", "SELECT * FROM t ORDER BY k", ["1|10|x|d|null", "2|20|y|d|null"]),
        ("RENAME a TO aa", "SELECT k, aa FROM t WHERE aa > 5 ORDER BY k", ["1|10", "2|20"]),
        ("MODIFY aa BIGINT", "SELECT k, aa + 4000000000 FROM t ORDER BY k", ["1|4000000010", "2|4000000020"]),
        ("ALTER COLUMN aa TYPE STRING", "SELECT k, concat(aa, '!') FROM t ORDER BY k", ["1|10!", "2|20!"]),
        (
            "CHANGE COLUMN aa a INT COMMENT 'again' FIRST",
            "SELECT * FROM t ORDER BY k",
            ["10|1|x|d|null", "20|2|y|d|null"],
        ),
        ("ALTER COLUMN a AFTER b", "SELECT * FROM t ORDER BY k", ["1|x|10|d|null", "2|y|20|d|null"]),
        (
            "ADD COLUMNS (r ROW<x INT, y ARRAY<ROW<z INT>>>)",
            "SELECT k, r IS NULL FROM t ORDER BY k",
            ["1|true", "2|true"],
        ),
        ("ADD COLUMN r.y.element.w STRING", "SELECT k, r['y'] IS NULL FROM t ORDER BY k", ["1|true", "2|true"]),
        ("DROP COLUMN r", "SELECT * FROM t ORDER BY k", ["1|x|10|d|null", "2|y|20|d|null"]),
        ("RENAME COLUMN k TO id", "SELECT id FROM t ORDER BY id", ["1", "2"]),
    ] {
        world.run(&format!("ALTER TABLE t {change}")).await;
        assert_eq!(world.rows(query).await, rows, "{change}");
    }
    world.run("INSERT INTO t VALUES (1, 'new', 11, 'd', 0.5); CALL sys.compact('db.t')").await;
    world.check(&[("SELECT * FROM t ORDER BY id", &["1|new|11|d|0.5", "2|y|20|d|null"])]).await;
    world.check(&[("SELECT * FROM t FOR VERSION AS OF 1 ORDER BY k", &["1|10|x|d", "2|20|y|d"])]).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn options_comments_and_defaults() {
    let world = World::with(TABLE).await;
    world
        .run(
            "ALTER TABLE t SET ('write-only' = 'true', 'comment' = 'all of it', 'target-file-size' = '64 mb');
             ALTER TABLE t RESET ('write-only'); ALTER TABLE t UNSET TBLPROPERTIES ('target-file-size');
             ALTER TABLE t SET TBLPROPERTIES ('num-sorted-run.compaction-trigger' = '3');
             ALTER TABLE t ALTER COLUMN a SET DEFAULT 7; ALTER TABLE t ALTER COLUMN b COMMENT 'text';
             ALTER TABLE t SET ('alter-column-null-to-not-null.disabled' = 'false');
             ALTER TABLE t ALTER b SET NOT NULL; ALTER TABLE t ALTER COLUMN b DROP NOT NULL;
             INSERT INTO t (k, dt) VALUES (3, 'd')",
        )
        .await;
    let shown = world.rows("SHOW CREATE TABLE t").await;
    let expected = "CREATE TABLE db.t (\n  \"k\" INT NOT NULL,\n  \"a\" INT DEFAULT '7',\n  \"b\" STRING COMMENT 'text',\n  \
         \"dt\" STRING NOT NULL,\n  PRIMARY KEY (\"k\", \"dt\") NOT ENFORCED\n) COMMENT 'all of it' \
         PARTITIONED BY (\"dt\") WITH (\n  'alter-column-null-to-not-null.disabled' = 'false',\n  'bucket' = '1',\n  \
         'num-sorted-run.compaction-trigger' = '3'\n)";
    assert_eq!(shown[0].replace("DEFAULT 7", "DEFAULT '7'"), expected);
    world.check(&[("SELECT a FROM t WHERE k = 3", &["7"])]).await;
    world.run("COMMENT ON TABLE t IS NULL; COMMENT ON COLUMN t.b IS NULL; ALTER TABLE t ALTER a DROP DEFAULT").await;
    let shown = world.rows("SHOW CREATE TABLE t").await;
    assert!(!shown[0].contains("COMMENT") && !shown[0].contains("DEFAULT"), "{}", shown[0]);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn partitions_are_dropped() {
    let world = World::with(TABLE).await;
    world.run("INSERT INTO t VALUES (3, 1, 'z', 'e'), (4, 1, 'z', 'f')").await;
    world.run("ALTER TABLE t DROP PARTITION (dt = 'd'), PARTITION (dt = 'e')").await;
    world.check(&[("SELECT k FROM t", &["4"])]).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_cannot_be_changed_says_why_and_changes_nothing() {
    let world = World::with(TABLE).await;
    world
        .refuse(&[
            ("ALTER TABLE nowhere ADD c INT", NotFound, &["'nowhere'"]),
            ("ALTER TABLE t ADD a INT", InvalidInput, &["already", "db.t"]),
            ("ALTER TABLE t ADD c INT NOT NULL", InvalidInput, &["must be nullable"]),
            ("ALTER TABLE t ADD c INT DEFAULT 1", Unsupported, &["SET DEFAULT"]),
            ("ALTER TABLE t ADD PRIMARY KEY (a)", Unsupported, &["primary key"]),
            ("ALTER TABLE t ADD PARTITION (dt = 'x')", Unsupported, &["ADD PARTITION"]),
            ("ALTER TABLE t DROP k", InvalidInput, &["primary key"]),
            ("ALTER TABLE t DROP dt", InvalidInput, &["partition column"]),
            ("ALTER TABLE t DROP PRIMARY KEY", InvalidInput, &["before the first snapshot"]),
            ("ALTER TABLE t RENAME nope TO x", InvalidInput, &["'nope'", "k, a, b, dt"]),
            ("ALTER TABLE t ALTER COLUMN a TYPE DATE", InvalidInput, &["INT cannot be changed to DATE"]),
            ("ALTER TABLE t ALTER COLUMN b SET NOT NULL", InvalidInput, &["alter-column-null-to-not-null.disabled"]),
            ("ALTER TABLE t SET ('bucket' = '-1')", Unsupported, &["bucket"]),
            ("ALTER TABLE t SET ('merge-engine' = 'first-row')", Unsupported, &["merge-engine = first-row"]),
            ("ALTER TABLE t SET ('wriet-only' = 'true')", InvalidInput, &["did you mean 'write-only'"]),
            ("ALTER TABLE t FROB a", InvalidInput, &["RENAME", "found 'FROB'"]),
            ("ALTER TABLE t RENAME TO u", Unsupported, &["object stores"]),
            ("ALTER DATABASE db SET ('a' = 'b')", Unsupported, &["ALTER DATABASE"]),
        ])
        .await;
    world.run("ALTER TABLE IF EXISTS nowhere ADD c INT").await;
    world.check(&[("SELECT count(*) FROM t$schemas", &["1"])]).await;
}
