//! Pieces: material, squares, mobility, and what each kind likes.

use shakmaty::{Bitboard, Color, Role, Square, attacks};

use super::{
    eval_info::{View, ahead, beside, file_of, forward, rank_for},
    term_collector::Sink,
    terms::*,
};

pub(super) const PIECES: [Role; 4] = [Role::Knight, Role::Bishop, Role::Rook, Role::Queen];

/// Place of a square on the half board, seen from the side of `color`.
pub(super) fn square_index(color: Color, square: Square) -> usize {
    let file = square as usize & 7;
    rank_for(color, square) * 4 + file.min(7 - file)
}

/// Terms of the pieces of `color`; their attacks are noted in `view`.
pub(super) fn pieces(view: &mut View<'_>, color: Color, passed: Bitboard, sink: &mut impl Sink) {
    let sign = color.fold_wb(1, -1);
    let board = view.board;
    let king = *view.kings.get(color);
    let enemy_king = *view.kings.get(!color);
    let ours = *view.pawns.get(color);
    let theirs = *view.pawns.get(!color);
    let guarded = view.attacks.get(!color).pawn;
    // Squares that are worth going to: not guarded by pawns, not taken by the own king or stuck pawns.
    let stuck = ours & forward(!color, board.occupied());
    let room = !(guarded | stuck | Bitboard::from(king));

    sink.add(PAWN_BLOCKED, sign * stuck.count() as i32);
    sink.add(SQUARE_KING + square_index(color, king), sign);
    for role in PIECES {
        let kind = role as usize - Role::Knight as usize;
        for square in view.men(color, role) {
            sink.add(MATERIAL + 1 + kind, sign);
            sink.add(SQUARES[role as usize - 1] + square_index(color, square), sign);
            sink.add(KING_TROPISM + kind, sign * (7 - square.distance(enemy_king) as i32));

            // Sliders support each other through their own kind.
            let transparent = match role {
                Role::Bishop => board.queens() & board.by_color(color),
                Role::Rook => board.rooks_and_queens() & board.by_color(color),
                _ => Bitboard::EMPTY,
            };
            let targets = attacks::attacks(square, role.of(color), board.occupied() & !transparent);
            view.note(color, role, targets);
            let mobility = (targets & room).count();
            sink.add(MOBILITY[kind] + mobility, sign);

            match role {
                Role::Knight | Role::Bishop => {
                    let rank = rank_for(color, square);
                    let unassailable = (ahead(color, square) & beside(square) & theirs).is_empty();
                    if (3..=5).contains(&rank)
                        && unassailable
                        && view.attacks.get(color).pawn.contains(square)
                    {
                        sink.add(if role == Role::Knight { KNIGHT_OUTPOST } else { BISHOP_OUTPOST }, sign);
                    }
                    if (forward(color, Bitboard::from(square)) & board.pawns()).any() {
                        sink.add(MINOR_BEHIND_PAWN, sign);
                    }
                    if role == Role::Bishop {
                        bishop(square, ours, theirs, sign, sink);
                    }
                }
                Role::Rook => rook(view, color, square, mobility, passed, sink),
                _ => {}
            }
        }
    }
    let bishops = view.men(color, Role::Bishop);
    if (bishops & Bitboard::LIGHT_SQUARES).any() && (bishops & Bitboard::DARK_SQUARES).any() {
        sink.add(BISHOP_PAIR, sign);
    }
}

fn bishop(square: Square, ours: Bitboard, theirs: Bitboard, sign: i32, sink: &mut impl Sink) {
    let shade = if square.is_light() { Bitboard::LIGHT_SQUARES } else { Bitboard::DARK_SQUARES };
    sink.add(BISHOP_OWN_PAWNS, sign * (ours & shade).count() as i32);
    let centre = Bitboard(0x0000_0018_1800_0000);
    if (attacks::bishop_attacks(square, ours | theirs).with(square) & centre).more_than_one() {
        sink.add(BISHOP_LONG_DIAGONAL, sign);
    }
}

fn rook(
    view: &View<'_>,
    color: Color,
    square: Square,
    mobility: usize,
    passed: Bitboard,
    sink: &mut impl Sink,
) {
    let sign = color.fold_wb(1, -1);
    let file = file_of(square);
    let ours = *view.pawns.get(color);
    let theirs = *view.pawns.get(!color);
    if (file & ours).is_empty() {
        sink.add(if (file & theirs).is_empty() { ROOK_OPEN } else { ROOK_HALF_OPEN }, sign);
    } else if mobility <= 3 {
        let king = *view.kings.get(color);
        let same_wing = (king.file() as usize >= 4) == (square.file() > king.file());
        if same_wing
            && rank_for(color, king) == 0
            && rank_for(color, square) == 0
            && king.file() as usize != 4
        {
            sink.add(ROOK_TRAPPED, sign);
        }
    }
    let king_home = rank_for(color, *view.kings.get(!color)) == 7;
    let pawns_home = (Bitboard::from_rank(square.rank()) & theirs).any();
    if rank_for(color, square) == 6 && (king_home || pawns_home) {
        sink.add(ROOK_SEVENTH, sign);
    }
    // Behind a passed pawn: on its file, on the side it came from.
    if (file & passed & ours & ahead(color, square)).any() {
        sink.add(ROOK_BEHIND_OWN_PASSED, sign);
    }
    if (file & passed & theirs & ahead(!color, square)).any() {
        sink.add(ROOK_BEHIND_ENEMY_PASSED, sign);
    }
}
