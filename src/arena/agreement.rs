//! Games that both players hold to be decided.

use crate::model::{Score, Value};

use super::play::Note;

/// So many moves of each side must agree that a game is won.
const WON_MOVES: usize = 4;

/// So many must agree that it is drawn …
const DRAWN_MOVES: usize = 8;

/// … and the game must be so many moves old.
const DRAWN_AFTER: usize = 30;

/// When the players' own scores end a game, so that no time is spent on what both of them know.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Agreement {
    /// A game is won if both give the same side at least so many hundredths of a pawn.
    pub won: Option<u32>,
    /// It is drawn if both give neither side more.
    pub drawn: Option<u32>,
}

impl Agreement {
    /// What the players agree on, for the one who made the first move.
    pub fn value(self, notes: &[Note]) -> Option<Value> {
        let last = |moves: usize| {
            let from = notes.len().checked_sub(2 * moves)?;
            // Scores are the mover's own.
            notes[from..]
                .iter()
                .zip(from..)
                .map(|(note, ply)| {
                    note.score.map(|score| if ply % 2 == 0 { points(score) } else { -points(score) })
                })
                .collect::<Option<Vec<i64>>>()
        };
        if let (Some(won), Some(scores)) = (self.won.map(i64::from), last(WON_MOVES)) {
            if scores.iter().all(|&score| score >= won) {
                return Some(Value::Win);
            }
            if scores.iter().all(|&score| score <= -won) {
                return Some(Value::Loss);
            }
        }
        let drawn = i64::from(self.drawn.filter(|_| notes.len() >= 2 * DRAWN_AFTER)?);
        last(DRAWN_MOVES)?.iter().all(|score| score.abs() <= drawn).then_some(Value::Draw)
    }
}

/// Hundredths of a pawn; a mate is worth more than any of them.
fn points(score: Score) -> i64 {
    match score {
        Score::Centipawns(value) => i64::from(value),
        Score::Mate(moves) if moves > 0 => i64::from(u32::MAX),
        Score::Mate(_) => -i64::from(u32::MAX),
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    const BOTH: Agreement = Agreement { won: Some(600), drawn: Some(10) };

    /// Scores of the player who moves first, and of the other one, for so many moves.
    fn value(moves: usize, first: Score, second: Score) -> Option<Value> {
        let note = |score| Note {
            elapsed: Duration::ZERO,
            clock: None,
            score: Some(score),
            depth: None,
            competence: None,
        };
        let notes: Vec<Note> = (0..moves).flat_map(|_| [note(first), note(second)]).collect();
        BOTH.value(&notes)
    }

    #[test]
    fn a_game_is_won_when_both_say_so_for_long_enough() {
        let (up, down) = (Score::Centipawns(700), Score::Centipawns(-650));
        assert_eq!(value(4, up, down), Some(Value::Win));
        assert_eq!(value(4, down, Score::Mate(5)), Some(Value::Loss));
        assert_eq!(value(3, up, down), None);
        assert_eq!(value(40, up, up), None, "each thinks that it is winning");
    }

    #[test]
    fn a_game_is_drawn_when_both_say_so_late_enough() {
        let level = Score::Centipawns(-8);
        assert_eq!(value(30, level, level), Some(Value::Draw));
        assert_eq!(value(29, level, level), None);
        assert_eq!(value(40, level, Score::Centipawns(11)), None);
    }

    #[test]
    fn who_gives_no_scores_agrees_to_nothing() {
        let silent =
            Note { elapsed: Duration::ZERO, clock: None, score: None, depth: None, competence: None };
        assert_eq!(BOTH.value(&[silent; 100]), None);
        assert_eq!(Agreement::default().value(&[silent; 100]), None);
    }
}
