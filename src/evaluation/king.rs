//! King safety: pawn shelter, pawn storm, attacks on the king ring, safe checks.

use shakmaty::{Bitboard, Color, File, Role, attacks};

use super::{
    bitboards::{ranks_ahead, relative_rank},
    eval_info::EvalInfo,
    term_collector::TermCollector,
    terms::*,
};

/// Collects the terms of king safety of `color`.
pub(super) fn king(info: &EvalInfo<'_>, color: Color, terms: &mut impl TermCollector) {
    shelter(info, color, terms);
    attack(info, color, terms);
}

fn shelter(info: &EvalInfo<'_>, color: Color, terms: &mut impl TermCollector) {
    let sign = color.fold_wb(1, -1);
    let king = *info.kings.get(color);
    let king_rank = relative_rank(color, king);
    let front = ranks_ahead(color, king) | Bitboard::from_rank(king.rank());
    // A king on the edge is treated as if it stood one file further in, so that there are always three files.
    let middle = (king.file() as u32).clamp(1, 6);
    for file in middle - 1..=middle + 1 {
        let file = File::new(file);
        let column = Bitboard::from_file(file) & front;
        let distance = |pawns: Bitboard| {
            (column & pawns)
                .into_iter()
                .map(|pawn| relative_rank(color, pawn))
                .min()
                .map_or(0, |rank| (rank - king_rank).clamp(1, 6))
        };
        terms.add(KING_SHELTER + distance(*info.pawns.get(color)), sign);
        terms.add(KING_STORM + distance(*info.pawns.get(!color)), sign);
    }
    if (Bitboard::from_file(king.file()) & *info.pawns.get(color)).is_empty() {
        terms.add(KING_OPEN, sign);
    }
}

fn attack(info: &EvalInfo<'_>, color: Color, terms: &mut impl TermCollector) {
    let sign = color.fold_wb(-1, 1);
    let enemy = !color;
    let (pieces, hits) = *info.king_attackers.get(color);
    if pieces > 0 {
        terms.add(KING_ATTACKS[pieces.min(4) - 1] + hits.min(9), sign);
        if info.pieces_of(enemy, Role::Queen).any() && pieces > 1 {
            terms.add(KING_QUEEN, sign);
        }
        let only_king = info.attacks.get(color).king & !*info.attacked_twice.get(color);
        terms.add(KING_WEAK, sign * (only_king & *info.attacked.get(enemy)).count() as i32);
    }

    // Squares from which a check would not simply be captured: not defended, or only by the king while a second
    // piece supports the check.
    let defended = *info.attacked.get(color)
        & !(info.attacks.get(color).king
            & !*info.attacked_twice.get(color)
            & *info.attacked_twice.get(enemy));
    let safe = !defended & !info.board.by_color(enemy);
    let king = *info.kings.get(color);
    let occupied = info.board.occupied();
    let straight = attacks::rook_attacks(king, occupied);
    let diagonal = attacks::bishop_attacks(king, occupied);
    let check_squares = [attacks::knight_attacks(king), diagonal, straight, straight | diagonal];
    let theirs = info.attacks.get(enemy);
    for (kind, (squares, attacks)) in
        check_squares.into_iter().zip([theirs.knight, theirs.bishop, theirs.rook, theirs.queen]).enumerate()
    {
        terms.add(KING_CHECK + kind, sign * (squares & attacks & safe).count() as i32);
    }
}
