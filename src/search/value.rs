//! Values inside the search: centipawns for the side to move, with mates and tablebase wins at the ends.

use super::Score;

/// Longest line that is ever searched, in plies.
pub(super) const MAX_PLY: usize = 120;
/// Greater than any value.
pub(super) const INFINITE: i32 = 32_001;
/// Checkmate on the board; mate in n plies is worth `MATE - n`.
pub(super) const MATE: i32 = 32_000;
/// From here on a value is a mate.
pub(super) const MATE_IN_MAX_PLY: i32 = MATE - 2 * MAX_PLY as i32;
/// A tablebase win; one that is n plies from the root is worth `TB_WIN - n`.
pub(super) const TB_WIN: i32 = 30_000;
/// From here on a value is a tablebase win or a mate; no evaluation reaches it.
pub(super) const TB_WIN_IN_MAX_PLY: i32 = TB_WIN - 2 * MAX_PLY as i32;
pub(super) const DRAW: i32 = 0;

/// The value of being checkmated at `ply`.
pub(super) fn mated_in(ply: usize) -> i32 {
    ply as i32 - MATE
}

/// The value of giving checkmate with a move that leads to `ply`.
pub(super) fn mate_in(ply: usize) -> i32 {
    MATE - ply as i32
}

/// Whether a value is a proven win or loss: a mate or a tablebase result.
pub(super) fn is_decided(value: i32) -> bool {
    value.abs() >= TB_WIN_IN_MAX_PLY
}

/// Mates and tablebase wins are counted from the root in the search, but from the node in the transposition
/// table, where a position may be found again at another ply.
pub(super) fn value_to_tt(value: i32, ply: usize) -> i32 {
    match value {
        v if v >= TB_WIN_IN_MAX_PLY => v + ply as i32,
        v if v <= -TB_WIN_IN_MAX_PLY => v - ply as i32,
        v => v,
    }
}

/// The reverse of [`value_to_tt`].
pub(super) fn value_from_tt(value: i32, ply: usize) -> i32 {
    match value {
        v if v >= TB_WIN_IN_MAX_PLY => v - ply as i32,
        v if v <= -TB_WIN_IN_MAX_PLY => v + ply as i32,
        v => v,
    }
}

/// As it is told to others: mates in moves.
pub(super) fn to_score(value: i32) -> Score {
    match value {
        v if v >= MATE_IN_MAX_PLY => Score::Mate((MATE - v + 1) / 2),
        v if v <= -MATE_IN_MAX_PLY => Score::Mate(-((MATE + v) / 2)),
        v => Score::Centipawns(v),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mates_are_counted_in_moves_of_the_side_to_move() {
        assert_eq!(to_score(MATE - 1), Score::Mate(1));
        assert_eq!(to_score(MATE - 3), Score::Mate(2));
        assert_eq!(to_score(-MATE + 2), Score::Mate(-1));
        assert_eq!(to_score(-MATE), Score::Mate(0));
    }

    #[test]
    fn a_mate_keeps_its_distance_through_the_transposition_table() {
        for value in [MATE - 7, -MATE + 8, 31, TB_WIN - 4] {
            assert_eq!(value_from_tt(value_to_tt(value, 3), 3), value);
        }
    }
}
