//! What a search tells about itself.

use std::time::Duration;

use shakmaty::Move;

use crate::model::Score;

/// Which side of the true value a value may lie on, as a search with a window finds it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Bound {
    /// The true value.
    Exact,
    /// The true value is this or greater: the search failed high.
    Lower,
    /// The true value is this or less: the search failed low.
    Upper,
}

impl Bound {
    /// What a search of the window has found out about its value.
    pub(super) fn of(value: i32, alpha: i32, beta: i32) -> Bound {
        match value {
            value if value >= beta => Bound::Lower,
            value if value > alpha => Bound::Exact,
            _ => Bound::Upper,
        }
    }

    /// Whether a value with this bound makes a search of the window needless.
    pub(super) fn is_cutoff(self, value: i32, alpha: i32, beta: i32) -> bool {
        match self {
            Bound::Exact => true,
            Bound::Lower => value >= beta,
            Bound::Upper => value <= alpha,
        }
    }

    /// What a search has found, brought to the right side of a value with this bound.
    pub(super) fn tighten(self, found: i32, value: i32) -> i32 {
        match self {
            Bound::Exact => value,
            Bound::Lower => found.max(value),
            Bound::Upper => found.min(value),
        }
    }

    /// Whether a value with this bound says more than an estimate: a bound on its near side does not.
    pub(super) fn improves_on(self, estimate: i32, value: i32) -> bool {
        match self {
            Bound::Exact => true,
            Bound::Lower => value > estimate,
            Bound::Upper => value < estimate,
        }
    }
}

/// A principal variation, as soon as it is found.
#[derive(Clone, Debug)]
pub struct Report {
    /// Iteration, in plies.
    pub depth: u32,
    /// Longest line searched, in plies.
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
    /// How full the transposition table is, in permille.
    pub hashfull: u32,
    /// Successful tablebase probes so far.
    pub tbhits: u64,
    /// Time so far.
    pub time: Duration,
    /// The principal variation.
    pub pv: Vec<Move>,
}

impl Report {
    /// A move that was not searched.
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
    /// The reply that is expected: what to ponder on.
    pub ponder: Option<Move>,
    /// Value of the best move.
    pub score: Score,
    /// Nodes of all threads.
    pub nodes: u64,
}
