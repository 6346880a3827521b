use parking_lot::Mutex;

use super::{Budget, Control, Cost, Found, Limits, Look, Oracle, Report};
use crate::game::Game;

/// An oracle whose looks are counted.
pub struct Metered<'a> {
    oracle: &'a dyn Oracle,
    spent: Mutex<Cost>,
}

impl<'a> Metered<'a> {
    /// Counts from now on.
    pub fn new(oracle: &'a dyn Oracle) -> Metered<'a> {
        Metered { oracle, spent: Mutex::default() }
    }

    /// What all looks together have cost; the depth is that of the deepest.
    pub fn spent(&self) -> Cost {
        *self.spent.lock()
    }
}

impl Oracle for Metered<'_> {
    fn look(&self, game: &Game, budget: &Budget) -> Option<Look> {
        let look = self.oracle.look(game, budget)?;
        let Cost { depth, nodes, table_hits, time } = look.cost();
        let mut spent = self.spent.lock();
        spent.depth = spent.depth.max(depth);
        spent.nodes += nodes;
        spent.table_hits += table_hits;
        spent.time += time;
        Some(look)
    }

    fn best(
        &self,
        game: &Game,
        limits: &Limits,
        control: &Control,
        report: &mut dyn FnMut(&Report),
    ) -> Option<Found> {
        self.oracle.best(game, limits, control, report)
    }
}
