//! Passed pawns: whether they can advance, and how near the kings are.

use shakmaty::{Bitboard, Color};

use super::{
    bitboards::{distance, file_of, forward, ranks_ahead, relative_rank},
    eval_info::EvalInfo,
    term_collector::TermCollector,
    terms::*,
};

/// Collects the terms of passed pawns that depend on other pieces; those of the pawns alone are in the pawn hash table.
#[inline(always)]
pub(super) fn passed(
    info: &EvalInfo<'_>,
    color: Color,
    turn: Color,
    passed: Bitboard,
    terms: &mut impl TermCollector,
) {
    let sign = color.fold_wb(1, -1);
    let board = info.board;
    let enemy_pieces = board.by_color(!color) & !board.pawns() & !board.kings();
    for square in passed & *info.pawns.get(color) {
        let rank = relative_rank(color, square);
        let step = forward(color, Bitboard::from(square));
        let Some(next) = step.first() else { continue };
        if board.occupied().contains(next) {
            terms.add(PASSED_BLOCKED + rank - 1, sign);
        } else if !info.attacked.get(!color).contains(next) {
            terms.add(PASSED_SAFE_STEP + rank - 1, sign);
            let way = ranks_ahead(color, square) & file_of(square);
            if (way & (board.occupied() | *info.attacked.get(!color))).is_empty() {
                terms.add(PASSED_FREE_WAY + rank - 1, sign);
            }
        }
        if rank >= 3 {
            terms.add(PASSED_OWN_KING + distance(next, *info.kings.get(color)), sign);
            terms.add(PASSED_ENEMY_KING + distance(next, *info.kings.get(!color)), sign);
        }
        if enemy_pieces.is_empty() {
            let goal = color.fold_wb(56, 0) + (square as u32 & 7);
            let moves = (7 - rank as u32).min(5) + u32::from(turn != color);
            let clear = (ranks_ahead(color, square) & file_of(square) & board.occupied()).is_empty();
            if clear && shakmaty::Square::new(goal).distance(*info.kings.get(!color)) > moves {
                terms.add(PASSED_UNSTOPPABLE, sign);
            }
        }
    }
}
