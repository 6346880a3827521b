//! Speed of the parts of a search. Run with `cargo bench --bench search`.

use std::{hint::black_box, time::Duration};

use divan::Bencher;
use errare::{
    evaluation::{Evaluation, Evaluator},
    game::Game,
    search::{Budget, Control, Limits, SearchSettings, Searcher, bench_support},
};
use shakmaty::{CastlingMode, Chess, Position, fen::Fen};

const FENS: &[&str] = &[
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    "r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10",
    "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
];

/// Which of them is a middlegame.
const MIDDLEGAME: usize = 2;

fn positions() -> Vec<Chess> {
    FENS.iter()
        .filter_map(|fen| fen.parse::<Fen>().ok()?.into_position(CastlingMode::Standard).ok())
        .collect()
}

fn main() {
    divan::main();
}

#[divan::bench]
fn legal_moves_and_play(bencher: Bencher<'_, '_>) {
    let positions = positions();
    bencher.bench_local(|| {
        for position in &positions {
            for m in black_box(position).legal_moves() {
                let mut after = position.clone();
                after.play_unchecked(m);
                black_box(after);
            }
        }
    });
}

/// One position for each run, so that the figure is the cost of one evaluation.
#[divan::bench]
fn evaluation_of_one_position_by_terms(bencher: Bencher<'_, '_>) {
    evaluate_one(bencher, &Evaluation::hand_crafted());
}

/// The same by the network, whose work is the greater, the less two positions have to do with each other.
#[divan::bench]
fn evaluation_of_one_position_by_network(bencher: Bencher<'_, '_>) {
    evaluate_one(bencher, &Evaluation::default());
}

fn evaluate_one(bencher: Bencher<'_, '_>, evaluation: &Evaluation) {
    let positions = positions();
    let mut evaluator = Evaluator::new(evaluation);
    let mut next = positions.iter().cycle();
    bencher.bench_local(|| next.next().map(|position| evaluator.evaluate(black_box(position), 0)));
}

/// As a search does: every move of a position, one ply further.
#[divan::bench]
fn evaluation_of_all_moves_by_network(bencher: Bencher<'_, '_>) {
    let positions = positions();
    let mut evaluator = Evaluator::new(&Evaluation::default());
    let mut next = positions.iter().cycle();
    bencher.bench_local(|| {
        let Some(position) = next.next() else { return 0 };
        let first = evaluator.evaluate(black_box(position), 0);
        position.legal_moves().into_iter().fold(first, |sum, m| {
            let mut after = position.clone();
            after.play_unchecked(m);
            sum + evaluator.evaluate(&after, 1)
        })
    });
}

#[divan::bench]
fn static_exchange_evaluation(bencher: Bencher<'_, '_>) {
    let positions = positions();
    let captures: Vec<_> =
        positions.iter().flat_map(|p| p.capture_moves().into_iter().map(move |m| (p, m))).collect();
    bencher.bench_local(|| {
        for (position, m) in &captures {
            black_box(bench_support::see_ge(position, *m, 0));
        }
    });
}

#[divan::bench]
fn transposition_table_probe(bencher: Bencher<'_, '_>) {
    let table = bench_support::FullTable::new(16);
    let mut key = 0_u64;
    bencher.bench_local(|| {
        key = key.wrapping_add(0x9e37_79b9_7f4a_7c15);
        black_box(table.probe(key))
    });
}

#[divan::bench(sample_count = 10, sample_size = 1)]
fn search_to_depth_8(bencher: Bencher<'_, '_>) {
    let games: Vec<Game> = positions().into_iter().map(Game::new).collect();
    let limits = Limits { depth: Some(8), ..Limits::default() };
    bencher.with_inputs(|| Searcher::new(SearchSettings::default())).bench_local_values(|mut searcher| {
        for game in &games {
            black_box(searcher.search(game, &limits, &Control::new(), &mut |_| {}));
        }
    });
}

/// All moves of one position, exactly, by depth.
#[divan::bench(args = [2, 4, 6, 8], sample_count = 10, sample_size = 1)]
fn prices_of_one_position(bencher: Bencher<'_, '_>, depth: u32) {
    prices(bencher, &Budget::depth(depth));
}

/// The same by the ordinary search with as many lines as there are moves.
#[divan::bench(args = [2, 4, 6, 8], sample_count = 10, sample_size = 1)]
fn quick_prices_of_one_position(bencher: Bencher<'_, '_>, depth: u32) {
    let endless = Some(Duration::from_secs(3600));
    prices(bencher, &Budget { quick: true, time: endless, ..Budget::depth(depth) });
}

fn prices(bencher: Bencher<'_, '_>, budget: &Budget) {
    let game = Game::new(positions().swap_remove(MIDDLEGAME));
    bencher
        .with_inputs(|| Searcher::new(SearchSettings::default()))
        .bench_local_values(|mut searcher| black_box(searcher.price(&game, budget)));
}
