//! The papers beside ours: the entries that cost little.

#![allow(clippy::unwrap_used, reason = "a test or bench may stop where it stands")]

use std::{path::Path, sync::Arc, sync::LazyLock, sync::atomic::AtomicBool};

use errare::{
    agents::Rule,
    config::Config,
    endgame::{Client, Tables, Walk},
    model::Metric,
    reproduce::{ENTRIES, Entry, Finding, Lab, Verdict},
    simulation::{Attack, Sample, Spectrum},
};
use shakmaty::Color;

static TABLES: LazyLock<Arc<Tables>> = LazyLock::new(|| {
    let mut config = Config::parse(Path::new("engine.toml"), "").unwrap().tables;
    config.path = concat!(env!("CARGO_TARGET_TMPDIR"), "/tables").to_owned();
    let tables = Tables::new(&config).unwrap();
    Lab::prepare(&tables, false, Client::silent()).unwrap();
    Arc::new(tables)
});

static NEVER: AtomicBool = AtomicBool::new(false);

fn lab(kappa: Option<f64>) -> Lab<'static> {
    Lab { tables: TABLES.clone(), kappa, games: 30, seed: 1, cancel: &NEVER }
}

fn entry(name: &str) -> &'static Entry {
    ENTRIES.iter().find(|entry| entry.name == name).unwrap()
}

fn wrong(finding: &Finding) -> Vec<&str> {
    let rows = finding.rows.iter().filter(|row| row.verdict == Verdict::Wrong);
    rows.map(|row| row.quantity.as_str()).collect()
}

const CHEAP: [&str; 6] =
    ["p1-preference", "p1-crossovers", "p1-benefit", "p1-appendix-b", "p2-open", "p2-table-2"];

#[test]
fn nothing_differs_from_the_print_unexplained() {
    for name in CHEAP {
        let finding = (entry(name).run)(&lab(None)).unwrap();
        assert!(!finding.rows.is_empty());
        assert_eq!(wrong(&finding), Vec::<&str>::new(), "{name}");
    }
}

#[test]
fn a_wrong_kappa_shows() {
    for name in ["p1-crossovers", "p1-benefit", "p2-table-2"] {
        let finding = (entry(name).run)(&lab(Some(8.0))).unwrap();
        assert!(!wrong(&finding).is_empty(), "{name}");
    }
}

#[test]
fn what_differs_says_why() {
    let finding = (entry("p2-table-2").run)(&lab(None)).unwrap();
    let browne = finding.rows.iter().find(|row| row.quantity == "1 Browne - BELLE 1: c of White").unwrap();
    assert_eq!((browne.published.as_str(), browne.verdict), ("19.5", Verdict::Explained));
    assert!(browne.ours.starts_with("18.0") && browne.note.contains("move 50"));
}

/// Games R_20 - R_∞ of Browne - BELLE's first position.
fn play(rule: Rule, games: u64) -> Vec<(u32, Vec<f64>)> {
    let table = TABLES.get("KQKR".parse().unwrap(), Metric::Dtc).unwrap().clone();
    let walk = Walk::new(table, &TABLES).unwrap();
    let mates = TABLES.get("KQKR".parse().unwrap(), Metric::Dtm).unwrap();
    let watcher = Spectrum::new("0(1)50".parse().unwrap(), 1.0, 31);
    let attack =
        Attack { walk: &walk, mates: Some(mates), competence: 20.0, kappa: 1.0, rule, watcher: &watcher };
    let start = errare::endgame::position(&"K3r3/8/5k2/Q7/8/8/8/8 w - - 0 1".parse().unwrap()).unwrap();
    let index = TABLES.locate(&start, Metric::Dtc).unwrap().index;
    let played = attack.play_all(index, Color::White, games, 7).unwrap();
    played.iter().map(|game| (game.moves, watcher.ln_likelihoods(&game.evidence))).collect()
}

#[test]
fn simulated_games_depend_on_the_seed_alone() {
    let one =
        rayon::ThreadPoolBuilder::new().num_threads(1).build().unwrap().install(|| play(Rule::Uniform, 20));
    let three =
        rayon::ThreadPoolBuilder::new().num_threads(3).build().unwrap().install(|| play(Rule::Uniform, 20));
    assert_eq!(one, three);
}

/// A game of 31 moves at least, whichever optimal moves the defender prefers, and of about 100 on average.
#[test]
fn games_are_as_long_as_they_should_be() {
    for rule in Rule::ALL {
        let lengths = Sample::of(play(rule, 200).iter().map(|game| f64::from(game.0)));
        assert!(lengths.min >= 31.0, "{rule}: {lengths:?}");
        assert!((lengths.mean - 100.0).abs() < 25.0, "{rule}: {lengths:?}");
    }
}
