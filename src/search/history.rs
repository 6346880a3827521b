//! What moves were worth elsewhere in the tree: the memory behind move ordering and reductions.

use shakmaty::{Chess, Color, Move, Position, Role};

/// Histories stay between plus and minus this.
pub(super) const LIMIT: i32 = 16_384;

const PIECES: usize = 12;
const MOVES: usize = PIECES * 64;

/// A piece and where it goes, as an index.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct PieceTo(pub u16);

impl PieceTo {
    pub fn new(turn: Color, m: Move) -> PieceTo {
        let piece = turn.fold_wb(0, 6) + m.role() as u16 - 1;
        PieceTo(piece * 64 + m.to() as u16)
    }

    fn index(self) -> usize {
        usize::from(self.0)
    }
}

/// The moves that led to a node: the last one, the one before it, and the one two before that; none before
/// the root and after a pass.
pub(super) type Context = [Option<PieceTo>; 3];

pub(super) struct Histories {
    quiet: Box<[i16]>,
    capture: Box<[i16]>,
    continuation: Box<[i16]>,
    pawns: Box<[i16]>,
}

/// How much of the pawn structure's key the correction remembers.
const STRUCTURES: usize = 1 << 14;
/// Corrections are kept in this part of a centipawn.
const CORRECTION_GRAIN: i32 = 256;
const CORRECTION_LIMIT: i32 = 64 * CORRECTION_GRAIN;

impl Histories {
    pub fn new() -> Histories {
        let zeros = |count: usize| vec![0; count].into_boxed_slice();
        Histories {
            quiet: zeros(2 * 64 * 64),
            capture: zeros(MOVES * 6),
            continuation: zeros(MOVES * MOVES),
            pawns: zeros(2 * STRUCTURES),
        }
    }

    pub fn quiet(&self, turn: Color, m: Move, context: &Context) -> i32 {
        let to = PieceTo::new(turn, m);
        let mut sum = i32::from(self.quiet[from_to(turn, m)]);
        for before in context.iter().flatten() {
            sum += i32::from(self.continuation[before.index() * MOVES + to.index()]);
        }
        sum
    }

    pub fn capture(&self, turn: Color, m: Move) -> i32 {
        i32::from(self.capture[victim(turn, m)])
    }

    pub fn reward_quiet(&mut self, turn: Color, m: Move, context: &Context, bonus: i32) {
        let to = PieceTo::new(turn, m);
        update(&mut self.quiet[from_to(turn, m)], bonus);
        for before in context.iter().flatten() {
            update(&mut self.continuation[before.index() * MOVES + to.index()], bonus);
        }
    }

    pub fn reward_capture(&mut self, turn: Color, m: Move, bonus: i32) {
        update(&mut self.capture[victim(turn, m)], bonus);
    }

    /// By how much searches found positions with these pawns better than their static evaluation.
    pub fn correction(&self, position: &Chess) -> i32 {
        i32::from(self.pawns[structure(position)]) / CORRECTION_GRAIN
    }

    pub fn correct(&mut self, position: &Chess, difference: i32, depth: i32) {
        let entry = &mut self.pawns[structure(position)];
        let weight = (depth + 1).min(16);
        let blended = (i32::from(*entry) * (256 - weight) + difference * CORRECTION_GRAIN * weight) / 256;
        *entry = blended.clamp(-CORRECTION_LIMIT, CORRECTION_LIMIT) as i16;
    }
}

/// Moves `entry` towards the limit on the side of `bonus`, the slower the nearer it is.
fn update(entry: &mut i16, bonus: i32) {
    let old = i32::from(*entry);
    *entry = (old + bonus - old * bonus.abs() / LIMIT) as i16;
}

fn from_to(turn: Color, m: Move) -> usize {
    let from = m.from().map_or(0, |square| square as usize);
    (turn as usize * 64 + from) * 64 + m.to() as usize
}

fn victim(turn: Color, m: Move) -> usize {
    PieceTo::new(turn, m).index() * 6 + m.capture().unwrap_or(Role::King) as usize - 1
}

fn structure(position: &Chess) -> usize {
    let pawns = position.board().pawns();
    let white = (pawns & position.board().white()).0;
    let black = (pawns & position.board().black()).0;
    let mixed = (white.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ black.rotate_left(29))
        .wrapping_mul(0xd6e8_feb8_6659_fd93);
    position.turn() as usize * STRUCTURES + (mixed >> 50) as usize
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_history_never_leaves_its_limits() {
        let mut entry = 0;
        for _ in 0..1000 {
            update(&mut entry, 2000);
        }
        assert!(i32::from(entry) <= LIMIT && entry > 15_000);
        for _ in 0..1000 {
            update(&mut entry, -2000);
        }
        assert!(i32::from(entry) >= -LIMIT && entry < -15_000);
    }
}
