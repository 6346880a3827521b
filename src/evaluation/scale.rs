//! Endgames that are worth less than their material, down to known draws.

use shakmaty::{Bitboard, Board, Color, Role, Square};

use super::view::FILE_A;

/// Names of the scales.
pub(super) const SCALES: &[&str] = &[
    "opposite_bishops",
    "opposite_bishops_and_pieces",
    "minor_alone",
    "no_pawns",
    "one_pawn",
    "wrong_bishop",
    "rook_pawn",
];

const OPPOSITE_BISHOPS: usize = 0;
const OPPOSITE_BISHOPS_AND_PIECES: usize = 1;
const MINOR_ALONE: usize = 2;
const NO_PAWNS: usize = 3;
const ONE_PAWN: usize = 4;
const WRONG_BISHOP: usize = 5;
const ROOK_PAWN: usize = 6;

/// Which scale, if any, applies to an endgame in which `strong` is ahead.
pub(super) fn scale(board: &Board, strong: Color) -> Option<usize> {
    let of = |color: Color, role: Role| board.by_color(color) & board.by_role(role);
    let pawns = of(strong, Role::Pawn);
    let pieces = board.by_color(strong) & !board.pawns() & !board.kings();
    let enemy_pieces = board.by_color(!strong) & !board.pawns() & !board.kings();

    if pawns.is_empty() {
        let force = worth(board, strong);
        // Less than a rook, or two knights alone, can't mate; and one minor piece more is hardly ever enough.
        if force < 5 || pieces == of(strong, Role::Knight) && pieces.count() == 2 {
            return Some(MINOR_ALONE);
        }
        return (force - worth(board, !strong) < 5).then_some(NO_PAWNS);
    }
    if pieces.is_empty() || pieces.count() == 1 && pieces == of(strong, Role::Bishop) {
        if let Some(corner) = rook_pawn_corner(pawns, strong)
            && enemy_pieces.is_empty()
        {
            let near = board.king_of(!strong).is_some_and(|king| king.distance(corner) <= 1);
            let covers = (pieces
                & if corner.is_light() { Bitboard::LIGHT_SQUARES } else { Bitboard::DARK_SQUARES })
            .any();
            if near && !covers {
                return Some(if pieces.is_empty() { ROOK_PAWN } else { WRONG_BISHOP });
            }
        }
    }
    let ours = of(strong, Role::Bishop);
    let theirs = of(!strong, Role::Bishop);
    if let (Some(our), Some(their)) = (ours.single_square(), theirs.single_square())
        && our.is_light() != their.is_light()
    {
        let alone = pieces == ours && enemy_pieces == theirs;
        return Some(if alone { OPPOSITE_BISHOPS } else { OPPOSITE_BISHOPS_AND_PIECES });
    }
    (pawns.count() == 1 && worth(board, strong) - worth(board, !strong) <= 0 && enemy_pieces.any())
        .then_some(ONE_PAWN)
}

/// The corner in which pawns of the rook's file alone would promote.
fn rook_pawn_corner(pawns: Bitboard, color: Color) -> Option<Square> {
    let file = [0, 7].into_iter().find(|file| (pawns.0 & !(FILE_A << file)) == 0)?;
    Some(Square::new(color.fold_wb(56, 0) + file))
}

/// Pieces in the usual units.
fn worth(board: &Board, color: Color) -> i32 {
    let count = |role: Role| (board.by_color(color) & board.by_role(role)).count() as i32;
    3 * (count(Role::Knight) + count(Role::Bishop)) + 5 * count(Role::Rook) + 9 * count(Role::Queen)
}
