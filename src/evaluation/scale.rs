//! Scale factors of drawish endgames: those that are worth less than their material says.

use shakmaty::{Bitboard, Board, Color, Role, Square};

use super::bitboards::FILE_A;

/// Names of the scale factors, in the order of the indices below.
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

/// The index of the scale factor, if any, that applies when `strong` is ahead.
pub(super) fn scale(board: &Board, strong: Color) -> Option<usize> {
    let of = |color: Color, role: Role| board.by_color(color) & board.by_role(role);
    let pawns = of(strong, Role::Pawn);
    let pieces = board.by_color(strong) & !board.pawns() & !board.kings();
    let enemy_pieces = board.by_color(!strong) & !board.pawns() & !board.kings();

    if pawns.is_empty() {
        let force = worth(board, strong);
        // Less than a rook, or two knights alone, can't mate.
        if force < 5 || pieces == of(strong, Role::Knight) && pieces.count() == 2 {
            return Some(MINOR_ALONE);
        }
        // Without pawns, a minor piece more is hardly ever enough.
        return (force - worth(board, !strong) < 5).then_some(NO_PAWNS);
    }
    let at_most_a_bishop = !pieces.more_than_one() && (pieces & !board.bishops()).is_empty();
    if at_most_a_bishop
        && enemy_pieces.is_empty()
        && let Some(corner) = rook_pawn_corner(pawns, strong)
    {
        let near = board.king_of(!strong).is_some_and(|king| king.distance(corner) <= 1);
        let shade = if corner.is_light() { Bitboard::LIGHT_SQUARES } else { Bitboard::DARK_SQUARES };
        if near && (pieces & shade).is_empty() {
            return Some(if pieces.is_empty() { ROOK_PAWN } else { WRONG_BISHOP });
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
    (!pawns.more_than_one() && worth(board, strong) - worth(board, !strong) <= 0 && enemy_pieces.any())
        .then_some(ONE_PAWN)
}

/// The corner in which `pawns` would promote if they are all on one rook's file.
fn rook_pawn_corner(pawns: Bitboard, color: Color) -> Option<Square> {
    let file = [0, 7].into_iter().find(|file| (pawns.0 & !(FILE_A << file)) == 0)?;
    Some(Square::new(color.fold_wb(56, 0) + file))
}

/// Value of the pieces in pawns: 3, 3, 5, 9.
fn worth(board: &Board, color: Color) -> i32 {
    let count = |role: Role| (board.by_color(color) & board.by_role(role)).count() as i32;
    3 * (count(Role::Knight) + count(Role::Bishop)) + 5 * count(Role::Rook) + 9 * count(Role::Queen)
}

#[cfg(test)]
mod tests {
    use shakmaty::{CastlingMode, Chess, Position, fen::Fen};

    use super::*;

    #[test]
    fn drawish_endgames_are_scaled() {
        for (fen, expected) in [
            ("8/8/4k3/8/8/2N5/1N6/K7 w - - 0 1", Some("minor_alone")),
            ("8/8/4k3/8/8/2B5/8/K7 w - - 0 1", Some("minor_alone")),
            ("8/8/4k3/8/8/2B5/1B6/K7 w - - 0 1", None),
            ("k7/8/8/P7/8/4B3/8/K7 w - - 0 1", Some("wrong_bishop")),
            ("k7/8/8/P7/8/3B4/8/K7 w - - 0 1", None),
            ("k7/8/8/P7/8/8/8/K7 w - - 0 1", Some("rook_pawn")),
            ("8/5k2/8/3b4/8/P1B5/1PK5/8 w - - 0 1", Some("opposite_bishops")),
            ("8/5k2/4b3/8/8/4R3/8/4K3 w - - 0 1", Some("no_pawns")),
            ("8/5k2/8/8/8/4R3/8/4K3 w - - 0 1", None),
        ] {
            let position: Chess = fen.parse::<Fen>().unwrap().into_position(CastlingMode::Standard).unwrap();
            let found = scale(position.board(), Color::White).map(|place| SCALES[place]);
            assert_eq!(found, expected, "{fen}");
        }
    }
}
