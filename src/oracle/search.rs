use parking_lot::Mutex;
use shakmaty::Chess;

use crate::{
    game::Game,
    model::{Metric, Oracle, Prospects},
    search::{Control, Effort, Priced, Score, Searcher},
};

/// Evaluations are cut off here: a search that sees more has won, but does not know how.
const DECIDED: f64 = 80.0;
/// A mate on the board. Finite, so that a player of low competence may miss one.
const MATE: f64 = 100.0;
/// What a mate is worth less for each move it takes.
const MATE_STEP: f64 = 0.1;

/// Evaluations by our own search: serves any position.
pub struct SearchOracle {
    searcher: Mutex<Searcher>,
    effort: Effort,
}

impl SearchOracle {
    /// Prices every look with this effort.
    pub fn new(searcher: Searcher, effort: Effort) -> SearchOracle {
        SearchOracle { searcher: Mutex::new(searcher), effort }
    }

    /// The search itself.
    pub fn searcher(&mut self) -> &mut Searcher {
        self.searcher.get_mut()
    }
}

impl Oracle for SearchOracle {
    fn look(&self, position: &Chess) -> Option<Prospects> {
        let game = Game::new(position.clone());
        prospects(&self.searcher.lock().price(&game, self.effort, &Control::new()))
    }

    fn metric(&self) -> Option<Metric> {
        None
    }
}

/// A priced decision as a look on the evaluation scale; nothing if there is no legal move.
pub fn prospects(priced: &[Priced]) -> Option<Prospects> {
    let best = priced.iter().map(|priced| pawns(priced.score)).reduce(f64::max)?;
    Some(Prospects::evaluation(best, priced.iter().map(|priced| (priced.mv, pawns(priced.score)))))
}

/// A score in pawns. Mates stand above all else, short ones first.
pub fn pawns(score: Score) -> f64 {
    match score {
        Score::Centipawns(value) => (f64::from(value) / 100.0).clamp(-DECIDED, DECIDED),
        Score::Mate(moves) if moves > 0 => (MATE - MATE_STEP * f64::from(moves)).max(DECIDED),
        Score::Mate(moves) => (-MATE - MATE_STEP * f64::from(moves)).min(-DECIDED),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{model::Scale, search::Settings};

    #[test]
    fn every_legal_move_is_evaluated() {
        let oracle = SearchOracle::new(
            Searcher::new(Settings { hash_mb: 1, ..Settings::default() }),
            Effort::Depth(2),
        );
        let look = oracle.look(&Chess::default()).unwrap();
        assert_eq!(look.moves().len(), 20);
        assert_eq!(look.scale(), Scale::Evaluation);
        let best = look.moves().iter().map(|prospect| prospect.outcome.worth()).fold(f64::MIN, f64::max);
        assert_eq!(look.outcome().worth(), best);
    }

    #[test]
    fn short_mates_are_better_than_long_ones_and_than_any_evaluation() {
        let rising = [
            Score::Mate(0),
            Score::Mate(-1),
            Score::Mate(-30),
            Score::Centipawns(-30_000),
            Score::Centipawns(0),
            Score::Centipawns(29_900),
            Score::Mate(30),
            Score::Mate(1),
        ];
        assert!(rising.map(pawns).is_sorted());
    }
}
