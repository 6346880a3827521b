//! Parts of the search for benchmarks.

use shakmaty::{Chess, Move};

use super::{
    Bound, exchange,
    packed::Packed,
    table::{Entry, Table},
};

/// Whether the exchange that a move begins gains at least so many centipawns.
pub fn exchange_gains(position: &Chess, m: Move, threshold: i32) -> bool {
    exchange::gains(position, m, threshold)
}

/// A transposition table that is full.
pub struct ProbeBench(Table);

impl ProbeBench {
    /// A full table of this size.
    pub fn new(megabytes: usize) -> ProbeBench {
        let table = Table::new(megabytes);
        let entry = Entry { best: Packed::NONE, value: 1, eval: 1, depth: 1, bound: Bound::Exact, pv: false };
        let mut key = 0_u64;
        for _ in 0..(megabytes << 16) {
            key = key.wrapping_add(0x9e37_79b9_7f4a_7c15);
            table.put(key, entry);
        }
        ProbeBench(table)
    }

    /// Whether something is known of this key.
    pub fn probe(&self, key: u64) -> bool {
        self.0.get(key).is_some()
    }
}
