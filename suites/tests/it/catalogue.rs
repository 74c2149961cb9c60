//! `testdata/README.md` says what the fixtures say.

use std::path::Path;

#[test]
fn the_catalogue_of_test_data_is_up_to_date() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../testdata/README.md");
    let wanted = headwater_suites::catalogue().unwrap();
    if std::env::var("UPDATE_CATALOGUE").is_ok() {
        std::fs::write(&path, &wanted).unwrap();
    }
    let found = std::fs::read_to_string(&path).unwrap_or_default();
    assert!(
        found == wanted,
        "testdata/README.md is out of date: UPDATE_CATALOGUE=1 cargo test -p headwater-suites --test it catalogue"
    );
}
