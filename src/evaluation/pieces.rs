//! Pieces: material, piece-square values, mobility, and terms of single kinds of pieces.

use shakmaty::{Bitboard, Color, Role, Square, attacks};

use super::{
    bitboards::{adjacent_files, distance, file_of, forward, ranks_ahead, relative_rank},
    eval_info::EvalInfo,
    pawns::PawnStructure,
    term_collector::TermCollector,
    terms::*,
};

pub(super) const PIECES: [Role; 4] = [Role::Knight, Role::Bishop, Role::Rook, Role::Queen];

/// Index into a piece-square table of half the board, seen from the side of `color`.
#[inline(always)]
pub(super) fn square_index(color: Color, square: Square) -> usize {
    let file = square as usize & 7;
    relative_rank(color, square) * 4 + file.min(7 - file)
}

/// Collects the terms of the pieces of `color`, and adds their attacks to `info`.
#[inline(always)]
pub(super) fn pieces(
    info: &mut EvalInfo<'_>,
    color: Color,
    PawnStructure { passed, face_to_face }: PawnStructure,
    terms: &mut impl TermCollector,
) {
    let sign = color.fold_wb(1, -1);
    let board = info.board;
    let king = *info.kings.get(color);
    let ours = *info.pawns.get(color);
    let enemy_pawn_attacks = info.attacks.get(!color).pawn;
    let blocked = ours & forward(!color, board.occupied());
    // Mobility area: squares that enemy pawns don't attack and that the own king or blocked pawns don't occupy.
    let mobility_area = !(enemy_pawn_attacks | blocked | Bitboard::from(king));

    terms.add_each(PAWN_BLOCKED, blocked, sign);
    terms.add(SQUARE_KING + square_index(color, king), sign);
    let area = PieceArea { mobility_area, passed, face_to_face };
    pieces_of_role(info, color, Role::Knight, area, terms);
    pieces_of_role(info, color, Role::Bishop, area, terms);
    pieces_of_role(info, color, Role::Rook, area, terms);
    pieces_of_role(info, color, Role::Queen, area, terms);
    let bishops = info.pieces_of(color, Role::Bishop);
    if (bishops & Bitboard::LIGHT_SQUARES).any() && (bishops & Bitboard::DARK_SQUARES).any() {
        terms.add(BISHOP_PAIR, sign);
    }
}

/// What the terms of every piece of a colour share.
#[derive(Clone, Copy)]
struct PieceArea {
    mobility_area: Bitboard,
    passed: Bitboard,
    /// How many pawns stand face to face with an enemy pawn.
    face_to_face: i32,
}

/// The terms of the pieces of one kind. The role is a constant wherever this is called, so that each kind compiles to
/// code of its own.
#[inline(always)]
fn pieces_of_role(
    info: &mut EvalInfo<'_>,
    color: Color,
    role: Role,
    PieceArea { mobility_area, passed, face_to_face }: PieceArea,
    terms: &mut impl TermCollector,
) {
    let sign = color.fold_wb(1, -1);
    let board = info.board;
    let enemy_king = *info.kings.get(!color);
    let ours = *info.pawns.get(color);
    let theirs = *info.pawns.get(!color);
    let kind = role as usize - Role::Knight as usize;
    for square in info.pieces_of(color, role) {
        terms.add_piece(color, role, square);
        terms.add(CLOSED + kind, sign * face_to_face);
        terms.add(KING_TROPISM + kind, sign * (7 - distance(square, enemy_king) as i32));

        // X-rays: sliders attack through own pieces that move the same way.
        let transparent = match role {
            Role::Bishop => board.queens() & board.by_color(color),
            Role::Rook => board.rooks_and_queens() & board.by_color(color),
            _ => Bitboard::EMPTY,
        };
        let targets = attacks::attacks(square, role.of(color), board.occupied() & !transparent);
        info.add_piece(color, role, targets);
        let mobility = (targets & mobility_area).count();
        terms.add(MOBILITY[kind] + mobility, sign);

        match role {
            Role::Knight | Role::Bishop => {
                let rank = relative_rank(color, square);
                if (3..=5).contains(&rank)
                    && info.attacks.get(color).pawn.contains(square)
                    && (ranks_ahead(color, square) & adjacent_files(square) & theirs).is_empty()
                {
                    terms.add(if role == Role::Knight { KNIGHT_OUTPOST } else { BISHOP_OUTPOST }, sign);
                }
                if (forward(color, Bitboard::from(square)) & board.pawns()).any() {
                    terms.add(MINOR_BEHIND_PAWN, sign);
                }
                if role == Role::Bishop {
                    bishop(square, ours, theirs, sign, terms);
                }
            }
            Role::Rook => rook(info, color, square, mobility, passed, terms),
            _ => {}
        }
    }
}

#[inline(always)]
fn bishop(square: Square, ours: Bitboard, theirs: Bitboard, sign: i32, terms: &mut impl TermCollector) {
    let shade = if square.is_light() { Bitboard::LIGHT_SQUARES } else { Bitboard::DARK_SQUARES };
    terms.add_each(BISHOP_OWN_PAWNS, ours & shade, sign);
    let centre = Bitboard(0x0000_0018_1800_0000);
    if (attacks::bishop_attacks(square, ours | theirs).with(square) & centre).more_than_one() {
        terms.add(BISHOP_LONG_DIAGONAL, sign);
    }
}

#[inline(always)]
fn rook(
    info: &EvalInfo<'_>,
    color: Color,
    square: Square,
    mobility: usize,
    passed: Bitboard,
    terms: &mut impl TermCollector,
) {
    let sign = color.fold_wb(1, -1);
    let file = file_of(square);
    let ours = *info.pawns.get(color);
    let theirs = *info.pawns.get(!color);
    if (file & ours).is_empty() {
        terms.add(if (file & theirs).is_empty() { ROOK_OPEN } else { ROOK_HALF_OPEN }, sign);
    } else if mobility <= 3 {
        let king = *info.kings.get(color);
        let same_wing = (king.file() as usize >= 4) == (square.file() > king.file());
        if same_wing
            && relative_rank(color, king) == 0
            && relative_rank(color, square) == 0
            && king.file() as usize != 4
        {
            terms.add(ROOK_TRAPPED, sign);
        }
    }
    if relative_rank(color, square) == 6 {
        let king_home = relative_rank(color, *info.kings.get(!color)) == 7;
        let pawns_home = (Bitboard::from_rank(square.rank()) & theirs).any();
        if king_home || pawns_home {
            terms.add(ROOK_SEVENTH, sign);
        }
    }
    // Behind a passed pawn: on its file, on the side it came from.
    let passed = file & passed;
    if passed.any() {
        if (passed & ours & ranks_ahead(color, square)).any() {
            terms.add(ROOK_BEHIND_OWN_PASSED, sign);
        }
        if (passed & theirs & ranks_ahead(!color, square)).any() {
            terms.add(ROOK_BEHIND_ENEMY_PASSED, sign);
        }
    }
}
