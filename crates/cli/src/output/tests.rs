use super::{bar, bytes_text, grouped};

#[test]
fn numbers_read_well() {
    assert_eq!(grouped(0), "0");
    assert_eq!(grouped(-1_234_567), "-1,234,567");
    assert_eq!(grouped(999), "999");
    assert_eq!(bytes_text(17), "17 B");
    assert_eq!(bytes_text(1536), "1.5 KiB");
    assert_eq!(bytes_text(3 << 30), "3.0 GiB");
}

#[test]
fn bars_are_in_proportion_and_never_vanish() {
    assert_eq!(bar(10, 10, 4), "████");
    assert_eq!(bar(5, 10, 4), "██");
    assert_eq!(bar(1, 1000, 4), "▏");
    assert_eq!(bar(0, 10, 4), "");
}
