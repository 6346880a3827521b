use parking_lot::Mutex;

use super::{Budget, Control, Found, Limits, Look, Oracle, Report, Source};
use crate::{game::Game, search::Searcher};

/// Evaluations by our own search: serves any position.
pub struct SearchOracle(Mutex<Searcher>);

impl SearchOracle {
    /// Looks by this search.
    pub fn new(searcher: Searcher) -> SearchOracle {
        SearchOracle(Mutex::new(searcher))
    }

    /// The search itself.
    pub fn searcher(&mut self) -> &mut Searcher {
        self.0.get_mut()
    }
}

impl Oracle for SearchOracle {
    fn name(&self) -> String {
        self.0.lock().name()
    }

    fn look(&self, game: &Game, budget: &Budget) -> Option<Look> {
        let pricing = self.0.lock().price(game, budget);
        let source = if pricing.exact { Source::Search } else { Source::QuickSearch };
        Look::by_search(game, pricing, source)
    }

    fn forget(&self) {
        self.0.lock().new_game();
    }

    fn best(
        &self,
        game: &Game,
        limits: &Limits,
        control: &Control,
        report: &mut dyn FnMut(&Report),
    ) -> Option<Found> {
        Some(self.0.lock().search(game, limits, control, report))
    }
}

#[cfg(test)]
mod tests {
    use shakmaty::Chess;

    use super::*;
    use crate::{model::Scale, search::SearchSettings};

    #[test]
    fn every_legal_move_is_evaluated_at_every_depth() {
        let oracle =
            SearchOracle::new(Searcher::new(SearchSettings { hash_mb: 1, ..SearchSettings::default() }));
        let look = oracle.look(&Game::new(Chess::default()), &Budget::depth(3)).unwrap();
        assert_eq!(look.moves().len(), 20);
        assert_eq!(look.scale(), Scale::Evaluation);
        let best = look.moves().iter().map(|prospect| prospect.outcome.worth()).fold(f64::MIN, f64::max);
        assert_eq!(look.outcome().worth(), best);
        assert!(look.moves().iter().all(|prospect| look.scores(&prospect.m).len() == 3));
        assert_eq!((look.cost().depth, look.source()), (3, &Source::Search));
        assert!(look.cost().nodes > 60);
    }
}
