//! What a move leads to: value and depth by tables, or an evaluation, and on which scale that is counted.

use std::{
    cmp::Ordering,
    fmt,
    ops::{Add, Neg, Sub},
};

use serde::{Deserialize, Serialize};
use shakmaty::Color;

/// What a move leads to, or what a position is worth, for the side that is asked about. Of a
/// move: seen by the **mover**, after the move.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Outcome {
    /// Value and depth by an endgame table.
    Table(State),
    /// An evaluation by a search or an engine.
    Evaluation(Score),
}

impl Outcome {
    /// The scale that prices it.
    pub fn scale(self) -> Scale {
        match self {
            Outcome::Table(_) => Scale::Table,
            Outcome::Evaluation(_) => Scale::Evaluation,
        }
    }

    /// The state, if a table gave it.
    pub fn state(self) -> Option<State> {
        match self {
            Outcome::Table(state) => Some(state),
            Outcome::Evaluation(_) => None,
        }
    }

    /// The win or loss that is seen to its end: a table's, or a mate that a search has found, as the state after the
    /// move.
    pub fn forced(self) -> Option<State> {
        match self {
            Outcome::Table(state) => Some(state),
            Outcome::Evaluation(Score::Mate(moves)) if moves > 0 => {
                Some(State::win(u16::try_from(moves - 1).unwrap_or(u16::MAX)))
            }
            Outcome::Evaluation(Score::Mate(moves)) => {
                Some(State::loss(u16::try_from(moves.unsigned_abs()).unwrap_or(u16::MAX)))
            }
            Outcome::Evaluation(Score::Centipawns(_)) => None,
        }
    }

    /// What it is worth: points (win 1, draw ½, loss 0) or pawns.
    pub fn worth(self) -> f64 {
        match self {
            Outcome::Table(state) => state.value().points(),
            Outcome::Evaluation(score) => score.pawns(),
        }
    }

    /// Less or more attractive than another outcome of the same scale, depth included.
    pub fn compare(self, other: Outcome) -> Ordering {
        match (self, other) {
            (Outcome::Table(one), Outcome::Table(two)) => one.cmp(&two),
            _ => self.worth().total_cmp(&other.worth()),
        }
    }
}

/// The outcome as the other side sees it.
impl Neg for Outcome {
    type Output = Outcome;

    fn neg(self) -> Outcome {
        match self {
            Outcome::Table(state) => Outcome::Table(-state),
            Outcome::Evaluation(score) => Outcome::Evaluation(-score),
        }
    }
}

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

/// What a position is worth, as chess programs tell it: for the side to move unless it says otherwise.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Score {
    /// Hundredths of a pawn.
    Centipawns(i32),
    /// Mate in so many moves; negative: to be mated in so many; 0: mated.
    Mate(i32),
}

/// Evaluations are cut off here: a search that sees more has won, but does not know how.
const DECIDED: f64 = 80.0;
/// A mate on the board. Finite, so that a player of low competence may miss one.
const MATE: f64 = 100.0;
/// What a mate is worth less for each move it takes.
const MATE_STEP: f64 = 0.1;

impl Score {
    /// The score in pawns. Mates stand above all else, short ones first.
    pub fn pawns(self) -> f64 {
        match self {
            Score::Centipawns(value) => (f64::from(value) / 100.0).clamp(-DECIDED, DECIDED),
            Score::Mate(moves) if moves > 0 => (MATE - MATE_STEP * f64::from(moves)).max(DECIDED),
            Score::Mate(moves) => (-MATE - MATE_STEP * f64::from(moves)).min(-DECIDED),
        }
    }

    /// The score as White sees it, given who was to move.
    pub fn for_white(self, turn: Color) -> Score {
        turn.fold_wb(self, -self)
    }
}

/// The score as the other side sees it.
impl Neg for Score {
    type Output = Score;

    fn neg(self) -> Score {
        match self {
            Score::Centipawns(value) => Score::Centipawns(value.saturating_neg()),
            Score::Mate(moves) => Score::Mate(moves.saturating_neg()),
        }
    }
}

/// Pawns with two decimals, or `#3`, `#-3`.
impl fmt::Display for Score {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Score::Centipawns(value) => f.pad(&format!("{:.2}", f64::from(*value) / 100.0)),
            Score::Mate(moves) => f.pad(&format!("#{moves}")),
        }
    }
}

/// What prices are counted in. Competences on different scales can't be compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Scale {
    /// Depths of endgame tables, in moves (Haworth 2003, §6); c from 0 to about 50.
    Table,
    /// Evaluations, in pawns (Haworth, Regan & Di Fatta 2010, §3.1); c from 0 to about 3.
    Evaluation,
}

impl fmt::Display for Scale {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Scale::Table => "table",
            Scale::Evaluation => "evaluation",
        })
    }
}

/// A competence, belief or preference met a decision that is priced on the other scale.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("this works on the {mine} scale but was given the {given} scale; use a setting for that scale")]
pub struct ForeignScale {
    /// The scale of the one who refuses.
    pub mine: Scale,
    /// The scale of what it was given.
    pub given: Scale,
}

impl Scale {
    /// Both scales.
    pub const ALL: [Scale; 2] = [Scale::Table, Scale::Evaluation];

    /// Refuses another scale.
    pub fn require(self, given: Scale) -> Result<(), ForeignScale> {
        if self == given { Ok(()) } else { Err(ForeignScale { mine: self, given }) }
    }
}

/// Something for each scale.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PerScale<T> {
    /// On the scale of tables.
    pub table: T,
    /// On the scale of evaluations.
    pub evaluation: T,
}

impl<T> PerScale<T> {
    /// What `make` makes of each scale.
    pub fn new_with(mut make: impl FnMut(Scale) -> T) -> PerScale<T> {
        PerScale { table: make(Scale::Table), evaluation: make(Scale::Evaluation) }
    }

    /// That of one scale.
    pub fn get(&self, scale: Scale) -> &T {
        match scale {
            Scale::Table => &self.table,
            Scale::Evaluation => &self.evaluation,
        }
    }

    /// That of one scale, to be changed.
    pub fn get_mut(&mut self, scale: Scale) -> &mut T {
        match scale {
            Scale::Table => &mut self.table,
            Scale::Evaluation => &mut self.evaluation,
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

    #[test]
    fn scores_are_turned_to_whites_side_and_printed_in_pawns() {
        assert_eq!(Score::Centipawns(150).for_white(Color::Black).to_string(), "-1.50");
        assert_eq!(Score::Mate(-3).for_white(Color::Black).to_string(), "#3");
    }

    #[test]
    fn short_mates_are_better_than_long_ones_and_than_any_evaluation() {
        let rising = [
            Score::Mate(0),
            Score::Mate(-1),
            Score::Mate(-30),
            Score::Centipawns(-30_000),
            Score::Centipawns(0),
            Score::Centipawns(29_900),
            Score::Mate(30),
            Score::Mate(1),
        ];
        assert!(rising.map(Score::pawns).is_sorted());
    }
}
