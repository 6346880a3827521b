//! Matches between engines as child processes: faults, results, files.

#![allow(clippy::unwrap_used, reason = "a test or bench may stop where it stands")]

use std::{
    fs,
    path::{Path, PathBuf},
    sync::atomic::AtomicBool,
    time::Duration,
};

use assert_cmd::Command;
use errare::{
    external::{Engine, EngineCommand, EngineError, GoLimits, Patience, Timeouts},
    game::Game,
};
use serde_json::Value;
use shakmaty::Chess;

/// The engine of `examples/`, which `cargo test` builds beside the program.
fn engine_path() -> PathBuf {
    let program = Path::new(env!("CARGO_BIN_EXE_errare"));
    let path: PathBuf = program.with_file_name("examples").join("misbehaving_engine");
    let path = path.with_extension(std::env::consts::EXE_EXTENSION);
    assert!(path.exists(), "{} is missing: 'cargo build --examples' makes it", path.display());
    path
}

/// The same in the notation for players.
fn engine(name: &str, arguments: &str) -> String {
    let arguments: String = arguments.split_whitespace().map(|word| format!(",arg={word}")).collect();
    format!("engine:{}{arguments},name={name}", engine_path().display())
}

/// The same as a command.
fn command(arguments: &str) -> EngineCommand {
    let arguments = arguments.split_whitespace().map(str::to_owned).collect();
    EngineCommand { program: engine_path(), arguments, ..EngineCommand::default() }
}

/// More time than anything here takes, however busy the machine is.
const AGES: Duration = Duration::from_secs(120);

fn errare(arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_errare"));
    command.arg("match").args(arguments);
    command
}

fn json(arguments: &[&str]) -> Value {
    let output = errare(arguments).arg("--json").output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    serde_json::from_slice(&output.stdout).unwrap()
}

#[test]
fn every_agent_plays_whole_games_in_a_round_robin() {
    let players =
        ["predator", "player:game_c=0.5", "emulator", "coach", "infallible", "search:nodes=300,hash=1"];
    let common = ["--games", "2", "--tc", "nodes=200", "--max-moves", "12"];
    let report = json(&[&players[..], &common].concat());
    assert_eq!(report["games"], 30, "{report}");
    assert_eq!(report["pairings"].as_array().unwrap().len(), 15);
    let standings = report["players"].as_array().unwrap();
    assert_eq!(standings.len(), 6);
    for standing in standings {
        assert_eq!(standing["games"], 10, "{standing}");
        assert!(standing["elo"].is_number() && standing["elo_error"].as_f64().unwrap() > 0.0, "{standing}");
    }
    let points: f64 = standings.iter().map(|standing| standing["points"].as_f64().unwrap()).sum();
    assert_eq!(points, 30.0);
    for pairing in report["pairings"].as_array().unwrap() {
        assert_eq!(pairing["faults"]["illegal"], 0, "{pairing}");
        assert_eq!(pairing["games"], 2);
    }
}

#[test]
fn the_first_of_a_gauntlet_meets_all_others_and_the_match_goes_on_where_it_stopped() {
    let folder = tempfile::tempdir().unwrap();
    let pgn = folder.path().join("games.pgn");
    let run = |games: &str, resume: bool| {
        let mut arguments = vec!["search", "player:game_c=0", "player:game_c=0.2", "--format", "gauntlet"];
        arguments.extend(["--tc", "nodes=100", "--max-moves", "6", "--games", games, "--pgn"]);
        arguments.push(pgn.to_str().unwrap());
        arguments.extend(resume.then_some("--resume"));
        json(&arguments)
    };
    assert_eq!(run("2", false)["games"], 4);
    let report = run("4", true);
    assert_eq!(report["games"], 8, "{report}");
    let met = |player: usize| report["players"][player]["opponents"].as_array().unwrap().len();
    assert_eq!([0, 1, 2].map(met).iter().sum::<usize>(), 4, "{report}");
    assert_eq!(fs::read_to_string(&pgn).unwrap().matches("[Event ").count(), 8);
}

#[test]
fn players_of_one_name_are_told_apart_and_a_hunter_without_prey_is_warned() {
    let output =
        errare(&["search", "search", "search", "--games", "2", "--tc", "nodes=50", "--max-moves", "2"])
            .output()
            .unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(["search (1)", "search (2)", "search (3)"].iter().all(|name| text.contains(name)), "{text}");
    let warned = |player: &str| {
        let folder = concat!(env!("CARGO_TARGET_TMPDIR"), "/arena-tables");
        fs::create_dir_all(folder).unwrap();
        let settings = Path::new(folder).join("settings.toml");
        fs::write(&settings, format!("[tables]\npath = '{folder}'\n")).unwrap();
        let mut command = errare(&["predator", player, "--position", "KRK:win:3", "--games", "1"]);
        let output = command.arg("--config").arg(settings).output().unwrap();
        assert!(output.status.success(), "{output:?}");
        String::from_utf8(output.stderr).unwrap().contains("never gives up the value")
    };
    assert!(warned("player:c=5") && !warned("player:c=5,keep_value=false"));
}

#[test]
fn an_engine_that_does_not_keep_its_limit_is_named_once() {
    let deaf = engine("deaf", "deaf 1");
    let output = errare(&[&deaf, "search:nodes=50", "--games", "2", "--tc", "depth=1", "--max-moves", "3"])
        .output()
        .unwrap();
    let said = String::from_utf8(output.stderr).unwrap();
    assert_eq!(said.matches("does not keep the limit 'depth'").count(), 1, "{said}");
}

#[test]
fn each_fault_is_counted_attributed_and_survived() {
    for (arguments, fault, limit, stall) in [
        ("illegal 3", "illegal", "depth=1", "60"),
        ("crash 2", "crash", "depth=1", "60"),
        ("stall 1", "stall", "tc=0.1", "3"),
        ("late 2", "time", "tc=0.1", "60"),
    ] {
        let culprit = format!("{},{limit}", engine("culprit", arguments));
        let victim = format!("{},depth=1", engine("victim", ""));
        let report = json(&[&culprit, &victim, "--games", "2", "--stall", stall, "--concurrency", "2"]);
        assert_eq!(report["games"], 2, "{fault}");
        assert_eq!(report["faults"][fault], 2, "{report}");
        assert_eq!(report["a"]["faults"][fault], 2, "{report}");
        assert_eq!(report["a"]["losses"], 2, "{report}");
        assert_eq!(report["b"]["wins"], 2, "{report}");
        let all: u64 = report["faults"].as_object().unwrap().values().filter_map(Value::as_u64).sum();
        assert_eq!(all, 2, "{report}");
    }
}

#[test]
fn an_engine_may_think_in_the_opponents_time() {
    let folder = tempfile::tempdir().unwrap();
    let log = folder.path().join("log").display().to_string();
    let program = env!("CARGO_BIN_EXE_errare");
    let ponders = format!("engine:{program},option.Agent=Search,option.Log File={log},ponder=true");
    let played = json(&[
        &ponders,
        "search",
        "--tc",
        "20+0.1",
        "--games",
        "2",
        "--max-moves",
        "12",
        "--concurrency",
        "1",
    ]);
    assert_eq!(played["games"], 2);
    assert_eq!(played["faults"], serde_json::json!({"illegal": 0, "crash": 0, "stall": 0, "time": 0}));
    let log = std::fs::read_to_string(log).unwrap();
    let said = |word: &str| log.matches(&format!(">> {word}")).count();
    assert!(said("go ponder") >= 10, "{log}");
    // Each is ended by a move that was foreseen, by another one, or by the end of the game.
    assert_eq!(said("go ponder"), said("ponderhit") + said("stop"), "{log}");
}

#[test]
fn an_engine_that_never_stops_talking_has_stalled() {
    let culprit = format!("{},tc=0.1", engine("culprit", "babble 1"));
    let victim = format!("{},depth=1", engine("victim", ""));
    // The culprit has White: the victim, who is in no hurry, is not asked at all.
    let report = json(&[&culprit, &victim, "--games", "1", "--stall", "1"]);
    assert_eq!(report["a"]["faults"]["stall"], 1, "{report}");
    assert_eq!(report["b"]["wins"], 1, "{report}");
}

#[test]
fn an_engine_that_talks_instead_of_introducing_itself_is_given_up() {
    let timeouts = Timeouts { handshake: Duration::from_millis(300), ..Timeouts::default() };
    let error = Engine::start_within(&command("prattle"), timeouts, &AtomicBool::new(false)).err().unwrap();
    assert!(matches!(error, EngineError::Stalled { awaited: "uciok", .. }), "{error}");
    assert!(error.to_string().ends_with("did not say 'uciok' within 0.3 s"), "{error}");
}

#[test]
fn what_an_engine_says_does_not_fill_the_memory() {
    let cancel = AtomicBool::new(false);
    let mut engine = Engine::start(&command("many-lines 1"), &cancel).unwrap();
    let patience = Patience { stop_after: AGES, grace: AGES };
    let answer = engine.go(&Game::new(Chess::default()), &GoLimits::default(), patience, &cancel).unwrap();
    assert_eq!(answer.lines.len(), 256);
    assert_eq!(answer.lines.last().unwrap().multipv, Some(256));
    assert!(!answer.best_move.is_empty());
}

#[test]
fn an_engine_that_is_deaf_to_its_limits_is_found_out() {
    let cancel = AtomicBool::new(false);
    let mut engine = Engine::start(&command("deaf 2"), &cancel).unwrap();
    let patience = Patience { stop_after: AGES, grace: AGES };
    for (limits, ignored) in [
        (GoLimits { depth: Some(3), ..GoLimits::default() }, "depth"),
        (GoLimits { nodes: Some(1000), ..GoLimits::default() }, "nodes"),
    ] {
        engine.new_game(&cancel).unwrap();
        let mut go = || engine.go(&Game::new(Chess::default()), &limits, patience, &cancel).unwrap();
        let [good, bad] = [go(), go()];
        assert_eq!(good.ignored(&limits), None);
        assert_eq!(bad.ignored(&limits), Some(ignored));
    }
}

#[test]
fn a_match_ends_as_its_pgn_says_and_goes_on_where_it_stopped() {
    let folder = tempfile::tempdir().unwrap();
    let pgn = folder.path().join("games.pgn");
    let pgn = pgn.to_str().unwrap();
    let (a, b) = (engine("one", ""), engine("two", "crash 4"));
    let common = |games: &'static str| {
        [a.clone(), b.clone(), "--tc=depth=1".into(), "--pgn".into(), pgn.into(), "-n".into(), games.into()]
    };
    let run = |arguments: &[String], extra: &[&str]| {
        let arguments: Vec<&str> =
            arguments.iter().map(String::as_str).chain(extra.iter().copied()).collect();
        json(&arguments)
    };
    let first = run(&common("2"), &[]);
    assert_eq!(first["a"]["wins"], 2);
    let text = fs::read_to_string(pgn).unwrap();
    assert_eq!(text.matches("[Reason \"crash\"]").count(), 2, "{text}");
    assert_eq!(text.matches("[Termination \"abandoned\"]").count(), 2, "{text}");
    assert!(text.contains("{[%eval 0.12,1]"), "{text}");

    let fragment = text.split_inclusive('\n').take(3).collect::<String>() + "[Round \"2.1";
    fs::write(pgn, text.clone() + &fragment).unwrap();
    let whole = run(&common("4"), &["--resume"]);
    assert_eq!((&whole["games"], &whole["a"]["wins"]), (&4.into(), &4.into()));
    assert_eq!(fs::read_to_string(format!("{pgn}.cut-1")).unwrap(), fragment);
    let resumed = fs::read_to_string(pgn).unwrap();
    assert!(resumed.starts_with(&text), "the first games are untouched");
    assert_eq!(resumed.matches("[Event ").count(), 4, "{resumed}");

    let again = errare(&[&a, &a, "--tc", "depth=1", "--pgn", pgn, "--resume"]).output().unwrap();
    assert!(!again.status.success());
    assert!(String::from_utf8_lossy(&again.stderr).contains("the player there is"));
    let fresh = errare(&[&a, &b, "--tc", "depth=1", "--pgn", pgn]).output().unwrap();
    assert_eq!(fresh.status.code(), Some(2), "a file is not written over");
}

#[test]
fn a_file_that_is_no_pgn_of_the_match_is_refused_untouched() {
    let folder = tempfile::tempdir().unwrap();
    let pgn = folder.path().join("games.pgn");
    let (a, b) = (engine("one", ""), engine("two", "illegal 2"));
    let run = |extra: &[&str]| {
        let common = [a.as_str(), &b, "--tc", "depth=1", "--pgn", pgn.to_str().unwrap()];
        errare(&[&common, extra].concat()).output().unwrap()
    };
    for text in ["Dear diary,\nall is well.\n", "[Event \"Linares\"]\r\n[Result \"*\"]\r\n\r\n1. e4 *\r\n"] {
        fs::write(&pgn, text).unwrap();
        let output = run(&["-n", "2", "--resume"]);
        let message = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(1), "{message}");
        assert_eq!(message.lines().count(), 1, "{message}");
        assert!(
            message.contains("games.pgn: what stands from line 1 on is no game of this match"),
            "{message}"
        );
        assert_eq!(fs::read_to_string(&pgn).unwrap(), text);
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1, "there is no copy of what was not cut");
    }

    fs::remove_file(&pgn).unwrap();
    assert!(run(&["-n", "2"]).status.success());
    let converted = fs::read_to_string(&pgn).unwrap().replace('\n', "\r\n");
    fs::write(&pgn, converted.trim_end()).unwrap();
    assert!(run(&["-n", "4", "--resume"]).status.success());
    let text = fs::read_to_string(&pgn).unwrap();
    assert!(text.starts_with(converted.trim_end()), "{text}");
    assert_eq!(text.matches("[Event ").count(), 4, "{text}");
    assert!(run(&["-n", "6", "--resume"]).status.success(), "lines may end in two ways");
}

#[test]
fn a_sequential_test_stops_the_match() {
    let (a, b) = (engine("strong", ""), engine("weak", "illegal 1"));
    let arguments = ["-n", "1000", "--tc", "depth=1", "--elo0", "0", "--elo1", "200"];
    let report = json(&[&[a.as_str(), b.as_str()], &arguments[..]].concat());
    assert_eq!(report["sprt"]["verdict"], "h1");
    assert!(report["games"].as_u64().unwrap() < 100, "{report}");
}

#[test]
fn games_are_listed_as_csv_in_order() {
    let (a, b) = (engine("x,y", "illegal 2"), engine("z", ""));
    let a = a.replace("name=x,y", "name=\"x,y\"");
    let output = errare(&[&a, &b, "-n", "4", "--tc", "depth=1", "--csv"]).output().unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    let lines: Vec<&str> = text.lines().collect();
    assert_eq!(lines.len(), 5, "{text}");
    assert!(lines[1].starts_with("1,1.1,\"x,y\",z,startpos,0-1,0,1,illegal move,a"), "{text}");
    assert!(lines[2].starts_with("2,1.2,z,\"x,y\",startpos,1-0,0,2,illegal move,a"), "{text}");
}

#[test]
fn the_own_search_plays_better_than_any_legal_move() {
    let report = json(&[
        "search:nodes=2000",
        &format!("{},depth=1", engine("any", "")),
        "-n",
        "4",
        "--max-moves",
        "60",
    ]);
    assert_eq!(report["faults"], serde_json::json!({"illegal": 0, "crash": 0, "stall": 0, "time": 0}));
    assert_eq!(report["a"]["wins"], 4, "{report}");
}

#[test]
fn wrong_words_are_pointed_at() {
    for (arguments, words) in [
        (vec!["player:c=2x", "infallible"], "at \"c=2x\""),
        (vec!["infallible", "infallible", "--position", "KQKR:won"], "at \"won\""),
        (vec!["infallible", "infallible", "--tc", "fast"], "'fast' is no time control"),
        (vec!["engine:no-such-program", "engine:no-such-program"], "cannot start 'no-such-program'"),
        (vec!["infallible", "infallible", "--openings", "none.epd"], "cannot read none.epd"),
    ] {
        let output = errare(&arguments).output().unwrap();
        let message = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(!output.status.success());
        assert!(message.contains(words), "{arguments:?}: {message}");
    }
}

/// Ctrl-C, and what becomes of the engines.
#[cfg(unix)]
mod interruption {
    use std::{
        os::unix::process::CommandExt,
        process::{Child, Command, Stdio},
        thread,
        time::Instant,
    };

    use super::*;

    fn wait_until(what: &str, mut holds: impl FnMut() -> bool) {
        let deadline = Instant::now() + AGES;
        while !holds() {
            assert!(Instant::now() < deadline, "still waiting until {what}");
            thread::sleep(Duration::from_millis(20));
        }
    }

    fn kill(arguments: &[&str]) -> bool {
        Command::new("kill").args(arguments).stderr(Stdio::null()).status().unwrap().success()
    }

    /// A process that has ended counts as such even if nobody has asked yet how.
    fn is_running(id: &str) -> bool {
        let output = Command::new("ps").args(["-o", "stat=", "-p", id]).output().unwrap();
        let state = String::from_utf8_lossy(&output.stdout).trim().to_owned();
        !state.is_empty() && !state.starts_with('Z')
    }

    /// A match of two engines that take their time and say in a file who they are.
    struct SlowMatch {
        folder: tempfile::TempDir,
    }

    impl SlowMatch {
        fn new() -> SlowMatch {
            SlowMatch { folder: tempfile::tempdir().unwrap() }
        }

        fn path(&self, name: &str) -> String {
            self.folder.path().join(name).to_str().unwrap().to_owned()
        }

        fn arguments(&self, games: usize) -> Vec<String> {
            let arguments = format!("slow 0 {}", self.path("ids"));
            let mut all: Vec<String> = ["one", "two"].iter().map(|name| engine(name, &arguments)).collect();
            let rest = ["--tc=depth=1", "--concurrency=1", "--max-moves=2", "--pgn"];
            all.extend(rest.map(str::to_owned));
            all.extend([self.path("games.pgn"), format!("--games={games}")]);
            all
        }

        /// In a group of its own, as a shell starts it.
        fn start(&self) -> Child {
            Command::new(env!("CARGO_BIN_EXE_errare"))
                .arg("match")
                .args(self.arguments(1000))
                .process_group(0)
                .stdout(Stdio::null())
                .stderr(Stdio::piped())
                .spawn()
                .unwrap()
        }

        fn text(&self) -> String {
            fs::read_to_string(self.path("games.pgn")).unwrap_or_default()
        }

        fn games(&self) -> usize {
            self.text().matches("[Event ").count()
        }

        fn wait_until_no_engine_is_left(&self) {
            let ids = fs::read_to_string(self.path("ids")).unwrap();
            assert!(ids.lines().count() >= 2, "{ids}");
            for id in ids.lines() {
                wait_until("the engines have ended", || !is_running(id));
            }
        }
    }

    #[test]
    fn an_interrupted_game_is_no_crash_and_is_played_again() {
        let slow = SlowMatch::new();
        let child = slow.start();
        wait_until("a game is over", || slow.games() > 0);
        // As Ctrl-C, which is ignored where tests run in the background of a shell.
        assert!(kill(&["-TERM", "--", &format!("-{}", child.id())]));
        let output = child.wait_with_output().unwrap();
        let message = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(1), "{message}");
        assert!(message.contains("interrupted"), "{message}");
        assert!(!slow.text().contains("crash"), "{}", slow.text());
        slow.wait_until_no_engine_is_left();

        let games = slow.games() + 1;
        let arguments = slow.arguments(games);
        let report = json(&arguments.iter().map(String::as_str).chain(["--resume"]).collect::<Vec<_>>());
        assert_eq!(report["games"], games, "{report}");
        assert_eq!(report["a"]["draws"], games, "{report}");
        assert_eq!(slow.games(), games);
        slow.wait_until_no_engine_is_left();
    }

    #[test]
    fn engines_end_when_nobody_is_left_to_end_them() {
        let slow = SlowMatch::new();
        let mut child = slow.start();
        wait_until("a game is over", || slow.games() > 0);
        child.kill().unwrap();
        child.wait().unwrap();
        slow.wait_until_no_engine_is_left();
    }
}
