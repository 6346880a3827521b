use super::{Scale, State};

/// What a move leads to, or what a position is worth, for the side that is asked about. Of a
/// move: seen by the **mover**, after the move.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Outcome {
    /// Value and depth by an endgame table.
    Table(State),
    /// An evaluation in pawns.
    Evaluation(f64),
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

    /// What it is worth: points (win 1, draw ½, loss 0) or pawns.
    pub fn worth(self) -> f64 {
        match self {
            Outcome::Table(state) => state.value().points(),
            Outcome::Evaluation(pawns) => pawns,
        }
    }
}
