//! Passed pawns: how far, how free, and where the kings are.

use shakmaty::{Bitboard, Color};

use super::{
    eval_info::{View, ahead, file_of, forward, rank_for},
    term_collector::Sink,
    terms::*,
};

/// Terms of the passed pawns of `color`. That they are passed, and where, is a matter of the pawns alone and
/// has been counted with them.
pub(super) fn passed(view: &View<'_>, color: Color, turn: Color, passed: Bitboard, sink: &mut impl Sink) {
    let sign = color.fold_wb(1, -1);
    let board = view.board;
    let enemy_pieces = board.by_color(!color) & !board.pawns() & !board.kings();
    for square in passed & *view.pawns.get(color) {
        let rank = rank_for(color, square);
        let step = forward(color, Bitboard::from(square));
        let Some(next) = step.first() else { continue };
        if board.occupied().contains(next) {
            sink.add(PASSED_BLOCKED + rank - 1, sign);
        } else if !view.attacked.get(!color).contains(next) {
            sink.add(PASSED_SAFE_STEP + rank - 1, sign);
            let way = ahead(color, square) & file_of(square);
            if (way & (board.occupied() | *view.attacked.get(!color))).is_empty() {
                sink.add(PASSED_FREE_WAY + rank - 1, sign);
            }
        }
        if rank >= 3 {
            sink.add(PASSED_OWN_KING + next.distance(*view.kings.get(color)) as usize, sign);
            sink.add(PASSED_ENEMY_KING + next.distance(*view.kings.get(!color)) as usize, sign);
        }
        if enemy_pieces.is_empty() {
            let goal = color.fold_wb(56, 0) + (square as u32 & 7);
            let moves = (7 - rank as u32).min(5) + u32::from(turn != color);
            let clear = (ahead(color, square) & file_of(square) & board.occupied()).is_empty();
            if clear && shakmaty::Square::new(goal).distance(*view.kings.get(!color)) > moves {
                sink.add(PASSED_UNSTOPPABLE, sign);
            }
        }
    }
}
