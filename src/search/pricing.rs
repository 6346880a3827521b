//! Pricing: the value of every legal move, all to the same depth. The values are those of the
//! [pure search](super::pure_search), so that moves can be compared.

use std::{
    sync::atomic::{AtomicBool, AtomicU64, Ordering},
    thread,
    time::Duration,
};

use shakmaty::{Chess, Move, Position};

use super::{
    Budget, Limits, Score, Searcher,
    pure_search::PureNode,
    timer::Timer,
    value::{INFINITE, MAX_PLY, to_score},
    worker::{Shared, Worker},
    zobrist::key,
};
use crate::game::Game;

/// Half the width of the first aspiration window around the last price, in centipawns.
const ASPIRATION_WINDOW: i32 = 20;
/// By how much the window grows after each failed search.
const ASPIRATION_GROWTH: i32 = 4;
/// A window that would be wider than this is opened fully.
const ASPIRATION_MAX: i32 = 1000;
/// Greatest depth: extensions may double it.
const MAX_DEPTH: u32 = MAX_PLY as u32 / 2;

/// Every legal move of a position with its value at every depth that all of them have reached.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Pricing {
    /// The moves, the best first.
    pub moves: Vec<Priced>,
    /// The depth that all have reached, in plies.
    pub depth: u32,
    /// Nodes of all threads.
    pub nodes: u64,
    /// Successful tablebase probes.
    pub table_hits: u64,
    /// Time spent.
    pub time: Duration,
}

/// A move and its values for the side that makes it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Priced {
    /// The move.
    pub m: Move,
    /// Values by depth, from 1 to the depth of the [`Pricing`].
    pub scores: Vec<Score>,
}

impl Priced {
    /// The value at the greatest depth.
    pub fn score(&self) -> Score {
        self.scores.last().copied().unwrap_or(Score::Centipawns(0))
    }
}

impl Searcher {
    /// Prices every legal move, the best first. A fixed depth always gives the same values.
    pub fn price(&mut self, game: &Game, budget: &Budget) -> Pricing {
        let position = game.position();
        let max_depth = budget.max_depth(MAX_PLY as u32);
        let limits = Limits { nodes: budget.nodes, movetime: budget.time, ..Limits::default() };
        let (tt, memories, probe, settings) = self.parts();
        tt.new_search();
        let shared = Shared {
            tt,
            probe,
            control: &budget.control,
            limits: &limits,
            // A budget is no clock: there is no overhead.
            timer: Timer::new(&limits, Duration::ZERO),
            stop: AtomicBool::new(false),
            nodes: AtomicU64::new(0),
            tb_hits: AtomicU64::new(0),
        };
        let keys: Vec<u64> = game.keys().iter().map(|key| key.0).collect();
        let mut workers: Vec<_> =
            memories.iter_mut().map(|memory| Worker::new(&shared, memory, keys.clone())).collect();
        let mut values: Vec<(Move, i32)> = position.legal_moves().into_iter().map(|m| (m, 0)).collect();
        let mut moves: Vec<Priced> = values.iter().map(|&(m, _)| Priced { m, scores: Vec::new() }).collect();
        let mut reached = 0;
        for depth in 1..=max_depth.clamp(1, MAX_DEPTH) {
            let mut next = values.clone();
            // Prices don't depend on which thread works them out, so any partition will do.
            let share = next.len().div_ceil(workers.len()).max(1);
            thread::scope(|scope| {
                for (worker, part) in workers.iter_mut().zip(next.chunks_mut(share)) {
                    worker.may_stop = depth > 1;
                    let work = move || {
                        for (m, value) in part {
                            *value = worker.price_move(position, *m, depth as i32, *value);
                        }
                        worker.publish_nodes();
                    };
                    if settings.threads > 1 { drop(scope.spawn(work)) } else { work() }
                }
            });
            if workers.iter().any(|worker| worker.stopped) {
                break;
            }
            (values, reached) = (next, depth);
            moves
                .iter_mut()
                .zip(&values)
                .for_each(|(priced, (_, value))| priced.scores.push(to_score(*value)));
            if budget.control.is_stopped() {
                break;
            }
        }
        let mut order: Vec<usize> = (0..moves.len()).collect();
        order.sort_by_key(|&index| -values[index].1);
        Pricing {
            moves: order.into_iter().map(|index| moves[index].clone()).collect(),
            depth: reached,
            nodes: shared.nodes.load(Ordering::Relaxed),
            table_hits: shared.tb_hits.load(Ordering::Relaxed),
            time: shared.timer.elapsed(),
        }
    }
}

impl Worker<'_> {
    /// The value of a root move; `expected`, the aspiration window's centre, only saves work.
    fn price_move(&mut self, position: &Chess, m: Move, depth: i32, expected: i32) -> i32 {
        let root_key = key(position);
        let (after, key) = self.make_move(position, root_key, m, 0);
        let node = PureNode {
            position: &after,
            key,
            in_check: after.is_check(),
            ply: 1,
            depth: depth - 1,
            may_null_move: true,
        };
        let mut delta = ASPIRATION_WINDOW;
        let (mut alpha, mut beta) = match depth {
            1 => (-INFINITE, INFINITE),
            _ => (expected - delta, expected + delta),
        };
        let value = loop {
            let value = -self.pure_search(node, -beta, -alpha);
            delta *= ASPIRATION_GROWTH;
            if self.stopped || (alpha < value && value < beta) {
                break value;
            } else if value <= alpha {
                alpha = if delta > ASPIRATION_MAX { -INFINITE } else { value - delta };
            } else {
                beta = if delta > ASPIRATION_MAX { INFINITE } else { value + delta };
            }
        };
        self.undo_move();
        value
    }
}

#[cfg(test)]
mod tests {
    use rand::{RngExt, SeedableRng};
    use rand_pcg::Pcg64;

    use super::*;
    use crate::search::{Control, SearchSettings};

    fn searcher(threads: usize) -> Searcher {
        Searcher::new(SearchSettings { hash_mb: 1, threads, ..SearchSettings::default() })
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
        let (tt, memories, probe, settings) = searcher.parts();
        let (limits, control) = (Limits::default(), Control::new());
        let shared = Shared {
            tt,
            probe,
            control: &control,
            limits: &limits,
            timer: Timer::new(&limits, settings.move_overhead),
            stop: AtomicBool::new(false),
            nodes: AtomicU64::new(0),
            tb_hits: AtomicU64::new(0),
        };
        let keys = game.keys().iter().map(|key| key.0).collect();
        let mut worker = Worker::new(&shared, &mut memories[0], keys);
        let (after, key) = worker.make_move(game.position(), key(game.position()), m, 0);
        let in_check = after.is_check();
        let node =
            PureNode { position: &after, key, in_check, ply: 1, depth: depth - 1, may_null_move: true };
        to_score(-worker.pure_search(node, -INFINITE, INFINITE))
    }

    #[test]
    fn each_price_is_what_a_search_of_that_move_alone_finds() {
        let mut shared = searcher(1);
        for game in games(100) {
            for priced in shared.price(&game, &Budget::depth(4)).moves {
                for (depth, score) in (1..).zip(&priced.scores) {
                    let alone = alone(&game, priced.m, depth);
                    assert_eq!(*score, alone, "{} to {depth} in {:?}", priced.m, game.position());
                }
            }
        }
    }

    #[test]
    fn prices_do_not_depend_on_threads_or_on_the_transposition_table() {
        let (mut one, mut two) = (searcher(1), searcher(2));
        for game in games(5) {
            let fresh = searcher(1).price(&game, &Budget::depth(5)).moves;
            assert_eq!(one.price(&game, &Budget::depth(5)).moves, fresh);
            assert_eq!(two.price(&game, &Budget::depth(5)).moves, fresh);
            assert_eq!(fresh.len(), game.position().legal_moves().len());
        }
    }
}
