use std::{
    sync::atomic::{AtomicBool, AtomicUsize, Ordering},
    thread,
};

use parking_lot::Mutex;

use crate::{
    game::Game,
    oracle::{Budget, Oracle},
    store::{PackedLook, PositionKey, StoreError},
};

/// Who prices, and how.
pub struct Pricing<'a> {
    /// Makes one that looks; each thread has its own.
    pub make: &'a (dyn Fn() -> Result<Box<dyn Oracle>, String> + Sync),
    /// What a look may cost.
    pub budget: &'a Budget,
    /// How many look at a time.
    pub threads: usize,
}

/// Why pricing ended early.
#[derive(Debug, thiserror::Error)]
pub enum PricingError {
    /// It was stopped.
    #[error("interrupted")]
    Stopped,
    /// Nobody can look.
    #[error("{0}")]
    Oracle(String),
    /// What was priced can't be kept.
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// Has positions priced, each as if a game began there. `keep` is given each look at once; positions that could not be priced
/// come back.
pub fn price(
    keys: &[PositionKey],
    pricing: &Pricing<'_>,
    keep: &(dyn Fn(&PositionKey, &PackedLook) -> Result<(), StoreError> + Sync),
) -> Result<Vec<PositionKey>, PricingError> {
    let next = AtomicUsize::new(0);
    let ended = AtomicBool::new(false);
    let failed = Mutex::new(Vec::new());
    let work = || -> Result<(), PricingError> {
        let mut oracle = (pricing.make)().map_err(PricingError::Oracle)?;
        while !ended.load(Ordering::Relaxed) {
            let Some(key) = keys.get(next.fetch_add(1, Ordering::Relaxed)) else { break };
            let look = price_position(key, &*oracle, pricing.budget);
            if pricing.budget.control.is_stopped() {
                return Err(PricingError::Stopped);
            }
            let look = match look {
                Some(look) => Some(look),
                // An engine that has crashed is started again; if the position is what it can't bear, it is left out.
                None => {
                    oracle = (pricing.make)().map_err(PricingError::Oracle)?;
                    price_position(key, &*oracle, pricing.budget)
                }
            };
            if pricing.budget.control.is_stopped() {
                return Err(PricingError::Stopped);
            }
            match look {
                Some(look) => keep(key, &look)?,
                None => failed.lock().push(key.clone()),
            }
        }
        Ok(())
    };
    let guarded = || work().inspect_err(|_| ended.store(true, Ordering::Relaxed));
    let threads = pricing.threads.clamp(1, keys.len().max(1));
    let ends: Vec<Result<(), PricingError>> = thread::scope(|scope| {
        let helpers: Vec<_> = (1..threads).map(|_| scope.spawn(guarded)).collect();
        let mut ends = vec![guarded()];
        let lost = || PricingError::Oracle("a thread that priced has ended".to_owned());
        ends.extend(helpers.into_iter().map(|helper| helper.join().unwrap_or_else(|_| Err(lost()))));
        ends
    });
    ends.into_iter().collect::<Result<Vec<()>, _>>()?;
    let mut failed = failed.into_inner();
    failed.sort();
    Ok(failed)
}

/// Has one position priced as if a game began there, whatever was seen before; nothing if it can't be.
pub fn price_position(key: &PositionKey, oracle: &dyn Oracle, budget: &Budget) -> Option<PackedLook> {
    let position = key.position().ok()?;
    // What was seen before must not matter.
    oracle.forget();
    PackedLook::new(&oracle.look(&Game::new(position), budget)?)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;
    use crate::{
        oracle::SearchOracle,
        search::{SearchSettings, Searcher},
    };

    #[test]
    fn prices_are_the_same_in_any_order_and_on_any_number_of_threads() {
        let fens = [
            "r1bqkbnr/pppp1ppp/2n5/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R w KQkq -",
            "r1bqk2r/pppp1ppp/2n2n2/2b1p3/2B1P3/3P1N2/PPP2PPP/RNBQK2R w KQkq -",
            "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - -",
        ];
        let keys: Vec<PositionKey> = fens.map(PositionKey::read).to_vec();
        let make = || {
            let settings = SearchSettings { hash_mb: 1, ..SearchSettings::default() };
            Ok(Box::new(SearchOracle::new(Searcher::new(settings))) as Box<dyn Oracle>)
        };
        let run = |keys: &[PositionKey], threads| {
            let kept = Mutex::new(BTreeMap::new());
            let budget = Budget { quick: true, ..Budget::depth(5) };
            let failed = price(keys, &Pricing { make: &make, budget: &budget, threads }, &|key, look| {
                kept.lock().insert(key.clone(), look.clone());
                Ok(())
            });
            assert_eq!(failed.unwrap(), []);
            kept.into_inner()
        };
        let reversed: Vec<PositionKey> = keys.iter().rev().cloned().collect();
        let one = run(&keys, 1);
        assert_eq!(one.len(), 3);
        assert_eq!(one, run(&reversed, 1));
        assert_eq!(one, run(&keys, 3));
    }
}
