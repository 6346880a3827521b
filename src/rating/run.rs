use std::collections::HashSet;

use parking_lot::Mutex;
use rayon::prelude::*;

use super::{Candidate, Judge, Judged, Pricing, PricingError, price};
use crate::{
    game::Game,
    oracle::{Budget, Look, Oracle},
    store::{PositionKey, PricerId, Store, StoreError},
};

/// From decisions to what they say, by way of a store: what is there is not priced again, and what is priced is kept at once.
pub struct Run<'a> {
    /// Where prices are kept.
    pub store: &'a Mutex<Store>,
    /// Whose prices.
    pub pricer: PricerId,
    /// Who prices what is not there; nobody if only what is there counts.
    pub pricing: Option<Pricing<'a>>,
    /// Judges endgames of few men.
    pub tables: Option<&'a dyn Oracle>,
}

/// What has become of some decisions.
#[derive(Debug, Default)]
pub struct Outcome {
    /// A look for each decision, if there is one.
    pub looks: Vec<Option<Look>>,
    /// Positions that were priced.
    pub priced: usize,
    /// Positions that could not be priced.
    pub failed: Vec<PositionKey>,
}

impl Run<'_> {
    /// Looks at decisions. `step` is told of each position that is done.
    pub fn look(&self, candidates: &[Candidate], step: &(dyn Fn() + Sync)) -> Result<Outcome, PricingError> {
        let mut outcome = Outcome::default();
        let mut missing = Vec::new();
        let mut seen = HashSet::new();
        for candidate in candidates {
            let key = candidate.key();
            let known = candidate.is_for_tables()
                || !seen.insert(key.clone())
                || self.store.lock().look(self.pricer, &key)?.is_some();
            if known { step() } else { missing.push(key) }
        }
        if let Some(pricing) = &self.pricing {
            outcome.priced = missing.len();
            outcome.failed = price(&missing, pricing, &|key, look| {
                self.store.lock().keep(self.pricer, key, look)?;
                step();
                Ok(())
            })?;
        }
        let looks: Result<Vec<Option<Look>>, StoreError> =
            candidates.iter().map(|candidate| self.read(candidate)).collect();
        outcome.looks = looks?;
        Ok(outcome)
    }

    fn read(&self, candidate: &Candidate) -> Result<Option<Look>, StoreError> {
        if candidate.is_for_tables() {
            let game = Game::new(candidate.position.clone());
            return Ok(self.tables.and_then(|tables| tables.look(&game, &Budget::default())));
        }
        let key = candidate.key();
        let Some(packed) = self.store.lock().look(self.pricer, &key)? else { return Ok(None) };
        let look = packed.unpack(&candidate.position, candidate.lead_up);
        look.map(Some).map_err(|source| StoreError::Look { position: key.to_string(), source })
    }
}

impl Judge<'_> {
    /// Judges what was looked at, several at a time; nothing for what does not count.
    pub fn judge_all(&self, candidates: &[Candidate], looks: &[Option<Look>]) -> Vec<Option<Judged>> {
        let pairs = candidates.par_iter().zip(looks);
        pairs.map(|(candidate, look)| self.judge(candidate, look.as_ref()?)).collect()
    }
}
