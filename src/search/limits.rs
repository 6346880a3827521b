//! What a search is asked to do.

use std::{ops::RangeInclusive, sync::Arc, time::Duration};

use shakmaty::Move;

use crate::evaluation::Weights;

/// When a search has to end. All limits that are given hold at once; with none at all it
/// ends at the greatest depth.
#[derive(Clone, Debug, Default)]
pub struct Limits {
    /// Iterations, in plies.
    pub depth: Option<u32>,
    /// Nodes of all threads together.
    pub nodes: Option<u64>,
    /// Exactly this time.
    pub movetime: Option<Duration>,
    /// The clock of the side to move.
    pub clock: Option<Clock>,
    /// The clock of the other side, for players who look at it.
    pub other_clock: Option<Clock>,
    /// Moves to the next time control.
    pub moves_to_go: Option<u32>,
    /// End when a mate in this many moves is found.
    pub mate: Option<u32>,
    /// Search only these moves; empty for all.
    pub search_moves: Vec<Move>,
    /// Search this many best lines; 0: as many as the settings say.
    pub lines: usize,
    /// Don't end before [`Control::stop`](super::Control::stop).
    pub infinite: bool,
    /// Think on the opponent's time: the clock counts only from [`Control::ponderhit`](super::Control::ponderhit).
    pub ponder: bool,
}

/// A chess clock, as the side to move sees it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Clock {
    /// Time left.
    pub remaining: Duration,
    /// Added for each move.
    pub increment: Duration,
}

/// What stays the same from search to search.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SearchSettings {
    /// Size of the transposition table, in MiB.
    pub hash_mb: usize,
    /// Threads that search together.
    pub threads: usize,
    /// How many principal variations are searched and reported.
    pub multi_pv: usize,
    /// Time lost between the engine and the clock with each move.
    pub move_overhead: Duration,
    /// The weights of the evaluation.
    pub weights: Arc<Weights>,
}

impl SearchSettings {
    /// What the size of the transposition table may be, in MiB.
    pub const HASH: RangeInclusive<i64> = 1..=65_536;
    /// How many threads there may be.
    pub const THREADS: RangeInclusive<i64> = 1..=256;
    /// How many principal variations there may be: no position has more moves.
    pub const MULTI_PV: RangeInclusive<i64> = 1..=218;
    /// What a move may lose on its way to the clock, in milliseconds.
    pub const MOVE_OVERHEAD: RangeInclusive<i64> = 0..=10_000;
}

impl Default for SearchSettings {
    fn default() -> SearchSettings {
        SearchSettings {
            hash_mb: 16,
            threads: 1,
            multi_pv: 1,
            move_overhead: Duration::from_millis(10),
            weights: Weights::built_in(),
        }
    }
}
