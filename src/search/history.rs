//! History tables: how moves did elsewhere in the tree, for move ordering, pruning and reductions; and the
//! correction history of the static evaluation.

use shakmaty::{Chess, Color, Move, Position, Role, Square};

use super::{move_picker::is_tactical, worker::Worker};

/// Every history entry stays between plus and minus this.
pub(super) const HISTORY_MAX: i32 = 16_384;

/// A cutoff at depth d earns a bonus of d times this ...
const BONUS_PER_DEPTH: i32 = 150;
/// ... less this ...
const BONUS_OFFSET: i32 = 60;
/// ... but never more than this.
const BONUS_MAX: i32 = 1600;

/// Bits of the pawn structure's hash that index the correction history.
const PAWN_HASH_BITS: u32 = 14;
/// Pawn structures that the correction history tells apart, for each side to move.
const PAWN_ENTRIES: usize = 1 << PAWN_HASH_BITS;
/// Correction entries are kept in this fraction of a centipawn.
const CORRECTION_GRAIN: i32 = 256;
/// Largest correction, in grains.
const CORRECTION_MAX: i32 = 64 * CORRECTION_GRAIN;
/// An entry is a moving average; the weight of a new value is a number of these parts.
const CORRECTION_PARTS: i32 = 256;
/// Most parts that one new value gets, however deep its search was.
const CORRECTION_WEIGHT_MAX: i32 = 16;

const ROLES: usize = 6;
const SQUARES: usize = 64;
/// Pieces of both colours times target squares.
const PIECE_TOS: usize = 2 * ROLES * SQUARES;

/// A piece and its target square, as an index.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct PieceTo(u16);

impl PieceTo {
    /// No move: before the root, and for null moves.
    pub const NONE: PieceTo = PieceTo(PIECE_TOS as u16);

    pub fn new(turn: Color, m: Move) -> PieceTo {
        PieceTo::of(turn, m.role(), m.to())
    }

    fn of(turn: Color, role: Role, to: Square) -> PieceTo {
        let piece = turn.fold_wb(0, ROLES as u16) + role as u16 - 1;
        PieceTo(piece * SQUARES as u16 + to as u16)
    }

    fn index(self) -> usize {
        usize::from(self.0)
    }
}

/// The moves 1, 2 and 4 plies back, which the continuation history looks at.
pub(super) type PreviousMoves = [PieceTo; 3];

/// The continuation history of each of the previous moves.
pub(super) type ContinuationRows<'a> = [&'a [i16; PIECE_TOS]; 3];

pub(super) struct Histories {
    /// Butterfly history, by side, from and to.
    quiet: Box<[i16]>,
    /// By piece, target square and captured piece.
    capture: Box<[i16]>,
    /// By a previous move's piece and target square, and this move's. The row of [`PieceTo::NONE`] stays empty.
    continuation: Box<[[i16; PIECE_TOS]]>,
    /// By side to move and pawn structure.
    correction: Box<[i16]>,
}

impl Histories {
    pub fn new() -> Histories {
        let zeros = |count: usize| vec![0; count].into_boxed_slice();
        Histories {
            quiet: zeros(2 * SQUARES * SQUARES),
            capture: zeros(PIECE_TOS * ROLES),
            continuation: vec![[0; PIECE_TOS]; PIECE_TOS + 1].into_boxed_slice(),
            correction: zeros(2 * PAWN_ENTRIES),
        }
    }

    /// Butterfly and continuation history of a quiet move together.
    pub fn quiet(&self, turn: Color, m: Move, previous: &PreviousMoves) -> i32 {
        self.quiet_in_rows(turn, m, self.continuation_rows(previous))
    }

    /// The rows that [`quiet_in_rows`](Self::quiet_in_rows) needs, for all moves of a node.
    pub fn continuation_rows(&self, previous: &PreviousMoves) -> ContinuationRows<'_> {
        previous.map(|before| &self.continuation[before.index()])
    }

    /// The same as [`quiet`](Self::quiet), for one move of many.
    #[inline(always)]
    pub fn quiet_in_rows(&self, turn: Color, m: Move, rows: ContinuationRows<'_>) -> i32 {
        // Nearly all moves are of one kind; that it is seen once makes many moves faster.
        let (role, from, to) = match m {
            Move::Normal { role, from, to, .. } => (role, from, to),
            _ => (m.role(), m.from().unwrap_or(Square::A1), m.to()),
        };
        let butterfly = butterfly_index(turn, from, to);
        let to = PieceTo::of(turn, role, to).index();
        i32::from(self.quiet[butterfly]) + rows.iter().map(|row| i32::from(row[to])).sum::<i32>()
    }

    pub fn capture(&self, turn: Color, m: Move) -> i32 {
        i32::from(self.capture[capture_index(turn, m)])
    }

    pub fn update_quiet(&mut self, turn: Color, m: Move, previous: &PreviousMoves, bonus: i32) {
        let to = PieceTo::new(turn, m);
        let from = m.from().unwrap_or(Square::A1);
        apply(&mut self.quiet[butterfly_index(turn, from, m.to())], bonus);
        for before in previous.iter().filter(|before| **before != PieceTo::NONE) {
            apply(&mut self.continuation[before.index()][to.index()], bonus);
        }
    }

    pub fn update_capture(&mut self, turn: Color, m: Move, bonus: i32) {
        apply(&mut self.capture[capture_index(turn, m)], bonus);
    }

    /// By how much searches found positions with this pawn structure better than their static evaluation.
    pub fn correction(&self, position: &Chess) -> i32 {
        i32::from(self.correction[correction_index(position)]) / CORRECTION_GRAIN
    }

    /// Learns that a search to `depth` found this much more than the static evaluation.
    pub fn update_correction(&mut self, position: &Chess, difference: i32, depth: i32) {
        let entry = &mut self.correction[correction_index(position)];
        let weight = (depth + 1).min(CORRECTION_WEIGHT_MAX);
        let blended = (i32::from(*entry) * (CORRECTION_PARTS - weight)
            + difference * CORRECTION_GRAIN * weight)
            / CORRECTION_PARTS;
        *entry = blended.clamp(-CORRECTION_MAX, CORRECTION_MAX) as i16;
    }
}

impl Worker<'_> {
    /// After a beta cutoff by `m`: a quiet `m` becomes a killer; `m` gets a bonus, the moves tried before it a malus.
    pub fn update_histories(
        &mut self,
        position: &Chess,
        m: Move,
        depth: i32,
        ply: usize,
        quiets: &[Move],
        captures: &[Move],
    ) {
        let turn = position.turn();
        let previous = self.previous_moves(ply);
        let bonus = (BONUS_PER_DEPTH * depth - BONUS_OFFSET).clamp(0, BONUS_MAX);
        if is_tactical(m) {
            self.memory.histories.update_capture(turn, m, bonus);
        } else {
            let killers = &mut self.frame(ply).killers;
            if killers[0] != Some(m) {
                *killers = [Some(m), killers[0]];
            }
            self.memory.histories.update_quiet(turn, m, &previous, bonus);
            for &other in quiets {
                self.memory.histories.update_quiet(turn, other, &previous, -bonus);
            }
        }
        for &other in captures {
            self.memory.histories.update_capture(turn, other, -bonus);
        }
    }
}

/// "History gravity": the nearer an entry is to its limit, the less a bonus moves it further.
fn apply(entry: &mut i16, bonus: i32) {
    let old = i32::from(*entry);
    *entry = (old + bonus - old * bonus.abs() / HISTORY_MAX) as i16;
}

fn butterfly_index(turn: Color, from: Square, to: Square) -> usize {
    (turn as usize * SQUARES + from as usize) * SQUARES + to as usize
}

/// Promotions without a capture use the captured king's place, which nothing else needs.
fn capture_index(turn: Color, m: Move) -> usize {
    PieceTo::new(turn, m).index() * ROLES + m.capture().unwrap_or(Role::King) as usize - 1
}

fn correction_index(position: &Chess) -> usize {
    let pawns = position.board().pawns();
    let white = (pawns & position.board().white()).0;
    let black = (pawns & position.board().black()).0;
    // Two odd multipliers with well-mixed bits; any would do.
    let hash = (white.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ black.rotate_left(29))
        .wrapping_mul(0xd6e8_feb8_6659_fd93);
    position.turn() as usize * PAWN_ENTRIES + (hash >> (u64::BITS - PAWN_HASH_BITS)) as usize
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_history_never_leaves_its_limits() {
        let mut entry = 0;
        for _ in 0..1000 {
            apply(&mut entry, 2000);
        }
        assert!(i32::from(entry) <= HISTORY_MAX && entry > 15_000);
        for _ in 0..1000 {
            apply(&mut entry, -2000);
        }
        assert!(i32::from(entry) >= -HISTORY_MAX && entry < -15_000);
    }
}
