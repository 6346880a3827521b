use std::ops::Neg;

use shakmaty::Color;

use super::{Depth, State};

/// A state as a small number: the papers' numbering with room for every depth that tables have (Haworth 2003, §2).
///
/// 0 to 127 is a win in so many moves, 128 a draw, 256 − d a loss in d; better states are less.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Code(u16);

/// The number of a draw: wins and losses are less deep.
const ROOM: u16 = 128;

impl Code {
    /// How many codes there are.
    pub const COUNT: usize = 2 * ROOM as usize + 1;

    /// The code of a state. Tables hold no greater depths than fit.
    #[inline]
    pub fn of(state: State) -> Code {
        let fits = |depth: Depth| Depth(depth.0.min(ROOM - 1));
        let state = match state {
            State::Win(depth) => State::Win(fits(depth)),
            State::Draw => State::Draw,
            State::Loss(depth) => State::Loss(fits(depth)),
        };
        Code(state.number(ROOM, ROOM))
    }

    /// All of them, that of the best state first.
    pub fn all() -> impl DoubleEndedIterator<Item = Code> {
        (0..Code::COUNT as u16).map(Code)
    }

    /// Its state.
    #[inline]
    pub fn state(self) -> State {
        State::numbered(self.0, ROOM, ROOM)
    }

    /// Its place in a list that has one for each code.
    #[inline]
    pub fn place(self) -> usize {
        usize::from(self.0)
    }

    /// A code of the mover's as White sees it, and the reverse.
    #[inline]
    pub fn seen_by(self, color: Color) -> Code {
        if color == Color::White { self } else { -self }
    }
}

/// The same state as the other side sees it.
impl Neg for Code {
    type Output = Code;

    #[inline]
    fn neg(self) -> Code {
        Code(2 * ROOM - self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_are_in_the_order_of_attraction_and_reverse_as_states_do() {
        for (place, code) in Code::all().enumerate() {
            assert_eq!((Code::of(code.state()), code.place()), (code, place));
            assert_eq!((-code).state(), -code.state());
        }
        assert!(Code::all().map(Code::state).rev().is_sorted());
    }
}
