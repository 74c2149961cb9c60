use headwater_types::{ErrorKind, TypeKind};

use super::*;

fn statement(sql: &str) -> Statement {
    parse(sql).unwrap()
}

fn names(parts: &[&str]) -> Vec<String> {
    parts.iter().map(|p| (*p).to_owned()).collect()
}

#[test]
fn scripts_split_outside_quotes_and_comments() {
    let cases: [(&str, &[&str]); 6] = [
        ("a; b ;c", &["a", "b", "c"]),
        ("select ';' ; x", &["select ';'", "x"]),
        ("select 'it''s;' -- no; split\n; y", &["select 'it''s;' -- no; split", "y"]),
        ("/* a;b */ z;", &["/* a;b */ z"]),
        (" ; -- only a comment\n ; /* c */ ", &[]),
        ("select \"a;b\", `c;d`", &["select \"a;b\", `c;d`"]),
    ];
    for (script, expected) in cases {
        assert_eq!(split_statements(script), expected, "{script}");
    }
}

#[test]
fn create_table_as_flink_users_paste_it() {
    let Statement::CreateTable(table) = statement(
        "CREATE TABLE IF NOT EXISTS db.t (
            id BIGINT COMMENT 'the key', dt STRING NOT NULL, price DECIMAL(10, 2) DEFAULT 1.5,
            tags ARRAY<STRING>, m MAP<STRING, ARRAY<INT>>, r ROW<a INT COMMENT 'x', b TIMESTAMP(3)>,
            at TIMESTAMP_LTZ(3), PRIMARY KEY (dt, id) NOT ENFORCED
         ) COMMENT 'all of it' PARTITIONED BY (dt) WITH ('bucket' = '2', 'write-only' = 'true')",
    ) else {
        panic!("not a CREATE TABLE")
    };
    assert_eq!(table.name, names(&["db", "t"]));
    assert!(table.if_not_exists);
    assert_eq!(table.primary_keys, names(&["dt", "id"]));
    assert_eq!(table.partition_keys, names(&["dt"]));
    assert_eq!(table.comment.as_deref(), Some("all of it"));
    assert_eq!(table.options.get("bucket").map(String::as_str), Some("2"));
    assert_eq!(table.fields.len(), 7);
    assert_eq!(table.fields[0].description.as_deref(), Some("the key"));
    assert!(!table.fields[1].data_type.is_nullable());
    assert_eq!(table.fields[2].default_value.as_deref(), Some("1.5"));
    assert!(matches!(table.fields[4].data_type.kind(), TypeKind::Map { .. }));
    assert!(matches!(table.fields[5].data_type.kind(), TypeKind::Row(members) if members.len() == 2));
    assert_eq!(table.fields[6].data_type.kind(), &TypeKind::LocalZonedTimestamp { precision: 3 });
}

#[test]
fn inserts_keep_their_query_as_written() {
    let Statement::Insert(insert) =
        statement("INSERT OVERWRITE t PARTITION (dt = 'it''s', hr) (a, b) SELECT 'x''y', 2 FROM s")
    else {
        panic!("not an INSERT")
    };
    assert!(insert.overwrite);
    assert_eq!(insert.partition.get("dt").map(String::as_str), Some("it's"));
    assert_eq!(insert.partition.len(), 1);
    assert_eq!(insert.columns, Some(names(&["a", "b"])));
    assert_eq!(insert.query, "SELECT 'x''y', 2 FROM s");
    let Statement::Insert(insert) = statement("INSERT INTO db.t (SELECT 1)") else { panic!("not an INSERT") };
    assert_eq!((insert.columns, insert.query.as_str()), (None, "(SELECT 1)"));
}

#[test]
fn time_travel_moves_into_the_name() {
    let cases = [
        ("SELECT * FROM t FOR VERSION AS OF 3", "SELECT * FROM \"t\u{1}s\u{1}3\" AS \"t\""),
        (
            "SELECT x.a FROM db.t VERSION AS OF 'tag' x WHERE a > 1",
            "SELECT x.a FROM db.\"t\u{1}t\u{1}tag\" x WHERE a > 1",
        ),
        (
            "SELECT * FROM t FOR TIMESTAMP AS OF TIMESTAMP '2024-01-01 00:00:00' WHERE a = 'b''c'",
            "SELECT * FROM \"t\u{1}m\u{1}2024-01-01 00:00:00\" AS \"t\" WHERE a = 'b''c'",
        ),
        (
            "SELECT * FROM t VERSION AS OF 1 JOIN t FOR VERSION AS OF 2 AS b ON true",
            "SELECT * FROM \"t\u{1}s\u{1}1\" AS \"t\" JOIN \"t\u{1}s\u{1}2\" AS b ON true",
        ),
        ("SELECT version AS of_x FROM t", "SELECT version AS of_x FROM t"),
    ];
    for (sql, expected) in cases {
        assert_eq!(rewrite_time_travel(sql).unwrap(), expected, "{sql}");
    }
    assert_eq!(split_versioned_name("t\u{1}s\u{1}3"), ("t", Some(TableVersion::Snapshot(3))));
    assert_eq!(split_versioned_name("t"), ("t", None));
}

#[test]
fn small_statements() {
    assert_eq!(statement("show databases"), Statement::ShowDatabases);
    assert_eq!(statement("SHOW TABLES IN db"), Statement::ShowTables { database: Some("db".to_owned()) });
    assert_eq!(statement("desc t"), Statement::Describe { name: names(&["t"]) });
    assert_eq!(statement("USE db"), Statement::Use { database: "db".to_owned() });
    assert_eq!(statement("TRUNCATE TABLE a.b"), Statement::Truncate { name: names(&["a", "b"]) });
    assert_eq!(
        statement("DROP DATABASE IF EXISTS db CASCADE"),
        Statement::DropDatabase { name: "db".to_owned(), if_exists: true, cascade: true }
    );
    let Statement::Call(call) = statement("CALL sys.compact('db.t', compact_strategy => 'full')") else {
        panic!("not a CALL")
    };
    assert_eq!((call.procedure.as_str(), call.positional.len()), ("compact", 1));
    assert_eq!(call.named.get("compact_strategy").map(String::as_str), Some("full"));
    assert!(matches!(statement("SELECT 1"), Statement::Query(_)));
}

#[test]
fn what_is_not_there_is_named() {
    let cases = [
        ("ALTER TABLE t ADD COLUMN", ErrorKind::InvalidInput, "a column name"),
        ("MERGE INTO t USING s ON true", ErrorKind::InvalidInput, "WHEN"),
        ("CREATE TABLE t (a INT, b AS a + 1)", ErrorKind::Unsupported, "computed column 'b'"),
        ("CREATE TABLE t (a WIDE)", ErrorKind::InvalidInput, "'WIDE' is not a column type"),
        ("CREATE TABLE t (a DECIMAL(50, 2))", ErrorKind::InvalidInput, "DECIMAL(50, 2)"),
        ("CREATE TABLE t (a INT) WITH ('x' = '1', 'x' = '2')", ErrorKind::InvalidInput, "'x' is given twice"),
        ("CREATE TABLE t (a INT", ErrorKind::InvalidInput, "the end of the statement"),
        ("INSERT INTO t", ErrorKind::InvalidInput, "VALUES"),
        ("DROP TABLE t extra", ErrorKind::InvalidInput, "found 'extra'"),
    ];
    for (sql, kind, text) in cases {
        let error = parse(sql).unwrap_err();
        assert_eq!(error.kind(), kind, "{sql}");
        assert!(error.to_string().contains(text), "{sql}: {error}");
    }
}
