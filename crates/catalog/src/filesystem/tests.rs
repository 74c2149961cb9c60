use headwater_types::{DataField, TypeKind};

use super::*;

fn catalog() -> FilesystemCatalog {
    FilesystemCatalog::new(FileIo::memory(), &Env::system())
}

fn keyed() -> NewTable {
    NewTable {
        fields: vec![DataField::new(0, "k", TypeKind::Int), DataField::new(0, "v", TypeKind::STRING)],
        primary_keys: vec!["k".to_owned()],
        options: BTreeMap::from([("bucket".to_owned(), "1".to_owned())]),
        ..NewTable::default()
    }
}

#[tokio::test]
async fn tables_come_and_go() {
    let catalog = catalog();
    let name: Identifier = "db.t".parse().unwrap();
    let missing = catalog.create_table(&name, keyed(), false).await.unwrap_err();
    assert_eq!(missing.kind(), ErrorKind::NotFound);
    assert!(missing.message().contains("CREATE DATABASE db"));
    catalog.create_database("db", false).await.unwrap();
    catalog.create_table(&name, keyed(), false).await.unwrap();
    assert_eq!(catalog.create_table(&name, keyed(), false).await.unwrap_err().kind(), ErrorKind::Exists);
    catalog.create_table(&name, keyed(), true).await.unwrap();
    let found = catalog.get_table(&name).await.unwrap();
    assert_eq!(found.schema.fields.iter().map(|f| f.id).collect::<Vec<_>>(), [0, 1]);
    assert!(!found.schema.fields[0].data_type.is_nullable());
    assert_eq!(catalog.list_tables("db").await.unwrap(), ["t"]);
    catalog.drop_table(&name, false).await.unwrap();
    assert_eq!(catalog.drop_table(&name, false).await.unwrap_err().kind(), ErrorKind::NotFound);
    catalog.drop_table(&name, true).await.unwrap();
}

#[tokio::test]
async fn bad_names_and_options_create_nothing() {
    let catalog = catalog();
    catalog.create_database("db", true).await.unwrap();
    for name in ["", "a/b", ".hidden"] {
        assert_eq!(catalog.create_database(name, false).await.unwrap_err().kind(), ErrorKind::InvalidInput, "{name}");
    }
    let system = Identifier::new("db", "t$snapshots");
    assert_eq!(catalog.create_table(&system, keyed(), false).await.unwrap_err().kind(), ErrorKind::InvalidInput);
    let mut table = keyed();
    table.options.insert("bukcet".to_owned(), "1".to_owned());
    let error = catalog.create_table(&Identifier::new("db", "t"), table, false).await.unwrap_err();
    assert_eq!((error.kind(), error.context("table")), (ErrorKind::InvalidInput, Some("db.t")));
    assert!(catalog.list_tables("db").await.unwrap().is_empty());
    for text in ["t", "a.b.c", ".t", "db."] {
        assert_eq!(text.parse::<Identifier>().unwrap_err().kind(), ErrorKind::InvalidInput);
    }
}

#[tokio::test]
async fn reads_a_warehouse_of_the_reference() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../testdata/fixtures/warehouse-layout/warehouse");
    let catalog = FilesystemCatalog::open(path, &BTreeMap::new(), &Env::system()).unwrap();
    assert_eq!(catalog.list_databases().await.unwrap(), ["nothing", "ops", "sales", "with_props"]);
    assert_eq!(catalog.list_tables("ops").await.unwrap(), ["mat", "never_written"]);
    assert_eq!(catalog.list_tables("sales").await.unwrap(), ["items", "orders"]);
    assert!(catalog.list_tables("nothing").await.unwrap().is_empty());
    let orders = catalog.get_table(&Identifier::new("sales", "orders")).await.unwrap();
    assert_eq!((orders.schema.comment.as_deref(), orders.schema.primary_keys.len()), (Some("a table"), 1));
    let error = catalog.get_table(&Identifier::new("sales", "nowhere")).await.err().unwrap();
    assert!(error.kind() == ErrorKind::NotFound && error.message().contains("items, orders"), "{error}");
}

#[tokio::test]
async fn a_database_with_tables_needs_cascade() {
    let catalog = catalog();
    catalog.create_database("db", false).await.unwrap();
    catalog.create_table(&Identifier::new("db", "t"), keyed(), false).await.unwrap();
    assert_eq!(catalog.drop_database("db", false, false).await.unwrap_err().kind(), ErrorKind::InvalidInput);
    catalog.drop_database("db", false, true).await.unwrap();
    assert!(catalog.list_databases().await.unwrap().is_empty());
    assert_eq!(catalog.drop_database("db", false, true).await.unwrap_err().kind(), ErrorKind::NotFound);
    catalog.drop_database("db", true, true).await.unwrap();
}

fn comment(text: &str) -> SchemaChange {
    SchemaChange::UpdateComment { comment: Some(text.to_owned()) }
}

#[tokio::test]
async fn tables_change_and_get_other_names() {
    let dir = tempfile::tempdir().unwrap();
    let location = dir.path().to_string_lossy().into_owned();
    let catalog = FilesystemCatalog::open(&location, &BTreeMap::new(), &Env::system()).unwrap();
    let (old, new, other) = (Identifier::new("db", "t"), Identifier::new("up", "u"), Identifier::new("db", "x"));
    catalog.create_database("db", false).await.unwrap();
    catalog.create_table(&old, keyed(), false).await.unwrap();
    catalog.create_table(&other, keyed(), false).await.unwrap();
    catalog.alter_table(&old, &[comment("hello")], false).await.unwrap();
    let missing = catalog.rename_table(&old, &new, false).await.unwrap_err();
    assert!(missing.kind() == ErrorKind::NotFound && missing.message().contains("database 'up'"), "{missing}");
    catalog.create_database("up", false).await.unwrap();
    catalog.rename_table(&old, &new, false).await.unwrap();
    assert_eq!(catalog.get_table(&new).await.unwrap().schema.comment.as_deref(), Some("hello"));
    assert_eq!(catalog.list_tables("db").await.unwrap(), ["x"]);
    assert_eq!(catalog.rename_table(&new, &other, false).await.unwrap_err().kind(), ErrorKind::Exists);

    for outcome in
        [catalog.alter_table(&old, &[comment("a")], false).await, catalog.rename_table(&old, &new, false).await]
    {
        assert_eq!(outcome.unwrap_err().kind(), ErrorKind::NotFound);
    }
    catalog.alter_table(&old, &[comment("a")], true).await.unwrap();
    catalog.rename_table(&old, &new, true).await.unwrap();
    let changes = [comment("b"), SchemaChange::DropColumn { path: vec!["k".into()] }];
    let refused = catalog.alter_table(&new, &changes, false).await;
    assert_eq!(refused.unwrap_err().context("table"), Some("up.u"));
    assert_eq!(catalog.get_table(&new).await.unwrap().schema.comment.as_deref(), Some("hello"));
}
