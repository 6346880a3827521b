//! What it costs to see a position as people do, beside a search of depth 1 of the same moves.

#![allow(clippy::unwrap_used, reason = "a test or bench may stop where it stands")]

use divan::{Bencher, black_box};
use errare::{
    game::{Game, LeadUp},
    human::{EloBelief, HumanModel, ln_prior},
    oracle::{Budget, Look, Oracle, SearchOracle},
    search::Searcher,
    shakmaty::{CastlingMode, Chess, Position, fen::Fen},
};

fn main() {
    divan::main();
}

/// A middlegame with forty moves.
fn position() -> Chess {
    let fen: Fen = "r1bq1rk1/pp2bppp/2n1pn2/3p4/2PP4/2N2N2/PP2BPPP/R1BQ1RK1 w - - 0 9".parse().unwrap();
    fen.into_position(CastlingMode::Standard).unwrap()
}

fn look(depth: u32) -> Look {
    let oracle = SearchOracle::new(Searcher::new(Default::default()));
    oracle.look(&Game::new(position()), &Budget::depth(depth)).unwrap()
}

/// Which moves people come upon.
#[divan::bench]
fn prior(bencher: Bencher<'_, '_>) {
    let (position, model) = (position(), HumanModel::built_in());
    let moves = position.legal_moves();
    bencher.bench_local(|| {
        ln_prior(model.prior(), black_box(&position), LeadUp::default(), &moves, black_box(1500.0))
    });
}

/// All that it takes to choose, once moves have their prices.
#[divan::bench]
fn choice(bencher: Bencher<'_, '_>) {
    let (look, model) = (look(4), HumanModel::built_in());
    bencher.bench_local(|| model.probabilities(black_box(&look), 1500.0));
}

/// What a move says about the Elo of whoever has played it.
#[divan::bench]
fn elo_update(bencher: Bencher<'_, '_>) {
    let (look, model) = (look(4), HumanModel::built_in());
    let m = look.moves()[0].m;
    let mut belief = EloBelief::unknown();
    bencher.bench_local(|| belief.observe(model, black_box(&look), &m).unwrap());
}

/// Prices of the same moves at the least depth, to compare.
#[divan::bench]
fn prices_at_depth_1(bencher: Bencher<'_, '_>) {
    let oracle = SearchOracle::new(Searcher::new(Default::default()));
    let game = Game::new(position());
    bencher.bench_local(|| oracle.look(black_box(&game), &Budget::depth(1)));
}
