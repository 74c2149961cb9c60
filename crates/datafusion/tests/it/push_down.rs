//! What of a query reaches the scan, as EXPLAIN tells it.

use crate::world::World;

/// Four partitions of ten rows each, one file a partition.
async fn days() -> World {
    let world = World::with("CREATE TABLE t (id INT, name STRING, v DOUBLE, dt STRING) PARTITIONED BY (dt)").await;
    for day in 0..4 {
        let rows = (0..10).map(|i| format!("({}, 'n{i}', {i}.5, 'd{day}')", day * 10 + i));
        world.run(&format!("INSERT INTO t VALUES {}", rows.collect::<Vec<_>>().join(", "))).await;
    }
    world
}

async fn plan(world: &World, query: &str) -> String {
    world.rows(&format!("EXPLAIN {query}")).await.join("\n")
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn columns_filters_and_limits_reach_the_scan() {
    let world = days().await;
    // Query, what the plan says, what it must not say.
    let cases: &[(&str, &[&str], &[&str])] = &[
        ("SELECT name FROM t", &["TableScan: t projection=[name]", "partition_sizes=4"], &["partial_filters"]),
        ("SELECT count(*) FROM t", &["projection=[]", "partition_sizes=4"], &[]),
        (
            "SELECT name FROM t WHERE id = 7",
            &["projection=[id, name]", "partial_filters=[t.id = Int32(7)]", "partition_sizes=1"],
            &[],
        ),
        ("SELECT id FROM t WHERE 7 > id", &["partial_filters=[t.id < Int32(7)]", "partition_sizes=1"], &[]),
        ("SELECT id FROM t WHERE dt = 'd2'", &["partial_filters=[t.dt =", "partition_sizes=1"], &[]),
        ("SELECT id FROM t WHERE dt IN ('d0', 'd3')", &["partition_sizes=2"], &[]),
        ("SELECT id FROM t WHERE id BETWEEN 8 AND 12", &["partition_sizes=2"], &[]),
        ("SELECT id FROM t WHERE id < 5 OR dt = 'd3'", &["partial_filters", "partition_sizes=2"], &[]),
        // Half of a conjunction that cannot be told from statistics does not keep the other half.
        ("SELECT id FROM t WHERE dt = 'd1' AND abs(v) > 3", &["partition_sizes=1", "FilterExec"], &[]),
        ("SELECT id FROM t WHERE abs(v) > 3", &["partition_sizes=4", "FilterExec"], &["partial_filters"]),
        ("SELECT id FROM t WHERE name IS NULL", &["EmptyExec"], &["partition_sizes"]),
        ("SELECT id FROM t WHERE dt = 'nowhere'", &["EmptyExec"], &["partition_sizes"]),
        // Ten rows are in the first file already.
        ("SELECT id FROM t LIMIT 3", &["fetch=3", "partition_sizes=1"], &[]),
        ("SELECT id FROM t LIMIT 13", &["fetch=13", "partition_sizes=2"], &[]),
        // A limit must not cut before a filter that scans apply to files only.
        ("SELECT id FROM t WHERE v > 3 LIMIT 3", &["partition_sizes=4"], &["TableScan: t projection=[id, v], fetch"]),
    ];
    for (query, says, says_not) in cases {
        let plan = plan(&world, query).await;
        for text in *says {
            assert!(plan.contains(text), "{query} lacks '{text}':\n{plan}");
        }
        for text in *says_not {
            assert!(!plan.contains(text), "{query} has '{text}':\n{plan}");
        }
    }
}

/// Pushed or not, the rows are the same.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn answers_do_not_depend_on_what_is_pushed() {
    let world = days().await;
    let cases: &[(&str, &str)] = &[
        ("id = 7", "1"),
        ("7 > id", "7"),
        ("id >= 38 AND id <> 39", "1"),
        ("dt = 'd2' AND v > 3", "7"),
        ("dt IN ('d0', 'd3')", "20"),
        ("dt NOT IN ('d0', 'd3')", "20"),
        ("id BETWEEN 8 AND 12", "5"),
        ("id NOT BETWEEN 8 AND 12", "35"),
        ("id < 5 OR dt = 'd3'", "15"),
        ("NOT (id < 5)", "35"),
        ("name LIKE 'n1%'", "4"),
        ("name IS NULL", "0"),
        ("name IS NOT NULL", "40"),
        ("id = 7.5", "0"),
        ("id < 7.5", "8"),
        ("id = 3000000000", "0"),
        ("id < 3000000000", "40"),
        ("CAST(id AS STRING) = '7'", "1"),
        ("id = v - 0.5", "10"),
    ];
    for (filter, count) in cases {
        assert_eq!(world.rows(&format!("SELECT count(*) FROM t WHERE {filter}")).await, [*count], "{filter}");
    }
    assert_eq!(world.rows("SELECT id FROM t LIMIT 13").await.len(), 13);
    assert_eq!(world.rows("SELECT id FROM t WHERE v > 3 LIMIT 13").await.len(), 13);
    assert_eq!(world.rows("SELECT id FROM t ORDER BY id DESC LIMIT 2 OFFSET 1").await, ["38", "37"]);
}

/// A filter on values must not bring an overwritten version of a row back.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn filters_on_values_see_merged_rows() {
    let world = World::with(
        "CREATE TABLE t (k INT, v INT, PRIMARY KEY (k) NOT ENFORCED) WITH ('bucket' = '1', 'write-only' = 'true');
         INSERT INTO t VALUES (1, 1), (2, 2); INSERT INTO t VALUES (1, 10)",
    )
    .await;
    world
        .check(&[
            ("SELECT k FROM t WHERE v = 1", &[]),
            ("SELECT k FROM t WHERE v < 5", &["2"]),
            ("SELECT v FROM t WHERE k = 1", &["10"]),
            ("SELECT count(*), sum(v) FROM t", &["2|12"]),
            ("SELECT v FROM t LIMIT 1", &["10"]),
        ])
        .await;
    let buckets = World::with(
        "CREATE TABLE t (k INT, PRIMARY KEY (k) NOT ENFORCED) WITH ('bucket' = '8');
         INSERT INTO t VALUES (1), (2), (3), (4), (5), (6), (7), (8), (9), (10), (11), (12)",
    )
    .await;
    let plan = plan(&buckets, "SELECT k FROM t WHERE k = 5").await;
    assert!(plan.contains("partition_sizes=1"), "one bucket can hold the key:\n{plan}");
    buckets.check(&[("SELECT k FROM t WHERE k = 5", &["5"])]).await;
}
