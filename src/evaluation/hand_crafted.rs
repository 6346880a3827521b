//! Evaluation by hand-crafted terms (HCE), tapered between middlegame and endgame, and linear in its weights, each of
//! which has a name and can be replaced at run time.

use std::sync::Arc;

use shakmaty::{Board, Chess, Color, Position};

use super::{
    EVAL_MAX, FULL_PHASE, FULL_SCALE,
    eval_info::EvalInfo,
    king, passed,
    pawns::{PawnHashTable, PawnStructure},
    pieces, scale,
    term_collector::{PieceSquares, TermCollector, TermSum},
    terms, threats,
    weights::{Pair, Weights},
};

/// Evaluates by terms; it keeps a pawn hash table.
pub(super) struct HandCrafted {
    weights: Arc<Weights>,
    piece_squares: Box<PieceSquares>,
    pawns: PawnHashTable,
}

impl HandCrafted {
    /// With these weights and an empty pawn hash table.
    pub fn new(weights: Arc<Weights>) -> HandCrafted {
        let piece_squares = Box::new(PieceSquares::new(&weights.pairs));
        HandCrafted { weights, piece_squares, pawns: PawnHashTable::new() }
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

    /// A value that was found otherwise, for the side to move, less where the stronger side hardly ever wins with what it has.
    pub fn scale_down(&self, board: &Board, white: i32, value: i32) -> i32 {
        let scale = endgame_scale(board, white, &self.weights);
        if scale <= HARDLY_WON { value * scale / FULL_SCALE } else { value }
    }
}

/// Endgames with a scale factor up to this are hardly ever won.
const HARDLY_WON: i32 = 16;

/// All terms but those that depend on pawns and kings alone.
pub(super) fn all_but_pawns(
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
pub(super) fn endgame_scale(board: &Board, endgame: i32, weights: &Weights) -> i32 {
    let strong = if endgame >= 0 { Color::White } else { Color::Black };
    scale::scale(board, strong).map_or(FULL_SCALE, |name| weights.scales[name])
}

/// Blends the middlegame and the endgame value by the game phase.
pub(super) fn taper(board: &Board, phase: i32, total: Pair, weights: &Weights) -> i32 {
    let (middlegame, endgame) = (total.middlegame(), total.endgame());
    let endgame = endgame * endgame_scale(board, endgame, weights) / FULL_SCALE;
    let value = (middlegame * phase + endgame * (FULL_PHASE - phase)) / FULL_PHASE;
    weights.round(value).clamp(-EVAL_MAX, EVAL_MAX)
}
