use std::{cmp::Ordering, fmt, ops::Neg};

use super::{Depth, Value};

/// Value and depth of a position, for the side that is asked about: an equivalence class of
/// positions (Haworth 2003, §2).
///
/// Ordered by attractiveness: short wins first, then long wins, draws, long losses, short losses;
/// the greater state is the better one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum State {
    /// This side wins in so many of its own moves.
    Win(Depth),
    /// Neither side can force a win.
    Draw,
    /// The other side wins in so many of its moves.
    Loss(Depth),
}

impl State {
    /// A win in `depth` moves.
    pub fn win(depth: u16) -> State {
        State::Win(Depth(depth))
    }

    /// A loss in `depth` moves.
    pub fn loss(depth: u16) -> State {
        State::Loss(Depth(depth))
    }

    /// The value alone.
    pub fn value(self) -> Value {
        match self {
            State::Win(_) => Value::Win,
            State::Draw => Value::Draw,
            State::Loss(_) => Value::Loss,
        }
    }

    /// The depth of a decisive state.
    pub fn depth(self) -> Option<Depth> {
        match self {
            State::Win(depth) | State::Loss(depth) => Some(depth),
            State::Draw => None,
        }
    }
}

/// The state as the other side sees it.
impl Neg for State {
    type Output = State;

    fn neg(self) -> State {
        match self {
            State::Win(depth) => State::Loss(depth),
            State::Draw => State::Draw,
            State::Loss(depth) => State::Win(depth),
        }
    }
}

impl Ord for State {
    fn cmp(&self, other: &State) -> Ordering {
        match (self, other) {
            (State::Win(mine), State::Win(theirs)) => theirs.cmp(mine),
            (State::Loss(mine), State::Loss(theirs)) => mine.cmp(theirs),
            _ => self.value().cmp(&other.value()),
        }
    }
}

impl PartialOrd for State {
    fn partial_cmp(&self, other: &State) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl fmt::Display for State {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            State::Win(depth) => write!(f, "win in {depth}"),
            State::Draw => f.write_str("draw"),
            State::Loss(depth) => write!(f, "loss in {depth}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn better_states_are_greater() {
        let by_attraction = [State::loss(0), State::loss(3), State::Draw, State::win(31), State::win(1)];
        assert!(by_attraction.is_sorted());
        assert!(by_attraction.iter().rev().map(|&state| -state).is_sorted());
    }
}
