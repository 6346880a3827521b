use std::{cmp::Ordering, ops::Neg};

use super::{Scale, Score, State};

/// What a move leads to, or what a position is worth, for the side that is asked about. Of a
/// move: seen by the **mover**, after the move.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Outcome {
    /// Value and depth by an endgame table.
    Table(State),
    /// An evaluation by a search or an engine.
    Evaluation(Score),
}

impl Outcome {
    /// The scale that prices it.
    pub fn scale(self) -> Scale {
        match self {
            Outcome::Table(_) => Scale::Table,
            Outcome::Evaluation(_) => Scale::Evaluation,
        }
    }

    /// The state, if a table gave it.
    pub fn state(self) -> Option<State> {
        match self {
            Outcome::Table(state) => Some(state),
            Outcome::Evaluation(_) => None,
        }
    }

    /// The win or loss that is seen to its end: a table's, or a mate that a search has found, as the state after the
    /// move.
    pub fn forced(self) -> Option<State> {
        match self {
            Outcome::Table(state) => Some(state),
            Outcome::Evaluation(Score::Mate(moves)) if moves > 0 => {
                Some(State::win(u16::try_from(moves - 1).unwrap_or(u16::MAX)))
            }
            Outcome::Evaluation(Score::Mate(moves)) => {
                Some(State::loss(u16::try_from(moves.unsigned_abs()).unwrap_or(u16::MAX)))
            }
            Outcome::Evaluation(Score::Centipawns(_)) => None,
        }
    }

    /// What it is worth: points (win 1, draw ½, loss 0) or pawns.
    pub fn worth(self) -> f64 {
        match self {
            Outcome::Table(state) => state.value().points(),
            Outcome::Evaluation(score) => score.pawns(),
        }
    }

    /// Less or more attractive than another outcome of the same scale, depth included.
    pub fn compare(self, other: Outcome) -> Ordering {
        match (self, other) {
            (Outcome::Table(one), Outcome::Table(two)) => one.cmp(&two),
            _ => self.worth().total_cmp(&other.worth()),
        }
    }
}

/// The outcome as the other side sees it.
impl Neg for Outcome {
    type Output = Outcome;

    fn neg(self) -> Outcome {
        match self {
            Outcome::Table(state) => Outcome::Table(-state),
            Outcome::Evaluation(score) => Outcome::Evaluation(-score),
        }
    }
}
