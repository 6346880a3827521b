//! Who looks at positions: endgame tables, our own search, another UCI engine, or a chain of them.
//!
//! Whoever it is, a [`Look`] comes out: the outcome of every legal move, on one scale.

mod chain;
mod engine;
mod look;
mod search;
mod tables;

use crate::{game::Game, model::Score};

pub use crate::search::{Bound, Budget, Clock, Contempt, Control, Found, Limits, Report};
pub use chain::OracleChain;
pub use engine::EngineOracle;
pub use look::{Cost, Look, Metered, Source};
pub use search::SearchOracle;
pub use tables::{TableOracle, TableProbe};

/// Who knows what moves lead to.
pub trait Oracle: Send + Sync {
    /// What it calls itself: prices by the same name are on one scale.
    fn name(&self) -> String {
        "an oracle without a name".to_owned()
    }

    /// One look at the present position of a game, or nothing if this oracle can't serve it.
    fn look(&self, game: &Game, budget: &Budget) -> Option<Look>;

    /// Forgets what it has learnt from earlier looks: the next is at something else.
    fn forget(&self) {}

    /// The best move alone, which may be had deeper than a look at all of them, or nothing if this oracle can't serve the
    /// position. It returns when a limit is reached or it is stopped.
    fn best(
        &self,
        game: &Game,
        limits: &Limits,
        control: &Control,
        _report: &mut dyn FnMut(&Report),
    ) -> Option<Found> {
        self.best_by_look(game, limits, control)
    }

    /// The best move by a look at all of them.
    fn best_by_look(&self, game: &Game, limits: &Limits, control: &Control) -> Option<Found> {
        let Limits { depth, nodes, movetime: time, .. } = *limits;
        let (moves, control) = (limits.search_moves.clone(), control.clone());
        let look = self.look(game, &Budget { depth, nodes, time, moves, quick: true, control })?;
        let look = if limits.search_moves.is_empty() { look } else { look.only(&limits.search_moves) };
        let best = look.best_first().first().copied()?;
        let score = look.scores(&best.m).last().copied().unwrap_or(Score::Centipawns(0));
        Some(Found { best: Some(best.m), ponder: None, score, nodes: look.cost().nodes })
    }
}
