//! Positions that tables know, and tables that are not there yet.

use std::{
    sync::{Arc, LazyLock},
    time::Instant,
};

use errare::{
    config::Config,
    endgame::{Client, Tables},
    model::Metric,
};

use crate::session::{DEADLINE, Session};

/// The folder with the tables that these tests play by.
pub fn folder() -> String {
    format!("{}/played tables", env!("CARGO_TARGET_TMPDIR"))
}

/// KRK and KQKR by DTC, and KRK by DTM.
pub static TABLES: LazyLock<Arc<Tables>> = LazyLock::new(|| {
    let mut config = Config::parse(std::path::Path::new("engine.toml"), "").unwrap().tables;
    config.path = folder();
    let tables = Tables::new(&config).unwrap();
    for (material, metric) in [("KQKR", Metric::Dtc), ("KRK", Metric::Dtc), ("KRK", Metric::Dtm)] {
        tables.require(material.parse().unwrap(), metric, Client::silent()).unwrap();
    }
    Arc::new(tables)
});

/// An engine with these tables, and options set.
pub fn session(options: &[(&str, &str)]) -> Session {
    LazyLock::force(&TABLES);
    let mut session = Session::new();
    session.send(&format!("setoption name TablebasePath value {}", folder()));
    for (name, value) in options {
        session.send(&format!("setoption name {name} value {value}"));
    }
    assert!(session.ready().is_empty());
    session
}

#[test]
fn a_table_tells_mate_where_it_knows_it_and_a_large_score_elsewhere() {
    let mut session = session(&[]);
    for (fen, score) in [
        ("7k/8/5K2/8/8/8/8/R7 w - - 0 1", "score mate 2 "),
        ("7k/8/6K1/8/8/8/8/R7 b - - 0 1", "score mate -1 "),
        ("2KQ4/8/8/8/2r5/2k5/8/8 w - - 0 1", "score cp 199"),
        ("8/8/8/8/4k3/8/r7/1K6 w - - 0 1", "score cp 0 "),
    ] {
        let lines =
            session.send(&format!("position fen {fen}")).send("go wtime 100 btime 100").until("bestmove");
        let line = lines.iter().find(|line| line.contains(" score ")).unwrap();
        assert!(line.contains(score), "{fen}: {line}");
        assert!(line.contains(" pv ") && !line.contains(" tbhits 0 "), "{line}");
    }
    session.quit();
}

#[test]
fn analysis_shows_the_truth_whoever_plays() {
    let mate_in_one = "position fen 7k/8/6K1/8/8/8/8/R7 w - - 0 1";
    let worst = [("Agent", "Player"), ("Competence", "-inf"), ("Game Competence", "-inf")];
    let mut session = session(&worst);
    session.send(mate_in_one);
    assert_ne!(session.go("go movetime 50"), "a1a8");
    let lines = session.send("go infinite").send("stop").until("bestmove");
    assert_eq!(lines.last().unwrap(), "bestmove a1a8");
    session.send("setoption name UCI_AnalyseMode value true");
    assert_eq!(session.go("go movetime 50"), "a1a8");
    session.send("setoption name UCI_AnalyseMode value false").send("setoption name MultiPV value 3");
    let lines = session.send("go movetime 50").until("bestmove");
    for (number, line) in (1..=3).zip(lines.iter().filter(|line| line.starts_with("info depth"))) {
        assert!(line.contains(&format!(" multipv {number} ")), "{lines:#?}");
    }
    assert_eq!(lines.last().unwrap(), "bestmove a1a8");
    session.send("position fen 6k1/5ppp/8/8/8/8/5PPP/R5K1 w - - 0 1");
    assert_eq!(session.go("go movetime 200"), "a1a8");
    session.quit();
}

#[test]
fn searchmoves_hold_in_tables_too() {
    for agent in ["Predator", "Player", "Emulator", "Coach", "Infallible", "Search"] {
        let mut session = session(&[("Agent", agent)]);
        session.send("position fen 7k/8/6K1/8/8/8/8/R7 w - - 0 1");
        assert_eq!(session.go("go movetime 50 searchmoves a1b1"), "a1b1", "{agent}");
        session.quit();
    }
}

#[test]
fn a_missing_table_is_made_while_the_engine_plays_and_answers() {
    let folder = tempfile::tempdir().unwrap();
    let mut session = Session::new();
    session.send(&format!("setoption name TablebasePath value {}", folder.path().display()));
    session.send("position fen 8/8/8/4k3/8/8/8/1Q2K3 w - - 0 1");
    let begun = Instant::now();
    let mut said = Vec::new();
    loop {
        let lines = session.send("go nodes 500").until("bestmove");
        said.extend(lines.iter().filter(|line| line.contains("string making the table KQK by DTC")).cloned());
        assert!(session.ready().is_empty());
        if lines.iter().any(|line| line.contains(" depth 12 ") && line.contains(" score cp 19")) {
            break;
        }
        assert!(begun.elapsed() < DEADLINE, "no table: {lines:#?}");
    }
    assert!(folder.path().join("KQK.dtc").exists());
    assert_eq!(said.len(), 1, "what is made is said once: {said:#?}");
    session.quit();
}

#[test]
fn no_table_is_made_where_none_is_wanted() {
    let folder = tempfile::tempdir().unwrap();
    let mut session = Session::new();
    session.send(&format!("setoption name TablebasePath value {}", folder.path().display()));
    session.send("setoption name Build Tables value 0");
    session.send("position fen 8/8/8/4k3/8/8/8/1Q2K3 w - - 0 1");
    session.go("go nodes 5000");
    session.quit();
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0);
}
