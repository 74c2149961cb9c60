//! Tables about tables.

use headwater_datafusion::ErrorKind;

use crate::world::World;

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn snapshots_schemas_options_and_files_are_tables() {
    let world = World::with(
        "CREATE TABLE t (k INT, v STRING, dt STRING, PRIMARY KEY (dt, k) NOT ENFORCED) COMMENT 'c'
           PARTITIONED BY (dt) WITH ('bucket' = '1', 'write-only' = 'true')",
    )
    .await;
    world.check(&[("SELECT * FROM t$snapshots", &[]), ("SELECT * FROM t$files", &[])]).await;
    world.run("INSERT INTO t VALUES (1, 'a', 'x'), (2, 'b', 'x'); INSERT OVERWRITE t VALUES (3, 'c', 'x')").await;
    world
        .check(&[
            (
                "SELECT snapshot_id, schema_id, commit_kind, commit_time, total_record_count, delta_record_count,
                        watermark FROM t$snapshots ORDER BY snapshot_id",
                &["1|0|APPEND|2024-01-01T00:00:00|2|2|null", "2|0|OVERWRITE|2024-01-01T00:00:00|1|-1|null"],
            ),
            (
                "SELECT schema_id, fields, partition_keys, primary_keys, comment FROM db.t$schemas",
                &["0|k INT NOT NULL, v STRING, dt STRING NOT NULL|[dt]|[dt, k]|c"],
            ),
            ("SELECT * FROM t$options ORDER BY key", &["bucket|1", "write-only|true"]),
            (
                "SELECT partition, bucket, level, record_count, delete_row_count, max_sequence_number FROM t$files",
                &["dt=x|0|5|1|0|0"],
            ),
            // They are tables like others.
            (
                "SELECT s.commit_kind FROM t$snapshots s JOIN \"t$schemas\" c ON s.schema_id = c.schema_id
                 WHERE s.snapshot_id = 2",
                &["OVERWRITE"],
            ),
        ])
        .await;
    world
        .refuse(&[
            ("SELECT * FROM t$nope", ErrorKind::Unsupported, &["'$nope'", "$snapshots"]),
            ("SELECT * FROM t$manifests", ErrorKind::Unsupported, &["'$manifests'"]),
            ("SELECT * FROM nowhere$files", ErrorKind::NotFound, &["'nowhere'"]),
            ("INSERT INTO t$options VALUES ('a', 'b')", ErrorKind::InvalidInput, &["$"]),
        ])
        .await;
}
