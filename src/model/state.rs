//! Value, depth, and both together: what tables know of a position.

use std::{
    cmp::Ordering,
    fmt,
    ops::{Add, Neg, Sub},
};

use serde::{Deserialize, Serialize};

/// The theoretical value of a position for the side that is asked about.
///
/// Ordered by attractiveness: `Loss < Draw < Win`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Value {
    /// The other side wins.
    Loss,
    /// Neither side can force a win.
    Draw,
    /// This side wins.
    Win,
}

impl Value {
    /// Points of a finished game: win 1, draw ½, loss 0.
    pub fn points(self) -> f64 {
        match self {
            Value::Loss => 0.0,
            Value::Draw => 0.5,
            Value::Win => 1.0,
        }
    }
}

/// The value as the other side sees it.
impl Neg for Value {
    type Output = Value;

    fn neg(self) -> Value {
        match self {
            Value::Loss => Value::Win,
            Value::Draw => Value::Draw,
            Value::Win => Value::Loss,
        }
    }
}

impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Value::Loss => "loss",
            Value::Draw => "draw",
            Value::Win => "win",
        })
    }
}

/// A number of the **winner's** moves to the goal of the metric in use.
///
/// A loser's move that converts and still loses counts 0, so the depth of a position with the
/// loser to move equals that of his best reply.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Depth(pub u16);

impl fmt::Display for Depth {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

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

    /// The number of this state among those of an endgame: 0 for a win in 0, rising as states get worse, a draw being
    /// n1 and a loss in 0 n1 + n2 (Haworth 2003, §2).
    #[inline]
    pub fn number<N: From<u16> + Add<Output = N> + Sub<Output = N>>(self, n1: N, n2: N) -> N {
        match self {
            State::Win(depth) => N::from(depth.0),
            State::Draw => n1,
            State::Loss(depth) => n1 + n2 - N::from(depth.0),
        }
    }

    /// The state with a number, which is n1 + n2 at most.
    #[inline]
    pub fn numbered(number: u16, n1: u16, n2: u16) -> State {
        match number.cmp(&n1) {
            Ordering::Less => State::win(number),
            Ordering::Equal => State::Draw,
            Ordering::Greater => State::loss((n1 + n2).saturating_sub(number)),
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

    /// Haworth 2003, §2: KQKR has 37 states.
    #[test]
    fn states_are_numbered_as_in_the_paper() {
        let states = [State::win(0), State::win(31), State::Draw, State::loss(3), State::loss(0)];
        assert_eq!(states.map(|state| state.number(32, 4)), [0_u16, 31, 32, 33, 36]);
        assert!((0..37).all(|number| State::numbered(number, 32, 4).number(32, 4) == number));
    }

    #[test]
    fn better_states_are_greater() {
        let by_attraction = [State::loss(0), State::loss(3), State::Draw, State::win(31), State::win(1)];
        assert!(by_attraction.is_sorted());
        assert!(by_attraction.iter().rev().map(|&state| -state).is_sorted());
    }
}
