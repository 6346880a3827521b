//! Sets of squares that the evaluation is built from.

use shakmaty::{Bitboard, Color, Square};

pub(super) const FILE_A: u64 = 0x0101_0101_0101_0101;
const FILE_H: u64 = FILE_A << 7;

/// Squares attacked by these pawns towards the a-file, and towards the h-file.
#[inline(always)]
pub(super) fn pawn_attacks(color: Color, pawns: Bitboard) -> (Bitboard, Bitboard) {
    let pushed = forward(color, pawns);
    (Bitboard((pushed.0 & !FILE_A) >> 1), Bitboard((pushed.0 & !FILE_H) << 1))
}

/// All squares one step ahead, as `color` sees it.
#[inline(always)]
pub(super) fn forward(color: Color, squares: Bitboard) -> Bitboard {
    Bitboard(color.fold_wb(squares.0 << 8, squares.0 >> 8))
}

/// The whole files beside the file of `square`.
#[inline(always)]
pub(super) fn adjacent_files(square: Square) -> Bitboard {
    let file = FILE_A << (square as u32 & 7);
    Bitboard(((file & !FILE_A) >> 1) | ((file & !FILE_H) << 1))
}

/// All ranks ahead of `square`, as `color` sees it.
#[inline(always)]
pub(super) fn ranks_ahead(color: Color, square: Square) -> Bitboard {
    let shift = square as u32 & !7;
    Bitboard(match color {
        Color::White => (u64::MAX << 8) << shift,
        Color::Black => !(u64::MAX << shift),
    })
}

/// How many moves a king needs from one square to the other.
#[inline(always)]
pub(super) fn distance(one: Square, other: Square) -> usize {
    usize::from(DISTANCES[one as usize][other as usize])
}

static DISTANCES: [[u8; 64]; 64] = {
    let mut distances = [[0; 64]; 64];
    let (mut one, mut other) = (0, 0);
    while one < 64 {
        let files = (one as i8 % 8 - other as i8 % 8).unsigned_abs();
        let ranks = (one as i8 / 8 - other as i8 / 8).unsigned_abs();
        distances[one][other] = if files > ranks { files } else { ranks };
        other = (other + 1) % 64;
        one += (other == 0) as usize;
    }
    distances
};

#[inline(always)]
pub(super) fn file_of(square: Square) -> Bitboard {
    Bitboard(FILE_A << (square as u32 & 7))
}

/// The rank as `color` sees it, from 0.
#[inline(always)]
pub(super) fn relative_rank(color: Color, square: Square) -> usize {
    color.relative_rank(square.rank()) as usize
}
