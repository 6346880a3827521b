//! The king's safety: its shelter, the pawns that storm it, the pieces that attack it.

use shakmaty::{Bitboard, Color, File, Role, attacks};

use super::{
    eval_info::{View, ahead, rank_for},
    term_collector::Sink,
    terms::*,
};

/// Terms about the king of `color`: shelter counts for it, attack against it.
pub(super) fn king(view: &View<'_>, color: Color, sink: &mut impl Sink) {
    shelter(view, color, sink);
    attack(view, color, sink);
}

fn shelter(view: &View<'_>, color: Color, sink: &mut impl Sink) {
    let sign = color.fold_wb(1, -1);
    let king = *view.kings.get(color);
    let king_rank = rank_for(color, king);
    let front = ahead(color, king) | Bitboard::from_rank(king.rank());
    // At the edge of the board the three files are those nearest to it.
    let middle = (king.file() as u32).clamp(1, 6);
    for file in middle - 1..=middle + 1 {
        let file = File::new(file);
        let column = Bitboard::from_file(file) & front;
        let distance = |pawns: Bitboard| {
            (column & pawns)
                .into_iter()
                .map(|pawn| rank_for(color, pawn))
                .min()
                .map_or(0, |rank| (rank - king_rank).clamp(1, 6))
        };
        sink.add(KING_SHELTER + distance(*view.pawns.get(color)), sign);
        sink.add(KING_STORM + distance(*view.pawns.get(!color)), sign);
    }
    if (Bitboard::from_file(king.file()) & *view.pawns.get(color)).is_empty() {
        sink.add(KING_OPEN, sign);
    }
}

fn attack(view: &View<'_>, color: Color, sink: &mut impl Sink) {
    let sign = color.fold_wb(-1, 1);
    let enemy = !color;
    let (pieces, hits) = *view.assault.get(color);
    if pieces > 0 {
        sink.add(KING_ATTACKS[pieces.min(4) - 1] + hits.min(9), sign);
        if view.men(enemy, Role::Queen).any() && pieces > 1 {
            sink.add(KING_QUEEN, sign);
        }
        let only_king = view.attacks.get(color).king & !*view.attacked_twice.get(color);
        sink.add(KING_WEAK, sign * (only_king & *view.attacked.get(enemy)).count() as i32);
    }

    // Squares from which a check would not simply be captured.
    let guarded = *view.attacked.get(color)
        & !(view.attacks.get(color).king
            & !*view.attacked_twice.get(color)
            & *view.attacked_twice.get(enemy));
    let safe = !guarded & !view.board.by_color(enemy);
    let king = *view.kings.get(color);
    let occupied = view.board.occupied();
    let straight = attacks::rook_attacks(king, occupied);
    let diagonal = attacks::bishop_attacks(king, occupied);
    let ways = [attacks::knight_attacks(king), diagonal, straight, straight | diagonal];
    let theirs = view.attacks.get(enemy);
    for (kind, (way, from)) in
        ways.into_iter().zip([theirs.knight, theirs.bishop, theirs.rook, theirs.queen]).enumerate()
    {
        sink.add(KING_CHECK + kind, sign * (way & from & safe).count() as i32);
    }
}
