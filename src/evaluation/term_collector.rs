//! Where the terms of an evaluation go: into a sum, or into a list. The evaluation is written once, for any
//! sink, so that what is shown is what is played.

use super::weights::Pair;

/// Takes terms: `count` times the weight at `term`, positive for White.
pub(super) trait Sink {
    fn add(&mut self, term: usize, count: i32);
}

/// Adds terms up.
pub(super) struct Sum<'a> {
    pub weights: &'a [Pair],
    pub total: Pair,
}

impl Sink for Sum<'_> {
    #[inline]
    fn add(&mut self, term: usize, count: i32) {
        self.total += self.weights[term] * count;
    }
}

/// Lists terms, White's and Black's apart.
#[derive(Default)]
pub(super) struct List(pub Vec<(usize, i32)>);

impl Sink for List {
    fn add(&mut self, term: usize, count: i32) {
        if count != 0 {
            self.0.push((term, count));
        }
    }
}
