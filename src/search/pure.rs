//! A search whose value is a **pure function of position and depth**.
//!
//! Values of different moves compare only if each is what a search of that move alone would have found. The
//! search for the best move can't promise that: what it prunes depends on the window, on history and on what is in
//! the table. So prices come from this search:
//!
//! - a quiet move costs two plies while [`REDUCED_FROM`] or more remain, one that loses material in exchange
//!   three, all others one; answering a check costs none;
//! - the side to move may instead stand on its static evaluation less a margin for each ply that remains, or pass
//!   at a fixed price: so alpha-beta can leave hopeless lines early without changing the value;
//! - at depth 0 captures that lose nothing are made to the end;
//! - positions of the game so far count as draws; repetitions inside the tree are left to its depth.
//!
//! Alpha-beta with any window and any move ordering finds the minimax value of that tree, and table entries (kept by
//! position and exact depth) hold for every path. Hence windows, hash contents and threads change the cost of
//! a price, never the price.

use shakmaty::{Chess, Move, Position};

use super::{
    Bound,
    checks::Checks,
    exchange::gains,
    packed::Packed,
    picker::{Picker, is_tactical},
    table::{Entry, NO_EVAL},
    value::{DECIDED, DRAW, INFINITE, MAX_PLY, from_node, mated, to_node},
    worker::{Worker, has_pieces, pass},
    zobrist::key_after_pass,
};

/// With this many plies left, quiet moves begin to cost more than one.
const REDUCED_FROM: i32 = 3;
/// What standing still costs for each ply that remains, in centipawns.
const STAND_MARGIN: i32 = 150;
/// As deep as standing still is considered.
const STAND_DEPTH: i32 = 5;
/// What passing costs.
const PASS_PRICE: i32 = 30;
/// A node of the pure search.
#[derive(Clone, Copy)]
pub(super) struct Place<'a> {
    pub position: &'a Chess,
    pub key: u64,
    pub in_check: bool,
    pub ply: usize,
    pub depth: i32,
    pub may_pass: bool,
}

impl Worker<'_> {
    /// The value of a place if it lies between `alpha` and `beta`, else a bound on that side.
    pub fn pure(&mut self, place: Place<'_>, mut alpha: i32, beta: i32) -> i32 {
        let Place { position, in_check, ply, .. } = place;
        let depth = place.depth + i32::from(in_check);
        if depth <= 0 {
            return self.settle(position, in_check, ply, alpha, beta);
        }
        self.count(ply);
        if self.stopped {
            return DRAW;
        }
        if let Some(value) = self.drawn(position, in_check, ply, self.is_of_game(position, ply)) {
            return value;
        }
        if let Some(value) = self.probe(position, ply) {
            return value;
        }
        if ply >= MAX_PLY {
            return if in_check { DRAW } else { self.evaluate(position) };
        }

        let table_key = self.pure_key(place);
        let entry = self.shared.table.get(table_key);
        if let Some(entry) = entry {
            let value = from_node(i32::from(entry.value), ply);
            if match entry.bound {
                Bound::Exact => true,
                Bound::Lower => value >= beta,
                Bound::Upper => value <= alpha,
            } {
                return value;
            }
        }
        let eval = match entry {
            _ if in_check => NO_EVAL,
            Some(entry) => entry.eval,
            None => self.evaluate(position) as i16,
        };
        let old_alpha = alpha;
        let mut best = -INFINITE;
        let mut best_move = entry.map_or(Packed::NONE, |entry| entry.best);
        if !in_check {
            if depth <= STAND_DEPTH {
                best = i32::from(eval) - STAND_MARGIN * depth;
                alpha = alpha.max(best);
            }
            if best < beta && place.may_pass && depth >= 3 && has_pieces(position) {
                best = best.max(self.price_of_passing(place, depth, alpha, beta));
                alpha = alpha.max(best);
            }
        }
        if best < beta {
            let table_move = best_move.unpack(position);
            best = self.pure_moves(place, depth, table_move, alpha, beta, best, &mut best_move);
        }
        if self.stopped {
            return DRAW;
        }
        let bound = match best {
            value if value >= beta => Bound::Lower,
            value if value > old_alpha => Bound::Exact,
            _ => Bound::Upper,
        };
        let value = to_node(best, ply) as i16;
        self.shared
            .table
            .put(table_key, Entry { best: best_move, value, eval, depth: depth as u8, bound, pv: false });
        best
    }

    #[allow(clippy::too_many_arguments)]
    fn pure_moves(
        &mut self,
        place: Place<'_>,
        depth: i32,
        table_move: Option<Move>,
        mut alpha: i32,
        beta: i32,
        mut best: i32,
        best_move: &mut Packed,
    ) -> i32 {
        let Place { position, key, in_check, ply, .. } = place;
        let context = self.context(ply);
        let killers = self.frame(ply).killers;
        let mut picker = Picker::all(position, table_move, killers);
        let checks = Checks::new(position);
        let mut count = 0;
        while let Some(picked) = picker.next(&self.memory.histories, &context) {
            let m = picked.m;
            count += 1;
            let mut cost = 1;
            if depth >= REDUCED_FROM && !in_check && !checks.given_by(position, m) {
                cost = match gains(position, m, 0) {
                    false => 3,
                    true if is_tactical(m) => 1,
                    true => 2,
                };
            }
            let (after, after_key) = self.descend(position, key, m, ply);
            let child = Place {
                position: &after,
                key: after_key,
                in_check: after.is_check(),
                ply: ply + 1,
                depth: depth - cost,
                may_pass: true,
            };
            let mut value = INFINITE;
            if count > 1 {
                value = -self.pure(child, -alpha - 1, -alpha);
            }
            if value > alpha && (count == 1 || value < beta) {
                value = -self.pure(child, -beta, -alpha);
            }
            self.ascend();
            if self.stopped {
                return DRAW;
            }
            if value > best {
                best = value;
                if value > alpha {
                    alpha = value;
                    *best_move = Packed::new(m);
                    if value >= beta {
                        self.remember_cutoff(position, m, depth, ply, &[], &[]);
                        break;
                    }
                }
            }
        }
        match (count, in_check) {
            (0, true) => mated(ply),
            (0, false) => DRAW,
            _ => best,
        }
    }

    /// The value of passing, less its price.
    fn price_of_passing(&mut self, place: Place<'_>, depth: i32, alpha: i32, beta: i32) -> i32 {
        let Some(after) = pass(place.position) else { return -INFINITE };
        let key = key_after_pass(place.position, place.key);
        self.descend_by_pass(key, place.ply);
        let child = Place {
            position: &after,
            key,
            in_check: false,
            ply: place.ply + 1,
            depth: depth - 3 - depth / 4,
            may_pass: false,
        };
        let value = -self.pure(child, -beta - PASS_PRICE, -alpha - PASS_PRICE);
        self.ascend();
        value.clamp(-DECIDED + PASS_PRICE, DECIDED - 1) - PASS_PRICE
    }

    /// Captures that lose nothing, and all answers to checks, to the end.
    fn settle(&mut self, position: &Chess, in_check: bool, ply: usize, mut alpha: i32, beta: i32) -> i32 {
        self.count(ply);
        if self.stopped {
            return DRAW;
        }
        if let Some(value) = self.drawn(position, in_check, ply, false) {
            return value;
        }
        let mut best = -INFINITE;
        if !in_check || ply >= MAX_PLY {
            best = self.evaluate(position);
            if best >= beta || ply >= MAX_PLY {
                return best;
            }
            alpha = alpha.max(best);
        }
        let context = [None; 3];
        let mut picker = match in_check {
            true => Picker::all(position, None, [None; 2]),
            false => Picker::captures(position, None),
        };
        while let Some(picked) = picker.next(&self.memory.histories, &context) {
            if !in_check && !picked.promising {
                break;
            }
            let mut after = position.clone();
            after.play_unchecked(picked.m);
            let value = -self.settle(&after, after.is_check(), ply + 1, -beta, -alpha);
            if value > best {
                best = value;
                alpha = alpha.max(value);
                if value >= beta {
                    break;
                }
            }
        }
        if best == -INFINITE { mated(ply) } else { best }
    }

    /// Everything that a pure value depends on, in one key.
    fn pure_key(&self, place: Place<'_>) -> u64 {
        let clock = place.position.halfmoves();
        // Far from 50 moves the clock plays no part, but for table probes after captures and pawn moves.
        let clock = match clock {
            0 if self.shared.probe.is_some() => 1,
            clock if clock > 40 => u64::from(clock),
            _ => 0,
        };
        let rest = place.depth as u64 | u64::from(place.may_pass) << 8 | clock << 9;
        place.key ^ self.past() ^ (rest + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15)
    }
}
