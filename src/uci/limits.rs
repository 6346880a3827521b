//! When thinking is to end.

use std::time::Duration;

use shakmaty::Move;

/// The time that the side to move has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Clock {
    /// Left for the moves to come.
    pub remaining: Duration,
    /// Added after each move.
    pub increment: Duration,
}

/// What a search must keep to. All limits given hold at once; without any, it ends when it is told to.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Limits {
    /// Plies.
    pub depth: Option<u32>,
    /// Positions looked at.
    pub nodes: Option<u64>,
    /// For this move.
    pub movetime: Option<Duration>,
    /// For all moves to come.
    pub clock: Option<Clock>,
    /// Moves until the next time control.
    pub moves_to_go: Option<u32>,
    /// Look for a mate in this many moves.
    pub mate: Option<u32>,
    /// Only these moves may be played; all, if empty.
    pub search_moves: Vec<Move>,
    /// Analysis: the answer is not wanted before `stop`.
    pub infinite: bool,
    /// The opponent's clock runs: no limit of time holds before `ponderhit`.
    pub ponder: bool,
}
