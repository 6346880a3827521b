//! Tuning as a user meets it: assessed positions in, weights out that the engine plays with.

#![allow(clippy::unwrap_used, reason = "a test that fails may stop")]

use std::{fs, path::Path};

use assert_cmd::Command;
use predicates::{prelude::*, str::contains};
use serde_json::Value;

fn errare(folder: &Path) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_errare"));
    command.current_dir(folder);
    command
}

fn json(command: &mut Command) -> Value {
    let output = command.output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    serde_json::from_slice(&output.stdout).unwrap()
}

/// A folder with positions that were assessed by a search of ours, taken from games.
fn assessed() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let games = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/classics.pgn");
    errare(folder.path())
        .args(["tune", "assess", games.to_str().unwrap(), "--per-game", "1000", "--depth", "3"])
        .args(["--out", "assessed.epd"])
        .assert()
        .success()
        .stdout(contains("positions assessed by errare"));
    folder
}

#[test]
fn positions_are_assessed_once_and_then_tuned_on() {
    let folder = assessed();
    let path = folder.path();
    let lines = fs::read_to_string(path.join("assessed.epd")).unwrap();
    assert!(lines.lines().count() > 20 && lines.lines().all(|line| line.contains(" ce ")), "{lines}");

    // A line that was cut off is made again, all others stay.
    fs::write(path.join("assessed.epd"), &lines[..lines.len() - 4]).unwrap();
    let games = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/classics.pgn");
    errare(path)
        .args(["tune", "assess", games.to_str().unwrap(), "--per-game", "1000", "--depth", "3"])
        .args(["--out", "assessed.epd"])
        .assert()
        .success()
        .stdout(contains("1 positions assessed"));
    let again = fs::read_to_string(path.join("assessed.epd")).unwrap();
    assert_eq!(again.lines().count(), lines.lines().count());

    for method in ["ascent", "smooth", "logistic"] {
        let report = json(
            errare(path)
                .args(["tune", "assessed.epd", "--by", method, "--tune", "material,pawns=pawn"])
                .args(["--start", "-100", "--iterations", "60", "--rate", "5", "--hold", "0"])
                .args(["--assess", "quiescence", "--reassess", "30", "--control", "0.2"])
                .args(["--out", "mine.toml", "--csv", "paths.csv", "--svg", "paths.svg", "--keep", "kept"])
                .arg("--json"),
        );
        let tau = |when: &str| report[when]["tau"].as_f64().unwrap();
        assert!(tau("after") > tau("before"), "{method}: {report}");
        assert!(report["values"]["material"].as_f64().unwrap() > -100.0, "{method}: {report}");
        assert!(report["control"].as_u64().unwrap() > 0);
        assert_eq!(fs::read_to_string(path.join("paths.csv")).unwrap().lines().count(), 62);
        assert!(fs::read_to_string(path.join("paths.svg")).unwrap().contains("</svg>"));
        assert!(path.join("kept/step-0000.toml").exists());
    }
}

#[test]
#[cfg(feature = "sqlite")]
fn a_tuning_by_workers_finds_the_same_weights_whoever_is_killed() {
    let folder = assessed();
    let path = folder.path();
    let tune = |out: &str, store: &[&str]| {
        let mut command = std::process::Command::new(env!("CARGO_BIN_EXE_errare"));
        command.current_dir(path).args(["tune", "assessed.epd", "--assess", "500", "--reassess", "5"]);
        command.args(["--iterations", "20", "--by", "smooth", "--json", "--out", out]).args(store);
        command.stdout(std::process::Stdio::piped());
        command
    };
    let alone = json(&mut Command::from_std(tune("one.toml", &[])));

    let store = ["--store", "tuning.sqlite"];
    let work = || {
        let mut command = std::process::Command::new(env!("CARGO_BIN_EXE_errare"));
        command.current_dir(path).args(["work", "--lease", "3", "--threads", "1"]).args(store);
        command.stdout(std::process::Stdio::null()).spawn().unwrap()
    };
    // However far each of them is when it is killed, what is found in the end is the same.
    let mut workers = [work(), work()];
    let mut supervisor = tune("many.toml", &store).spawn().unwrap();
    while !path.join("tuning.sqlite").exists() {
        std::thread::sleep(std::time::Duration::from_millis(5));
    }
    std::thread::sleep(std::time::Duration::from_millis(100));
    for process in [&mut workers[0], &mut supervisor] {
        process.kill().unwrap();
        process.wait().unwrap();
    }
    let together = json(&mut Command::from_std(tune("many.toml", &store)));
    workers[1].kill().unwrap();
    workers[1].wait().unwrap();
    let weights = |name: &str| fs::read_to_string(path.join(name)).unwrap();
    assert_eq!(weights("one.toml"), weights("many.toml"));
    for what in ["values", "before", "after"] {
        assert_eq!(alone[what], together[what]);
    }
    errare(path)
        .args(["tune", "assessed.epd", "--assess", "500", "--reassess", "5", "--iterations", "20"])
        .args(["--by", "smooth"])
        .args(store)
        .assert()
        .success()
        .stderr(contains("goes on after step 20"));
}

#[test]
fn the_engine_a_match_and_the_settings_take_tuned_weights() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path();
    // A knight is worth nine pawns.
    fs::write(path.join("odd.toml"), "[material]\nknight = [900, 900]\n").unwrap();
    let fen = "4k3/pppp4/8/8/8/2N5/PPPP4/4K3 w - - 0 1";
    let best = || -> f64 {
        let look = json(errare(path).args(["explain", fen, "--depth", "1", "--elo", "1500", "--json"]));
        let moves = look["moves"].as_array().unwrap();
        moves.iter().map(|one| one["values"][0].as_f64().unwrap()).fold(f64::MIN, f64::max)
    };
    let plain = best();
    fs::write(path.join("engine.toml"), "[search]\nweights = \"odd.toml\"\n").unwrap();
    let odd = best();
    assert!(odd > plain + 3.0, "{plain} and {odd}");
    fs::remove_file(path.join("engine.toml")).unwrap();

    let lines = "setoption name Evaluation Weights value nowhere.toml\nisready\nquit\n";
    errare(path).write_stdin(lines).assert().success().stdout(contains("cannot read nowhere.toml"));
    errare(path)
        .args(["match", "search:weights=odd.toml", "search", "--games", "2", "--tc", "nodes=200"])
        .args(["--max-moves", "20"])
        .assert()
        .success()
        .stdout(contains("search:weights=odd.toml"));
}

#[test]
fn single_features_disagreements_and_grains_are_measured() {
    let folder = assessed();
    let path = folder.path();
    let features = json(errare(path).args(["tune", "features", "assessed.epd", "--most", "5", "--json"]));
    assert_eq!(features["features"].as_array().unwrap().len(), 5);
    let grains = json(errare(path).args(["tune", "grain", "assessed.epd", "--grains", "1,200", "--json"]));
    let tau = |index: usize| grains["grains"][index]["tau_a"].as_f64().unwrap();
    assert!(tau(0) > tau(1), "what is not told apart is not ordered: {grains}");
    errare(path)
        .args(["tune", "disagreements", "assessed.epd", "--most", "3"])
        .assert()
        .success()
        .stdout(predicate::function(|text: &str| text.lines().count() == 3));
    let depths = json(errare(path).args(["tune", "depths", "assessed.epd", "--depth", "2", "--json"]));
    assert_eq!(depths["depths"].as_array().unwrap().len(), 3);
}

#[test]
fn what_cannot_be_tuned_is_named() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path();
    fs::write(path.join("one.epd"), "4k3/8/8/8/8/8/8/Q3K3 w - - c0 \"+-\";\n").unwrap();
    fs::write(path.join("bad.epd"), "nonsense c0 \"+-\";\n").unwrap();
    for (arguments, words) in [
        (vec!["tune"], "no file named"),
        (vec!["tune", "nowhere.epd"], "cannot read nowhere.epd"),
        (vec!["tune", "one.epd"], "no two assessed positions"),
        (vec!["tune", "bad.epd"], "bad.epd, line 1"),
        (vec!["tune", "one.epd", "--tune", "pear"], "'pear'"),
        (vec!["tune", "one.epd", "--control", "2"], "--control 2"),
        (vec!["tune", "one.epd", "--assess", "deep"], "deep"),
    ] {
        let output = errare(path).args(&arguments).output().unwrap();
        assert!(!output.status.success(), "{arguments:?}");
        let error = String::from_utf8(output.stderr).unwrap();
        assert!(error.contains(words) && !error.contains("panicked"), "{arguments:?}: {error}");
    }
}

#[test]
fn a_network_is_learned_from_positions_beside_games_and_plays() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path();
    let games = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/classics.pgn");
    errare(path)
        .args(["tune", "assess", games.to_str().unwrap(), "--per-game", "1000", "--from-move", "2"])
        .args(["--stray", "2", "--jobs", "2", "--depth", "1", "--out", "many.epd"])
        .assert()
        .success();
    let learn = |out: &str| {
        let mut command = errare(path);
        command.args(["tune", "network", "many.epd", "--epochs", "3", "--control", "0.2", "--out", out]);
        command.assert()
    };
    learn("mine.bin").success().stdout(contains("epoch").and(contains("written to mine.bin")));
    learn("same.bin").success();
    let [mine, same] = ["mine.bin", "same.bin"].map(|name| fs::read(path.join(name)).unwrap());
    assert!(mine == same, "the same positions and seed give another network");
    learn("mine.toml").failure().stderr(contains("the name of a network ends in .bin"));

    errare(path)
        .args(["match", "search:weights=mine.bin,depth=2", "search:weights=hand-crafted,depth=2"])
        .args(["-n", "2", "--max-moves", "6"])
        .assert()
        .success()
        .stdout(contains("weights=mine.bin"));
    fs::write(path.join("mine.bin"), &mine[..mine.len() / 2]).unwrap();
    errare(path)
        .args(["match", "search:weights=mine.bin,depth=2", "search:depth=2", "-n", "2"])
        .assert()
        .failure()
        .stderr(contains("mine.bin: it is no network of this version"));
    // The wrong file in the place of weights.
    fs::write(path.join("other.toml"), &mine).unwrap();
    errare(path)
        .args(["bench", "--depth", "1", "--weights", "other.toml"])
        .assert()
        .failure()
        .stderr(contains("other.toml"));
}
