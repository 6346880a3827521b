//! The papers beside ours: the entries that cost little.

#![allow(clippy::unwrap_used, reason = "a test or bench may stop where it stands")]

use std::{path::Path, sync::Arc, sync::LazyLock, sync::atomic::AtomicBool};

use errare::{
    agents::Rule,
    config::Config,
    endgame::{Client, Tables, Walk},
    model::{Metric, Model, Policy, Preference},
    reproduce::{Comparison, ENTRIES, Exhibit, Finding, Lab},
    simulation::{Chooser, Contest, Played, Spectrum, bounds},
    statistics::Moments,
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

fn entry(name: &str) -> &'static Exhibit {
    ENTRIES.iter().find(|entry| entry.name == name).unwrap()
}

fn wrong(finding: &Finding) -> Vec<&str> {
    let rows = finding.rows.iter().filter(|row| row.verdict == Comparison::Wrong);
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
    assert_eq!((browne.published.as_str(), browne.verdict), ("19.5", Comparison::Explained));
    assert!(browne.ours.starts_with("18.0") && browne.note.contains("move 50"));
}

/// Games R_20 - R_∞ of Browne - BELLE's first position.
fn play(rule: Rule, games: usize) -> Vec<(usize, Vec<f64>)> {
    let table = TABLES.get("KQKR".parse().unwrap(), Metric::Dtc).unwrap().clone();
    let walk = Walk::new(table, &TABLES).unwrap();
    let mates = TABLES.get("KQKR".parse().unwrap(), Metric::Dtm).unwrap();
    let model = Model { preference: Preference::table(1.0).unwrap(), policy: Policy::KEEP_VALUE };
    let bounds = bounds(walk.table(), Color::White);
    let watcher = Spectrum::new(&model, "0(1)50".parse().unwrap(), bounds).unwrap();
    let start = errare::notation::position(&"K3r3/8/5k2/Q7/8/8/8/8 w - - 0 1".parse().unwrap()).unwrap();
    let contest = Contest {
        walk: &walk,
        mates: Some(mates),
        start: TABLES.locate(&start, Metric::Dtc).unwrap().index,
        first: Color::White,
        choosers: [&Chooser::fallible(&model, 20.0, bounds).unwrap(), &Chooser::infallible(rule)],
        watchers: [Some(&watcher), None],
        longest: usize::MAX,
    };
    let played = contest.play_all(games, |game| 7000 + game as u64, &AtomicBool::new(false)).unwrap();
    let evidence = |game: &Played| watcher.ln_likelihoods(game.evidence[0].as_ref().unwrap());
    played.iter().map(|game| (game.moves(), evidence(game))).collect()
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
        let lengths = Moments::of(play(rule, 200).iter().map(|game| game.0 as f64)).unwrap();
        assert!(lengths.min >= 31.0, "{rule}: {lengths:?}");
        assert!((lengths.mean - 100.0).abs() < 25.0, "{rule}: {lengths:?}");
    }
}
