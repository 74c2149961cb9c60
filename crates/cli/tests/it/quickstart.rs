use crate::world::{World, json_lines};

#[test]
fn the_quickstart_runs_and_adds_up() {
    let world = World::new();
    let small = ["--json", "quickstart", "--events", "20000", "--users", "1000"];
    let lines = json_lines(&world.run(&small).ok());
    let report = &lines.iter().find(|line| line["report"].is_object()).unwrap()["report"];
    assert_eq!(report["rows"], 20_000);
    assert!(report["writeAmplification"].as_f64().unwrap() >= 1.0, "{report}");
    assert!(report["liveFiles"].as_u64().unwrap() >= 2, "{report}");
    assert!(lines.iter().any(|line| line["totals"]["users"].as_i64() > Some(500)));

    world.run(&small).fails(4, &["--fresh"]);
    let text = world.run(&["quickstart", "--events", "2000", "--users", "100", "--fresh"]).ok();
    assert!(text.contains("rows a second") && text.contains("Try next"), "{text}");
    let count = world.run(&["--json", "sql", "SELECT count(*) AS n FROM quickstart.user_features"]).ok();
    assert!(json_lines(&count)[0]["n"].as_i64().unwrap() <= 100, "{count}");
}
