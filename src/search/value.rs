//! Numbers inside the search: centipawns for the side to move, with mates and table results at the ends.

use super::Score;

/// Longest line that is ever looked at, in plies.
pub(super) const MAX_PLY: usize = 120;
/// Greater than any value.
pub(super) const INFINITE: i32 = 32_001;
/// Mate on the board; a mate in n plies is worth `MATE - n`.
pub(super) const MATE: i32 = 32_000;
/// From here on a value is a mate.
pub(super) const MATE_BOUND: i32 = MATE - 2 * MAX_PLY as i32;
/// A win by the tables; one that is n plies away is worth `TABLE_WIN - n`.
pub(super) const TABLE_WIN: i32 = 30_000;
/// From here on a value is decided: a table win or a mate.
pub(super) const DECIDED: i32 = TABLE_WIN - 2 * MAX_PLY as i32;
/// A draw.
pub(super) const DRAW: i32 = 0;

/// Mated after `ply` plies from the root.
pub(super) fn mated(ply: usize) -> i32 {
    ply as i32 - MATE
}

/// A value counted from the root, as counted from a node at `ply`: what the table keeps.
pub(super) fn to_node(value: i32, ply: usize) -> i32 {
    match value {
        v if v >= DECIDED => v + ply as i32,
        v if v <= -DECIDED => v - ply as i32,
        v => v,
    }
}

/// The reverse of [`to_node`].
pub(super) fn from_node(value: i32, ply: usize) -> i32 {
    match value {
        v if v >= DECIDED => v - ply as i32,
        v if v <= -DECIDED => v + ply as i32,
        v => v,
    }
}

/// As others see it.
pub(super) fn score(value: i32) -> Score {
    match value {
        v if v >= MATE_BOUND => Score::Mate((MATE - v + 1) / 2),
        v if v <= -MATE_BOUND => Score::Mate(-((MATE + v) / 2)),
        v => Score::Centipawns(v),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mates_are_counted_in_moves_of_the_side_to_move() {
        assert_eq!(score(MATE - 1), Score::Mate(1));
        assert_eq!(score(MATE - 3), Score::Mate(2));
        assert_eq!(score(-MATE + 2), Score::Mate(-1));
        assert_eq!(score(-MATE), Score::Mate(0));
    }

    #[test]
    fn a_mate_keeps_its_distance_through_the_table() {
        for value in [MATE - 7, -MATE + 8, 31, TABLE_WIN - 4] {
            assert_eq!(from_node(to_node(value, 3), 3), value);
        }
    }
}
