//! SHOW and DESCRIBE.

use headwater_datafusion::ErrorKind;

use crate::world::World;

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn databases_tables_and_columns_are_listed() {
    let world = World::with(
        "CREATE TABLE b (a INT); CREATE DATABASE other; CREATE TABLE other.c (a INT);
         CREATE TABLE a (k BIGINT COMMENT 'the key', dt STRING, v DECIMAL(10, 2) NOT NULL DEFAULT 1.5, r ROW<x INT>,
                         PRIMARY KEY (dt, k) NOT ENFORCED) PARTITIONED BY (dt) WITH ('bucket' = '1')",
    )
    .await;
    let columns: &[&str] = &[
        "k|BIGINT|false|primary key|null|the key",
        "dt|STRING|false|primary key, partition|null|null",
        "v|DECIMAL(10, 2)|false|null|1.5|null",
        "r|ROW<`x` INT>|true|null|null|null",
    ];
    world
        .check(&[
            ("SHOW DATABASES", &["db", "other"]),
            ("SHOW TABLES", &["a", "b"]),
            ("SHOW TABLES IN other", &["c"]),
            ("show tables from db", &["a", "b"]),
            ("DESCRIBE a", columns),
            ("DESC TABLE db.a", columns),
            ("DESCRIBE other.c", &["a|INT|true|null|null|null"]),
        ])
        .await;
    world
        .refuse(&[
            ("SHOW TABLES IN nowhere", ErrorKind::NotFound, &["'nowhere'"]),
            ("DESCRIBE nowhere", ErrorKind::NotFound, &["'nowhere'"]),
            ("SHOW CREATE TABLE nowhere", ErrorKind::NotFound, &["'nowhere'"]),
        ])
        .await;
}
