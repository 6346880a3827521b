//! Positions priced as ratings want it, each once: many games begin alike.

use std::{
    collections::HashMap,
    mem,
    sync::atomic::{AtomicBool, Ordering::Relaxed},
    time::{Duration, Instant},
};

use parking_lot::Mutex;

use crate::{
    game::Game,
    oracle::{Budget, Look, Oracle},
    rating::price_position,
    store::{PackedLook, PositionKey},
    web::pool::Desk,
};

/// Prices of positions that came up lately.
#[derive(Default)]
pub struct Prices(Mutex<Generations>);

/// What was asked for lately, and what was before that. When the young are too many the old are forgotten.
#[derive(Default)]
struct Generations {
    young: HashMap<PositionKey, PackedLook>,
    old: HashMap<PositionKey, PackedLook>,
}

/// So many positions are a generation: some six megabytes.
const MOST: usize = 10_000;

impl Prices {
    fn get(&self, key: &PositionKey) -> Option<PackedLook> {
        let mut known = self.0.lock();
        if let Some(look) = known.young.get(key) {
            return Some(look.clone());
        }
        let look = known.old.remove(key)?;
        known.keep(key.clone(), look.clone());
        Some(look)
    }

    fn keep(&self, key: PositionKey, look: PackedLook) {
        self.0.lock().keep(key, look);
    }
}

impl Generations {
    fn keep(&mut self, key: PositionKey, look: PackedLook) {
        if self.young.len() >= MOST {
            self.old = mem::take(&mut self.young);
        }
        self.young.insert(key, look);
    }
}

/// Looks as `errare rate` does: by tables where they serve, else each position by itself and to one depth, so that prices don't depend on
/// the game or on what was looked at before.
pub struct Pricer<'a> {
    prices: &'a Prices,
    desk: &'a Desk,
    cut: AtomicBool,
}

impl<'a> Pricer<'a> {
    /// With the means of a desk.
    pub fn new(prices: &'a Prices, desk: &'a Desk) -> Pricer<'a> {
        Pricer { prices, desk, cut: AtomicBool::new(false) }
    }

    /// Whether a look was cut short by the clock: prices of less depth don't count for ratings.
    pub fn was_cut(&self) -> bool {
        self.cut.load(Relaxed)
    }
}

impl Oracle for Pricer<'_> {
    fn look(&self, game: &Game, budget: &Budget) -> Option<Look> {
        let by_tables = self.desk.tables.look(game, budget);
        if by_tables.is_some() {
            return by_tables;
        }
        let (position, key) = (game.position(), PositionKey::of(game.position()));
        let packed = match self.prices.get(&key) {
            Some(packed) => packed,
            None => {
                let begun = Instant::now();
                let packed = price_position(&key, self.desk.pricer()?, budget)?;
                let whole =
                    begun.elapsed() < budget.time.unwrap_or(Duration::MAX) && !budget.control.is_stopped();
                if whole {
                    self.prices.keep(key, packed.clone());
                } else {
                    self.cut.store(true, Relaxed);
                }
                packed
            }
        };
        let look = packed.unpack(position, game.lead_up());
        look.inspect_err(|error| log::error!("{error}")).ok()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn look(number: usize) -> (PositionKey, PackedLook) {
        (PositionKey::read(&number.to_string()), PackedLook::from_bytes(number.to_le_bytes().to_vec()))
    }

    #[test]
    fn what_is_asked_for_is_remembered_and_what_is_not_is_forgotten() {
        let prices = Prices::default();
        let first = look(0);
        prices.keep(first.0.clone(), first.1.clone());
        for number in 1..3 * MOST {
            let (key, packed) = look(number);
            prices.keep(key, packed);
            if number % 1000 == 0 {
                assert_eq!(prices.get(&first.0).as_ref(), Some(&first.1));
            }
        }
        assert_eq!(prices.get(&look(1).0), None);
        let known = prices.0.lock();
        assert!(known.young.len() + known.old.len() <= 2 * MOST);
    }
}
