use std::time::Duration;

use super::Env;

#[test]
fn the_system_gives_fresh_ids_and_a_clock_that_moves() {
    let env = Env::system();
    assert_ne!(env.uuid(), env.uuid());
    assert_ne!(env.random_u64(), env.random_u64());
    assert!(env.now_millis() > 1_600_000_000_000);
    assert!(env.local_hour() < 24);
    let first = env.monotonic();
    assert!(env.monotonic() >= first);
    assert!((env.local_millis() - env.now_millis()).abs() <= 15 * 3_600_000);
}

#[cfg(feature = "testing")]
#[test]
fn the_same_seed_repeats_everything() {
    let (a, b) = (Env::deterministic(7), Env::deterministic(7));
    assert_eq!(a.uuid(), b.uuid());
    assert_eq!(a.random_u64(), b.random_u64());
    assert_ne!(a.uuid(), Env::deterministic(8).uuid());
    a.advance(Duration::from_hours(5));
    assert_eq!(a.local_hour(), 5);
    a.set_millis(17);
    assert_eq!(a.now_millis(), 17);
    assert_eq!(a.monotonic(), Duration::from_hours(5));
    a.set_var("HEADWATER_TEMP_DIR", "/x");
    assert_eq!(a.temp_dir(), std::path::Path::new("/x"));
}

#[cfg(feature = "testing")]
#[tokio::test]
async fn a_deterministic_sleep_takes_no_time() {
    let env = Env::deterministic(1);
    let before = env.now_millis();
    env.sleep(Duration::from_hours(1)).await;
    assert_eq!(env.now_millis() - before, 3_600_000);
}
