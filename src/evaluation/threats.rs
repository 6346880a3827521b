//! Men that are attacked by lesser men, or not defended; and room to manoeuvre.

use shakmaty::{Bitboard, Color, Role};

use super::{
    eval_info::{View, forward, pawn_attacks},
    pieces::PIECES,
    term_collector::Sink,
    terms::*,
};

/// Threats that `color` makes, and its space.
pub(super) fn threats(view: &View<'_>, color: Color, sink: &mut impl Sink) {
    let sign = color.fold_wb(1, -1);
    let board = view.board;
    let ours = view.attacks.get(color);
    let enemies = board.by_color(!color);
    let defended = *view.attacked.get(!color);
    let defended_by_pawn = view.attacks.get(!color).pawn;

    for (kind, role) in PIECES.into_iter().enumerate() {
        sink.add(THREAT_PAWN + kind, sign * (ours.pawn & view.men(!color, role)).count() as i32);
    }
    let minors = ours.knight | ours.bishop;
    // A defended man of no greater worth is no target.
    let weak = enemies & !defended_by_pawn & (!defended | *view.attacked_twice.get(color));
    for (kind, role) in
        [Role::Pawn, Role::Knight, Role::Bishop, Role::Rook, Role::Queen].into_iter().enumerate()
    {
        let men = view.men(!color, role);
        let by_minor = if matches!(role, Role::Rook | Role::Queen) { men } else { men & weak };
        let by_rook = if role == Role::Queen { men } else { men & weak };
        sink.add(THREAT_MINOR + kind, sign * (minors & by_minor).count() as i32);
        sink.add(THREAT_ROOK + kind, sign * (ours.rook & by_rook).count() as i32);
    }
    sink.add(THREAT_KING, sign * (ours.king & enemies & !defended).count() as i32);
    let hanging = enemies & !board.pawns() & *view.attacked.get(color) & !defended;
    sink.add(THREAT_HANGING, sign * hanging.count() as i32);

    let step = forward(color, *view.pawns.get(color)) & !board.occupied();
    let third = Bitboard(color.fold_wb(0xff << 16, 0xff << 40));
    let reach = step | (forward(color, step & third) & !board.occupied());
    let safe = reach & !defended_by_pawn & (*view.attacked.get(color) | !defended);
    let (left, right) = pawn_attacks(color, safe);
    let targets = enemies & !board.pawns() & !board.kings() & !ours.pawn;
    sink.add(THREAT_PAWN_PUSH, sign * ((left | right) & targets).count() as i32);

    let centre = Bitboard(0x3c3c_3c3c_3c3c_3c3c) & Bitboard(color.fold_wb(0xffff_ff00, 0x00ff_ffff << 32));
    let free = centre & !*view.pawns.get(color) & !defended_by_pawn;
    sink.add(SPACE, sign * free.count() as i32);
}
