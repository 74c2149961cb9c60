//! Databases and tables come and go.

use headwater_datafusion::ErrorKind;

use crate::world::World;

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn databases_come_and_go() {
    let world = World::new().await;
    world.run("CREATE DATABASE shop; CREATE DATABASE IF NOT EXISTS shop; CREATE SCHEMA other").await;
    world.check(&[("SHOW DATABASES", &["db", "other", "shop"]), ("SHOW SCHEMAS", &["db", "other", "shop"])]).await;
    world.refuse(&[("CREATE DATABASE shop", ErrorKind::Exists, &["shop"])]).await;
    world.run("CREATE TABLE shop.t (a INT)").await;
    world
        .refuse(&[
            ("DROP DATABASE shop", ErrorKind::InvalidInput, &["1 table", "CASCADE"]),
            ("DROP DATABASE shop RESTRICT", ErrorKind::InvalidInput, &["CASCADE"]),
            ("DROP DATABASE nowhere", ErrorKind::NotFound, &["nowhere"]),
            ("USE nowhere", ErrorKind::NotFound, &["nowhere"]),
        ])
        .await;
    world.run("DROP DATABASE shop CASCADE; DROP DATABASE IF EXISTS shop; DROP SCHEMA other").await;
    world.check(&[("SHOW DATABASES", &["db"])]).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn use_changes_the_database_of_short_names() {
    let world = World::new().await;
    world.run("CREATE TABLE t (a INT); INSERT INTO t VALUES (1)").await;
    world.run("CREATE DATABASE two; CREATE TABLE two.t (a INT); INSERT INTO two.t VALUES (2)").await;
    world.check(&[("SELECT a FROM t", &["1"]), ("SELECT a FROM two.t", &["2"])]).await;
    world.run("USE two").await;
    world
        .check(&[
            ("SELECT a FROM t", &["2"]),
            ("SELECT a FROM db.t", &["1"]),
            ("SELECT a FROM headwater.db.t", &["1"]),
            ("SHOW TABLES", &["t"]),
        ])
        .await;
}

/// What `SHOW CREATE TABLE` says runs again and says the same: everything given is kept.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn everything_a_table_was_created_with_is_kept() {
    let definitions = [
        "CREATE TABLE db.t (\n  \"a\" INT\n)",
        "CREATE TABLE db.t (\n  \"k\" BIGINT NOT NULL COMMENT 'the key''s comment',\n  \"v\" STRING DEFAULT 'x',\n  \
         PRIMARY KEY (\"k\") NOT ENFORCED\n) COMMENT 'it''s a table' WITH (\n  'bucket' = '2'\n)",
        "CREATE TABLE db.t (\n  \"k\" INT NOT NULL,\n  \"dt\" STRING NOT NULL,\n  \"hr\" INT NOT NULL,\n  \
         PRIMARY KEY (\"dt\", \"hr\", \"k\") NOT ENFORCED\n) PARTITIONED BY (\"dt\", \"hr\") WITH (\n  \
         'bucket' = '1',\n  'sequence.field' = 'k',\n  'target-file-size' = '64 mb'\n)",
        "CREATE TABLE db.t (\n  \"dec\" DECIMAL(20, 3),\n  \"ts\" TIMESTAMP(3),\n  \
         \"ltz\" TIMESTAMP(6) WITH LOCAL TIME ZONE,\n  \"tags\" ARRAY<STRING>,\n  \"m\" MAP<STRING NOT NULL, ARRAY<INT>>,\n  \
         \"r\" ROW<\"x\" INT COMMENT 'inner', \"y\" DATE>,\n  \"c\" CHAR(3),\n  \"b\" VARBINARY(9)\n)",
    ];
    for definition in definitions {
        let world = World::with(definition).await;
        let shown = world.rows("SHOW CREATE TABLE t").await;
        world.run("DROP TABLE t").await;
        world.run(&shown[0]).await;
        assert_eq!(world.rows("SHOW CREATE TABLE t").await, shown, "{definition}");
        let plain = |text: &str| text.replace('"', "");
        assert_eq!(plain(&shown[0]), plain(definition));
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn tables_are_created_once_and_dropped_whole() {
    let world = World::with("CREATE TABLE t (a INT); INSERT INTO t VALUES (1)").await;
    world.refuse(&[("CREATE TABLE t (b INT)", ErrorKind::Exists, &["db.t"])]).await;
    world.run("CREATE TABLE IF NOT EXISTS t (b INT)").await;
    world.check(&[("SELECT a FROM t", &["1"])]).await;
    world.run("DROP TABLE t; DROP TABLE IF EXISTS t; CREATE TABLE t (a INT)").await;
    world.check(&[("SELECT a FROM t", &[])]).await;
    world.refuse(&[("DROP TABLE nowhere", ErrorKind::NotFound, &["'nowhere'", "it has t"])]).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn definitions_that_cannot_be_are_refused_by_name_and_create_nothing() {
    use ErrorKind::{InvalidInput, NotFound, Unsupported};
    let world = World::new().await;
    world
        .refuse(&[
            ("CREATE TABLE nowhere.t (a INT)", NotFound, &["'nowhere'"]),
            ("CREATE TABLE t (a INT, a BIGINT)", InvalidInput, &["twice", "a"]),
            ("CREATE TABLE t (a WIDE)", InvalidInput, &["'WIDE' is not a column type"]),
            ("CREATE TABLE t (a VECTOR<FLOAT, 3>)", Unsupported, &["VECTOR"]),
            ("CREATE TABLE t (a BLOB)", Unsupported, &["BLOB"]),
            ("CREATE TABLE t (a INT, PRIMARY KEY (b) NOT ENFORCED) WITH ('bucket' = '1')", InvalidInput, &["b"]),
            ("CREATE TABLE t (a INT) PARTITIONED BY (b)", InvalidInput, &["partition key", "b"]),
            ("CREATE TABLE t (a INT DEFAULT 'x')", InvalidInput, &["default value", "a"]),
            ("CREATE TABLE t (a INT PRIMARY KEY NOT ENFORCED)", Unsupported, &["bucket", "for example 1"]),
            ("CREATE TABLE t (a INT) WITH ('buckets' = '1')", InvalidInput, &["'buckets'", "did you mean 'bucket'"]),
            ("CREATE TABLE t (a INT) WITH ('target-file-size' = 'big')", InvalidInput, &["target-file-size"]),
            ("CREATE TABLE t (a INT) WITH ('warehouse' = 'x')", InvalidInput, &["option of catalogs"]),
            ("CREATE TABLE t (a INT) WITH ('file.format' = 'orc')", Unsupported, &["ORC", "file.format"]),
            (
                "CREATE TABLE t (a INT PRIMARY KEY NOT ENFORCED) WITH ('bucket' = '1', 'merge-engine' = 'aggregation')",
                Unsupported,
                &["merge-engine = aggregation"],
            ),
            (
                "CREATE TABLE t (a INT PRIMARY KEY NOT ENFORCED) WITH ('bucket' = '1', 'changelog-producer' = 'input')",
                Unsupported,
                &["changelog-producer = input"],
            ),
            ("CREATE TABLE t (a INT) USING parquet", Unsupported, &["USING parquet"]),
            ("CREATE TABLE t (a INT, WATERMARK FOR a AS a)", Unsupported, &["WATERMARK"]),
            ("CREATE TABLE t AS SELECT 1", Unsupported, &["CREATE TABLE … AS"]),
            ("CREATE TABLE t LIKE s", Unsupported, &["LIKE"]),
        ])
        .await;
    world.check(&[("SHOW TABLES", &[])]).await;
}
