//! Pricing a whole decision: the value of every legal move, to the same depth. The values are those of the
//! [pure](super::pure) search, so that moves compare.

use std::{
    sync::atomic::{AtomicBool, AtomicU64, Ordering},
    thread,
    time::Duration,
};

use shakmaty::{Chess, Move, Position};

use super::{
    Budget, Limits, Score, Searcher,
    pure::Place,
    time::Timer,
    value::{INFINITE, MAX_PLY, score},
    worker::{Shared, Worker},
    zobrist::key,
};
use crate::game::Game;

/// Half the window around the last price, to begin with.
const WINDOW: i32 = 20;

/// Every legal move of a position with its value at every depth that all of them have reached.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Pricing {
    /// The moves, the best first.
    pub moves: Vec<Priced>,
    /// The depth that all have reached, in plies.
    pub depth: u32,
    /// Nodes of all threads.
    pub nodes: u64,
    /// Successful table probes.
    pub table_hits: u64,
    /// What it took.
    pub time: Duration,
}

/// The value of a move for the side that makes it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Priced {
    /// The move.
    pub m: Move,
    /// By depth from 1: a move has a value at every depth of its [`Pricing`].
    pub scores: Vec<Score>,
}

impl Priced {
    /// The value at the greatest depth.
    pub fn score(&self) -> Score {
        self.scores.last().copied().unwrap_or(Score::Centipawns(0))
    }
}

impl Searcher {
    /// Prices every legal move, the best first. At a fixed depth the digits are always the same.
    pub fn price(&mut self, game: &Game, budget: &Budget) -> Pricing {
        let position = game.position();
        let deepest = budget.deepest(MAX_PLY as u32);
        let limits = Limits { nodes: budget.nodes, movetime: budget.time, ..Limits::default() };
        let (table, memories, probe, settings) = self.parts();
        table.grow_older();
        let shared = Shared {
            table,
            probe,
            control: &budget.control,
            limits: &limits,
            // A budget is no clock: nothing is lost on the way.
            timer: Timer::new(&limits, Duration::ZERO),
            stop: AtomicBool::new(false),
            nodes: AtomicU64::new(0),
            table_hits: AtomicU64::new(0),
        };
        let keys: Vec<u64> = game.keys().iter().map(|key| key.0).collect();
        let mut workers: Vec<_> =
            memories.iter_mut().map(|memory| Worker::new(&shared, memory, keys.clone())).collect();
        let mut values: Vec<(Move, i32)> = position.legal_moves().into_iter().map(|m| (m, 0)).collect();
        let mut moves: Vec<Priced> = values.iter().map(|&(m, _)| Priced { m, scores: Vec::new() }).collect();
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
            moves.iter_mut().zip(&values).for_each(|(priced, (_, value))| priced.scores.push(score(*value)));
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
            table_hits: shared.table_hits.load(Ordering::Relaxed),
            time: shared.timer.elapsed(),
        }
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
}

#[cfg(test)]
mod tests {
    use rand::{RngExt, SeedableRng};
    use rand_pcg::Pcg64;

    use super::*;
    use crate::search::{Control, Settings};

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
            for priced in shared.price(&game, &Budget::depth(4)).moves {
                for (depth, score) in (1..).zip(&priced.scores) {
                    let alone = alone(&game, priced.m, depth);
                    assert_eq!(*score, alone, "{} to {depth} in {:?}", priced.m, game.position());
                }
            }
        }
    }

    #[test]
    fn prices_do_not_depend_on_threads_or_on_what_is_remembered() {
        let (mut one, mut two) = (searcher(1), searcher(2));
        for game in games(5) {
            let fresh = searcher(1).price(&game, &Budget::depth(5)).moves;
            assert_eq!(one.price(&game, &Budget::depth(5)).moves, fresh);
            assert_eq!(two.price(&game, &Budget::depth(5)).moves, fresh);
            assert_eq!(fresh.len(), game.position().legal_moves().len());
        }
    }
}
