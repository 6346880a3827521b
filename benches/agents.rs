//! What a choice costs in KQKR and in a drawn KRKN, tables in memory.

#![allow(clippy::unwrap_used, reason = "a test or bench may stop where it stands")]

use std::sync::{Arc, LazyLock, atomic::AtomicBool};

use divan::Bencher;
use errare::{
    agents::{Agent, HuntSettings, Infallible, Player, Predator, Rule, Situation},
    config::Config,
    endgame::{Client, Tables, Walk},
    game::Game,
    model::{Belief, Competence, Metric, Model, Policy, Preference, Scale},
    oracle::{Budget, Oracle, TableOracle},
    simulation::{Chooser, Contest, Spectrum, bounds},
};
use rand::SeedableRng;
use rand_pcg::Pcg64;
use shakmaty::{CastlingMode, Chess, Color, Position, fen::Fen};

fn main() {
    LazyLock::force(&TABLES);
    divan::main();
}

static TABLES: LazyLock<TableOracle> = LazyLock::new(|| TableOracle::new(LIBRARY.clone(), Metric::Dtc));

static LIBRARY: LazyLock<Arc<Tables>> = LazyLock::new(|| {
    let folder = tempfile::tempdir().unwrap();
    let mut config = Config::parse(std::path::Path::new("engine.toml"), "").unwrap().tables;
    config.path = folder.path().to_string_lossy().into_owned();
    let tables = Tables::new(&config).unwrap();
    for material in ["KQKR", "KRKN"] {
        tables.require(material.parse().unwrap(), Metric::Dtc, Client::silent()).unwrap();
    }
    Arc::new(tables)
});

fn position(fen: &str) -> Chess {
    fen.parse::<Fen>().unwrap().into_position(CastlingMode::Standard).unwrap()
}

/// Browne - BELLE, game 2, move 12, where four moves are optimal.
const BB2_12B: &str = "8/8/8/2K5/r7/2Q5/4k3/8 b - - 0 1";
/// A drawn KRKN: every drawing move is a candidate, at every own node.
const DRAWN: &str = "8/8/6k1/6n1/8/4K3/8/3R4 w - - 0 1";
const START: &str = "K3r3/8/5k2/Q7/8/8/8/8 w - - 0 1";

fn model(policy: Policy) -> Model {
    Model { preference: Preference::table(1.0).unwrap(), policy }
}

fn uniform() -> Belief {
    Belief::uniform("0(1)50".parse().unwrap(), Scale::Table)
}

#[divan::bench]
fn look(bencher: Bencher<'_, '_>) {
    let game = Game::new(position(START));
    bencher.bench_local(|| TABLES.look(&game, &Budget::default()));
}

#[divan::bench(args = [(BB2_12B, 2), (BB2_12B, 4), (BB2_12B, 6), (DRAWN, 2), (DRAWN, 4)])]
fn predator(bencher: Bencher<'_, '_>, (fen, plies): (&str, u32)) {
    let game = Game::new(position(fen));
    let settings = HuntSettings { plies, ..HuntSettings::default() };
    let predator =
        Predator { settings, opponent: model(Policy::FREE), mixture: uniform().mixture(), foresight: None };
    let advice = predator.advise(&Situation::new(&game, &*TABLES)).unwrap();
    assert!(advice.candidates.len() > 1, "a choice between one move costs nothing");
    bencher.bench_local(|| predator.advise(&Situation::new(&game, &*TABLES)).unwrap());
}

/// R_20 - R_∞ to conversion, the Analyser watching R_20.
#[divan::bench]
fn watched_game(bencher: Bencher<'_, '_>) {
    let model = model(Policy::KEEP_VALUE);
    let player = Player { competence: Competence::new(20.0, Scale::Table).unwrap(), model };
    let defender = Infallible::default();
    let mut rng = Pcg64::seed_from_u64(1);
    bencher.bench_local(|| {
        let mut belief = uniform();
        let mut game = Game::new(position(START));
        loop {
            let situation = Situation::new(&game, &*TABLES);
            let m = match game.position().turn() {
                Color::White => player.choose(&situation, &mut rng).unwrap(),
                Color::Black => defender.choose(&situation, &mut rng).unwrap(),
            };
            if game.position().turn() == Color::White {
                let decision = model.decide(situation.look().unwrap().prospects()).unwrap();
                belief.observe(&decision, &m).unwrap();
            }
            game.play(m);
            if m.is_capture() || game.position().is_game_over() {
                break belief.mean();
            }
        }
    });
}

/// 1,000 games R_20 - R_∞ to conversion, each watched by an Analyser, walked over the table on one core.
#[divan::bench(sample_count = 5, sample_size = 1)]
fn thousand_watched_games(bencher: Bencher<'_, '_>) {
    let tables = &*LIBRARY;
    let walk = Walk::new(tables.get("KQKR".parse().unwrap(), Metric::Dtc).unwrap().clone(), tables).unwrap();
    let start = tables.locate(&position(START), Metric::Dtc).unwrap();
    let model = Model { preference: Preference::table(1.0).unwrap(), policy: Policy::KEEP_VALUE };
    let bounds = bounds(walk.table(), start.to_move);
    let watcher = Spectrum::new(&model, "0(1)50".parse().unwrap(), bounds).unwrap();
    let contest = Contest {
        walk: &walk,
        mates: None,
        start: start.index,
        first: start.to_move,
        choosers: [&Chooser::fallible(&model, 20.0, bounds).unwrap(), &Chooser::infallible(Rule::Uniform)],
        watchers: [Some(&watcher), None],
        longest: usize::MAX,
    };
    let one = rayon::ThreadPoolBuilder::new().num_threads(1).build().unwrap();
    bencher.bench_local(|| {
        one.install(|| contest.play_all(1000, |game| game as u64, &AtomicBool::new(false)).unwrap())
    });
}
