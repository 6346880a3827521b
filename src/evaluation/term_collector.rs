//! Collects the terms of an evaluation, as a sum for the search or as a list for people and for tuning. The
//! evaluation is written once for both, so that what is shown is what is played.

use shakmaty::Bitboard;

use super::{terms, weights::Pair};

pub(super) trait TermCollector {
    /// Takes `count` times the weight with index `term`; positive for White, negative for Black.
    fn add(&mut self, term: usize, count: i32);

    /// Takes the weight once for each square, with this sign. Most such sets are empty, and counting is dear on
    /// processors without an instruction for it.
    #[inline(always)]
    fn add_each(&mut self, term: usize, squares: Bitboard, sign: i32) {
        if squares.any() {
            self.add(term, sign * squares.count() as i32);
        }
    }
}

/// Adds the weighted terms up, as fast as possible.
pub(super) struct TermSum<'a> {
    pub weights: &'a [Pair; terms::COUNT],
    pub total: Pair,
}

impl TermCollector for TermSum<'_> {
    #[inline(always)]
    fn add(&mut self, term: usize, count: i32) {
        self.total += self.weights[term] * count;
    }
}

/// Keeps every term with its count.
#[derive(Default)]
pub(super) struct TermList(pub Vec<(usize, i32)>);

impl TermCollector for TermList {
    fn add(&mut self, term: usize, count: i32) {
        if count != 0 {
            self.0.push((term, count));
        }
    }
}
