//! Joins of predicates and what they mention.

use std::collections::BTreeSet;

use super::Predicate;

impl Predicate {
    /// Both must hold; nested conjunctions are flattened, constants folded.
    #[must_use]
    pub fn and(self, other: Self) -> Self {
        match (self, other) {
            (Self::True, other) | (other, Self::True) => other,
            (Self::False, _) | (_, Self::False) => Self::False,
            (left, right) => {
                let mut parts = left.into_conjuncts();
                parts.extend(right.into_conjuncts());
                Self::And(parts)
            }
        }
    }

    /// At least one must hold; nested disjunctions are flattened, constants folded.
    #[must_use]
    pub fn or(self, other: Self) -> Self {
        match (self, other) {
            (Self::False, other) | (other, Self::False) => other,
            (Self::True, _) | (_, Self::True) => Self::True,
            (Self::Or(mut left), Self::Or(right)) => {
                left.extend(right);
                Self::Or(left)
            }
            (Self::Or(mut parts), other) => {
                parts.push(other);
                Self::Or(parts)
            }
            (left, Self::Or(mut parts)) => {
                parts.insert(0, left);
                Self::Or(parts)
            }
            (left, right) => Self::Or(vec![left, right]),
        }
    }

    /// The parts that must all hold.
    #[must_use]
    pub fn into_conjuncts(self) -> Vec<Self> {
        match self {
            Self::And(parts) => parts,
            Self::True => Vec::new(),
            other => vec![other],
        }
    }

    /// The names of all columns the predicate tests.
    #[must_use]
    pub fn columns(&self) -> BTreeSet<String> {
        let mut out = BTreeSet::new();
        self.collect_columns(&mut out);
        out
    }

    fn collect_columns(&self, out: &mut BTreeSet<String>) {
        match self {
            Self::True | Self::False => {}
            Self::And(parts) | Self::Or(parts) => parts.iter().for_each(|part| part.collect_columns(out)),
            Self::Leaf(leaf) => {
                out.insert(leaf.column.clone());
            }
        }
    }
}
