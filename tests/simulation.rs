//! Simulated games are the games that agents play, only faster.

#![allow(clippy::unwrap_used, reason = "a test or bench may stop where it stands")]

use std::{
    collections::HashSet,
    ops::ControlFlow,
    sync::{Arc, atomic::AtomicBool},
    time::Duration,
};

use errare::{
    agents::AgentSpec,
    arena::{
        Entry, Match, MatchEvent, Observer, Opening, PlayerSpec, Rules, Schedule, Seating, Simulation,
        Summary,
    },
    config::Config,
    endgame::{Client, TableConfig, Tables},
    engine::SeatSettings,
    model::Metric,
    notation::read_position,
    oracle::TableOracle,
};

struct Arena {
    tables: Arc<Tables>,
    settings: SeatSettings,
    schedule: Schedule,
    players: [PlayerSpec; 2],
    _folder: tempfile::TempDir,
}

/// R_15 wins king and rook against king from a position won in 16.
fn arena(games: usize, player: &str) -> Arena {
    let folder = tempfile::tempdir().unwrap();
    let config = TableConfig {
        path: folder.path().display().to_string(),
        syzygy: String::new(),
        syzygy_men: 7,
        syzygy_check: true,
        fifty: true,
        build_men: 3,
        memory: 512,
    };
    let tables = Arc::new(Tables::new(&config).unwrap());
    tables.require("KRK".parse().unwrap(), Metric::Dtc, Client::silent()).unwrap();
    let mut settings = SeatSettings::new(&Config::built_in().unwrap());
    settings.agent.grid.table = "0(1)30".parse().unwrap();
    let start = read_position("8/8/8/3k4/8/8/8/K6R w - - 0 1").unwrap();
    let schedule = Schedule::new(vec![Opening::from_position("KRK", start)], games, false, 3);
    let players = [player, "infallible"].map(|text| text.parse().unwrap());
    Arena { tables, settings, schedule, players, _folder: folder }
}

impl Arena {
    fn simulation(&self, unwatched: bool) -> Option<Simulation<'_>> {
        let watched = &self.settings.agent;
        let [a, b] = self.players.each_ref().map(|player| player.agent(watched).unwrap());
        let players: [&AgentSpec; 2] = [&a, &b];
        Simulation::new(&self.schedule, players, watched, Rules::CONVERSION, &self.tables, unwatched).unwrap()
    }

    fn simulate(&self) -> Vec<Entry> {
        self.simulation(false).unwrap().run(&AtomicBool::new(false)).unwrap()
    }

    fn play(&self) -> Vec<Entry> {
        let observer = Observer::new(
            TableOracle::new(self.tables.clone(), Metric::Dtc),
            self.settings.agent.analyser().unwrap(),
        );
        let seating = Seating::new(&self.players, &self.settings, &Rules::CONVERSION, self.tables.clone());
        let mut entries = Vec::new();
        Match {
            schedule: &self.schedule,
            rules: Rules::CONVERSION,
            arbiter: Some(&*self.tables),
            observer: Some(&observer),
            controls: vec!["60".parse().unwrap(); 2],
            margin: Duration::from_secs(60),
            concurrency: 2,
            make: &|player| seating.seat(player),
            cancel: seating.cancel.clone(),
        }
        .run(&HashSet::new(), &|| false, |event| {
            if let MatchEvent::Game(scheduled, record) = event {
                entries.push(Entry::new(scheduled, &record));
            }
            ControlFlow::Continue(())
        })
        .unwrap();
        entries.sort_by_key(|entry| entry.scheduled.number);
        entries
    }
}

fn summary(entries: &[Entry]) -> Summary {
    let mut summary = Summary::new(false);
    entries.iter().for_each(|entry| summary.add(entry));
    summary
}

#[test]
fn simulated_and_played_games_are_alike() {
    for player in ["player:c=15", "player:c=15,keep_value=false"] {
        let arena = arena(300, player);
        let (simulated, played) = (summary(&arena.simulate()), summary(&arena.play()));
        let near = |name: &str, a: f64, b: f64, error: f64| {
            assert!((a - b).abs() < 4.5 * error, "{player}: {name} {a} and {b}, standard error {error}");
        };
        let error = |a: f64, b: f64| a.hypot(b);
        near(
            "length",
            simulated.lengths().moments().unwrap().mean,
            played.lengths().moments().unwrap().mean,
            error(
                simulated.lengths().moments().unwrap().standard_error.unwrap(),
                played.lengths().moments().unwrap().standard_error.unwrap(),
            ),
        );
        let [a, b] = [&simulated, &played].map(|summary| summary.competence()[0].unwrap());
        near("competence", a.mean, b.mean, error(a.standard_error.unwrap(), b.standard_error.unwrap()));
        let [a, b] = [&simulated, &played].map(|summary| summary.tally().wins as f64);
        near("wins", a, b, (a.max(b) + 1.0).sqrt() * 2f64.sqrt());
    }
}

#[test]
fn games_are_the_same_on_any_number_of_threads() {
    let arena = arena(200, "player:c=15");
    let on = |threads: usize| {
        rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap().install(|| arena.simulate())
    };
    let once = on(1);
    assert_eq!(once, on(3));
    assert!(once.iter().any(|entry| entry.length != once[0].length), "chance plays a part");
    assert_eq!(arena.play(), arena.play(), "played games follow from the seed too");
}

/// Floating-point numbers can't hold the preferences of these side by side.
#[test]
fn players_of_too_great_a_competence_are_not_simulated() {
    for player in ["player:c=inf", "player:c=-inf", "player:c=1000"] {
        assert!(arena(1, player).simulation(true).is_none(), "{player}");
    }
}

#[test]
fn an_infallible_attacker_needs_exactly_the_depth() {
    let arena = arena(20, "infallible");
    let depth =
        arena.tables.probe(arena.schedule.openings()[0].game.position(), Metric::Dtc).unwrap().depth();
    for entry in arena.simulate().iter().chain(&arena.play()) {
        assert_eq!(entry.length, usize::from(depth.unwrap().0));
    }
}
