use std::collections::BTreeMap;

use super::{Event, Events, Totals};

#[test]
fn the_same_seed_gives_the_same_events_and_their_last_rows_add_up() {
    let mut events = Events::new(7, 1000);
    let mut again = Events::new(7, 1000);
    let mut table: BTreeMap<i64, Event> = BTreeMap::new();
    let mut of_the_busiest = BTreeMap::<i64, u64>::new();
    for _ in 0..20_000 {
        let event = events.next();
        assert_eq!(event, again.next());
        *of_the_busiest.entry(event.user_id).or_default() += 1;
        table.insert(event.user_id, event);
    }
    let totals = Totals {
        users: i64::try_from(table.len()).unwrap(),
        views: table.values().map(|e| e.views).sum(),
        purchases: table.values().map(|e| e.purchases).sum(),
        spent_cents: table.values().map(|e| e.spent_cents).sum(),
    };
    assert_eq!(events.totals(), totals);
    assert_ne!(Events::new(8, 1000).next(), Events::new(7, 1000).next());

    let mut counts: Vec<u64> = of_the_busiest.into_values().collect();
    counts.sort_unstable_by(|a, b| b.cmp(a));
    let busiest: u64 = counts.iter().take(100).sum();
    assert!(busiest > 8_000, "the busiest tenth did {busiest} of 20,000");
}
