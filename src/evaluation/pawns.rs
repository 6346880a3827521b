//! Pawns: material, piece-square values and structure. All of it depends on the pawns alone and is kept in a pawn
//! hash table.

use shakmaty::{Bitboard, ByColor, Color, Square, attacks::king_attacks};

use super::{
    bitboards::{adjacent_files, file_of, forward, pawn_attacks, ranks_ahead, relative_rank},
    king::shelters,
    pieces::square_index,
    term_collector::{TermCollector, TermSum},
    terms::*,
    weights::Pair,
};

/// Collects the terms of both sides' pawns; returns the passed pawns.
pub(super) fn pawns(pawns: &ByColor<Bitboard>, terms: &mut impl TermCollector) -> Bitboard {
    let mut passed = Bitboard::EMPTY;
    for color in Color::ALL {
        let sign = color.fold_wb(1, -1);
        let (ours, theirs) = (*pawns.get(color), *pawns.get(!color));
        let (left, right) = pawn_attacks(color, ours);
        let (their_left, their_right) = pawn_attacks(!color, theirs);
        let supported = left | right;
        let enemy_attacks = their_left | their_right;
        for square in ours {
            let rank = relative_rank(color, square);
            terms.add(MATERIAL, sign);
            terms.add(SQUARE_PAWN + square_index(color, square), sign);

            let front = ranks_ahead(color, square);
            let own_file = file_of(square);
            let neighbours = adjacent_files(square) & ours;
            let open = (front & own_file & theirs).is_empty();
            let doubled = (front & own_file & ours).any();
            if doubled {
                terms.add(PAWN_DOUBLED, sign);
            }
            if neighbours.is_empty() {
                terms.add(if open { PAWN_ISOLATED_OPEN } else { PAWN_ISOLATED }, sign);
            } else if !supported.contains(square)
                && (neighbours & !front).is_empty()
                && (forward(color, Bitboard::from(square)) & enemy_attacks).any()
            {
                // Backward: all pawns beside it are further on, and it can't safely advance to them.
                terms.add(if open { PAWN_BACKWARD_OPEN } else { PAWN_BACKWARD }, sign);
            }
            if (neighbours & Bitboard::from_rank(square.rank()) & king_attacks(square)).any() {
                terms.add(PAWN_PHALANX + rank - 1, sign);
            }
            if supported.contains(square) {
                terms.add(PAWN_SUPPORTED + rank - 1, sign);
            }
            let sentries = front & adjacent_files(square) & theirs;
            if open && !doubled && sentries.any() && (neighbours & !front).count() >= sentries.count() {
                terms.add(PAWN_CANDIDATE + rank - 1, sign);
            }
            if open && !doubled && sentries.is_empty() {
                passed.add(square);
                terms.add(PASSED + rank - 1, sign);
                if supported.contains(square) {
                    terms.add(PASSED_PROTECTED, sign);
                }
            }
        }
    }
    passed
}

/// The pawn hash table: the pawn terms of structures seen before, and the shelters of the kings last seen with them.
pub(super) struct PawnHashTable(Vec<PawnEntry>);

#[derive(Clone, Default)]
struct PawnEntry {
    pawns: ByColor<Bitboard>,
    total: Pair,
    passed: Bitboard,
    /// None before the first.
    kings: Option<ByColor<Square>>,
    shelters: Pair,
}

impl PawnHashTable {
    /// Bits of the hash that index the table.
    const BITS: u32 = 12;

    /// An empty entry is true as it stands: without pawns, there are no pawn terms.
    pub fn new() -> PawnHashTable {
        PawnHashTable(vec![PawnEntry::default(); 1 << PawnHashTable::BITS])
    }

    /// The sum of the terms of pawns and kings' shelters, and the passed pawns.
    pub fn get(
        &mut self,
        structure: &ByColor<Bitboard>,
        kings: &ByColor<Square>,
        weights: &[Pair; COUNT],
    ) -> (Pair, Bitboard) {
        let hash = (structure.white.0.wrapping_mul(0x9e37_79b9_7f4a_7c15)
            ^ structure.black.0.rotate_left(31))
        .wrapping_mul(0xd6e8_feb8_6659_fd93);
        let entry = &mut self.0[(hash >> (u64::BITS - PawnHashTable::BITS)) as usize];
        if entry.pawns != *structure {
            let mut sum = TermSum { weights, total: Pair::default() };
            let passed = pawns(structure, &mut sum);
            *entry = PawnEntry { pawns: *structure, total: sum.total, passed, ..PawnEntry::default() };
        }
        if entry.kings != Some(*kings) {
            let mut sum = TermSum { weights, total: Pair::default() };
            shelters(structure, kings, &mut sum);
            (entry.kings, entry.shelters) = (Some(*kings), sum.total);
        }
        let mut total = entry.total;
        total += entry.shelters;
        (total, entry.passed)
    }
}
