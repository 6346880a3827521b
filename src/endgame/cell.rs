use crate::model::{Depth, State};

/// A state in a byte: 0 draw, 1 to 127 a win in so many moves, 128 + n a loss in n, for the side to move.
///
/// No endgame of up to five men is deeper than 127 moves by any of the metrics.
pub type Cell = u8;

/// A draw, or a state not yet known.
pub const DRAW: Cell = 0;
/// The greatest depth that fits.
pub const DEEPEST: u16 = 127;

/// The cell of a loss in `depth` moves.
pub const fn loss(depth: u16) -> Cell {
    128 | depth as u8
}

/// What a cell says.
#[inline]
pub fn state(cell: Cell) -> State {
    match cell {
        DRAW => State::Draw,
        1..=127 => State::Win(Depth(u16::from(cell))),
        _ => State::Loss(Depth(u16::from(cell & 127))),
    }
}

/// The cell for a state of the side to move. None if it is too deep, or a win in 0, which no side to move has.
pub fn cell(state: State) -> Option<Cell> {
    match state {
        State::Draw => Some(DRAW),
        State::Win(Depth(depth)) => (1..=DEEPEST).contains(&depth).then_some(depth as Cell),
        State::Loss(Depth(depth)) => (depth <= DEEPEST).then_some(loss(depth)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_cell_but_none_is_one_state() {
        for byte in Cell::MIN..=Cell::MAX {
            assert_eq!(cell(state(byte)), Some(byte));
        }
        assert_eq!(cell(State::win(128)), None);
        assert_eq!(cell(State::win(0)), None);
    }
}
