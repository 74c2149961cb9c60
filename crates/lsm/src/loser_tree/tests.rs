use super::LoserTree;

#[test]
fn merges_in_order() {
    for count in 1..9_usize {
        let mut runs: Vec<Vec<usize>> = (0..count).map(|r| (0..20).map(|i| (i * 7 + r * 3) % 50).collect()).collect();
        for run in &mut runs {
            run.sort_unstable_by(|a, b| b.cmp(a));
        }
        let mut expected: Vec<usize> = runs.concat();
        expected.sort_unstable();
        fn beats(runs: &[Vec<usize>], a: usize, b: usize) -> bool {
            match (runs[a].last(), runs[b].last()) {
                (Some(a), Some(b)) => a < b,
                (a, _) => a.is_some(),
            }
        }
        let mut tree = LoserTree::new(count, |a, b| beats(&runs, a, b));
        let mut merged = Vec::new();
        while let Some(value) = runs[tree.winner()].pop() {
            merged.push(value);
            tree.replay(tree.winner(), |a, b| beats(&runs, a, b));
        }
        assert_eq!(merged, expected, "{count} runs");
    }
}
