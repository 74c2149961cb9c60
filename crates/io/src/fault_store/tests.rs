use super::{Fault, FaultKind, FaultOp, Faults};
use crate::{ErrorKind, FileIo};

fn faulty() -> (FileIo, FileIo, Faults) {
    let (plain, faults) = (FileIo::memory(), Faults::new());
    (plain.with_faults(&faults), plain, faults)
}

#[tokio::test]
async fn the_nth_call_fails_before_or_after_its_work() {
    let (io, plain, faults) = faulty();
    faults.add(Fault::new(FaultOp::CreateNew, 2, FaultKind::Before).on("snapshot-"));
    faults.add(Fault::new(FaultOp::CreateNew, 3, FaultKind::After).on("snapshot-"));
    faults.add(Fault::new(FaultOp::CreateNew, 4, FaultKind::LostAnswer).on("snapshot-"));
    io.create_new("schema-0", "x".into()).await.unwrap();
    io.create_new("snapshot-1", "x".into()).await.unwrap();
    assert_eq!(io.create_new("snapshot-2", "x".into()).await.unwrap_err().kind(), ErrorKind::Unavailable);
    assert_eq!(io.create_new("snapshot-3", "x".into()).await.unwrap_err().kind(), ErrorKind::Unavailable);
    assert_eq!(io.create_new("snapshot-4", "x".into()).await.unwrap_err().kind(), ErrorKind::Exists);
    let names: Vec<String> = plain.list("").await.unwrap().into_iter().map(|file| file.path).collect();
    assert_eq!(names, ["schema-0", "snapshot-1", "snapshot-3", "snapshot-4"]);
    assert_eq!(faults.calls(FaultOp::CreateNew), 5);
}

#[tokio::test]
async fn reads_can_be_short() {
    let (io, plain, faults) = faulty();
    plain.write_durable("f", "0123456789".into()).await.unwrap();
    faults.add(Fault::new(FaultOp::Read, 1, FaultKind::ShortRead(3)));
    assert_eq!(io.read("f").await.unwrap(), "012");
    assert_eq!(io.read("f").await.unwrap(), "0123456789");
}

#[tokio::test]
async fn after_a_crash_nothing_works() {
    let (io, plain, faults) = faulty();
    faults.add(Fault::new(FaultOp::WriteDurable, 1, FaultKind::CrashAfter));
    assert!(io.write_durable("a", "x".into()).await.is_err());
    assert!(io.read("a").await.is_err());
    assert!(io.delete("a").await.is_err());
    assert!(plain.exists("a").await.unwrap());
    faults.clear();
    assert!(io.exists("a").await.unwrap());
}
