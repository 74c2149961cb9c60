//! A tournament over numbered contestants that is replayed when one of them changes.

/// Knows only who lost where: what contestants are and who beats whom is the caller's business.
#[derive(Debug)]
pub(crate) struct LoserTree {
    /// `nodes[0]` is the winner, the others hold the loser of the match played there.
    nodes: Vec<usize>,
}

impl LoserTree {
    /// Plays all matches between contestants `0..count`.
    pub(crate) fn new(count: usize, beats: impl Fn(usize, usize) -> bool) -> Self {
        let mut nodes = vec![0; count.max(1)];
        // Winners of the sub-trees; leaves are contestants.
        let mut winners = vec![0; 2 * count];
        for position in (1..2 * count).rev() {
            let winner = if position >= count {
                position - count
            } else {
                let left = winners.get(2 * position).copied().unwrap_or(0);
                let right = winners.get(2 * position + 1).copied().unwrap_or(0);
                let (winner, loser) = if beats(right, left) { (right, left) } else { (left, right) };
                if let Some(node) = nodes.get_mut(position) {
                    *node = loser;
                }
                winner
            };
            if let Some(slot) = winners.get_mut(position) {
                *slot = winner;
            }
        }
        if let (Some(root), Some(&winner)) = (nodes.first_mut(), winners.get(1)) {
            *root = winner;
        }
        Self { nodes }
    }

    /// Who won.
    #[inline]
    pub(crate) fn winner(&self) -> usize {
        self.nodes.first().copied().unwrap_or(0)
    }

    /// Replays the matches of a contestant that changed; it must have been the winner.
    #[inline]
    pub(crate) fn replay(&mut self, contestant: usize, beats: impl Fn(usize, usize) -> bool) {
        let mut winner = contestant;
        let mut position = usize::midpoint(contestant, self.nodes.len());
        while position > 0 {
            if let Some(loser) = self.nodes.get_mut(position)
                && beats(*loser, winner)
            {
                std::mem::swap(loser, &mut winner);
            }
            position /= 2;
        }
        if let Some(root) = self.nodes.first_mut() {
            *root = winner;
        }
    }
}

#[cfg(test)]
mod tests;
