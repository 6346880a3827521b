use shakmaty::Move;

use super::{Outcome, Scale, Score, State};

/// A legal move and what it leads to.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Prospect<M = Move> {
    /// The move.
    pub m: M,
    /// The outcome after the move, seen by the mover.
    pub outcome: Outcome,
}

/// The outcome of a position and of every legal move in it, all on one scale. The model applies to any domain: a move may
/// be anything that can be chosen.
///
/// It serves any number of settings: a [`Model`](super::Model) prices and weights it.
#[derive(Clone, Debug, PartialEq)]
pub struct Prospects<M = Move> {
    outcome: Outcome,
    moves: Vec<Prospect<M>>,
    /// How much nearer to a win each draw is priced; empty where all draws are alike.
    leans: Vec<f64>,
    n1: u16,
    n2: u16,
}

impl<M: Clone + PartialEq> Prospects<M> {
    /// As endgame tables see it. `state` is that of the position for the side to move. A draw is
    /// by default priced as a win in `n1` or a loss in `n2` moves: one more than the mover's
    /// deepest win and loss in this material (Haworth 2003, §6).
    pub fn table(
        state: State,
        moves: impl IntoIterator<Item = (M, State)>,
        n1: u16,
        n2: u16,
    ) -> Prospects<M> {
        let moves = moves.into_iter().map(|(m, state)| Prospect { m, outcome: Outcome::Table(state) });
        Prospects { outcome: Outcome::Table(state), moves: moves.collect(), leans: Vec::new(), n1, n2 }
    }

    /// As a search or an engine sees it: the position is worth what its best move is.
    pub fn evaluation(moves: impl IntoIterator<Item = (M, Score)>) -> Prospects<M> {
        let moves = moves.into_iter().map(|(m, score)| Prospect { m, outcome: Outcome::Evaluation(score) });
        let moves: Vec<Prospect<M>> = moves.collect();
        let outcome = best(&moves).unwrap_or(Outcome::Evaluation(Score::Centipawns(0)));
        Prospects { outcome, moves, leans: Vec::new(), n1: 0, n2: 0 }
    }

    /// The same position with some of its moves only. With none of them left, all stay.
    pub fn only(&self, allowed: impl Fn(&M) -> bool) -> Prospects<M> {
        let kept: Vec<usize> = (0..self.moves.len()).filter(|&place| allowed(&self.moves[place].m)).collect();
        if kept.is_empty() {
            return self.clone();
        }
        let moves = kept.iter().map(|&place| self.moves[place].clone()).collect();
        let leans = kept.iter().filter_map(|&place| self.leans.get(place).copied()).collect();
        Prospects { moves, leans, ..*self }
    }

    /// With draws told apart: for each move a number from 0 to less than 1 by which its draw, if it leads to one, costs less than
    /// others. A draw stays between the deepest win and any loss, since n1 exceeds the former by 1 (p05).
    pub fn leaning(self, leans: Vec<f64>) -> Prospects<M> {
        Prospects { leans, ..self }
    }

    /// How much nearer to a win the draw that a move leads to is priced; 0 for every other outcome.
    pub fn lean(&self, place: usize) -> f64 {
        let drawn =
            self.moves.get(place).is_some_and(|prospect| prospect.outcome.state() == Some(State::Draw));
        self.leans.get(place).copied().filter(|_| drawn).unwrap_or(0.0)
    }

    /// The outcome of the position for the side to move.
    pub fn outcome(&self) -> Outcome {
        self.outcome
    }

    /// Every legal move with its outcome. Empty where the game is over.
    pub fn moves(&self) -> &[Prospect<M>] {
        &self.moves
    }

    /// What a move leads to; nothing if it is not among the moves.
    pub fn of(&self, m: &M) -> Option<Outcome> {
        self.moves.iter().find(|prospect| prospect.m == *m).map(|prospect| prospect.outcome)
    }

    /// The outcome of the best moves; nothing where the game is over.
    pub fn best(&self) -> Option<Outcome> {
        best(&self.moves)
    }

    /// All moves that no other is better than.
    pub fn optimal(&self) -> impl Iterator<Item = M> {
        let best = self.best();
        let moves = (0..self.moves.len()).filter(move |&place| Some(self.moves[place].outcome) == best);
        let most = moves.clone().map(|place| self.lean(place)).fold(0.0, f64::max);
        moves.filter(move |&place| self.lean(place) == most).map(|place| self.moves[place].m.clone())
    }

    /// As [`Prospects::lean`], of a move.
    pub fn lean_of(&self, m: &M) -> f64 {
        self.moves.iter().position(|prospect| prospect.m == *m).map_or(0.0, |place| self.lean(place))
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

fn best<M>(moves: &[Prospect<M>]) -> Option<Outcome> {
    let better = |one: Outcome, other: Outcome| if other.compare(one).is_gt() { other } else { one };
    moves.iter().map(|prospect| prospect.outcome).reduce(better)
}
