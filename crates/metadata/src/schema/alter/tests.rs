use std::collections::BTreeMap;

use headwater_types::{DataField, DataType, TypeKind};

use crate::{ColumnPosition, ErrorKind, Schema, SchemaChange};

/// `v ARRAY<ROW<a INT, m MAP<STRING, INT>>>` and plain columns, partitioned by dt, keyed by dt and k.
fn table(options: &[(&str, &str)]) -> Schema {
    let int = || DataType::from(TypeKind::Int);
    let map = DataType::from(TypeKind::Map { key: Box::new(DataType::from(TypeKind::STRING)), value: Box::new(int()) });
    let row = TypeKind::Row(vec![DataField::new(0, "a", int()), DataField::new(0, "m", map)]);
    let fields = vec![
        DataField::new(0, "k", TypeKind::BigInt),
        DataField::new(0, "v", TypeKind::Array(Box::new(row.into()))),
        DataField::new(0, "s", TypeKind::STRING),
        DataField::new(0, "n", TypeKind::Int),
        DataField::new(0, "dt", TypeKind::STRING),
    ];
    let options: BTreeMap<_, _> =
        [("bucket", "2")].iter().chain(options).map(|(k, v)| ((*k).to_owned(), (*v).to_owned())).collect();
    let keys = |names: &[&str]| names.iter().map(|n| (*n).to_owned()).collect::<Vec<_>>();
    Schema::create(fields, keys(&["dt"]), keys(&["dt", "k"]), options, None, 1).unwrap()
}

fn path(text: &str) -> Vec<String> {
    text.split('.').map(str::to_owned).collect()
}

fn position(words: &[&str]) -> Option<ColumnPosition> {
    match words {
        ["first"] => Some(ColumnPosition::First),
        ["last"] => Some(ColumnPosition::Last),
        ["after", name] => Some(ColumnPosition::After((*name).to_owned())),
        ["before", name] => Some(ColumnPosition::Before((*name).to_owned())),
        _ => None,
    }
}

/// One change in words.
fn change(text: &str) -> SchemaChange {
    let words: Vec<&str> = text.split(' ').collect();
    let owned = |text: &str| Some(text.to_owned()).filter(|t| t != "-");
    match words.as_slice() {
        ["set", key, value] => SchemaChange::SetOption { key: (*key).to_owned(), value: (*value).to_owned() },
        ["unset", key] => SchemaChange::RemoveOption { key: (*key).to_owned() },
        ["add", name, of, place @ ..] => SchemaChange::AddColumn {
            path: path(name),
            data_type: of.replace('_', " ").parse().unwrap(),
            comment: None,
            position: position(place),
        },
        ["rename", name, to] => SchemaChange::RenameColumn { path: path(name), new_name: (*to).to_owned() },
        ["drop", name] => SchemaChange::DropColumn { path: path(name) },
        ["type", name, of] => SchemaChange::UpdateColumnType {
            path: path(name),
            data_type: of.replace('_', " ").parse().unwrap(),
            keep_nullability: false,
        },
        ["null", name] => SchemaChange::UpdateColumnNullability { path: path(name), nullable: true },
        ["notnull", name] => SchemaChange::UpdateColumnNullability { path: path(name), nullable: false },
        ["comment", name, comment] => SchemaChange::UpdateColumnComment { path: path(name), comment: owned(comment) },
        ["default", name, value] => SchemaChange::UpdateColumnDefault { path: path(name), default_value: owned(value) },
        ["move", name, place @ ..] => {
            SchemaChange::UpdateColumnPosition { name: (*name).to_owned(), position: position(place).unwrap() }
        }
        ["dropkey"] => SchemaChange::DropPrimaryKey,
        _ => panic!("no change: {text}"),
    }
}

fn shown(schema: &Schema) -> String {
    let column = |f: &DataField| format!("{}:{}", f.id, f.name);
    schema.fields.iter().map(column).collect::<Vec<_>>().join(" ")
}

#[track_caller]
fn check_columns(changes: &[&str], expected: &str) {
    let changes: Vec<SchemaChange> = changes.iter().map(|c| change(c)).collect();
    let schema = table(&[]).with_changes(&changes, true, 7).unwrap();
    assert_eq!(shown(&schema), expected);
    assert_eq!((schema.id, schema.time_millis, schema.version), (1, 7, 3));
}

#[track_caller]
fn check_refused(options: &[(&str, &str)], changes: &[&str], reason: &str) {
    let changes: Vec<SchemaChange> = changes.iter().map(|c| change(c)).collect();
    let error = table(options).with_changes(&changes, true, 7).map(|s| shown(&s)).unwrap_err();
    assert!(error.to_string().contains(reason), "{error}");
}

#[test]
fn columns_keep_their_ids_and_new_ones_get_new_ids() {
    check_columns(&[], "0:k 1:v 4:s 5:n 6:dt");
    check_columns(&["add x INT"], "0:k 1:v 4:s 5:n 6:dt 7:x");
    check_columns(&["add x INT first", "add y INT after k", "add z INT before dt"], "7:x 0:k 8:y 1:v 4:s 5:n 9:z 6:dt");
    check_columns(&["drop s", "add s INT"], "0:k 1:v 5:n 6:dt 7:s");
    check_columns(&["rename s t", "rename k key"], "0:key 1:v 4:t 5:n 6:dt");
    check_columns(&["move n first"], "5:n 0:k 1:v 4:s 6:dt");
    check_columns(&["move k last"], "1:v 4:s 5:n 6:dt 0:k");
    check_columns(&["move n after k", "move s before k"], "4:s 0:k 5:n 1:v 6:dt");
    check_columns(&["move k after n"], "1:v 4:s 5:n 0:k 6:dt");
    check_columns(&["move k before n"], "1:v 4:s 0:k 5:n 6:dt");
}

#[test]
fn the_place_of_new_columns_may_be_before_the_partition() {
    let schema = table(&[("add-column-before-partition", "true")]);
    let changes = ["add x INT", "add y INT last"].map(change);
    assert_eq!(shown(&schema.with_changes(&changes, true, 7).unwrap()), "0:k 1:v 4:s 5:n 7:x 6:dt 8:y");
}

#[test]
fn nested_columns() {
    let changes = ["add v.element.q DOUBLE", "type v.element.m.value BIGINT", "rename v.element.a aa"].map(change);
    let schema = table(&[]).with_changes(&changes, true, 7).unwrap();
    let json = schema.fields[1].data_type.to_json().to_string();
    let expected = r#"{"type":"ARRAY","element":{"type":"ROW","fields":[{"id":2,"name":"aa","type":"INT"},{"id":3,"name":"m","type":{"type":"MAP","key":"STRING","value":"BIGINT"}},{"id":7,"name":"q","type":"DOUBLE"}]}}"#;
    assert_eq!(json, expected);
    assert_eq!(schema.highest_field_id, 7);

    let changes = ["drop v.element.a"].map(change);
    let schema = table(&[]).with_changes(&changes, true, 7).unwrap();
    assert!(!schema.fields[1].data_type.to_json().to_string().contains("\"a\""));
}

#[test]
fn new_names_reach_keys_and_options() {
    let options = [("bucket-key", "k"), ("sequence.field", "n"), ("fields.s.ignore-retract", "false")];
    let schema = table(&options);
    let changes = ["rename k key", "rename n m", "rename s t"].map(change);
    let schema = schema.with_changes(&changes, true, 7).unwrap();
    assert_eq!(schema.primary_keys, ["dt", "key"]);
    let options: Vec<_> = schema.options.iter().map(|(k, v)| format!("{k}={v}")).collect();
    assert_eq!(options, ["bucket=2", "bucket-key=key", "fields.t.ignore-retract=false", "sequence.field=m"]);
    check_refused(&[("fields.s.stats-mode", "none")], &["rename s t"], "an option names no column");
}

#[test]
fn types_nullability_comments_and_defaults() {
    let changes = ["type n BIGINT", "comment s text", "default n 5", "default s 'x'"].map(change);
    let schema = table(&[]).with_changes(&changes, true, 7).unwrap();
    let field = |name: &str| schema.field(name).unwrap();
    assert_eq!(field("n").data_type.to_string(), "BIGINT");
    assert_eq!(field("n").default_value.as_deref(), Some("5"));
    assert_eq!(field("s").description.as_deref(), Some("text"));
    let schema = schema.with_changes(&["comment s -", "default s -"].map(change), true, 8).unwrap();
    assert_eq!((&schema.field("s").unwrap().description, &schema.field("s").unwrap().default_value), (&None, &None));
    let relaxed = table(&[("alter-column-null-to-not-null.disabled", "false")]);
    let schema = relaxed.with_changes(&["notnull s"].map(change), true, 7).unwrap();
    assert!(!schema.field("s").unwrap().data_type.is_nullable());
    let schema = schema.with_changes(&["null s"].map(change), true, 8).unwrap();
    assert!(schema.field("s").unwrap().data_type.is_nullable());
}

#[test]
fn refused_changes_of_columns() {
    check_refused(&[], &["add x INT_NOT_NULL"], "must be nullable");
    check_refused(&[], &["add s INT"], "already");
    check_refused(&[], &["add x INT after y"], "no column 'y'");
    check_refused(&[], &["add n.x INT"], "no columns in a INT");
    check_refused(&[], &["add v.x INT"], "'element'");
    check_refused(&[], &["add v.element.m.key.x INT"], "'value'");
    check_refused(&[], &["drop x"], "there are k, v, s, n, dt");
    check_refused(&[], &["drop k"], "primary key");
    check_refused(&[], &["drop dt"], "partition column");
    check_refused(&[], &["drop v.element.a", "drop v.element.m"], "the last column");
    check_refused(&[], &["rename dt day"], "partition column");
    check_refused(&[], &["rename s n"], "already");
    check_refused(&[], &["type k STRING"], "primary key");
    check_refused(&[], &["type dt INT"], "partition column");
    check_refused(&[], &["type n DATE"], "cannot be changed to DATE");
    check_refused(&[], &["type v STRING", "type v INT", "type v.element INT"], "no columns in a INT");
    check_refused(&[], &["type v.element.m INT"], "cannot be changed");
    check_refused(&[], &["comment v.element x"], "no column");
    check_refused(&[], &["type n BIGINT_NOT_NULL"], "alter-column-null-to-not-null.disabled");
    check_refused(&[], &["notnull s"], "alter-column-null-to-not-null.disabled");
    check_refused(&[], &["null k"], "primary key");
    check_refused(&[], &["default n x"], "is no INT");
    check_refused(&[], &["default n 300000", "type n TINYINT"], "is no TINYINT");
    check_refused(&[], &["move k first"], "itself");
    check_refused(&[], &["move k after k"], "itself");
    check_refused(&[], &["dropkey"], "before the first snapshot");
    check_refused(&[("disable-explicit-type-casting", "true")], &["type n STRING"], "cannot be changed");
}

#[test]
fn options_change_as_far_as_they_may() {
    let with = |changes: &[&str], has_snapshots| {
        let changes: Vec<_> = changes.iter().map(|c| change(c)).collect();
        table(&[("ignore-delete", "true")]).with_changes(&changes, has_snapshots, 7)
    };
    let schema =
        with(&["set write-only true", "set bucket 4", "set primary-key dt,k", "set type TABLE"], true).unwrap();
    let options: Vec<_> = schema.options.iter().map(|(k, v)| format!("{k}={v}")).collect();
    assert_eq!(options, ["bucket=4", "ignore-delete=true", "write-only=true"]);
    assert!(!with(&["unset ignore-delete"], true).unwrap().options.contains_key("ignore-delete"));
    for (text, reason) in [
        ("set bucket -1", "'bucket' to 1 or more"),
        ("unset bucket", "cannot be reset"),
        ("set merge-engine first-row", "merge-engine = first-row"),
        ("set rowkind.field s", "is fixed"),
        ("set bucket-key k", "is fixed"),
        ("set ignore-delete false", "from true to false"),
        ("set type format-table", "is fixed"),
        ("set wriet-only true", "did you mean 'write-only'"),
        ("set write-only maybe", "write-only"),
        ("set primary-key k", "is fixed"),
        ("set sequence.field x", "names no column"),
    ] {
        let error = with(&[text], true).unwrap_err();
        assert!(error.to_string().contains(reason), "{text}: {error}");
        assert!(matches!(error.kind(), ErrorKind::InvalidInput | ErrorKind::Unsupported), "{text}: {error}");
    }
    assert_eq!(with(&["set rowkind.field s", "unset bucket-key"], false).unwrap().options["rowkind.field"], "s");
    assert!(with(&["dropkey", "set bucket-key k"], false).unwrap().primary_keys.is_empty());
}
