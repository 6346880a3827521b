//! Pricing a whole decision: the value of every legal move, to the same depth.
//!
//! Values of different moves compare only if each is what a search of that move alone would have found. The
//! search for the best move can't promise that: what it prunes depends on the window, on history and on what is in
//! the table. So prices come from a search of their own, whose value is a **pure function of position and depth**:
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

use std::{
    sync::atomic::{AtomicBool, AtomicU64},
    thread,
    time::Duration,
};

use shakmaty::{Chess, Move, Position};

use super::{
    Bound, Control, Limits, Score, Searcher,
    checks::Checks,
    exchange::gains,
    packed::Packed,
    picker::{Picker, is_tactical},
    table::{Entry, NO_EVAL},
    time::Timer,
    value::{DECIDED, DRAW, INFINITE, MAX_PLY, from_node, mated, score, to_node},
    worker::{Shared, Worker, has_pieces, pass},
    zobrist::{key, key_after_pass},
};
use crate::game::Game;

/// With this many plies left, quiet moves begin to cost more than one.
const REDUCED_FROM: i32 = 3;
/// What standing still costs for each ply that remains, in centipawns.
const STAND_MARGIN: i32 = 150;
/// As deep as standing still is considered.
const STAND_DEPTH: i32 = 5;
/// What passing costs.
const PASS_PRICE: i32 = 30;
/// Half the window around the last price, to begin with.
const WINDOW: i32 = 20;

/// How much work a priced decision may take.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Effort {
    /// To this depth.
    Depth(u32),
    /// To the greatest depth that all moves reach with so many nodes for each on average.
    Nodes(u64),
    /// To the greatest depth that all moves reach in this time.
    Time(Duration),
    /// To the greatest depth that all moves reach within every limit given.
    Within {
        /// In plies.
        depth: Option<u32>,
        /// For all moves together.
        nodes: Option<u64>,
        /// For all moves together.
        time: Option<Duration>,
    },
}

/// The price of a move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Priced {
    /// The move.
    pub mv: Move,
    /// Its value for the side that makes it.
    pub score: Score,
    /// To this depth; the same for all moves of a decision.
    pub depth: u32,
}

/// A node of the pure search.
#[derive(Clone, Copy)]
struct Place<'a> {
    position: &'a Chess,
    key: u64,
    in_check: bool,
    ply: usize,
    depth: i32,
    may_pass: bool,
}

impl Searcher {
    /// Prices every legal move, the best first. At a fixed depth the digits are always the same. Depth 1 is
    /// finished in any case, so that every move has a price.
    pub fn price(&mut self, game: &Game, effort: Effort, control: &Control) -> Vec<Priced> {
        let position = game.position();
        let moves = position.legal_moves();
        let (deepest, limits) = match effort {
            Effort::Depth(depth) => (depth, Limits::default()),
            Effort::Nodes(nodes) => {
                let nodes = nodes.saturating_mul(moves.len() as u64);
                (MAX_PLY as u32, Limits { nodes: Some(nodes), ..Limits::default() })
            }
            Effort::Time(time) => (MAX_PLY as u32, Limits { movetime: Some(time), ..Limits::default() }),
            Effort::Within { depth, nodes, time } => {
                (depth.unwrap_or(MAX_PLY as u32), Limits { nodes, movetime: time, ..Limits::default() })
            }
        };
        let (table, memories, probe, settings) = self.parts();
        table.grow_older();
        let shared = Shared {
            table,
            probe,
            control,
            limits: &limits,
            // An effort is no clock: nothing is lost on the way.
            timer: Timer::new(&limits, Duration::ZERO),
            stop: AtomicBool::new(false),
            nodes: AtomicU64::new(0),
            table_hits: AtomicU64::new(0),
        };
        let keys: Vec<u64> = game.keys().iter().map(|key| key.0).collect();
        let mut workers: Vec<_> =
            memories.iter_mut().map(|memory| Worker::new(&shared, memory, keys.clone())).collect();
        let mut values: Vec<(Move, i32)> = moves.into_iter().map(|m| (m, 0)).collect();
        let mut reached = 0;
        for depth in 1..=deepest.clamp(1, MAX_PLY as u32 / 2) {
            let mut next = values.clone();
            // Prices don't depend on who works them out, nor when.
            let share = next.len().div_ceil(workers.len()).max(1);
            thread::scope(|scope| {
                for (worker, part) in workers.iter_mut().zip(next.chunks_mut(share)) {
                    worker.may_stop = depth > 1;
                    let work = move || {
                        for (m, value) in part {
                            *value = worker.price_move(position, *m, depth as i32, *value);
                        }
                        worker.tell();
                    };
                    if settings.threads > 1 { drop(scope.spawn(work)) } else { work() }
                }
            });
            if workers.iter().any(|worker| worker.stopped) {
                break;
            }
            (values, reached) = (next, depth);
            if control.is_stopped() {
                break;
            }
        }
        values.sort_by_key(|&(_, value)| -value);
        values.into_iter().map(|(mv, value)| Priced { mv, score: score(value), depth: reached }).collect()
    }
}

impl Worker<'_> {
    /// The value of a root move; `expected` only saves work.
    fn price_move(&mut self, position: &Chess, m: Move, depth: i32, expected: i32) -> i32 {
        let root_key = key(position);
        let (after, key) = self.descend(position, root_key, m, 0);
        let place = Place {
            position: &after,
            key,
            in_check: after.is_check(),
            ply: 1,
            depth: depth - 1,
            may_pass: true,
        };
        let mut width = WINDOW;
        let (mut alpha, mut beta) = match depth {
            1 => (-INFINITE, INFINITE),
            _ => (expected - width, expected + width),
        };
        let value = loop {
            let value = -self.pure(place, -beta, -alpha);
            width *= 4;
            if self.stopped || (alpha < value && value < beta) {
                break value;
            } else if value <= alpha {
                alpha = if width > 1000 { -INFINITE } else { value - width };
            } else {
                beta = if width > 1000 { INFINITE } else { value + width };
            }
        };
        self.ascend();
        value
    }

    fn pure(&mut self, place: Place<'_>, mut alpha: i32, beta: i32) -> i32 {
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
            if depth >= REDUCED_FROM && !in_check && !checks.as_ref().is_some_and(|c| c.given_by(position, m))
            {
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

#[cfg(test)]
mod tests {
    use rand::{RngExt, SeedableRng};
    use rand_pcg::Pcg64;

    use super::*;
    use crate::search::Settings;

    fn searcher(threads: usize) -> Searcher {
        Searcher::new(Settings { hash_mb: 1, threads, ..Settings::default() })
    }

    /// Games of random moves, up to 60 plies long.
    fn games(count: usize) -> Vec<Game> {
        let mut rng = Pcg64::seed_from_u64(1);
        let mut games = Vec::new();
        while games.len() < count {
            let mut game = Game::new(Chess::default());
            for _ in 0..rng.random_range(0..60) {
                let moves = game.position().legal_moves();
                if moves.is_empty() {
                    break;
                }
                game.play(moves[rng.random_range(0..moves.len())]);
            }
            if !game.position().legal_moves().is_empty() {
                games.push(game);
            }
        }
        games
    }

    /// The value of one move by a search of its own: full window, empty table.
    fn alone(game: &Game, m: Move, depth: i32) -> Score {
        let mut searcher = searcher(1);
        let (table, memories, probe, settings) = searcher.parts();
        let (limits, control) = (Limits::default(), Control::new());
        let shared = Shared {
            table,
            probe,
            control: &control,
            limits: &limits,
            timer: Timer::new(&limits, settings.move_overhead),
            stop: AtomicBool::new(false),
            nodes: AtomicU64::new(0),
            table_hits: AtomicU64::new(0),
        };
        let keys = game.keys().iter().map(|key| key.0).collect();
        let mut worker = Worker::new(&shared, &mut memories[0], keys);
        let (after, key) = worker.descend(game.position(), key(game.position()), m, 0);
        let in_check = after.is_check();
        let place = Place { position: &after, key, in_check, ply: 1, depth: depth - 1, may_pass: true };
        score(-worker.pure(place, -INFINITE, INFINITE))
    }

    #[test]
    fn each_price_is_what_a_search_of_that_move_alone_finds() {
        let mut shared = searcher(1);
        for game in games(100) {
            for priced in shared.price(&game, Effort::Depth(4), &Control::new()) {
                assert_eq!(
                    priced.score,
                    alone(&game, priced.mv, 4),
                    "{} in {:?}",
                    priced.mv,
                    game.position()
                );
            }
        }
    }

    #[test]
    fn prices_do_not_depend_on_threads_or_on_what_is_remembered() {
        let (mut one, mut two) = (searcher(1), searcher(2));
        for game in games(5) {
            let fresh = searcher(1).price(&game, Effort::Depth(5), &Control::new());
            assert_eq!(one.price(&game, Effort::Depth(5), &Control::new()), fresh);
            assert_eq!(two.price(&game, Effort::Depth(5), &Control::new()), fresh);
            assert_eq!(fresh.len(), game.position().legal_moves().len());
        }
    }
}
