use shakmaty::Color;

use crate::model::{Depth, State};

/// The states of an endgame, numbered as in the papers: White's wins by depth, the draw, Black's wins from the deepest to
/// depth 0 (Haworth 2003, §2).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Space {
    white: u16,
    black: u16,
}

impl Space {
    /// The states of an endgame whose deepest wins are given.
    pub fn new(white: Depth, black: Depth) -> Space {
        Space { white: white.0, black: black.0 }
    }

    /// How many states there are.
    #[allow(clippy::len_without_is_empty, reason = "there is always a draw")]
    pub fn len(&self) -> usize {
        usize::from(self.white + self.black) + 3
    }

    /// The number of a state as White sees it.
    pub fn number(&self, state: State) -> Option<usize> {
        let (n1, n2) = self.bounds();
        (self.including(state) == *self).then(|| usize::from(state.number(n1, n2)))
    }

    /// The state with a number, as White sees it.
    pub fn state(&self, number: usize) -> State {
        let (n1, n2) = self.bounds();
        State::numbered(number as u16, n1, n2)
    }

    /// n1 and n2 as White sees them.
    fn bounds(&self) -> (u16, u16) {
        (self.white + 1, self.black + 1)
    }

    /// The deepest win of a side.
    pub fn deepest(&self, winner: Color) -> u16 {
        if winner == Color::White { self.white } else { self.black }
    }

    /// The states of both.
    pub(super) fn union(self, other: Space) -> Space {
        Space { white: self.white.max(other.white), black: self.black.max(other.black) }
    }

    /// With a state that may be deeper.
    pub(super) fn including(self, state: State) -> Space {
        match state {
            State::Win(Depth(depth)) => Space { white: self.white.max(depth), ..self },
            State::Draw => self,
            State::Loss(Depth(depth)) => Space { black: self.black.max(depth), ..self },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Haworth 2003, §2.
    #[test]
    fn kqkr_has_37_states() {
        let space = Space::new(Depth(31), Depth(3));
        assert_eq!(space.len(), 37);
        assert!((0..37).all(|number| space.number(space.state(number)) == Some(number)));
        assert_eq!(space.number(State::win(32)), None);
    }
}
