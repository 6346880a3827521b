//! Ratings from games: `errare rate`, `errare store`, `errare work`.

#![cfg(feature = "sqlite")]
#![allow(clippy::unwrap_used, reason = "a test that fails may stop")]

use std::{collections::BTreeMap, fs, path::Path, process, thread, time::Duration};

use assert_cmd::Command;
use predicates::str::contains;
use serde_json::Value;

/// Four games that everybody knows.
const CLASSICS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/classics.pgn");

fn errare(folder: &Path, arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_errare"));
    command.current_dir(folder).args(arguments);
    command
}

/// The ratings of the classics, each side of each game, by what is kept in a store.
fn ratings(folder: &Path, store: &str, depth: &str) -> (Value, u64) {
    let arguments = ["rate", CLASSICS, "--by", "game", "--depth", depth, "--json", "--store", store];
    let output = errare(folder, &arguments).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let object: Value = serde_json::from_slice(&output.stdout).unwrap();
    (object["ratings"].clone(), object["decisions_priced_now"].as_u64().unwrap())
}

#[test]
fn players_are_rated_and_a_second_run_prices_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let (first, priced) = ratings(folder, "a.sqlite", "3");
    assert!(priced > 100, "{priced}");
    assert_eq!(ratings(folder, "a.sqlite", "3"), (first.clone(), 0));
    assert_eq!(first.as_array().unwrap().len(), 8);
    for rating in first.as_array().unwrap() {
        let number = |key: &str| rating[key].as_f64().unwrap();
        assert!(rating["who"].is_string() && rating["games"] == 1);
        assert!((0.0..=3.0).contains(&number("c")) && (600.0..=3000.0).contains(&number("elo")), "{rating}");
        let interval = rating["c_interval"].as_array().unwrap();
        assert!(interval[0].as_f64().unwrap() <= number("c") && number("c") <= interval[1].as_f64().unwrap());
        assert!((0.0..=1.0).contains(&number("match")) && (0.0..=1.0).contains(&number("expected_match")));
        assert!(number("mean_error") >= 0.0 && number("expected_error") > 0.0 && number("z").is_finite());
        assert_eq!(rating["expected_for"], "inferred", "the classics have no Elo");
    }
}

#[test]
fn a_store_outlives_whoever_writes_it() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let (whole, priced) = ratings(folder, "whole.sqlite", "4");
    let looks = || -> u64 {
        let told = errare(folder, &["store", "stats", "--json", "--store", "a.sqlite"]).output().unwrap();
        // Whoever comes too early finds no store yet.
        serde_json::from_slice::<Value>(&told.stdout).map_or(0, |told| told["looks"].as_u64().unwrap())
    };
    let mut kept = 0;
    for after in 1..=4 {
        let mut rating = process::Command::new(env!("CARGO_BIN_EXE_errare"))
            .current_dir(folder)
            .args(["rate", CLASSICS, "--by", "game", "--depth", "4", "--store", "a.sqlite"])
            .stdout(process::Stdio::null())
            .stderr(process::Stdio::null())
            .spawn()
            .unwrap();
        // In the midst of it, however busy the machine is.
        while rating.try_wait().unwrap().is_none()
            && (!folder.join("a.sqlite").exists() || looks() < 20 * after)
        {
            thread::sleep(Duration::from_millis(5));
        }
        let known = looks();
        let _ = rating.kill();
        rating.wait().unwrap();
        assert!(looks() >= known && known >= kept, "{kept} {known}");
        kept = known;
        errare(folder, &["store", "verify", "--store", "a.sqlite"]).assert().success();
    }
    let (again, rest) = ratings(folder, "a.sqlite", "4");
    assert_eq!(again, whole);
    assert!(rest <= priced - kept, "{rest} of {priced} priced again, though {kept} were kept");
}

#[test]
fn a_game_that_cannot_be_read_is_named_once() {
    let folder = tempfile::tempdir().unwrap();
    let games = format!("[White \"A\"]\n\n1. e4 e5 2. Zb3 *\n\n{}", fs::read_to_string(CLASSICS).unwrap());
    fs::write(folder.path().join("games.pgn"), games).unwrap();
    let arguments = ["rate", "games.pgn", "--depth", "1", "--store", "a.sqlite"];
    let told = errare(folder.path(), &arguments).assert().success().get_output().clone();
    let told = String::from_utf8(told.stderr).unwrap();
    assert_eq!(told.matches("Zb3").count(), 1, "{told}");
}

#[test]
fn shards_that_are_merged_give_the_same_ratings() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let (whole, _) = ratings(folder, "whole.sqlite", "2");
    for shard in ["1/3", "2/3", "3/3"] {
        let store = format!("part-{}.sqlite", &shard[..1]);
        let arguments = ["rate", CLASSICS, "--shard", shard, "--depth", "2", "--store", &store];
        errare(folder, &arguments).assert().success().stdout("");
    }
    let parts = ["part-1.sqlite", "part-2.sqlite", "part-3.sqlite"];
    let merge = [&["store", "merge"], &parts[..], &["--store", "all.sqlite"]].concat();
    errare(folder, &merge).assert().success();
    assert_eq!(ratings(folder, "all.sqlite", "2"), (whole, 0));
}

#[test]
fn a_run_that_was_killed_goes_on_and_ends_the_same() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let (whole, all) = ratings(folder, "whole.sqlite", "4");
    let mut child = process::Command::new(env!("CARGO_BIN_EXE_errare"))
        .current_dir(folder)
        .args(["rate", CLASSICS, "--depth", "4", "--store", "cut.sqlite"])
        .stdout(process::Stdio::null())
        .spawn()
        .unwrap();
    // Whenever it is: before anything is priced, in the middle or after the end.
    thread::sleep(Duration::from_millis(500));
    let _ = child.kill();
    child.wait().unwrap();
    let (again, left) = ratings(folder, "cut.sqlite", "4");
    assert_eq!(again, whole);
    assert!(left <= all);
    errare(folder, &["store", "verify", "--store", "cut.sqlite", "--again", "5"])
        .assert()
        .success()
        .stdout(contains(format!("{all} looks are sound, 0 are damaged")))
        .stdout(contains("0 differ"));
}

#[test]
fn workers_that_share_the_jobs_give_the_same_ratings() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let (whole, _) = ratings(folder, "whole.sqlite", "2");
    let queue = ["rate", CLASSICS, "--depth", "2", "--queue", "--store", "jobs.sqlite"];
    errare(folder, &queue).assert().success().stdout(contains("4 games, 4 new jobs"));
    errare(folder, &queue).assert().success().stdout(contains("4 games, 0 new jobs"));
    let worker = || {
        process::Command::new(env!("CARGO_BIN_EXE_errare"))
            .current_dir(folder)
            .args(["work", "--until-done", "--threads", "1", "--store", "jobs.sqlite"])
            .stdout(process::Stdio::null())
            .spawn()
            .unwrap()
    };
    let workers = [worker(), worker(), worker()];
    for mut worker in workers {
        assert!(worker.wait().unwrap().success());
    }
    errare(folder, &["store", "stats", "--store", "jobs.sqlite"])
        .assert()
        .success()
        .stdout(contains("4  jobs to price: done"));
    assert_eq!(ratings(folder, "jobs.sqlite", "2"), (whole, 0));
}

#[test]
fn a_game_counts_once_and_a_bad_one_is_named() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let classics = fs::read_to_string(CLASSICS).unwrap();
    let bad = "[White \"X\"]\n\n1. e4 e5 2. Ke3 *\n\n";
    fs::write(folder.join("more.pgn"), format!("{bad}{classics}")).unwrap();
    errare(folder, &["rate", CLASSICS, "more.pgn", "--depth", "1", "--no-elo", "--store", "a.sqlite"])
        .assert()
        .success()
        .stdout(contains("4 games, "))
        .stdout(contains("4 games stand in the files twice"))
        .stderr(contains("game 1 (X - ?): 2. Ke3 can't be played"));
}

#[test]
fn questions_are_answered_in_one_command() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let ask = |more: &[&str]| {
        let base = ["rate", CLASSICS, "--depth", "2", "--store", "a.sqlite"];
        errare(folder, &[&base, more].concat()).assert().success()
    };
    fs::write(folder.join("names.txt"), "Adolf = Anderssen*\n").unwrap();
    ask(&["--by", "player", "--aliases", "names.txt", "--compare"])
        .stdout(contains("Adolf "))
        .stdout(contains("c of "));
    ask(&["--career", "Anderssen, Adolf", "--window", "2", "--svg", "charts"])
        .stdout(contains("c over the last 2 games"));
    assert!(fs::read_to_string(folder.join("charts/career.svg")).unwrap().contains("<svg"));
    ask(&["--opponents", "Anderssen, Adolf", "--html", "page.html"])
        .stdout(contains("Anderssen, Adolf - Dufresne, Jean, Berlin 1852 1-0, white"));
    let page = fs::read_to_string(folder.join("page.html")).unwrap();
    assert!(page.contains("<table>") && page.contains("<svg") && !page.contains("http://www.w3.org/1999"));
    ask(&["--moves", "--assume-elo", "2400", "--by", "colour"])
        .stdout(contains("choice  1"))
        .stdout(contains("chance"));
    ask(&["--profile", "--depth-weights", "1,3"]).stdout(contains("at depth 2: probability"));
    ask(&["--benchmark", "4", "--by", "phase", "--prior", "normal:1,0.3"])
        .stdout(contains("middlegame"))
        .stdout(contains("judged by itself at depth 4"));
    ask(&["--by", "period", "--periods", "1850-1859,1950-1959", "--csv"]).stdout(contains("\n1850-1859,3,"));
    ask(&["--by", "period", "--periods", "1850.01-1851.12", "--csv"]).stdout(contains("\n1850.01-1851.12,"));
    errare(folder, &["store", "export", "--store", "a.sqlite"])
        .assert()
        .success()
        .stdout(contains("engine,options,budget,position,move,choice,pawns_by_depth"));
    errare(folder, &["rate", CLASSICS, "--career", "Nobody", "--depth", "2", "--store", "a.sqlite"])
        .assert()
        .failure()
        .stderr(contains("no game of 'Nobody' counts"));
}

#[test]
fn an_engine_that_cannot_tell_all_moves_at_once_looks_at_each_by_itself() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let examples = Path::new(env!("CARGO_BIN_EXE_errare")).with_file_name("examples");
    let engine = examples.join("misbehaving_engine").with_extension(std::env::consts::EXE_EXTENSION);
    let rate =
        ["rate", CLASSICS, "--engine", engine.to_str().unwrap(), "--depth", "2", "--store", "a.sqlite"];
    errare(folder, &rate).assert().success().stdout(contains("Anderssen"));
    let told = errare(folder, &["store", "export", "--store", "a.sqlite"]).output().unwrap();
    let told = String::from_utf8(told.stdout).unwrap();
    // It has one line, and says of every position that whoever is to move there is 0.12 ahead.
    let values: Vec<&str> = told.lines().skip(1).filter_map(|line| line.rsplit(',').next()).collect();
    assert!(values.len() > 1000, "{}", values.len());
    for value in values {
        assert!(value.starts_with("-0.12") || value.starts_with('#') || value.starts_with("0.00"), "{value}");
    }
}

#[test]
fn an_engine_may_tell_only_its_best_moves_apart() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let engine = env!("CARGO_BIN_EXE_errare");
    let rate = ["rate", CLASSICS, "--engine", engine, "--depth", "2", "--lines", "3", "--store", "a.sqlite"];
    errare(folder, &rate).assert().success().stdout(contains("Anderssen"));
    let told = errare(folder, &["store", "export", "--store", "a.sqlite"]).output().unwrap();
    let told = String::from_utf8(told.stdout).unwrap();
    // The last values of the moves, the best first, of each position.
    let mut positions: BTreeMap<&str, Vec<(usize, &str)>> = BTreeMap::new();
    for line in told.lines().skip(1) {
        let (_, cells) = line.split_once("\"depth 2, lines 3\",").unwrap();
        let cells: Vec<&str> = cells.split(',').collect();
        let value = cells[3].rsplit(' ').next().unwrap();
        positions.entry(cells[0]).or_default().push((cells[2].parse().unwrap(), value));
    }
    let mut told_apart = 0;
    for moves in positions.values_mut() {
        moves.sort_unstable();
        assert!(moves.iter().skip(3).all(|(_, value)| *value == moves[2].1), "{moves:?}");
        told_apart += usize::from(moves.len() > 3 && moves[0].1 != moves[2].1);
    }
    assert!(positions.len() > 100 && told_apart * 2 > positions.len(), "{told_apart} of {}", positions.len());
    errare(folder, &["rate", CLASSICS, "--lines", "3"]).assert().failure().stderr(contains("--engine"));
}

#[test]
fn an_option_that_an_engine_does_not_have_or_cannot_set_so_is_named() {
    let folder = tempfile::tempdir().unwrap();
    let rows = [
        ("Hsh=9", "has no option 'Hsh'; it has: "),
        ("Hash=0", "can't have Hash = 0: it must be a number from"),
    ];
    for (option, told) in rows {
        let engine = format!("{},option.{option}", env!("CARGO_BIN_EXE_errare"));
        let rate = ["rate", CLASSICS, "--engine", &engine, "--depth", "1", "--store", "a.sqlite"];
        errare(folder.path(), &rate).assert().failure().stderr(contains(told));
    }
}

#[test]
fn a_file_without_games_is_named_and_nothing_is_rated() {
    let folder = tempfile::tempdir().unwrap();
    for text in ["", "no chess in here\n"] {
        fs::write(folder.path().join("junk.pgn"), text).unwrap();
        let rated = errare(folder.path(), &["rate", "junk.pgn", "--store", "a.sqlite"]).assert();
        rated.code(1).stdout("").stderr(contains("no games in junk.pgn"));
    }
}
