use std::{fmt, ops::Neg};

use shakmaty::Color;

/// What a position is worth, as chess programs tell it: for the side to move unless it says otherwise.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Score {
    /// Hundredths of a pawn.
    Centipawns(i32),
    /// Mate in so many moves; negative: to be mated in so many; 0: mated.
    Mate(i32),
}

/// Evaluations are cut off here: a search that sees more has won, but does not know how.
const DECIDED: f64 = 80.0;
/// A mate on the board. Finite, so that a player of low competence may miss one.
const MATE: f64 = 100.0;
/// What a mate is worth less for each move it takes.
const MATE_STEP: f64 = 0.1;

impl Score {
    /// The score in pawns. Mates stand above all else, short ones first.
    pub fn pawns(self) -> f64 {
        match self {
            Score::Centipawns(value) => (f64::from(value) / 100.0).clamp(-DECIDED, DECIDED),
            Score::Mate(moves) if moves > 0 => (MATE - MATE_STEP * f64::from(moves)).max(DECIDED),
            Score::Mate(moves) => (-MATE - MATE_STEP * f64::from(moves)).min(-DECIDED),
        }
    }

    /// The score as White sees it, given who was to move.
    pub fn for_white(self, turn: Color) -> Score {
        turn.fold_wb(self, -self)
    }
}

/// The score as the other side sees it.
impl Neg for Score {
    type Output = Score;

    fn neg(self) -> Score {
        match self {
            Score::Centipawns(value) => Score::Centipawns(value.saturating_neg()),
            Score::Mate(moves) => Score::Mate(moves.saturating_neg()),
        }
    }
}

/// Pawns with two decimals, or `#3`, `#-3`.
impl fmt::Display for Score {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Score::Centipawns(value) => f.pad(&format!("{:.2}", f64::from(*value) / 100.0)),
            Score::Mate(moves) => f.pad(&format!("#{moves}")),
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
        assert!(rising.map(Score::pawns).is_sorted());
    }
}
