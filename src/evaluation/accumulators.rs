//! The hidden layer of the network at each ply, made from that of a position nearby by what differs between the two.

use std::sync::Arc;

use arrayvec::ArrayVec;
use shakmaty::{Board, Chess, Color, Piece, Position, Role, Square};

use super::{
    EVAL_MAX,
    network::{EvalNetwork, View, WIDTH, stage},
};

/// As many plies have a place of their own; further ones share the last.
const PLIES: usize = 128;

/// The hidden layers of a search, one at each ply.
pub(super) struct Accumulators {
    network: Arc<EvalNetwork>,
    plies: Vec<Accumulator>,
}

/// The hidden layer of one position.
#[derive(Clone)]
struct Accumulator {
    board: Board,
    /// As Black sees it and as White does.
    halves: [Half; 2],
}

#[derive(Clone)]
struct Half {
    view: View,
    sums: [i16; WIDTH],
}

impl Accumulators {
    pub fn new(network: Arc<EvalNetwork>) -> Accumulators {
        let half = |color| Half { view: View::of(color, Square::E1), sums: *network.bias() };
        let empty = Accumulator { board: Board::empty(), halves: [Color::Black, Color::White].map(half) };
        Accumulators { network, plies: vec![empty; PLIES] }
    }

    /// The value in centipawns for the side to move.
    pub fn evaluate(&mut self, position: &Chess, ply: usize) -> i32 {
        let board = position.board();
        let (Some(white), Some(black)) = (board.king_of(Color::White), board.king_of(Color::Black)) else {
            return 0;
        };
        let ply = ply.min(PLIES - 1);
        let (earlier, later) = self.plies.split_at_mut(ply);
        let here = &mut later[0];
        let views = [View::of(Color::Black, black), View::of(Color::White, white)];
        here.bring(&self.network, earlier.last(), board, views);
        let [own, other] = [position.turn(), !position.turn()].map(|side| &here.halves[side as usize].sums);
        self.network.value(stage(board), own, other).clamp(-EVAL_MAX, EVAL_MAX)
    }
}

impl Accumulator {
    /// Makes it that of `board`, from what it was or from the one at the ply before, whichever is nearer.
    fn bring(
        &mut self,
        network: &EvalNetwork,
        before: Option<&Accumulator>,
        board: &Board,
        views: [View; 2],
    ) {
        let before = before.filter(|before| distance(&before.board, board) <= distance(&self.board, board));
        let changes = Changes::between(before.map_or(&self.board, |before| &before.board), board);
        for (side, view) in views.into_iter().enumerate() {
            let half = &mut self.halves[side];
            match before.map(|before| &before.halves[side]) {
                Some(from) if from.view == view => {
                    changes.apply_to(network, view, &from.sums, &mut half.sums)
                }
                None if half.view == view => changes.apply(network, view, &mut half.sums),
                // From the other wing a king sees everything elsewhere.
                _ => {
                    half.sums = *network.bias();
                    Changes::between(&Board::empty(), board).apply(network, view, &mut half.sums);
                }
            }
            half.view = view;
        }
        self.board = board.clone();
    }
}

/// About how many men have to be added or taken away.
#[inline]
fn distance(one: &Board, other: &Board) -> usize {
    let of = |color| (one.by_color(color) ^ other.by_color(color)).count();
    of(Color::White) + of(Color::Black)
}

/// Men to add, and men to take away. Of two boards that have nothing to do with each other, each may hold 64.
#[derive(Default)]
struct Changes {
    more: ArrayVec<(Square, Piece), 64>,
    less: ArrayVec<(Square, Piece), 64>,
}

impl Changes {
    #[inline]
    fn between(from: &Board, to: &Board) -> Changes {
        let mut changes = Changes::default();
        for color in Color::ALL {
            let (old, new) = (from.by_color(color), to.by_color(color));
            for role in Role::ALL {
                let (old, new) = (old & from.by_role(role), new & to.by_role(role));
                let piece = Piece { color, role };
                (new & !old).into_iter().for_each(|square| changes.more.push((square, piece)));
                (old & !new).into_iter().for_each(|square| changes.less.push((square, piece)));
            }
        }
        changes
    }

    /// Turns the sums of the one board into those of the other.
    #[inline]
    fn apply(&self, network: &EvalNetwork, view: View, sums: &mut [i16; WIDTH]) {
        self.more.iter().for_each(|&(square, piece)| add(sums, network.row(view.feature(square, piece))));
        self.less.iter().for_each(|&(square, piece)| take(sums, network.row(view.feature(square, piece))));
    }

    /// The same with the sums of the other board apart. What most moves change is done in one go.
    #[inline]
    fn apply_to(&self, network: &EvalNetwork, view: View, from: &[i16; WIDTH], to: &mut [i16; WIDTH]) {
        let row = |(square, piece)| network.row(view.feature(square, piece));
        match (self.more.as_slice(), self.less.as_slice()) {
            (&[one], &[gone]) => {
                let (one, gone) = (row(one), row(gone));
                for place in 0..WIDTH {
                    to[place] = from[place].wrapping_add(one[place]).wrapping_sub(gone[place]);
                }
            }
            (&[one], &[gone, taken]) => {
                let (one, gone, taken) = (row(one), row(gone), row(taken));
                for place in 0..WIDTH {
                    let sum = from[place].wrapping_add(one[place]);
                    to[place] = sum.wrapping_sub(gone[place]).wrapping_sub(taken[place]);
                }
            }
            _ => {
                *to = *from;
                self.apply(network, view, to);
            }
        }
    }
}

#[inline]
fn add(sums: &mut [i16; WIDTH], row: &[i16; WIDTH]) {
    sums.iter_mut().zip(row).for_each(|(sum, value)| *sum = sum.wrapping_add(*value));
}

#[inline]
fn take(sums: &mut [i16; WIDTH], row: &[i16; WIDTH]) {
    sums.iter_mut().zip(row).for_each(|(sum, value)| *sum = sum.wrapping_sub(*value));
}

#[cfg(test)]
mod tests {
    use rand::{RngExt, SeedableRng};
    use rand_pcg::Pcg64;

    use super::*;

    #[test]
    fn what_is_carried_over_is_what_would_be_made_afresh() {
        let mut rng = Pcg64::seed_from_u64(9);
        let network = EvalNetwork::built_in();
        let mut carried = Accumulators::new(network.clone());
        // Games that are played, taken back and played on, as a search does, with castling, promotions and kings that cross the board.
        for _ in 0..20 {
            let mut line = vec![Chess::default()];
            for _ in 0..400 {
                let back = line.len().saturating_sub(rng.random_range(1..4)).max(1);
                if rng.random_bool(0.3) {
                    line.truncate(back);
                }
                let mut position = line[line.len() - 1].clone();
                let moves = position.legal_moves();
                if moves.is_empty() {
                    line.truncate(back);
                    continue;
                }
                position.play_unchecked(moves[rng.random_range(0..moves.len())]);
                let found = carried.evaluate(&position, line.len());
                let afresh = Accumulators::new(network.clone()).evaluate(&position, 0);
                assert_eq!(found, afresh, "{:?}", position.board());
                line.push(position);
            }
        }
    }
}
