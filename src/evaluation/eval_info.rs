//! What all parts of the evaluation want to know of a position: who attacks what.

use shakmaty::{Bitboard, Board, ByColor, ByRole, Color, Role, Square, attacks};

pub(super) struct View<'a> {
    pub board: &'a Board,
    pub pawns: ByColor<Bitboard>,
    pub kings: ByColor<Square>,
    /// The king's square and those around it.
    pub rings: ByColor<Bitboard>,
    pub attacks: ByColor<ByRole<Bitboard>>,
    pub attacked: ByColor<Bitboard>,
    pub attacked_twice: ByColor<Bitboard>,
    /// Pieces that attack the ring of the king of this colour, and their attacks on it.
    pub assault: ByColor<(usize, usize)>,
}

impl<'a> View<'a> {
    /// None for a board without both kings.
    pub fn new(board: &'a Board) -> Option<View<'a>> {
        let kings = ByColor { white: board.king_of(Color::White)?, black: board.king_of(Color::Black)? };
        let mut view = View {
            board,
            pawns: ByColor { white: board.pawns() & board.white(), black: board.pawns() & board.black() },
            rings: kings.map(|king| attacks::king_attacks(king).with(king)),
            kings,
            attacks: ByColor::default(),
            attacked: ByColor::default(),
            attacked_twice: ByColor::default(),
            assault: ByColor::default(),
        };
        for color in Color::ALL {
            let pawns = *view.pawns.get(color);
            let (left, right) = pawn_attacks(color, pawns);
            let king = attacks::king_attacks(*view.kings.get(color));
            view.attacks.get_mut(color).pawn = left | right;
            view.attacks.get_mut(color).king = king;
            *view.attacked.get_mut(color) = left | right | king;
            *view.attacked_twice.get_mut(color) = (left & right) | ((left | right) & king);
        }
        Some(view)
    }

    /// Notes the attacks of a piece.
    pub fn note(&mut self, color: Color, role: Role, targets: Bitboard) {
        *self.attacked_twice.get_mut(color) |= *self.attacked.get(color) & targets;
        *self.attacked.get_mut(color) |= targets;
        *self.attacks.get_mut(color).get_mut(role) |= targets;
        let hits = (targets & *self.rings.get(!color)).count();
        if hits > 0 {
            let assault = self.assault.get_mut(!color);
            assault.0 += 1;
            assault.1 += hits;
        }
    }

    pub fn men(&self, color: Color, role: Role) -> Bitboard {
        self.board.by_color(color) & self.board.by_role(role)
    }
}

/// Attacks of pawns to the one side and to the other.
pub(super) fn pawn_attacks(color: Color, pawns: Bitboard) -> (Bitboard, Bitboard) {
    let ahead = forward(color, pawns);
    (Bitboard((ahead.0 & !FILE_A) >> 1), Bitboard((ahead.0 & !FILE_H) << 1))
}

/// All squares one step ahead.
pub(super) fn forward(color: Color, squares: Bitboard) -> Bitboard {
    Bitboard(color.fold_wb(squares.0 << 8, squares.0 >> 8))
}

pub(super) const FILE_A: u64 = 0x0101_0101_0101_0101;
const FILE_H: u64 = FILE_A << 7;

/// The files beside these squares' files, in full.
pub(super) fn beside(square: Square) -> Bitboard {
    let file = FILE_A << (square as u32 & 7);
    Bitboard(((file & !FILE_A) >> 1) | ((file & !FILE_H) << 1))
}

/// All squares of ranks ahead of `square`, as `color` sees it.
pub(super) fn ahead(color: Color, square: Square) -> Bitboard {
    let rank = square as u32 >> 3;
    Bitboard(match color {
        Color::White => u64::MAX.checked_shl(8 * (rank + 1)).unwrap_or(0),
        Color::Black => !(u64::MAX << (8 * rank)),
    })
}

pub(super) fn file_of(square: Square) -> Bitboard {
    Bitboard(FILE_A << (square as u32 & 7))
}

/// The rank as `color` sees it, from 0.
pub(super) fn rank_for(color: Color, square: Square) -> usize {
    color.relative_rank(square.rank()) as usize
}
