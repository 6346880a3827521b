//! Simulated games of R_20 against R_∞ with queen against rook: moves of both sides a second.

#![allow(clippy::unwrap_used, reason = "a bench that fails may stop")]

use std::sync::{Arc, OnceLock, atomic::AtomicBool};

use divan::{Bencher, counter::ItemsCount};
use errare::{
    agents::AgentSpec,
    arena::{Opening, PlayerSpec, Rules, Schedule, Simulation},
    config::Config,
    endgame::{Client, Tables},
    model::Metric,
    notation::read_position,
};

fn main() {
    divan::main();
}

fn tables() -> &'static Arc<Tables> {
    static TABLES: OnceLock<(Arc<Tables>, tempfile::TempDir)> = OnceLock::new();
    let (tables, _folder) = TABLES.get_or_init(|| {
        let folder = tempfile::tempdir().unwrap();
        let mut config = Config::parse(std::path::Path::new("engine.toml"), "").unwrap().tables;
        config.path = folder.path().to_string_lossy().into_owned();
        let tables = Arc::new(Tables::new(&config).unwrap());
        tables.require("KQKR".parse().unwrap(), Metric::Dtc, Client::silent()).unwrap();
        (tables, folder)
    });
    tables
}

/// About a million moves: 5,000 games of some 200 plies. With an Analyser, each side has one of 51 candidates.
#[divan::bench(args = [false, true], consts = [1, 2], sample_count = 3, sample_size = 1)]
fn simulating<const THREADS: usize>(bencher: Bencher<'_, '_>, watched: bool) {
    let start = read_position("K3r3/8/5k2/Q7/8/8/8/8 w - - 0 1").unwrap();
    let schedule = Schedule::new(vec![Opening::from_position("browne-belle-1", start)], 5_000, false, 1);
    let players: [PlayerSpec; 2] = ["player:c=20", "infallible"].map(|text| text.parse().unwrap());
    let base = AgentSpec { opponent_keeps_value: true, ..AgentSpec::default() };
    let [a, b] = players.map(|player| player.agent(&base).unwrap());
    let simulation =
        Simulation::new(&schedule, [&a, &b], &base, Rules::CONVERSION, tables(), !watched).unwrap().unwrap();
    let pool = rayon::ThreadPoolBuilder::new().num_threads(THREADS).build().unwrap();
    let run = || pool.install(|| simulation.run(&AtomicBool::new(false)).unwrap());
    let moves: usize = run().iter().map(|entry| 2 * entry.length - 1).sum();
    bencher.counter(ItemsCount::new(moves)).bench_local(run);
}
