//! Static evaluation: hand-made, tapered between middlegame and endgame, and linear in its weights, each of
//! which has a name and can be replaced at run time.

mod eval_info;
mod eval_trace;
mod fit;
mod king;
mod passed;
mod pawns;
mod pieces;
mod scale;
mod term_collector;
mod terms;
mod threats;
mod weights;

use std::sync::Arc;

use shakmaty::{Bitboard, Board, Chess, Color, Position};

use eval_info::View;
use pawns::PawnCache;
use term_collector::{Sink, Sum};

pub use eval_trace::{Form, Term};
pub use fit::{FitSettings, Sample, fit};
pub use weights::{Pair, Weights, WeightsError};

/// The phase of the game at its beginning; 0 is the endgame without pieces.
pub const FULL_PHASE: i32 = 24;

/// No static evaluation is beyond this: greater values are mates and table results.
const LIMIT: i32 = 20_000;

/// Evaluates positions quickly; it remembers pawn structures.
pub struct Evaluator {
    weights: Arc<Weights>,
    pawns: PawnCache,
}

impl Evaluator {
    /// An evaluator with these weights.
    pub fn new(weights: Arc<Weights>) -> Evaluator {
        Evaluator { weights, pawns: PawnCache::new() }
    }

    /// The value of a position in centipawns for the side to move.
    pub fn evaluate(&mut self, position: &Chess) -> i32 {
        let board = position.board();
        let Some(mut view) = View::new(board) else { return 0 };
        let (total, passed) = self.pawns.get(&view.pawns, &self.weights.pairs);
        let mut sum = Sum { weights: &self.weights.pairs, total };
        all_but_pawns(&mut view, position.turn(), passed, &mut sum);
        let value = taper(board, sum.total, &self.weights);
        position.turn().fold_wb(value, -value)
    }
}

/// Every term that does not depend on the pawns alone.
fn all_but_pawns(view: &mut View<'_>, turn: Color, passed: Bitboard, sink: &mut impl Sink) {
    for color in Color::ALL {
        pieces::pieces(view, color, passed, sink);
    }
    for color in Color::ALL {
        king::king(view, color, sink);
        threats::threats(view, color, sink);
        passed::passed(view, color, turn, passed, sink);
        mating(view, color, sink);
    }
    sink.add(terms::TEMPO, turn.fold_wb(1, -1));
}

/// How to mate a bare king: drive it to the edge, bring the own king near.
fn mating(view: &View<'_>, color: Color, sink: &mut impl Sink) {
    let enemy_king = *view.kings.get(!color);
    if view.board.by_color(!color).count() == 1 {
        let sign = color.fold_wb(1, -1);
        let from_edge = |coordinate: i32| coordinate.min(7 - coordinate);
        let edge = 6 - from_edge(enemy_king as i32 & 7) - from_edge(enemy_king as i32 >> 3);
        sink.add(terms::MATING_EDGE, sign * edge);
        sink.add(terms::MATING_NEAR, sign * (7 - enemy_king.distance(*view.kings.get(color)) as i32));
    }
}

/// How far the game is from the endgame, 0 to [`FULL_PHASE`].
fn phase(board: &Board) -> i32 {
    let minors = (board.knights() | board.bishops()).count();
    ((minors + 2 * board.rooks().count() + 4 * board.queens().count()) as i32).min(FULL_PHASE)
}

/// What is left of an endgame value, in 64ths.
fn endgame_scale(board: &Board, endgame: i32, weights: &Weights) -> i32 {
    let strong = if endgame >= 0 { Color::White } else { Color::Black };
    scale::scale(board, strong).map_or(64, |name| weights.scales[name])
}

fn taper(board: &Board, total: Pair, weights: &Weights) -> i32 {
    let (middlegame, endgame) = (total.middlegame(), total.endgame());
    let phase = phase(board);
    let endgame = endgame * endgame_scale(board, endgame, weights) / 64;
    ((middlegame * phase + endgame * (FULL_PHASE - phase)) / FULL_PHASE).clamp(-LIMIT, LIMIT)
}
