use std::collections::{BTreeMap, HashSet};

use super::{Candidate, GameKey};

/// A draw of so many decisions of each that is rated. It depends on the decisions and the seed, not on their order.
pub struct Draw {
    most: usize,
    seed: u64,
    groups: BTreeMap<String, BTreeMap<(u64, GameKey, usize), Candidate>>,
}

impl Draw {
    /// Of each at most so many.
    pub fn new(most: usize, seed: u64) -> Draw {
        Draw { most, seed, groups: BTreeMap::new() }
    }

    /// One that may be drawn.
    pub fn offer(&mut self, who: String, candidate: Candidate) {
        let group = self.groups.entry(who).or_default();
        let lot = candidate.record.key.lot(candidate.ply, self.seed);
        group.insert((lot, candidate.record.key, candidate.ply), candidate);
        if group.len() > self.most {
            group.pop_last();
        }
    }

    /// What was drawn, in the order of the lots: the first part of it is as good a draw as the whole.
    pub fn into_candidates(self) -> Vec<Candidate> {
        let mut all: Vec<_> = self.groups.into_values().flatten().collect();
        all.sort_by_key(|(lot, _)| *lot);
        let mut seen = HashSet::new();
        all.retain(|((_, game, ply), _)| seen.insert((*game, *ply)));
        all.into_iter().map(|(_, candidate)| candidate).collect()
    }
}
