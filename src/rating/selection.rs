use std::{collections::HashSet, sync::Arc};

use shakmaty::{Chess, Color, Move, Position};

use super::GameRecord;
use crate::{game::Game, game::LeadUp, notation::GameScore, store::PositionKey};

/// Which positions of a game count.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Selection {
    /// From this move on: openings are known by heart.
    pub first_move: u32,
    /// Up to this one.
    pub last_move: u32,
    /// At least so many legal moves.
    pub min_moves: usize,
    /// The best move is worth no more than so many pawns, to either side: with a win in hand people play safely rather than well.
    pub max_value: f64,
}

impl Default for Selection {
    fn default() -> Selection {
        Selection { first_move: 9, last_move: u32::MAX, min_moves: 2, max_value: 3.0 }
    }
}

/// A decision of a game that may count: whether it does is known when it is priced.
#[derive(Clone, Debug)]
pub struct Candidate {
    /// The game.
    pub record: Arc<GameRecord>,
    /// The number of the half-move, counted from 0.
    pub ply: usize,
    /// The position.
    pub position: Chess,
    /// How it came about.
    pub lead_up: LeadUp,
    /// What was played.
    pub m: Move,
}

impl Candidate {
    /// Who moved.
    pub fn side(&self) -> Color {
        self.position.turn()
    }

    /// Under what its prices are kept.
    pub fn key(&self) -> PositionKey {
        PositionKey::of(&self.position)
    }

    /// Whether tables judge it, not the pricer.
    pub fn is_for_tables(&self) -> bool {
        self.position.board().occupied().count() <= Selection::TABLE_MEN
    }
}

impl Selection {
    /// Men of positions that tables judge: those can be made unasked, so that they serve on every machine.
    pub const TABLE_MEN: usize = 4;

    /// The decisions of a game that may count. No position counts twice in a game.
    pub fn candidates(&self, score: &GameScore, record: &Arc<GameRecord>) -> Vec<Candidate> {
        let mut game = Game::new(score.start.clone());
        let mut seen = HashSet::new();
        let mut candidates = Vec::new();
        for (ply, played) in score.plies.iter().enumerate() {
            let position = game.position();
            let number = position.fullmoves().get();
            if number > self.last_move {
                break;
            }
            let counts = number >= self.first_move
                && position.legal_moves().len() >= self.min_moves
                && seen.insert(game.key());
            if counts {
                candidates.push(Candidate {
                    record: record.clone(),
                    ply,
                    position: position.clone(),
                    lead_up: game.lead_up(),
                    m: played.m,
                });
            }
            game.play(played.m);
        }
        candidates
    }

    /// Whether a position of this value counts, in pawns.
    pub fn admits(&self, best: f64) -> bool {
        best.abs() <= self.max_value
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::notation::Games;

    fn candidates(selection: &Selection, pgn: &str) -> Vec<usize> {
        let score = Games::new(pgn.as_bytes()).next().unwrap().unwrap();
        let record = Arc::new(GameRecord::new(&score, "", None));
        selection.candidates(&score, &record).iter().map(|candidate| candidate.ply).collect()
    }

    #[test]
    fn repeated_and_forced_positions_do_not_count() {
        let all = Selection { first_move: 1, ..Selection::default() };
        let moves = "1. Nf3 Nf6 2. Ng1 Ng8 3. Nf3 Nf6 4. e4 e5 *";
        assert_eq!(candidates(&all, moves), [0, 1, 2, 3, 7]);
        let check = "[FEN \"k7/8/8/8/8/8/1r6/K7 w - - 0 1\"]\n\n1. Kxb2 *";
        assert_eq!(candidates(&all, check), [0usize; 0], "the only move is no decision");
    }

    #[test]
    fn openings_do_not_count() {
        let moves =
            "1. Nf3 Nf6 2. g3 g6 3. Bg2 Bg7 4. O-O O-O 5. d3 d6 6. e4 e5 7. c3 c6 8. h3 h6 9. Nh2 Nh7 *";
        assert_eq!(candidates(&Selection::default(), moves), [16, 17]);
    }
}
