//! Static evaluation: hand-crafted (HCE), tapered between middlegame and endgame, and linear in its weights, each of
//! which has a name and can be replaced at run time.

mod bitboards;
mod eval_info;
mod eval_trace;
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

use shakmaty::{Board, Chess, Color, Position};

use eval_info::EvalInfo;
use pawns::{PawnHashTable, PawnStructure};
use term_collector::{PieceSquares, TermCollector, TermSum};

pub use eval_trace::{EvalTrace, TracedTerm};
pub use weights::{Pair, Weights, WeightsError};

/// The game phase with all pieces on the board; 0 is an endgame of pawns alone.
pub const FULL_PHASE: i32 = 24;

/// The scale factor of an endgame that is worth what it seems.
const FULL_SCALE: i32 = 64;

/// No static evaluation is beyond this: greater values are mates and tablebase wins.
const EVAL_MAX: i32 = 20_000;

/// Evaluates positions for the search; it keeps a pawn hash table.
pub struct Evaluator {
    weights: Arc<Weights>,
    piece_squares: Box<PieceSquares>,
    pawns: PawnHashTable,
}

impl Evaluator {
    /// An evaluator with these weights and an empty pawn hash table.
    pub fn new(weights: Arc<Weights>) -> Evaluator {
        let piece_squares = Box::new(PieceSquares::new(&weights.pairs));
        Evaluator { weights, piece_squares, pawns: PawnHashTable::new() }
    }

    /// The static evaluation in centipawns, for the side to move.
    pub fn evaluate(&mut self, position: &Chess) -> i32 {
        let board = position.board();
        let Some(mut info) = EvalInfo::new(board) else { return 0 };
        let mut sum = TermSum::new(&self.weights.pairs, &self.piece_squares);
        let structure = self.pawns.add(&info.pawns, &info.kings, &mut sum);
        all_but_pawns(&mut info, position.turn(), structure, &mut sum);
        let value = taper(board, info.phase(), sum.total, &self.weights);
        position.turn().fold_wb(value, -value)
    }
}

/// All terms but those that depend on pawns and kings alone.
fn all_but_pawns(
    info: &mut EvalInfo<'_>,
    turn: Color,
    structure: PawnStructure,
    terms: &mut impl TermCollector,
) {
    // No loop over the colours: with the colour a constant, each half compiles to code of its own, which is faster.
    pieces::pieces(info, Color::White, structure, terms);
    pieces::pieces(info, Color::Black, structure, terms);
    all_but_pieces(info, Color::White, turn, structure, terms);
    all_but_pieces(info, Color::Black, turn, structure, terms);
    terms.add(terms::TEMPO, turn.fold_wb(1, -1));
}

/// Terms that need to know what the pieces of both sides attack.
#[inline(always)]
fn all_but_pieces(
    info: &EvalInfo<'_>,
    color: Color,
    turn: Color,
    structure: PawnStructure,
    terms: &mut impl TermCollector,
) {
    king::attack(info, color, terms);
    threats::threats(info, color, terms);
    passed::passed(info, color, turn, structure.passed, terms);
    mating(info, color, terms);
}

/// Against a bare king: drive it to the edge and bring the own king near.
fn mating(info: &EvalInfo<'_>, color: Color, terms: &mut impl TermCollector) {
    let enemy_king = *info.kings.get(!color);
    if !info.board.by_color(!color).more_than_one() {
        let sign = color.fold_wb(1, -1);
        let from_edge = |coordinate: i32| coordinate.min(7 - coordinate);
        let edge = 6 - from_edge(enemy_king as i32 & 7) - from_edge(enemy_king as i32 >> 3);
        terms.add(terms::MATING_EDGE, sign * edge);
        terms.add(terms::MATING_NEAR, sign * (7 - enemy_king.distance(*info.kings.get(color)) as i32));
    }
}

/// The factor of the endgame value, in parts of [`FULL_SCALE`].
fn endgame_scale(board: &Board, endgame: i32, weights: &Weights) -> i32 {
    let strong = if endgame >= 0 { Color::White } else { Color::Black };
    scale::scale(board, strong).map_or(FULL_SCALE, |name| weights.scales[name])
}

/// Blends the middlegame and the endgame value by the game phase.
fn taper(board: &Board, phase: i32, total: Pair, weights: &Weights) -> i32 {
    let (middlegame, endgame) = (total.middlegame(), total.endgame());
    let endgame = endgame * endgame_scale(board, endgame, weights) / FULL_SCALE;
    let value = (middlegame * phase + endgame * (FULL_PHASE - phase)) / FULL_PHASE;
    weights.round(value).clamp(-EVAL_MAX, EVAL_MAX)
}
