//! Pawns: material, squares and structure. All of it depends on the pawns alone and is remembered.

use shakmaty::{Bitboard, ByColor, Color, Square};

use super::{
    eval_info::{ahead, beside, file_of, forward, pawn_attacks, rank_for},
    pieces::square_index,
    term_collector::Sink,
    terms::*,
    weights::Pair,
};

/// Terms of the pawns of both sides; returns the passed ones.
pub(super) fn pawns(pawns: &ByColor<Bitboard>, sink: &mut impl Sink) -> Bitboard {
    let mut passed = Bitboard::EMPTY;
    for color in Color::ALL {
        let sign = color.fold_wb(1, -1);
        let (ours, theirs) = (*pawns.get(color), *pawns.get(!color));
        let (left, right) = pawn_attacks(color, ours);
        let (their_left, their_right) = pawn_attacks(!color, theirs);
        let supported = left | right;
        let hit = their_left | their_right;
        for square in ours {
            let rank = rank_for(color, square);
            sink.add(MATERIAL, sign);
            sink.add(SQUARE_PAWN + square_index(color, square), sign);

            let front = ahead(color, square);
            let own_file = file_of(square);
            let neighbours = beside(square) & ours;
            let open = (front & own_file & theirs).is_empty();
            let doubled = (front & own_file & ours).any();
            if doubled {
                sink.add(PAWN_DOUBLED, sign);
            }
            if neighbours.is_empty() {
                sink.add(if open { PAWN_ISOLATED_OPEN } else { PAWN_ISOLATED }, sign);
            } else if !supported.contains(square)
                && (neighbours & !front).is_empty()
                && (forward(color, Bitboard::from(square)) & hit).any()
            {
                // All neighbours are further on, and the way to them is guarded.
                sink.add(if open { PAWN_BACKWARD_OPEN } else { PAWN_BACKWARD }, sign);
            }
            if (neighbours & Bitboard::from_rank(square.rank()) & near(square)).any() {
                sink.add(PAWN_PHALANX + rank - 1, sign);
            }
            if supported.contains(square) {
                sink.add(PAWN_SUPPORTED + rank - 1, sign);
            }
            if open && !doubled && (front & beside(square) & theirs).is_empty() {
                passed.add(square);
                sink.add(PASSED + rank - 1, sign);
                if supported.contains(square) {
                    sink.add(PASSED_PROTECTED, sign);
                }
            }
        }
    }
    passed
}

/// Squares next to this one on its rank (and others).
fn near(square: Square) -> Bitboard {
    shakmaty::attacks::king_attacks(square)
}

/// Remembers the pawn terms of structures seen before.
pub(super) struct PawnCache(Vec<Remembered>);

#[derive(Clone, Default)]
struct Remembered {
    pawns: ByColor<Bitboard>,
    total: Pair,
    passed: Bitboard,
}

impl PawnCache {
    const SIZE: usize = 1 << 12;

    /// An empty structure is remembered rightly by an empty entry.
    pub fn new() -> PawnCache {
        PawnCache(vec![Remembered::default(); PawnCache::SIZE])
    }

    /// The sum of the pawn terms and the passed pawns.
    pub fn get(&mut self, structure: &ByColor<Bitboard>, weights: &[Pair]) -> (Pair, Bitboard) {
        let mixed = (structure.white.0.wrapping_mul(0x9e37_79b9_7f4a_7c15)
            ^ structure.black.0.rotate_left(31))
        .wrapping_mul(0xd6e8_feb8_6659_fd93);
        let entry = &mut self.0[(mixed >> 52) as usize];
        if entry.pawns != *structure {
            let mut sum = super::term_collector::Sum { weights, total: Pair::default() };
            let passed = pawns(structure, &mut sum);
            *entry = Remembered { pawns: *structure, total: sum.total, passed };
        }
        (entry.total, entry.passed)
    }
}
