use std::collections::BTreeMap;

use headwater_io::{Env, Fault, FaultKind, FaultOp, Faults, FileIo, store_conformance};

#[tokio::test(flavor = "multi_thread")]
async fn the_local_disk_conforms() {
    let dir = tempfile::tempdir().unwrap();
    let location = dir.path().join("not there yet").to_str().unwrap().to_owned();
    let io = FileIo::open(&location, &BTreeMap::new(), &Env::system()).unwrap();
    store_conformance(&io).await.unwrap();
}

#[tokio::test]
async fn memory_conforms() {
    store_conformance(&FileIo::memory()).await.unwrap();
    let env = Env::deterministic(1);
    let io = FileIo::open("memory://store/below/here", &BTreeMap::new(), &env).unwrap();
    store_conformance(&io).await.unwrap();
}

#[tokio::test]
async fn memory_of_one_name_is_shared_within_an_env() {
    let env = Env::deterministic(1);
    let open = |location: &str, env: &Env| FileIo::open(location, &BTreeMap::new(), env).unwrap();
    open("memory://m/a", &env).write_durable("f", "x".into()).await.unwrap();
    assert_eq!(open("memory://m", &env).read("a/f").await.unwrap(), "x");
    assert!(!open("memory://m", &Env::deterministic(1)).exists("a/f").await.unwrap());
}

#[tokio::test]
async fn a_quiet_fault_store_conforms_and_a_broken_one_does_not() {
    let faults = Faults::new();
    store_conformance(&FileIo::memory().with_faults(&faults)).await.unwrap();
    faults.add(Fault::new(FaultOp::Read, 1, FaultKind::ShortRead(1)).on("b/c"));
    let error = store_conformance(&FileIo::memory().with_faults(&faults)).await.unwrap_err();
    assert!(error.message().contains("reads back"), "{error}");
}
