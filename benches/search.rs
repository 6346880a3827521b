//! Speed of the parts of a search. Run with `cargo bench --bench search`.

use std::{hint::black_box, sync::Arc};

use divan::Bencher;
use errare::{
    evaluation::{Evaluator, Weights},
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

#[divan::bench]
fn evaluation(bencher: Bencher<'_, '_>) {
    let positions = positions();
    let mut evaluator = Evaluator::new(Arc::new(Weights::default()));
    bencher.bench_local(|| {
        for position in &positions {
            black_box(evaluator.evaluate(black_box(position)));
        }
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

#[divan::bench(sample_count = 10, sample_size = 1)]
fn priced_decision_of_depth_5(bencher: Bencher<'_, '_>) {
    let games: Vec<Game> = positions().into_iter().map(Game::new).collect();
    bencher.with_inputs(|| Searcher::new(SearchSettings::default())).bench_local_values(|mut searcher| {
        for game in &games {
            black_box(searcher.price(game, &Budget::depth(5)));
        }
    });
}
