//! Pricing: the value of every legal move, all to the same depth. Exact values are those of the
//! [pure search](super::pure_search), so that moves can be compared, and the same wherever and whenever they are asked
//! for; quick ones are those of the ordinary search of each move by itself.

use std::{
    sync::atomic::{AtomicI32, AtomicUsize, Ordering},
    thread,
    time::Duration,
};

use shakmaty::{Chess, Move, Position};

use super::{
    Budget, Limits, Score, Searcher,
    limits::Timer,
    node::Node,
    pure_search::PureNode,
    value::{INFINITE, MAX_PLY, to_score},
    worker::{Shared, Worker},
    zobrist::key,
};
use crate::game::Game;

/// Half the width of the first aspiration window around the last price, in centipawns.
const ASPIRATION_WINDOW: i32 = 16;
/// By how much the window grows after each failed search.
const ASPIRATION_GROWTH: i32 = 2;
/// A window that would be wider than this is opened fully.
const ASPIRATION_MAX: i32 = 1000;
/// A move that is worse than the best by more than this is priced roughly in the quick way, in centipawns.
const CLOSE: i32 = 100;
/// The first step from one bound of a rough price towards the other, in centipawns ...
const FIRST_STEP: i32 = 20;
/// ... and how many times greater each step is than the one before.
const STEP_GROWTH: i32 = 2;
/// Checks extend a line of the quick way until it is so many times as long as the depth: with open windows and little pruning,
/// lines of checks would grow without end.
const LONGEST_LINE: f32 = 1.5;
/// Greatest depth: extensions may double it.
const MAX_DEPTH: u32 = MAX_PLY as u32 / 2;

/// Every legal move of a position with its value at every depth that all of them have reached.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Pricing {
    /// The moves, the best first.
    pub moves: Vec<Priced>,
    /// Whether the values depend on nothing but the game and the depth.
    pub exact: bool,
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

    /// Sorts moves by their values at the greatest depth.
    pub fn sort_best_first(moves: &mut [Priced]) {
        moves.sort_by(|one, two| two.score().pawns().total_cmp(&one.score().pawns()));
    }
}

impl Searcher {
    /// Prices every legal move, the best first. With a fixed depth, exact values are always the same.
    pub fn price(&mut self, game: &Game, budget: &Budget) -> Pricing {
        match budget.suits_quick_search() {
            // What a look of one ply shows must not be what a search of twenty has left in the table.
            true => self.apart(|this| this.price_moves(game, budget, false)),
            false => self.price_moves(game, budget, true),
        }
    }

    /// Prices by the pure search, or by the ordinary one: quicker, but what it prunes depends on what it has seen before.
    fn price_moves(&mut self, game: &Game, budget: &Budget, exact: bool) -> Pricing {
        let position = game.position();
        let max_depth = budget.max_depth(MAX_PLY as u32);
        let limits = Limits { nodes: budget.nodes, movetime: budget.time, ..Limits::default() };
        let salt = self.salt();
        let (tt, memories, probe, settings) = self.parts();
        tt.new_search();
        let shared = Shared {
            // A budget is no clock: there is no overhead.
            timer: Timer::new(&limits, Duration::ZERO),
            prices: true,
            salt,
            ..Shared::new(tt, probe, &budget.control, &limits, settings)
        };
        let keys: Vec<u64> = game.reversible_keys().iter().map(|key| key.0).collect();
        let mut workers: Vec<_> =
            memories.iter_mut().map(|memory| Worker::new(&shared, memory, keys.clone())).collect();
        let wanted = position.legal_moves().into_iter().filter(|m| budget.wants(m));
        let mut values: Vec<(Move, i32)> = wanted.map(|m| (m, 0)).collect();
        let mut moves: Vec<Priced> = values.iter().map(|&(m, _)| Priced { m, scores: Vec::new() }).collect();
        // The best first: what is found of them serves the others.
        let mut order: Vec<usize> = (0..moves.len()).collect();
        let mut reached = 0;
        for depth in 1..=max_depth.clamp(1, MAX_DEPTH) {
            // Each thread takes the next move when it is free; exact prices don't depend on which one works them out.
            let queue = AtomicUsize::new(0);
            let prices: Vec<AtomicI32> = values.iter().map(|_| AtomicI32::new(0)).collect();
            let price_moves = |worker: &mut Worker<'_>| {
                worker.may_stop = depth > 1;
                while let Some(&index) = order.get(queue.fetch_add(1, Ordering::Relaxed)) {
                    let (m, value) = values[index];
                    let loss = values[order[0]].1 - value;
                    let guess = (depth > 1).then_some(Guess { value, loss });
                    let price = worker.price_move(position, m, depth as i32, guess, exact);
                    prices[index].store(price, Ordering::Relaxed);
                }
                worker.publish_nodes();
            };
            let (first, helpers) = workers.split_at_mut(1);
            thread::scope(|scope| {
                for worker in helpers {
                    // Where no more threads can be had, fewer share the work.
                    let _ = thread::Builder::new().spawn_scoped(scope, || price_moves(worker));
                }
                first.iter_mut().for_each(price_moves);
            });
            if workers.iter().any(|worker| worker.stopped) {
                break;
            }
            values.iter_mut().zip(prices).for_each(|((_, value), price)| *value = price.into_inner());
            order.sort_by_key(|&index| -values[index].1);
            reached = depth;
            moves
                .iter_mut()
                .zip(&values)
                .for_each(|(priced, (_, value))| priced.scores.push(to_score(*value)));
            if budget.control.is_stopped() {
                break;
            }
        }
        Pricing {
            moves: order.into_iter().map(|index| moves[index].clone()).collect(),
            exact,
            depth: reached,
            nodes: shared.nodes.load(Ordering::Relaxed),
            table_hits: shared.tb_hits.load(Ordering::Relaxed),
            time: shared.timer.elapsed(),
        }
    }
}

/// What is known of a move's value before it is searched: what one ply less has shown.
#[derive(Clone, Copy)]
struct Guess {
    value: i32,
    /// By how much the best move was better.
    loss: i32,
}

impl Worker<'_> {
    /// The value of a root move. A guess at it only saves work where it is to be `exact`; there is none at depth 1.
    fn price_move(
        &mut self,
        position: &Chess,
        m: Move,
        depth: i32,
        guess: Option<Guess>,
        exact: bool,
    ) -> i32 {
        self.prepare_root(position);
        self.extended_plies = (depth as f32 * LONGEST_LINE) as usize;
        let extension = i32::from(!exact && position.is_check());
        let (after, key) = self.make_move(position, key(position), m, 0);
        let (position, in_check, ply, depth) = (&after, after.is_check(), 1, depth - 1 + extension);
        let value = match guess {
            _ if exact => {
                let node = PureNode { position, key, in_check, ply, depth, may_null_move: true };
                self.price_in_window(guess, |this, alpha, beta| -this.pure_search(node, -beta, -alpha))
            }
            Some(guess) if guess.loss > CLOSE => {
                let node = Node { position, key, in_check, ply, depth, cut_node: true };
                self.price_roughly(node, guess)
            }
            _ => {
                let node = Node { position, key, in_check, ply, depth, cut_node: false };
                self.price_in_window(guess, |this, alpha, beta| -this.search::<true>(node, -beta, -alpha))
            }
        };
        self.undo_move();
        value
    }

    /// With a window around the value guessed, which is opened as far as need be.
    fn price_in_window(
        &mut self,
        guess: Option<Guess>,
        mut search: impl FnMut(&mut Self, i32, i32) -> i32,
    ) -> i32 {
        let mut delta = ASPIRATION_WINDOW;
        let (mut alpha, mut beta) =
            guess.map_or((-INFINITE, INFINITE), |guess| (guess.value - delta, guess.value + delta));
        loop {
            let value = search(self, alpha, beta);
            delta *= ASPIRATION_GROWTH;
            if self.stopped || (alpha < value && value < beta) {
                return value;
            } else if value <= alpha {
                alpha = if delta > ASPIRATION_MAX { -INFINITE } else { value - delta };
            } else {
                beta = if delta > ASPIRATION_MAX { INFINITE } else { value + delta };
            }
        }
    }

    /// With null windows that close in on the value (Plaat et al. 1996): the search prunes far more of them than of open ones,
    /// which is good enough for a move that gives up much.
    fn price_roughly(&mut self, node: Node<'_>, guess: Guess) -> i32 {
        let (mut least, mut most) = (-INFINITE, INFINITE);
        let (mut beta, mut step) = (guess.value, FIRST_STEP);
        loop {
            let value = -self.search::<false>(node, -beta, -beta + 1);
            match value >= beta {
                true => least = value,
                false => most = value,
            }
            if self.stopped || least >= most {
                return value;
            }
            beta = match (least > -INFINITE, most < INFINITE) {
                (true, true) => (least + most + 1).div_euclid(2),
                (true, false) => (least + step).min(INFINITE),
                (false, _) => (most - step).max(1 - INFINITE),
            };
            step *= STEP_GROWTH;
        }
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
        let shared = Shared { prices: true, ..Shared::new(tt, probe, &control, &limits, settings) };
        let keys = game.reversible_keys().iter().map(|key| key.0).collect();
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

    #[test]
    fn what_is_kept_from_one_position_of_a_game_to_the_next_changes_no_price() {
        let mut kept = searcher(1);
        let long = games(40).into_iter().max_by_key(|game| game.moves().len()).unwrap();
        for plies in long.moves().len() - 10..=long.moves().len() {
            let game = long.up_to(plies);
            let fresh = searcher(1).price(&game, &Budget::depth(4)).moves;
            assert_eq!(kept.price(&game, &Budget::depth(4)).moves, fresh, "after {plies} plies");
        }
    }

    #[test]
    fn quick_prices_of_a_shallow_look_do_not_know_what_a_deep_search_has_found() {
        let fen: shakmaty::fen::Fen = "2r3k1/pp3ppp/3q4/3p4/3P4/1Q2P3/5PPP/2R3K1 w - - 0 1".parse().unwrap();
        let game = Game::new(fen.into_position(shakmaty::CastlingMode::Standard).unwrap());
        let look = Budget { quick: true, ..Budget::depth(2) };
        let mut fresh = searcher(1).price(&game, &look);
        let mut later = searcher(1);
        later.search(&game, &Limits { depth: Some(12), ..Limits::default() }, &Control::new(), &mut |_| {});
        let mut later = later.price(&game, &look);
        for pricing in [&mut fresh, &mut later] {
            pricing.moves.sort_by_key(|priced| priced.m.to_string());
        }
        assert_eq!(later.moves, fresh.moves);
    }

    #[test]
    fn quick_prices_are_there_for_every_move_at_every_depth_and_say_what_they_are() {
        let time = Some(Duration::from_secs(3600));
        let quick = Budget { quick: true, time, ..Budget::depth(4) };
        for game in games(5) {
            let mut searcher = searcher(1);
            let pricing = searcher.price(&game, &quick);
            assert_eq!(pricing.moves.len(), game.position().legal_moves().len());
            assert!(pricing.moves.iter().all(|priced| priced.scores.len() == pricing.depth as usize));
            assert!(!pricing.exact);
            assert!(searcher.price(&game, &Budget { quick: false, ..quick.clone() }).exact);
        }
    }
}
