//! What chains cost in KQKR on one core, tables in memory.

#![allow(clippy::unwrap_used, reason = "a test or bench may stop where it stands")]

use std::sync::{Arc, LazyLock, atomic::AtomicBool};

use divan::Bencher;
use errare::{
    config::Config,
    endgame::{Client, Tables, Walk},
    markov::{Exact, Fallible, Ground, Kernel, Matrix, Play, Scope},
    model::{Metric, Model, Policy, Preference},
};
use shakmaty::Color;

fn main() {
    // One core: the marks are for one.
    rayon::ThreadPoolBuilder::new().num_threads(1).build_global().unwrap();
    LazyLock::force(&KQKR);
    divan::main();
}

static KQKR: LazyLock<Walk> = LazyLock::new(|| {
    let folder = tempfile::tempdir().unwrap();
    let mut config = Config::parse(std::path::Path::new("engine.toml"), "").unwrap().tables;
    config.path = folder.path().to_string_lossy().into_owned();
    let tables = Tables::new(&config).unwrap();
    let table = tables.require("KQKR".parse().unwrap(), Metric::Dtc, Client::silent()).unwrap();
    Walk::new(table, &tables).unwrap()
});

static MODEL: LazyLock<Model> =
    LazyLock::new(|| Model { preference: Preference::table(1.0).unwrap(), policy: Policy::KEEP_VALUE });

/// From all positions of the full board, for so many competences at once.
#[divan::bench(args = [1, 10], sample_count = 3, sample_size = 1)]
fn matrix(bencher: Bencher<'_, '_>, competences: u32) {
    let competences: Vec<f64> = (0..competences).map(|more| 20.0 + f64::from(more)).collect();
    let never = AtomicBool::new(false);
    bencher.bench_local(|| Matrix::collect(&KQKR, Color::White, &MODEL, &competences, &never).unwrap());
}

/// R_20 against the uniform infallible defender, from every position, all that it needs being found out anew.
#[divan::bench(sample_count = 3, sample_size = 1)]
fn exact_lengths(bencher: Bencher<'_, '_>) {
    bencher.bench_local(|| {
        let ground = Ground::new(&KQKR, Scope::WonBy(Color::White)).unwrap();
        let attack = Fallible::new(&KQKR, &ground, Color::White, &MODEL, 20.0).unwrap().play(20.0).unwrap();
        let defence = Play::even(Arc::new(Kernel::optimal(&KQKR, &ground, Color::Black).unwrap()));
        Exact::new(&ground, attack, defence).expected_moves(None, &AtomicBool::new(false)).unwrap()
    });
}

/// The chance to win within 50 moves, from every position.
#[divan::bench(sample_count = 3, sample_size = 1)]
fn won_within_50(bencher: Bencher<'_, '_>) {
    let ground = Ground::new(&KQKR, Scope::WonBy(Color::White)).unwrap();
    let attack = Fallible::new(&KQKR, &ground, Color::White, &MODEL, 20.0).unwrap().play(20.0).unwrap();
    let defence = Play::even(Arc::new(Kernel::optimal(&KQKR, &ground, Color::Black).unwrap()));
    let game = Exact::new(&ground, attack, defence);
    bencher.bench_local(|| game.won_within(50, &AtomicBool::new(false), |_, _, _| {}));
}
