//! Evaluations as chess programs tell them.

use std::fmt;

use shakmaty::Color;

/// What a position is worth, for the side to move unless it says otherwise.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Score {
    /// Hundredths of a pawn.
    Centipawns(i32),
    /// Mate in so many moves; negative: to be mated in so many; 0: mated.
    Mate(i32),
}

impl Score {
    /// The score as White sees it, given who was to move.
    pub fn for_white(self, turn: Color) -> Score {
        match (turn, self) {
            (Color::White, score) => score,
            (Color::Black, Score::Centipawns(value)) => Score::Centipawns(value.saturating_neg()),
            (Color::Black, Score::Mate(moves)) => Score::Mate(moves.saturating_neg()),
        }
    }
}

/// Pawns with two decimals, or `#3`, `#-3`.
impl fmt::Display for Score {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Score::Centipawns(value) => write!(f, "{:.2}", f64::from(*value) / 100.0),
            Score::Mate(moves) => write!(f, "#{moves}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scores_are_turned_to_whites_side_and_printed_in_pawns() {
        assert_eq!(Score::Centipawns(150).for_white(Color::Black).to_string(), "-1.50");
        assert_eq!(Score::Mate(-3).for_white(Color::Black).to_string(), "#3");
    }
}
