use shakmaty::{Chess, Move};

use super::{Metric, Outcome, Scale, State};

/// A legal move and what it leads to.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Prospect {
    /// The move.
    pub m: Move,
    /// The outcome after the move, seen by the mover.
    pub outcome: Outcome,
}

/// One look at a position: the outcome of the position and of every legal move, all on one scale.
///
/// It serves any number of settings: a [`Model`](super::Model) prices and weights it.
#[derive(Clone, Debug, PartialEq)]
pub struct Prospects {
    outcome: Outcome,
    moves: Vec<Prospect>,
    n1: u16,
    n2: u16,
}

impl Prospects {
    /// As endgame tables see it. `state` is that of the position for the side to move. A draw is
    /// by default priced as a win in `n1` or a loss in `n2` moves: one more than the mover's
    /// deepest win and loss in this material (Haworth 2003, §6).
    pub fn table(
        state: State,
        moves: impl IntoIterator<Item = (Move, State)>,
        n1: u16,
        n2: u16,
    ) -> Prospects {
        let moves = moves.into_iter().map(|(m, state)| Prospect { m, outcome: Outcome::Table(state) });
        Prospects { outcome: Outcome::Table(state), moves: moves.collect(), n1, n2 }
    }

    /// As a search or an engine sees it; evaluations are in pawns for the side to move.
    pub fn evaluation(value: f64, moves: impl IntoIterator<Item = (Move, f64)>) -> Prospects {
        let moves = moves.into_iter().map(|(m, value)| Prospect { m, outcome: Outcome::Evaluation(value) });
        Prospects { outcome: Outcome::Evaluation(value), moves: moves.collect(), n1: 0, n2: 0 }
    }

    /// The outcome of the position for the side to move.
    pub fn outcome(&self) -> Outcome {
        self.outcome
    }

    /// Every legal move with its outcome. Empty where the game is over.
    pub fn moves(&self) -> &[Prospect] {
        &self.moves
    }

    /// The scale of all outcomes.
    pub fn scale(&self) -> Scale {
        self.outcome.scale()
    }

    /// The default n1; 0 on the evaluation scale, where it plays no part.
    pub fn n1(&self) -> u16 {
        self.n1
    }

    /// The default n2; 0 on the evaluation scale, where it plays no part.
    pub fn n2(&self) -> u16 {
        self.n2
    }
}

/// Who knows what moves lead to: endgame tables, a search, another engine.
pub trait Oracle {
    /// One look at a position, or nothing if this oracle can't serve it.
    fn look(&self, position: &Chess) -> Option<Prospects>;

    /// What the depths it gives count towards; nothing for an oracle that evaluates.
    fn metric(&self) -> Option<Metric>;
}

impl<O: Oracle + ?Sized> Oracle for &O {
    fn look(&self, position: &Chess) -> Option<Prospects> {
        (**self).look(position)
    }

    fn metric(&self) -> Option<Metric> {
        (**self).metric()
    }
}

impl<O: Oracle + ?Sized> Oracle for std::sync::Arc<O> {
    fn look(&self, position: &Chess) -> Option<Prospects> {
        (**self).look(position)
    }

    fn metric(&self) -> Option<Metric> {
        (**self).metric()
    }
}
