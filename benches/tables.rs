//! Endgame tables: seconds to generate them, probes a second.
//!
//! `cargo bench --bench tables` runs all of it; KBBKN takes most of the time. Compare figures of one run only.

#![allow(clippy::unwrap_used, reason = "a bench that fails may stop")]

use std::sync::{Arc, OnceLock};

use divan::{Bencher, counter::ItemsCount};
use errare::{
    config::Config,
    endgame::{self, Client, Indexer, Job, Material, Table, Tables, TablesError},
    model::Metric,
    notation,
};
use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64;
use shakmaty::{Chess, Color};

fn main() {
    divan::main();
}

/// Tables in memory and in a folder that goes away.
fn tables() -> &'static Tables {
    static TABLES: OnceLock<(Tables, tempfile::TempDir)> = OnceLock::new();
    let (tables, _folder) = TABLES.get_or_init(|| {
        let folder = tempfile::tempdir().unwrap();
        let mut config = Config::parse(std::path::Path::new("engine.toml"), "").unwrap().tables;
        config.path = folder.path().to_string_lossy().into_owned();
        (Tables::new(&config).unwrap(), folder)
    });
    tables
}

fn generate(name: &str, metric: Metric, threads: usize) -> Table {
    let material: Material = name.parse().unwrap();
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
    pool.install(|| {
        endgame::generate(material, metric, Job::quiet(), |material, metric| {
            tables().get(material, metric).cloned().ok_or(TablesError::Missing(material, metric))
        })
        .unwrap()
    })
}

/// From nothing but its subgames to a finished table, not yet stored.
#[divan::bench(args = ["KQKR", "KPKP", "KBBKN"], consts = [1, 2], sample_count = 3, sample_size = 1)]
fn generating<const THREADS: usize>(bencher: Bencher<'_, '_>, name: &str) {
    let material: Material = name.parse().unwrap();
    for subgame in material.subgames() {
        tables().require(subgame, Metric::Dtc, Client::silent()).unwrap();
    }
    bencher.bench_local(|| generate(name, Metric::Dtc, THREADS));
}

/// Packing and writing a table.
#[divan::bench(args = ["KQKR", "KPKP"], sample_count = 3, sample_size = 1)]
fn storing(bencher: Bencher<'_, '_>, name: &str) {
    let table = tables().require(name.parse().unwrap(), Metric::Dtc, Client::silent()).unwrap();
    let folder = tempfile::tempdir().unwrap();
    bencher.bench_local(|| endgame::write(&table, folder.path()).unwrap());
}

fn random_positions(table: &Table, count: usize) -> Vec<Chess> {
    let indexer: &Arc<Indexer> = table.indexer();
    let mut rng = Pcg64::seed_from_u64(31);
    let mut positions = Vec::with_capacity(count);
    while positions.len() < count {
        let squares = indexer.squares(rng.random_range(0..indexer.size() as u32));
        let color = if rng.random() { Color::White } else { Color::Black };
        let fen = endgame::fen(indexer.men(), &squares, color);
        positions.extend(notation::position(&fen).ok());
    }
    positions
}

/// Value and depth of random positions, decoded tables, one core.
#[divan::bench(args = ["KQKR", "KPKP", "KRK"])]
fn probing(bencher: Bencher<'_, '_>, name: &str) {
    let table = tables().require(name.parse().unwrap(), Metric::Dtc, Client::silent()).unwrap();
    let positions = random_positions(&table, 10_000);
    bencher.counter(ItemsCount::new(positions.len())).bench(|| {
        for position in &positions {
            divan::black_box(tables().probe(position, Metric::Dtc));
        }
    });
}

/// The same by number, as simulations look things up.
#[divan::bench(args = ["KQKR", "KPKP"])]
fn looking_up(bencher: Bencher<'_, '_>, name: &str) {
    let table = tables().require(name.parse().unwrap(), Metric::Dtc, Client::silent()).unwrap();
    let mut rng = Pcg64::seed_from_u64(31);
    let numbers: Vec<_> = (0..10_000).map(|_| rng.random_range(0..table.indexer().size() as u32)).collect();
    bencher.counter(ItemsCount::new(numbers.len())).bench(|| {
        for &number in &numbers {
            let squares = table.indexer().squares(number);
            let index = table.indexer().index(divan::black_box(&squares)).unwrap();
            divan::black_box(table.state(Color::White, index).unwrap());
        }
    });
}
