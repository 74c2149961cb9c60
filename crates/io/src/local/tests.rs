use std::collections::BTreeMap;

use crate::{Env, ErrorKind, FileIo};

fn open(dir: &std::path::Path) -> FileIo {
    FileIo::open(dir.to_str().unwrap(), &BTreeMap::new(), &Env::system()).unwrap()
}

fn names(dir: &std::path::Path) -> Vec<String> {
    let mut names: Vec<String> =
        std::fs::read_dir(dir).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    names
}

#[tokio::test(flavor = "multi_thread")]
async fn creating_leaves_no_temporary_file_whoever_wins() {
    let dir = tempfile::tempdir().unwrap();
    let io = open(dir.path());
    let racers: Vec<_> = (0..8)
        .map(|i| {
            let io = io.clone();
            tokio::spawn(async move { io.create_new("t/snapshot-1", format!("racer {i}").into()).await })
        })
        .collect();
    let mut winners = 0;
    for racer in racers {
        match racer.await.unwrap() {
            Ok(()) => winners += 1,
            Err(error) => assert_eq!(error.kind(), ErrorKind::Exists, "{error}"),
        }
    }
    assert_eq!(winners, 1);
    assert_eq!(names(&dir.path().join("t")), ["snapshot-1"]);
}

#[tokio::test]
async fn a_writer_that_is_dropped_or_aborted_leaves_nothing() {
    let dir = tempfile::tempdir().unwrap();
    let io = open(dir.path());
    let mut dropped = io.create("bucket-0/a").await.unwrap();
    dropped.write(vec![1; 3 << 20].into()).await.unwrap();
    drop(dropped);
    let mut aborted = io.create("bucket-0/b").await.unwrap();
    aborted.write(vec![1; 3 << 20].into()).await.unwrap();
    aborted.abort().await.unwrap();
    assert!(names(&dir.path().join("bucket-0")).is_empty());
}

#[tokio::test]
async fn errors_carry_the_path_and_say_what_to_do() {
    let dir = tempfile::tempdir().unwrap();
    let io = open(dir.path());
    let missing = io.read("manifest/none").await.unwrap_err();
    assert_eq!(missing.kind(), ErrorKind::NotFound);
    assert_eq!(missing.context("path"), dir.path().join("manifest/none").to_str());

    io.write_durable("file", "x".into()).await.unwrap();
    let below_file = io.write_durable("file/below", "x".into()).await.unwrap_err();
    assert_eq!(below_file.kind(), ErrorKind::InvalidInput, "{below_file}");

    // A huge range of a small file must not allocate what it claims.
    let beyond = io.read_range("file", 0..u64::MAX).await.unwrap_err();
    assert_eq!(beyond.kind(), ErrorKind::Corrupt, "{beyond}");
}

#[tokio::test]
async fn relaxed_durability_is_an_option() {
    let dir = tempfile::tempdir().unwrap();
    let relaxed = BTreeMap::from([("local.durable".to_owned(), "false".to_owned())]);
    let io = FileIo::open(dir.path().to_str().unwrap(), &relaxed, &Env::system()).unwrap();
    io.create_new("a/b/c", "x".into()).await.unwrap();
    assert_eq!(io.read("a/b/c").await.unwrap(), "x");
    let wrong = BTreeMap::from([("local.durable".to_owned(), "maybe".to_owned())]);
    assert!(FileIo::open("/tmp", &wrong, &Env::system()).is_err());
}
