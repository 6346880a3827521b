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
    let rank = square as u32 >> 3;
    Bitboard(match color {
        Color::White => u64::MAX.checked_shl(8 * (rank + 1)).unwrap_or(0),
        Color::Black => !(u64::MAX << (8 * rank)),
    })
}

#[inline(always)]
pub(super) fn file_of(square: Square) -> Bitboard {
    Bitboard(FILE_A << (square as u32 & 7))
}

/// The rank as `color` sees it, from 0.
#[inline(always)]
pub(super) fn relative_rank(color: Color, square: Square) -> usize {
    color.relative_rank(square.rank()) as usize
}
