//! Medians of all lines as a table for people.

use std::fmt::Write as _;

use serde_json::Value;

/// One row per case and engine, in the order they ran. The ratio is to Headwater of the same run: above one the engine
/// takes longer.
pub(crate) fn table(lines: &[Value]) -> String {
    let mut text = String::from(
        "\n| case | engine | seconds | rows/s | CPU s | peak MiB | time to Headwater's | CPU to Headwater's |\n|---|---|---:|---:|---:|---:|---:|---:|\n",
    );
    let mut seen: Vec<(&str, &str)> = Vec::new();
    for line in lines {
        let name = (word(line, "case"), word(line, "engine"));
        if !seen.contains(&name) {
            seen.push(name);
        }
    }
    for (case, engine) in seen {
        let of = |engine: &str, field: &str| {
            let own = lines.iter().filter(|line| word(line, "case") == case && word(line, "engine") == engine);
            own.filter_map(|line| line.get(field)?.as_f64()).collect::<Vec<_>>()
        };
        // Engines take turns, so that the n-th line of each belongs to the n-th run.
        let ratio = |field: &str| {
            let pairs = of(engine, field).into_iter().zip(of("headwater", field));
            median(pairs.map(|(theirs, ours)| theirs / ours.max(0.001)).collect())
        };
        let value = |field: &str| median(of(engine, field));
        let _ = writeln!(
            text,
            "| {case} | {engine} | {:.3} | {:.0} | {:.2} | {:.0} | {:.2} | {:.2} |",
            value("seconds"),
            value("rows_per_second"),
            value("cpu_seconds"),
            value("peak_rss_bytes") / f64::from(1 << 20),
            ratio("seconds"),
            ratio("cpu_seconds"),
        );
    }
    text
}

fn word<'a>(line: &'a Value, field: &str) -> &'a str {
    line.get(field).and_then(Value::as_str).unwrap_or_default()
}

fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    let middle = values.len() / 2;
    let at = |index: usize| values.get(index).copied().unwrap_or(0.0);
    if values.len().is_multiple_of(2) && middle > 0 { f64::midpoint(at(middle - 1), at(middle)) } else { at(middle) }
}
