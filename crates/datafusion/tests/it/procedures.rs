//! CALL.

use headwater_datafusion::ErrorKind;

use crate::world::World;

const TABLE: &str = "
    CREATE TABLE t (k INT, dt STRING, PRIMARY KEY (k, dt) NOT ENFORCED) PARTITIONED BY (dt)
      WITH ('bucket' = '1', 'write-only' = 'true');
    INSERT INTO t VALUES (1, 'a'), (1, 'b'); INSERT INTO t VALUES (2, 'a'), (2, 'b')";

const FILES: &str = "SELECT partition, level, record_count FROM t$files ORDER BY partition, level, record_count";

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn compact_rewrites_what_it_is_told_to() {
    let apart_a: &[&str] = &["dt=a|0|1", "dt=a|0|1", "dt=b|0|1", "dt=b|0|1"];
    let all: &[&str] = &["dt=a|5|2", "dt=b|5|2"];
    let only_b: &[&str] = &["dt=a|0|1", "dt=a|0|1", "dt=b|5|2"];
    // Call, message, files left.
    let cases: &[(&str, &str, &[&str])] = &[
        ("CALL sys.compact('db.t')", "compacted; snapshot 3", all),
        ("CALL sys.compact(table => 't')", "compacted; snapshot 3", all),
        ("CALL sys.compact('t', 'dt=b')", "compacted; snapshot 3", only_b),
        ("CALL sys.compact(table => 'db.t', partitions => 'dt=a;dt=b')", "compacted; snapshot 3", all),
        ("CALL sys.compact('t', partitions => 'dt=''b''')", "compacted; snapshot 3", only_b),
        ("CALL sys.compact('t', compact_strategy => 'full')", "compacted; snapshot 3", all),
        // Two runs are fewer than the trigger.
        ("CALL sys.compact('t', '', 'minor')", "nothing to compact", apart_a),
        ("CALL sys.compact('t', 'dt=nowhere')", "nothing to compact", apart_a),
    ];
    for (call, message, files) in cases {
        let world = World::with(TABLE).await;
        assert_eq!(world.run(call).await, [*message], "{call}");
        assert_eq!(world.rows(FILES).await, *files, "{call}");
        world.check(&[("SELECT k, dt FROM t ORDER BY dt, k", &["1|a", "2|a", "1|b", "2|b"])]).await;
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn drop_partition_removes_partitions() {
    let cases: &[(&str, &[&str])] = &[
        ("CALL sys.drop_partition('t', 'dt=a')", &["1|b", "2|b"]),
        ("CALL sys.drop_partition(table => 'db.t', partitions => 'dt=a;dt=b')", &[]),
        ("CALL sys.drop_partition('t', 'dt=nowhere')", &["1|a", "2|a", "1|b", "2|b"]),
    ];
    for (call, rows) in cases {
        let world = World::with(TABLE).await;
        world.run(call).await;
        assert_eq!(world.rows("SELECT k, dt FROM t ORDER BY dt, k").await, *rows, "{call}");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn calls_that_cannot_be_are_refused_by_name() {
    use ErrorKind::{InvalidInput, NotFound, Unsupported};
    let world = World::with(TABLE).await;
    world.run("CREATE TABLE append (a INT); INSERT INTO append VALUES (1)").await;
    world
        .refuse(&[
            ("CALL sys.rollback('t', 1)", Unsupported, &["sys.rollback", "sys.compact"]),
            ("CALL compact('t')", InvalidInput, &["sys.NAME"]),
            ("CALL sys.compact()", InvalidInput, &["needs a table"]),
            ("CALL sys.compact('nowhere')", NotFound, &["'nowhere'"]),
            ("CALL sys.compact('t', wheer => 'x')", InvalidInput, &["'wheer'", "compact_strategy"]),
            ("CALL sys.compact('t', '', 'full', 'x')", InvalidInput, &["3 arguments"]),
            ("CALL sys.compact('t', table => 'x')", InvalidInput, &["'table' twice"]),
            ("CALL sys.compact('t', '', 'big')", InvalidInput, &["'big'", "full or minor"]),
            ("CALL sys.compact('t', 'b')", InvalidInput, &["'b' is not COLUMN=VALUE"]),
            ("CALL sys.compact('t', 'k=1')", InvalidInput, &["'k'"]),
            ("CALL sys.drop_partition('t')", InvalidInput, &["partitions"]),
            ("CALL sys.drop_partition('t', 'nope=1')", InvalidInput, &["'nope'"]),
        ])
        .await;
    world.check(&[("SELECT count(*) FROM t$snapshots", &["2"])]).await;
}
