//! Pawns: material, piece-square values, structure and space. All of it depends on the pawns alone and is kept in a pawn
//! hash table.

use shakmaty::{Bitboard, ByColor, Color, Role, Square, attacks::king_attacks};

use super::{
    bitboards::{adjacent_files, file_of, forward, pawn_attacks, ranks_ahead, relative_rank},
    king::shelter,
    term_collector::{TermCollector, TermSum},
    terms::*,
    weights::Pair,
};

/// What other terms need to know of the pawns.
#[derive(Clone, Copy, Default)]
pub(super) struct PawnStructure {
    pub passed: Bitboard,
    /// How many pawns of each side stand face to face with an enemy pawn.
    pub face_to_face: i32,
}

/// Collects the terms of both sides' pawns.
pub(super) fn pawns(pawns: &ByColor<Bitboard>, terms: &mut impl TermCollector) -> PawnStructure {
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
            terms.add_piece(color, Role::Pawn, square);

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
        let centre =
            Bitboard(0x3c3c_3c3c_3c3c_3c3c) & Bitboard(color.fold_wb(0xffff_ff00, 0x00ff_ffff << 32));
        terms.add_each(SPACE, centre & !ours & !enemy_attacks, sign);
    }
    let face_to_face = pawns.white & forward(Color::Black, pawns.black);
    PawnStructure { passed, face_to_face: face_to_face.count() as i32 }
}

/// The pawn hash table: the pawn terms of structures seen before, and the shelters of the kings last seen with them.
pub(super) struct PawnHashTable(Vec<PawnEntry>);

#[derive(Clone, Default)]
struct PawnEntry {
    pawns: ByColor<Bitboard>,
    total: Pair,
    structure: PawnStructure,
    /// The kings last seen with them and what their shelters are worth; none before the first.
    shelters: ByColor<Option<(Square, Pair)>>,
}

impl PawnHashTable {
    /// Bits of the hash that index the table.
    const BITS: u32 = 13;

    /// An empty entry is true as it stands: without pawns, there are no pawn terms, and both sides have the same space.
    pub fn new() -> PawnHashTable {
        PawnHashTable(vec![PawnEntry::default(); 1 << PawnHashTable::BITS])
    }

    /// Adds the terms of pawns and kings' shelters.
    pub fn add(
        &mut self,
        pawns: &ByColor<Bitboard>,
        kings: &ByColor<Square>,
        terms: &mut TermSum<'_>,
    ) -> PawnStructure {
        let hash = (pawns.white.0.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ pawns.black.0.rotate_left(31))
            .wrapping_mul(0xd6e8_feb8_6659_fd93);
        let entry = &mut self.0[(hash >> (u64::BITS - PawnHashTable::BITS)) as usize];
        if entry.pawns != *pawns {
            let (total, structure) = terms.apart(|terms| self::pawns(pawns, terms));
            *entry = PawnEntry { pawns: *pawns, total, structure, ..PawnEntry::default() };
        }
        terms.total += entry.total;
        for color in Color::ALL {
            let king = *kings.get(color);
            let known = entry.shelters.get_mut(color);
            let value = match *known {
                Some((square, value)) if square == king => value,
                _ => terms.apart(|terms| shelter(pawns, king, color, terms)).0,
            };
            *known = Some((king, value));
            terms.total += value;
        }
        entry.structure
    }
}
