use std::collections::BTreeMap;

use super::open;
use crate::{Env, ErrorKind};

fn check(location: &str, root: &str, prefix: &str) {
    let opened = open(location, &BTreeMap::new(), &Env::system()).unwrap();
    assert_eq!((opened.root.as_str(), opened.prefix.as_str()), (root, prefix), "{location}");
}

#[test]
fn locations_name_a_root_and_a_prefix() {
    check("/data/a b", "/data/a b", "");
    check("/data/./x/../y/", "/data/y", "");
    check("file:///data/a%20b", "/data/a b", "");
    check("file:/data", "/data", "");
    check("memory://m/a/b/", "memory://m", "a/b");
    check("s3://bucket/pre%20fix/x", "s3://bucket", "pre fix/x");
    let here = std::env::current_dir().unwrap();
    check("./rel", here.join("rel").to_str().unwrap(), "");
    check("rel/k=1", here.join("rel/k=1").to_str().unwrap(), "");
}

#[test]
fn wrong_locations_say_why() {
    let fails = |location: &str| open(location, &BTreeMap::new(), &Env::system()).err().unwrap().kind();
    assert_eq!(fails(""), ErrorKind::InvalidInput);
    assert_eq!(fails("hdfs://name/x"), ErrorKind::Unsupported);
    assert_eq!(fails("s3:///x"), ErrorKind::InvalidInput);
    let options = BTreeMap::from([("s3.no-such".to_owned(), "1".to_owned())]);
    let error = open("s3://b/x", &options, &Env::system()).err().unwrap();
    assert_eq!(error.kind(), ErrorKind::InvalidInput);
    assert!(error.message().contains("s3.no-such"), "{error}");
}
