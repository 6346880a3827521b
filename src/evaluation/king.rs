//! King safety: pawn shelter, pawn storm, attacks on the king ring, safe checks.

use shakmaty::{Bitboard, ByColor, Color, File, Role, Square, attacks};

use super::{
    bitboards::{FILE_A, ranks_ahead, relative_rank},
    eval_info::EvalInfo,
    pieces::PIECES,
    term_collector::TermCollector,
    terms::*,
};

/// Collects the terms of the pawns before the king of `color`. They depend on pawns and that king alone and are kept in the
/// pawn hash table.
pub(super) fn shelter(pawns: &ByColor<Bitboard>, king: Square, color: Color, terms: &mut impl TermCollector) {
    let sign = color.fold_wb(1, -1);
    let king_rank = relative_rank(color, king);
    let front = ranks_ahead(color, king) | Bitboard::from_rank(king.rank());
    // A king on the edge is treated as if it stood one file further in, so that there are always three files.
    let middle = (king.file() as u32).clamp(1, 6);
    for file in middle - 1..=middle + 1 {
        let file = File::new(file);
        let column = Bitboard::from_file(file) & front;
        let distance = |pawns: Bitboard| {
            let nearest = color.fold_wb((column & pawns).first(), (column & pawns).last());
            nearest.map_or(0, |pawn| (relative_rank(color, pawn) - king_rank).clamp(1, 6))
        };
        terms.add(KING_SHELTER + distance(*pawns.get(color)), sign);
        terms.add(KING_STORM + distance(*pawns.get(!color)), sign);
    }
    if (Bitboard::from_file(king.file()) & *pawns.get(color)).is_empty() {
        terms.add(KING_OPEN, sign);
    }
}

/// Collects the terms of the attack on the king of `color`.
#[inline(always)]
pub(super) fn attack(info: &EvalInfo<'_>, color: Color, terms: &mut impl TermCollector) {
    let sign = color.fold_wb(-1, 1);
    let enemy = !color;
    let (pieces, hits) = *info.king_attackers.get(color);
    if pieces > 0 {
        terms.add(KING_ATTACKS[pieces.min(4) - 1] + hits.min(9), sign);
        if info.pieces_of(enemy, Role::Queen).any() && pieces > 1 {
            terms.add(KING_QUEEN, sign);
        }
        let only_king = info.attacks.get(color).king & !*info.attacked_twice.get(color);
        terms.add_each(KING_WEAK, only_king & *info.attacked.get(enemy), sign);
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
    pins(info, color, king, [straight, diagonal], terms);
    let flank =
        Bitboard(FLANKS[king.file() as usize]) & Bitboard(color.fold_wb(0xffff_ffff, 0xffff_ffff << 32));
    terms.add_each(KING_FLANK, flank & *info.attacked.get(enemy) & !*info.attacked.get(color), sign);
    let check_squares = [attacks::knight_attacks(king), diagonal, straight, straight | diagonal];
    let theirs = info.attacks.get(enemy);
    for (kind, (squares, attacks)) in
        check_squares.into_iter().zip([theirs.knight, theirs.bishop, theirs.rook, theirs.queen]).enumerate()
    {
        terms.add_each(KING_CHECK + kind, squares & attacks & safe, sign);
    }
}

/// The files of a king's flank, by the king's file.
const FLANKS: [u64; 8] = {
    let first_ranks = [0x07, 0x0f, 0x0f, 0x3c, 0x3c, 0xf0, 0xf0, 0xe0];
    let mut flanks = [0; 8];
    let mut file = 0;
    while file < 8 {
        flanks[file] = first_ranks[file] * FILE_A;
        file += 1;
    }
    flanks
};

/// The pieces of `color` that are pinned to its king; `lines` are what a rook and what a bishop would see from there.
#[inline(always)]
fn pins(
    info: &EvalInfo<'_>,
    color: Color,
    king: Square,
    lines: [Bitboard; 2],
    terms: &mut impl TermCollector,
) {
    let board = info.board;
    let (ours, theirs) = (board.by_color(color), board.by_color(!color));
    let attackers = info.attacks.get(!color);
    // Most kings have no such piece on any line, and that is seen at once.
    let exposed = [
        lines[0] & ours & (attackers.rook | attackers.queen),
        lines[1] & ours & (attackers.bishop | attackers.queen),
    ];
    let snipers = [board.rooks_and_queens(), board.bishops_and_queens()];
    let beyond = [attacks::rook_attacks, attacks::bishop_attacks];
    let mut pinned = Bitboard::EMPTY;
    for (way, exposed) in exposed.into_iter().enumerate().filter(|(_, exposed)| exposed.any()) {
        let seen = beyond[way](king, board.occupied() & !exposed);
        for sniper in seen & snipers[way] & theirs & !lines[way] {
            pinned |= attacks::between(king, sniper) & exposed;
        }
    }
    if pinned.any() {
        for (kind, role) in PIECES.into_iter().enumerate() {
            terms.add_each(PINNED + kind, pinned & board.by_role(role), color.fold_wb(1, -1));
        }
    }
}
