//! Parts of the search that benchmarks measure one by one.

use shakmaty::{Chess, Move};

use super::{
    Bound,
    packed_move::PackedMove,
    see,
    transposition_table::{TranspositionTable, TtEntry},
};

/// Static exchange evaluation: whether the exchange that a move begins gains at least so many centipawns.
pub fn see_ge(position: &Chess, m: Move, threshold: i32) -> bool {
    see::see_ge(position, m, threshold)
}

/// A transposition table with every entry in use.
pub struct FullTable(TranspositionTable);

impl FullTable {
    /// Fills a table of this size with made-up entries.
    pub fn new(megabytes: usize) -> FullTable {
        let table = TranspositionTable::new(megabytes);
        let entry =
            TtEntry { best: PackedMove::NONE, value: 1, eval: 1, depth: 1, bound: Bound::Exact, pv: false };
        let mut key = 0_u64;
        for _ in 0..(megabytes << 16) {
            key = key.wrapping_add(0x9e37_79b9_7f4a_7c15);
            table.store(key, entry);
        }
        FullTable(table)
    }

    /// Whether the key is found.
    pub fn probe(&self, key: u64) -> bool {
        self.0.probe(key).is_some()
    }
}
