//! People: what `calibrate` and `explain --elo` say.

#![allow(clippy::unwrap_used, reason = "a test that fails may stop")]

use std::{fs, path::PathBuf};

use assert_cmd::Command;
use predicates::str::contains;
use serde_json::Value;

fn errare(arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_errare"));
    command.args(arguments);
    command
}

/// Some rated games, a line each: openings that go on for a while.
fn games(folder: &tempfile::TempDir) -> PathBuf {
    let moves = "e4 e5 Nf3 Nc6 Bc4 Bc5 c3 Nf6 d3 d6 O-O O-O Re1 a6 Bb3 Ba7 h3 h6 Nbd2 Be6 Nf1 Re8 Ng3 Qd7 Nh4 Bxb3 Qxb3 d5";
    let lines: String = (0..500)
        .map(|number| {
            format!("{} {} 1-0 2011|Player {number}|Other {number}|{moves} 1-0\n", 1200 + 3 * number, 2300)
        })
        .collect();
    let path = folder.path().join("games.txt");
    fs::write(&path, lines).unwrap();
    path
}

#[test]
fn how_people_of_an_elo_choose_is_told() {
    let fen = "r1bqkbnr/pppp1ppp/2n5/4p3/2B1P3/5Q2/PPPP1PPP/RNB1K1NR b KQkq - 3 3";
    let output = errare(&["explain", fen, "--elo", "1200", "--depth", "4", "--json"]).output().unwrap();
    let object: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!((object["elo"].as_u64(), object["scale"].as_str()), (Some(1200), Some("evaluation")));
    let moves = object["moves"].as_array().unwrap();
    let sum: f64 = moves.iter().map(|m| m["probability"].as_f64().unwrap()).sum();
    assert!((sum - 1.0).abs() < 1e-9, "{sum}");
    assert!(moves.iter().all(|m| m["values"].as_array().unwrap().len() == 4));
    errare(&["explain", fen, "--elo", "1200", "--depth", "2"])
        .assert()
        .success()
        .stdout(contains("Elo 1200 plays"));
}

#[test]
fn a_model_is_tested_on_games() {
    let folder = tempfile::tempdir().unwrap();
    let games = games(&folder);
    let output = errare(&[
        "calibrate",
        "--test",
        games.to_str().unwrap(),
        "--depth",
        "1",
        "--per-band",
        "3",
        "--json",
    ])
    .output()
    .unwrap();
    let object: Value = serde_json::from_slice(&output.stdout).unwrap();
    let all = &object["all"];
    assert!(all["n"].as_u64().unwrap() > 0);
    for key in ["ll", "ll_paper", "top1", "ece"] {
        assert!(all[key].is_number(), "{key}");
    }
    let bands = object["bands"].as_array().unwrap();
    assert!(bands.iter().any(|band| band["elo"] == 2300), "{bands:?}");
    let error = String::from_utf8(output.stderr).unwrap();
    assert!(error.contains("the model was made with prices by"), "{error}");
}

#[test]
fn prices_are_kept_and_a_model_is_fitted_to_them() {
    let folder = tempfile::tempdir().unwrap();
    let games = games(&folder);
    let prices = folder.path().join("prices.jsonl");
    let out = folder.path().join("human.toml");
    let [games, prices, out] = [&games, &prices, &out].map(|path| path.to_str().unwrap());
    let price =
        ["calibrate", games, "--prices", prices, "--depth", "2", "--per-band", "400", "--per-game", "6"];
    errare(&price).assert().success();
    let before = fs::read_to_string(prices).unwrap();
    assert!(before.lines().count() > 400);
    // A line that was not finished is made again; what is there already is not.
    let cut = before.trim_end().len() - 10;
    fs::write(prices, &before[..cut]).unwrap();
    errare(&price).assert().success();
    assert_eq!(fs::read_to_string(prices).unwrap().lines().count(), before.lines().count());

    let charts = folder.path().join("charts");
    errare(&["calibrate", "--prices", prices, "--out", out, "--svg", charts.to_str().unwrap()])
        .assert()
        .success()
        .stdout(contains("price alone"));
    assert!(fs::read_to_string(out).unwrap().contains("ln_competence"));
    assert!(fs::read_to_string(charts.join("depths.svg")).unwrap().contains("<svg"));
    errare(&["calibrate", "--test", games, "--model", out, "--depth", "2", "--per-band", "2", "--json"])
        .assert()
        .success();
    // Prices by another depth can't stand beside these.
    let other = ["calibrate", games, "--prices", prices, "--depth", "3"];
    errare(&other).assert().code(1).stderr(contains("name another file"));
}

#[test]
fn what_a_calibration_lacks_is_named() {
    let folder = tempfile::tempdir().unwrap();
    let games = games(&folder);
    let junk = folder.path().join("junk.bin");
    fs::write(&junk, "no prior").unwrap();
    let [games, junk] = [&games, &junk].map(|path| path.to_str().unwrap());
    for (arguments, words) in [
        (vec!["calibrate", games], "say what to do"),
        (vec!["calibrate", "--test", "nowhere.pgn"], "nowhere.pgn"),
        (vec!["calibrate", "--test", junk], "no games in"),
        (vec!["calibrate", "--test", games, "--prior", junk], "no prior of this version"),
        (vec!["calibrate", "--test", games, "--model", games], "games.txt"),
        (vec!["calibrate", "--prices", games, "--out", "x.toml"], "does not begin as a file of prices"),
    ] {
        let output = errare(&arguments).output().unwrap();
        let error = String::from_utf8(output.stderr).unwrap();
        assert!(matches!(output.status.code(), Some(1 | 2)), "{arguments:?}: {error}");
        assert!(error.contains(words) && !error.contains("panicked"), "{arguments:?}: {error}");
    }
}

#[test]
fn a_judge_says_how_moves_look() {
    let folder = tempfile::tempdir().unwrap();
    let games = games(&folder);
    let games = games.to_str().unwrap();
    let judge = env!("CARGO_BIN_EXE_errare");
    let output = errare(&["calibrate", "--test", games, "--depth", "1", "--per-band", "2"])
        .args(["--judge", judge, "--judge-depth", "3", "--json"])
        .output()
        .unwrap();
    let object: Value = serde_json::from_slice(&output.stdout).unwrap();
    let all = &object["looks"]["all"];
    assert_eq!(all["n"], object["all"]["n"]);
    for who in ["people", "model"] {
        let share = all[who]["hits"].as_f64().unwrap();
        assert!((0.0..=1.0).contains(&share) && all[who]["mean_loss"].as_f64().unwrap() >= 0.0, "{all}");
    }
    errare(&["calibrate", "--test", games, "--depth", "1", "--per-band", "1", "--judge", "no-such-engine"])
        .assert()
        .failure()
        .stderr(contains("no-such-engine"));
}

#[test]
fn the_elo_of_players_is_inferred_from_their_games() {
    let folder = tempfile::tempdir().unwrap();
    let games = games(&folder);
    let prices = folder.path().join("players.jsonl");
    let [games, prices] = [&games, &prices].map(|path| path.to_str().unwrap());
    let infer = |after: &str| {
        errare(&[
            "calibrate",
            games,
            "--prices",
            prices,
            "--after-games",
            after,
            "--per-band",
            "2",
            "--depth",
            "1",
        ])
    };
    let first = infer("1").output().unwrap();
    let text = String::from_utf8(first.stdout.clone()).unwrap();
    assert!(text.contains("from 1 game of a player") && text.contains("players"), "{text}");
    // What was priced is not priced again.
    let size = |path: &str| fs::metadata(path).unwrap().len();
    let before = size(prices);
    assert_eq!(infer("1").output().unwrap().stdout, first.stdout);
    assert_eq!(size(prices), before);
    infer("1,3").assert().failure().stderr(contains("has 3 games at about one Elo"));
}
