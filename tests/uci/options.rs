//! `setoption`, and what people read about the options.

use std::{fs, path::Path};

use crate::session::Session;

/// The names that the engine declares, with the rest of each line.
fn declared(session: &mut Session) -> Vec<(String, String)> {
    let lines = session.send("uci").until("uciok");
    lines
        .iter()
        .filter_map(|line| line.strip_prefix("option name "))
        .map(|line| line.split_once(" type ").unwrap())
        .map(|(name, rest)| (name.to_owned(), rest.to_owned()))
        .collect()
}

#[test]
fn what_is_declared_can_be_set_to_its_default() {
    let mut session = Session::new();
    let options = declared(&mut session);
    assert!(!options.is_empty());
    for (name, rest) in options {
        let Some((_, default)) = rest.split_once(" default ") else { continue };
        let default = default.split(" min ").next().unwrap().split(" var ").next().unwrap();
        let said = session.send(&format!("setoption name {name} value {default}")).ready();
        assert!(said.is_empty(), "{name}: {said:#?}");
    }
    session.quit();
}

#[test]
fn a_spin_takes_its_bounds_and_nothing_beyond() {
    let mut session = Session::new();
    for (name, rest) in declared(&mut session).iter().filter(|(_, rest)| rest.starts_with("spin ")) {
        let bounds = rest.split_once(" min ").unwrap().1;
        let (min, max) = bounds.split_once(" max ").unwrap();
        let (min, max): (i64, i64) = (min.parse().unwrap(), max.parse().unwrap());
        // As much memory or as many threads as may be had elsewhere are too many here.
        let max_here = if ["Hash", "Threads"].contains(&name.as_str()) { 2 } else { max };
        for good in [min, max_here] {
            assert!(
                session.send(&format!("setoption name {name} value {good}")).ready().is_empty(),
                "{name} {good}"
            );
        }
        for bad in [(min - 1).to_string(), (max + 1).to_string(), "joho".to_owned(), "1.5".to_owned()] {
            let said = session.send(&format!("setoption name {name} value {bad}")).ready();
            assert_eq!(said.len(), 1, "{name} {bad}: {said:#?}");
        }
    }
    session.go("go nodes 500");
    session.quit();
}

#[test]
fn without_a_value_nothing_happens() {
    let mut session = Session::new();
    for (name, _) in declared(&mut session).iter().filter(|(_, rest)| !rest.starts_with("button")) {
        for end in ["", " value", " value  "] {
            assert!(session.send(&format!("setoption name {name}{end}")).ready().is_empty(), "{name}{end}");
        }
    }
    session.quit();
}

#[test]
fn what_cannot_be_set_is_told_in_one_line() {
    let mut session = Session::new();
    for bad in [
        "setoption name Joho value 1",
        "setoption name Ponder value perhaps",
        "setoption name Log File value no/such/folder/at/all/log.txt",
        "setoption",
        "setoption name",
        "setoption value 3",
    ] {
        let said = session.send(bad).ready();
        assert_eq!(said.len(), 1, "{bad}: {said:#?}");
        assert!(said[0].starts_with("info string setoption: "), "{bad}: {said:#?}");
    }
    session.go("go nodes 500");
    session.quit();
}

#[test]
fn names_may_be_written_in_small_letters() {
    let mut session = Session::new();
    assert!(session.send("setoption name ponder value TRUE").ready().is_empty());
    let lines = session.send("go nodes 2000").until("bestmove");
    assert!(lines.last().unwrap().contains(" ponder "), "{lines:#?}");
    session.quit();
}

#[test]
fn an_option_set_during_a_search_holds_after_it() {
    let mut session = Session::new();
    session.send("setoption name Ponder value false").send("position startpos");
    session.send("go infinite").until("info depth");
    session.send("setoption name Ponder value true").send("setoption name Joho value 1");
    assert!(session.ready().iter().all(|line| !line.contains("Joho")), "set before the search has ended");
    session.send("stop");
    let lines = session.until("info string setoption");
    let best = lines.iter().find(|line| line.starts_with("bestmove")).unwrap();
    assert!(!best.contains("ponder"), "{best}");
    let lines = session.send("go nodes 2000").until("bestmove");
    assert!(lines.last().unwrap().contains(" ponder "), "{lines:#?}");
    session.quit();
}

#[test]
fn the_log_goes_to_a_file_while_it_is_named() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a log  with blanks.txt");
    let mut session = Session::new();
    session.send("ucinewgame");
    session.send(&format!("setoption name Log File value {}", path.display()));
    assert!(session.ready().is_empty());
    session.send("position startpos moves e2e4").ready();
    session.send("setoption name Log File value <empty>").ready();
    session.send("position startpos moves d2d4").ready();
    session.quit();
    let log = fs::read_to_string(path).unwrap();
    assert!(log.contains(">> position startpos moves e2e4"), "{log}");
    assert!(log.contains("<< readyok"), "{log}");
    assert!(!log.contains("ucinewgame"), "{log}");
    assert!(!log.contains("d2d4"), "{log}");
}

#[test]
fn the_page_on_options_is_what_the_program_prints() {
    let printed = assert_cmd::Command::new(assert_cmd::cargo::cargo_bin!("errare"))
        .arg("options")
        .current_dir(env!("CARGO_TARGET_TMPDIR"))
        .assert()
        .success();
    let printed = String::from_utf8(printed.get_output().stdout.clone()).unwrap();
    let page = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs").join("options.md");
    let page = fs::read_to_string(page).unwrap().replace("\r\n", "\n");
    assert_eq!(page, printed, "run 'errare options > docs/options.md'");
}
