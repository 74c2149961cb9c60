//! The smallest history that still shows a disagreement.

use super::history::History;

/// Drops steps, then rows, for as long as `fails` says that what is left still disagrees; at most `tries` times.
pub fn minimised(history: &History, mut tries: usize, mut fails: impl FnMut(&History) -> bool) -> History {
    let mut smallest = history.clone();
    let mut size = smallest.steps.len().div_ceil(2);
    while size > 0 {
        let mut at = 0;
        while at < smallest.steps.len() && tries > 0 {
            let mut smaller = smallest.clone();
            let end = (at + size).min(smaller.steps.len());
            smaller.steps.drain(at..end);
            tries -= 1;
            if fails(&smaller) {
                smallest = smaller;
            } else {
                at += size;
            }
        }
        size /= 2;
    }
    for step in 0..smallest.steps.len() {
        rows_of(&mut smallest, step, &mut tries, &mut fails);
    }
    smallest
}

/// Drops rows of one step, by halves down to single ones.
fn rows_of(smallest: &mut History, step: usize, tries: &mut usize, fails: &mut impl FnMut(&History) -> bool) {
    let rows = |history: &History| history.steps.get(step).map_or(0, |step| step.rows.len());
    let mut size = rows(smallest) / 2;
    while size > 0 {
        let mut at = 0;
        while at < rows(smallest) && rows(smallest) > 1 && *tries > 0 {
            let mut smaller = smallest.clone();
            let end = (at + size).min(rows(smallest));
            if let Some(step) = smaller.steps.get_mut(step) {
                step.rows.drain(at..end);
            }
            *tries -= 1;
            if rows(&smaller) > 0 && fails(&smaller) {
                *smallest = smaller;
            } else {
                at += size;
            }
        }
        size /= 2;
    }
}
