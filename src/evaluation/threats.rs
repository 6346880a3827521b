//! Threats: pieces that are attacked by lesser pieces or not defended.

use shakmaty::{Bitboard, Color, Role};

use super::{
    bitboards::{forward, pawn_attacks},
    eval_info::EvalInfo,
    pieces::PIECES,
    term_collector::TermCollector,
    terms::*,
};

/// Collects the threats that `color` makes.
#[inline(always)]
pub(super) fn threats(info: &EvalInfo<'_>, color: Color, terms: &mut impl TermCollector) {
    let sign = color.fold_wb(1, -1);
    let board = info.board;
    let ours = info.attacks.get(color);
    let enemies = board.by_color(!color);
    let defended = *info.attacked.get(!color);
    let defended_by_pawn = info.attacks.get(!color).pawn;

    let by_pawn = ours.pawn & enemies;
    if by_pawn.any() {
        for (kind, role) in PIECES.into_iter().enumerate() {
            terms.add_each(THREAT_PAWN + kind, by_pawn & board.by_role(role), sign);
        }
    }
    let minors = ours.knight | ours.bishop;
    // A target of no greater value counts only if it is poorly defended.
    let weak = enemies & !defended_by_pawn & (!defended | *info.attacked_twice.get(color));
    let by_minor = minors & enemies & (weak | board.rooks_and_queens());
    let by_rook = ours.rook & enemies & (weak | board.queens());
    for (first, threatened) in [(THREAT_MINOR, by_minor), (THREAT_ROOK, by_rook)] {
        if threatened.any() {
            for (kind, role) in Role::ALL.into_iter().take(5).enumerate() {
                terms.add_each(first + kind, threatened & board.by_role(role), sign);
            }
        }
    }
    terms.add_each(THREAT_KING, ours.king & enemies & !defended, sign);
    let hanging = enemies & !board.pawns() & *info.attacked.get(color) & !defended;
    terms.add_each(THREAT_HANGING, hanging, sign);

    let protected = defended_by_pawn | (*info.attacked_twice.get(!color) & !*info.attacked_twice.get(color));
    terms.add_each(RESTRICTED, defended & !protected & *info.attacked.get(color), sign);

    let step = forward(color, *info.pawns.get(color)) & !board.occupied();
    let third_rank = Bitboard(color.fold_wb(0xff << 16, 0xff << 40));
    let reach = step | (forward(color, step & third_rank) & !board.occupied());
    let safe = reach & !defended_by_pawn & (*info.attacked.get(color) | !defended);
    let (left, right) = pawn_attacks(color, safe);
    let targets = enemies & !board.pawns() & !board.kings() & !ours.pawn;
    terms.add_each(THREAT_PAWN_PUSH, (left | right) & targets, sign);
}
