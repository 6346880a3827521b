//! The command line as a user meets it: help, exit codes, one clear line for every mistake.

#![allow(clippy::unwrap_used, reason = "a test that fails may stop")]

use std::fs;

use assert_cmd::Command;
use predicates::{prelude::*, str::contains};

fn errare() -> Command {
    Command::new(env!("CARGO_BIN_EXE_errare"))
}

/// Exit code 1 or 2, nothing on standard output, and one line on standard error that says all this.
fn refused(arguments: &[&str], words: &[&str]) {
    let output = errare().args(arguments).output().unwrap();
    let error = String::from_utf8(output.stderr).unwrap();
    assert!(matches!(output.status.code(), Some(1 | 2)), "{arguments:?}: {:?}", output.status);
    assert!(!error.contains("panicked"), "{error}");
    for word in words {
        assert!(error.contains(word), "{arguments:?}: '{word}' is missing in: {error}");
    }
}

#[test]
fn help_lists_commands_and_examples() {
    errare().arg("--help").assert().success().stdout(contains("tables").and(contains("probe")));
    for command in ["tables", "probe", "explain", "profiles"] {
        errare().args([command, "--help"]).assert().success().stdout(contains("Examples:"));
    }
}

#[test]
fn wrong_words_are_named() {
    refused(&["tables", "build", "KXKR"], &["KXKR", "KBBKN"]);
    refused(&["tables", "build", "KQQQQK"], &["KQQQQK", "6 men"]);
    refused(&["tables", "build", "KQKR", "--metric", "dtx"], &["dtx", "dtc, dtm, dtz, dtr or dtd"]);
    refused(&["explain", "8/8/8/8/8/8/8/K6 w"], &["8/8/8/8/8/8/8/K6 w"]);
    refused(&["explain", "8/8/8/8/8/8/8/Kk6 w - - 0 1"], &["not a legal position"]);
    refused(&["fly"], &["fly"]);
}

#[test]
fn a_wrong_setting_is_named_with_its_line() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("engine.toml"), "[tables]\n\npaht = 'x'\n").unwrap();
    errare()
        .current_dir(&folder)
        .args(["tables", "list"])
        .assert()
        .code(2)
        .stderr(contains("engine.toml:3: unknown setting 'paht'").and(contains("errare settings")));
}

#[test]
fn a_missing_settings_file_is_named() {
    refused(&["--config", "nowhere.toml", "tables", "list"], &["nowhere.toml", "--config"]);
}

#[test]
fn settings_print_what_they_read() {
    let folder = tempfile::tempdir().unwrap();
    let output = errare().arg("settings").output().unwrap();
    fs::write(folder.path().join("engine.toml"), &output.stdout).unwrap();
    errare().current_dir(&folder).arg("settings").assert().success().stdout(output.stdout);
}

#[test]
fn probing_answers_every_line_in_order() {
    let lines = "k7/8/1Q6/8/8/8/8/K7 b - - 0 1\nnonsense\n8/8/8/8/8/2k5/8/K1Q5 b - - 0 1\r\n\
                 rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1\n8/8/8/8/8/1k6/8/K7 w - - 0 1\n";
    let folder = tempfile::tempdir().unwrap();
    fs::create_dir(folder.path().join("tablebases")).unwrap();
    let output =
        errare().current_dir(&folder).args(["probe", "--metric", "dtm"]).write_stdin(lines).output().unwrap();
    let answers: Vec<serde_json::Value> = String::from_utf8(output.stdout)
        .unwrap()
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    assert_eq!(answers.len(), 5);
    assert_eq!(answers[0]["value"], "draw");
    assert_eq!(answers[0]["depth"], serde_json::Value::Null);
    assert!(answers[1]["error"].as_str().unwrap().contains("not a FEN"));
    assert_eq!((answers[2]["value"].as_str(), answers[2]["metric"].as_str()), (Some("loss"), Some("dtm")));
    assert!(answers[3]["error"].is_string());
    assert_eq!(answers[4]["value"], "draw");
    // The table was made on the way and stays.
    assert!(folder.path().join("tablebases/KQK.dtm").exists());
}

/// Whoever reads our output may stop reading.
#[test]
fn a_closed_pipe_is_no_failure() {
    use std::process::{Command, Stdio};
    let mut child = Command::new(env!("CARGO_BIN_EXE_errare"))
        .arg("settings")
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    drop(child.stdout.take());
    let output = child.wait_with_output().unwrap();
    assert!(output.status.success());
    assert!(output.stderr.is_empty());
}

#[test]
fn numbers_beyond_all_measure_get_a_clear_limit() {
    let fen = "8/8/8/8/8/k7/8/K6R w - - 0 1";
    let huge = "999999999999";
    refused(&["explain", fen, "--plies", "100"], &["100", "auto, 2, 4, 6 or exact"]);
    refused(&["explain", fen, "--competence", "1e300"], &["1e300", "from -1000 to 1000"]);
    refused(&["predict", fen, "--competence", "20", "--within", "999999999"], &["999999999", "10000"]);
    refused(&["hunt", "KRBKR:draw", "--competence", "2"], &["no table KRBKR", "errare tables build KRBKR"]);
    refused(&["hunt", "KRBKR:win:10+", "--competence", "2"], &["only drawn positions", "KRBKR:draw"]);
    refused(&["markov", "KRK", "--competence", "20", "--within", "999999999"], &["999999999", "10000"]);
    refused(&["bench", "--hash", huge], &[huge, "65536"]);
    refused(&["bench", "--threads", huge], &[huge, "256"]);
    refused(&["match", "search", "search", "--games", huge], &[huge]);
    refused(&["match", "search", "search", "--stall", huge], &[huge, "86400"]);
    refused(&["match", "search:hash=99999999", "search"], &["hash=99999999", "65536"]);
    refused(&["match", "search", "search:threads=9999"], &["threads=9999", "256"]);
    refused(&["tables", "build", "KRK", "--threads", huge], &[huge]);
}

#[test]
fn what_a_system_asks_of_a_program_is_there() {
    errare()
        .arg("--version")
        .assert()
        .success()
        .stdout(contains(env!("CARGO_PKG_VERSION")).and(contains("for ")));
    for shell in ["bash", "zsh", "fish", "powershell", "elvish"] {
        errare().args(["completions", shell]).assert().success().stdout(contains("errare"));
    }
    errare().arg("manual").assert().success().stdout(contains(".TH errare 1"));
    let folder = tempfile::tempdir().unwrap();
    errare().args(["manual", "--out", folder.path().to_str().unwrap()]).assert().success();
    assert!(folder.path().join("errare-match.1").exists());
}

#[test]
fn without_profiles_that_is_said() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().to_str().unwrap();
    errare()
        .args(["profiles", "list", "--path", path])
        .assert()
        .success()
        .stdout(contains(format!("no profiles in {path}")));
}

#[test]
fn mate_and_stalemate_are_named() {
    let config = format!("[tables]\npath = '{}/named tables'\n", env!("CARGO_TARGET_TMPDIR"));
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("engine.toml"), config).unwrap();
    for (fen, name) in [
        ("7k/6Q1/6K1/8/8/8/8/8 b - - 0 1", "Black to move: checkmate"),
        ("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", "Black to move: stalemate"),
        ("6k1/5ppp/8/8/8/8/5PPP/R5K1 w - - 0 1", "White to move: mate in 1"),
    ] {
        errare()
            .current_dir(&folder)
            .args(["explain", fen, "--depth", "2"])
            .assert()
            .success()
            .stdout(contains(name));
    }
}
