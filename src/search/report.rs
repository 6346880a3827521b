//! What a search tells about itself.

use std::time::Duration;

use shakmaty::Move;

use crate::model::Score;

/// Whether a value is the value, or the true one lies beyond it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Bound {
    /// The value itself.
    Exact,
    /// At least this.
    Lower,
    /// At most this.
    Upper,
}

/// A line found so far.
#[derive(Clone, Debug)]
pub struct Report {
    /// Iteration, in plies.
    pub depth: u32,
    /// Longest line looked at, in plies.
    pub seldepth: u32,
    /// Which of the best lines, from 1.
    pub multipv: usize,
    /// Value of the line.
    pub score: Score,
    /// Whether `score` is exact.
    pub bound: Bound,
    /// Nodes so far, of all threads.
    pub nodes: u64,
    /// Nodes per second.
    pub nps: u64,
    /// How full the transposition table is, in thousandths.
    pub hashfull: u32,
    /// Successful table probes so far.
    pub tbhits: u64,
    /// Time so far.
    pub time: Duration,
    /// The line.
    pub pv: Vec<Move>,
}

impl Report {
    /// A move about which nothing is known.
    pub fn of_move(m: Option<Move>) -> Report {
        Report {
            depth: 0,
            seldepth: 0,
            multipv: 1,
            score: Score::Centipawns(0),
            bound: Bound::Exact,
            nodes: 1,
            nps: 0,
            hashfull: 0,
            tbhits: 0,
            time: Duration::ZERO,
            pv: m.into_iter().collect(),
        }
    }
}

/// The result of a search.
#[derive(Clone, Debug)]
pub struct Found {
    /// The move to play; none if there is no legal one.
    pub best: Option<Move>,
    /// The answer that is expected.
    pub ponder: Option<Move>,
    /// Value of the best move.
    pub score: Score,
    /// Nodes of all threads.
    pub nodes: u64,
}
