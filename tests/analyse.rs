//! Games judged by tables: the command `analyse`, and `explain` with the model.

#![allow(clippy::unwrap_used, reason = "a test or bench may stop where it stands")]

use std::{fs, path::PathBuf, sync::LazyLock};

use assert_cmd::Command;
use predicates::prelude::*;
use serde_json::Value;

const GAMES: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/src/reproduce/games");

/// A folder for tables that stays from run to run, and a settings file that names it.
static SETTINGS: LazyLock<PathBuf> = LazyLock::new(|| {
    let folder = PathBuf::from(concat!(env!("CARGO_TARGET_TMPDIR"), "/tables"));
    fs::create_dir_all(&folder).unwrap();
    let file = PathBuf::from(concat!(env!("CARGO_TARGET_TMPDIR"), "/analyse.toml"));
    fs::write(&file, format!("[tables]\npath = '{}'\n", folder.display())).unwrap();
    file
});

fn errare(arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_errare"));
    command.arg("--config").arg(&*SETTINGS).args(arguments);
    command
}

fn analyse(game: &str, more: &[&str]) -> Value {
    let file = format!("{GAMES}/{game}.pgn");
    let output = errare(&["analyse", &file, "--json"]).args(more).assert().success();
    let object: Value = serde_json::from_slice(&output.get_output().stdout).unwrap();
    object["games"][0].clone()
}

fn of_side<'a>(game: &'a Value, side: &'a str) -> impl Iterator<Item = &'a Value> {
    game["moves"].as_array().unwrap().iter().filter(move |object| object["side"] == side)
}

/// The numbers of moves that conceded depth, and how much (Haworth 2003, §8).
#[test]
fn browne_conceded_depth_where_the_paper_says() {
    let published = [
        (
            "browne-belle-1",
            "6+1 17+3 18+2 19+1 20+1 21+2 22+1 26+2 31+1 32+4 33+2 40+3 41+2 42+2",
            45,
            27,
            18,
        ),
        ("browne-belle-2", "6+1 16+1 17+3 19+3 26+1 27+2 28+2 30+1 32+1 33+1 35+2 44+1", 50, 19, 31),
    ];
    for (name, conceded, moves, lost, gain) in published {
        let game = analyse(name, &["--kappa", "0"]);
        let ours: Vec<String> = of_side(&game, "white")
            .filter(|object| object["conceded"] != 0)
            .map(|object| format!("{}+{}", object["number"], object["conceded"]))
            .collect();
        assert_eq!(ours.join(" "), conceded);
        assert!(of_side(&game, "black").all(|object| object["conceded"] == 0));
        assert_eq!(game["summary"]["white"]["moves"], moves);
        assert_eq!(game["summary"]["white"]["depth_lost"], lost);
        assert_eq!(game["summary"]["gain"], gain);
        assert_eq!(game["summary"]["black"]["all_optimal"], true);
        assert_eq!(game["summary"]["white"]["all_optimal"], false);
        let first = &game["moves"][0];
        assert_eq!(
            (&first["value"], &first["depth_before"], &first["depth_after"]),
            (&"win".into(), &31.into(), &30.into())
        );
    }
}

#[test]
fn brownes_competence_stays_25_after_a_move_that_says_nothing_and_never_falls_to_17() {
    for name in ["browne-belle-1", "browne-belle-2"] {
        let game = analyse(name, &["--kappa", "0", "--grid", "0(1)50", "--keep-value", "true"]);
        let white: Vec<f64> =
            of_side(&game, "white").map(|object| object["white_c"].as_f64().unwrap()).collect();
        assert!((white[0] - 25.0).abs() < 1e-9, "{}", white[0]);
        assert!(white.iter().all(|&c| c > 17.0), "{white:?}");
        assert!((game["moves"][0]["probability"].as_f64().unwrap() - 0.5).abs() < 1e-9);
    }
}

/// Haworth & Andrist, Table 2; game 1 as it comes out after the moves that were played.
#[test]
fn players_have_the_competence_of_table_2() {
    for (name, white, black) in
        [("browne-belle-1", 18.0, None), ("browne-belle-2", 18.4, None), ("gelfand-svidler", 3.5, Some(4.1))]
    {
        let game = analyse(
            name,
            &[
                "--kappa",
                "0",
                "--grid",
                "0(0.01)50",
                "--moves",
                "50",
                "--keep-value",
                "true",
                "--only-tables",
            ],
        );
        let c = |side: &str| game["summary"][side]["c"].as_f64().unwrap();
        assert_eq!(format!("{:.1}", c("white")), format!("{white:.1}"), "{name}");
        if let Some(black) = black {
            assert_eq!(format!("{:.1}", c("black")), format!("{black:.1}"), "{name}");
            assert_eq!(game["summary"]["white"]["depth_lost"], 37);
            assert_eq!(game["summary"]["black"]["depth_lost"], 79);
        }
        let interval = game["summary"]["white"]["interval"].as_array().unwrap();
        assert!(interval[0].as_f64().unwrap() < c("white") && c("white") < interval[1].as_f64().unwrap());
    }
}

#[test]
fn phases_without_tables_are_named_with_the_command_that_makes_them() {
    let file = format!("{GAMES}/pinter-bronstein.pgn");
    errare(&["analyse", &file])
        .assert()
        .success()
        .stdout(predicate::str::contains("errare tables build KBBKN --metric dtc"));
}

const MIXED: &str = "\
[White \"A\"]\n[Black \"B\"]\n[FEN \"8/8/8/8 w\"]\n\n1. Kb7 *\n\n\
[White \"C\"]\n[Black \"D\"]\n\n1. e4 e5 2. Ke3 Nf6 *\n\n\
[White \"E\"]\n[Black \"F\"]\n[FEN \"7k/8/5K2/6Q1/8/8/8/8 w - - 0 1\"]\n\n\
1. Qg7# {over} $1 (1. Kf7 {slow} Kh7 2. Qh5#) 1-0\n";

#[test]
fn a_bad_game_is_named_and_skipped_and_the_rest_goes_on() {
    let folder = tempfile::tempdir().unwrap();
    let (games, annotated) = (folder.path().join("games.pgn"), folder.path().join("out.pgn"));
    fs::write(&games, MIXED).unwrap();
    errare(&["analyse", games.to_str().unwrap(), "--svg", folder.path().to_str().unwrap()])
        .args(["--pgn", annotated.to_str().unwrap()])
        .assert()
        .success()
        .stderr(predicate::str::contains("game 1 (A - B)").and(predicate::str::contains("2. Ke3")))
        .stdout(predicate::str::contains("Game 3: E - F"));
    // What the score said is kept beside what we say.
    let text = fs::read_to_string(annotated).unwrap();
    assert!(
        text.contains("Qg7# {' win in 0;")
            && text.contains("{over}")
            && text.contains("(Kf7 {slow} Kh7 Qh5#)")
    );
    assert!(
        fs::read_to_string(folder.path().join("game-3-competence-by-tables.svg")).unwrap().contains("E - F")
    );
}

#[test]
fn annotated_games_can_be_read_again() {
    let folder = tempfile::tempdir().unwrap();
    let annotated = folder.path().join("out.pgn");
    let file = format!("{GAMES}/browne-belle-2.pgn");
    errare(&["analyse", &file, "--pgn", annotated.to_str().unwrap()]).assert().success();
    let again = errare(&["analyse", annotated.to_str().unwrap(), "--json"]).assert().success();
    let object: Value = serde_json::from_slice(&again.get_output().stdout).unwrap();
    assert_eq!(object["games"][0]["moves"].as_array().unwrap().len(), 99);
}

#[test]
fn wrong_use_is_told() {
    errare(&["analyse", "no-such-file.pgn"])
        .assert()
        .code(1)
        .stderr(predicate::str::contains("no-such-file.pgn"));
    let file = format!("{GAMES}/browne-belle-1.pgn");
    errare(&["analyse", &file, "--grid", "0-50"]).assert().code(2).stderr(predicate::str::contains("0(1)50"));
    errare(&["analyse", &file, "--kappa=-1"]).assert().code(2).stderr(predicate::str::contains("kappa"));
}

#[test]
fn csv_has_a_row_for_each_move() {
    let file = format!("{GAMES}/browne-belle-1.pgn");
    let output = errare(&["analyse", &file, "--csv"]).assert().success();
    let text = String::from_utf8(output.get_output().stdout.clone()).unwrap();
    let columns: Vec<usize> = text.lines().map(|line| line.split(',').count()).collect();
    assert_eq!(columns.len(), 91);
    assert!(columns.iter().all(|&count| count == columns[0]), "{columns:?}");
}

/// Browne - BELLE, game 2, move 12: Re4 is best between about 16 and 31 (Haworth 2003, §7).
#[test]
fn agents_explain_what_they_would_play() {
    let fen = "8/8/8/2K5/r7/2Q5/4k3/8 b - - 0 1";
    for (c, preferred) in [("10", "a4f4"), ("20", "a4e4"), ("40", "a4g4")] {
        let output =
            errare(&["explain", fen, "--competence", c, "--kappa", "0", "--json"]).assert().success();
        let object: Value = serde_json::from_slice(&output.get_output().stdout).unwrap();
        assert_eq!(object["agents"]["predator"]["uci"], preferred, "c = {c}");
        assert_eq!(object["agents"]["predator"]["expected"].as_array().unwrap().len(), 4);
        let moves = object["moves"].as_array().unwrap();
        let sum: f64 = moves.iter().map(|object| object["probability"].as_f64().unwrap()).sum();
        assert!((sum - 1.0).abs() < 1e-9);
        assert!(moves.iter().all(|object| object["price"].as_f64().unwrap() > 0.0));
        assert!(
            object["agents"]["emulator"]["uci"].is_string() && object["agents"]["player"]["uci"].is_string()
        );
    }
}

/// A short game with a blunder: the queen is left where a pawn takes it.
const WHOLE_GAME: &str =
    "[White \"A\"]\n[Black \"B\"]\n[Result \"*\"]\n\n1. e4 e5 2. Nf3 Nc6 3. Bc4 Nd4 4. Nxe5 Qg5 5. Qh5 *\n";

#[test]
fn whole_games_are_judged_by_search_and_say_so() {
    let folder = tempfile::tempdir().unwrap();
    let games = folder.path().join("games.pgn");
    fs::write(&games, WHOLE_GAME).unwrap();
    let games = games.to_str().unwrap();
    let pictures = folder.path().join("pictures");
    let output = errare(&["analyse", games, "--depth", "3", "--json"])
        .args(["--svg", pictures.to_str().unwrap()])
        .assert()
        .success();
    let drawn = |name: &str| fs::read_to_string(pictures.join(format!("game-1-{name}.svg"))).unwrap();
    assert!(
        drawn("value").contains("value of the game for White")
            && drawn("competence-by-search").contains("E[c]")
    );
    let object: Value = serde_json::from_slice(&output.get_output().stdout).unwrap();
    let game = &object["games"][0];
    let moves = game["moves"].as_array().unwrap();
    assert_eq!(moves.len(), 9);
    for object in moves {
        assert_eq!(object["scale"], "evaluation");
        assert!(object["value"].is_null() && object["depth_before"].is_null(), "{object}");
        assert!(object["loss"].as_f64().unwrap() >= 0.0 && object["probability"].as_f64().unwrap() > 0.0);
    }
    assert!(moves[8]["loss"].as_f64().unwrap() > 5.0, "the queen is lost: {}", moves[8]);
    assert!(game["summary"]["white"]["c"].is_null(), "tables have said nothing");
    assert!(game["summary"]["white"]["evaluation"]["c"].is_number());
    errare(&["analyse", games, "--only-tables"])
        .assert()
        .success()
        .stdout(predicate::str::contains("no position that could be judged"));
}

#[test]
fn a_blunder_lowers_a_rating_and_a_forced_move_says_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let games = folder.path().join("games.pgn");
    // A drawn ending is thrown away, and held.
    let drawn = "[FEN \"8/8/3k4/8/3KP3/8/8/8 b - - 0 1\"]\n\n1... ";
    let forced = "[FEN \"k7/8/1K6/8/8/8/8/7R b - - 0 1\"]\n\n1... Kb8 *\n";
    fs::write(&games, format!("{drawn}Kd7 *\n\n{drawn}Ke6 *\n\n{forced}")).unwrap();
    let output = errare(&["analyse", games.to_str().unwrap(), "--json"]).assert().success();
    let object: Value = serde_json::from_slice(&output.get_output().stdout).unwrap();
    let c = |game: usize| object["games"][game]["summary"]["black"]["c"].as_f64();
    assert!(object["games"].as_array().unwrap().iter().all(|game| game["moves"][0]["outside"] == false));
    assert!(c(0).unwrap() < 25.0 && 25.0 < c(1).unwrap(), "{:?} {:?}", c(0), c(1));
    assert_eq!(c(2), None, "only one legal move");
    let text = errare(&["analyse", games.to_str().unwrap()]).assert().success();
    let text = String::from_utf8(text.get_output().stdout.clone()).unwrap();
    assert!(text.contains("no information") && !text.contains("25.0 ["), "{text}");
}

#[test]
fn any_position_is_explained() {
    let start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
    let output =
        errare(&["explain", start, "--competence", "1", "--depth", "3", "--json"]).assert().success();
    let object: Value = serde_json::from_slice(&output.get_output().stdout).unwrap();
    assert_eq!(object["scale"], "evaluation");
    let moves = object["moves"].as_array().unwrap();
    assert_eq!(moves.len(), 20);
    assert!(moves.iter().all(|object| object["values"].as_array().unwrap().len() == 3));
    let sum: f64 = moves.iter().map(|object| object["probability"].as_f64().unwrap()).sum();
    assert!((sum - 1.0).abs() < 1e-9);
    for agent in ["predator", "player", "emulator", "coach", "infallible", "search"] {
        assert!(object["agents"][agent]["uci"].is_string(), "{agent}: {object}");
    }
    let mate = "7k/5Q2/6K1/8/8/8/8/8 b - - 0 1";
    errare(&["explain", mate, "--competence", "1"]).assert().success();
    errare(&["explain", "8/8/8/8/8/5k2/5p2/5K2 w - - 0 1", "--metric", "dtm"]).assert().success();
}

#[test]
fn exports_have_the_players_their_elo_the_result_and_the_event() {
    let folder = tempfile::tempdir().unwrap();
    let games = folder.path().join("games.pgn");
    let tags = "[Event \"Cup, \"]\n[White \"E\"]\n[Black \"F\"]\n[WhiteElo \"2400\"]\n[BlackElo \"?\"]\n";
    fs::write(&games, format!("{tags}[FEN \"7k/8/5K2/6Q1/8/8/8/8 w - - 0 1\"]\n\n1. Qg7# 1-0\n")).unwrap();
    let export = |form: &str| {
        let output = errare(&["analyse", games.to_str().unwrap(), "--only-tables", form]).assert().success();
        String::from_utf8(output.get_output().stdout.clone()).unwrap()
    };
    let object: Value = serde_json::from_str(&export("--json")).unwrap();
    let game = &object["games"][0];
    assert_eq!((&game["white_elo"], &game["black_elo"]), (&2400.into(), &Value::Null));
    assert_eq!((&game["players"]["white"], &game["players"]["black"]), (&"E".into(), &"F".into()));
    assert_eq!((&game["result"], &game["event"]), (&"1-0".into(), &"Cup, ".into()));
    let csv = export("--csv");
    assert!(csv.lines().next().unwrap().ends_with(",white,black,white_elo,black_elo,result,event"), "{csv}");
    assert!(csv.lines().nth(1).unwrap().ends_with(",E,F,2400,,1-0,\"Cup, \""), "{csv}");
}

/// A mate by a queen, in which White is to move.
const MATE: &str = "[FEN \"7k/8/6K1/8/8/8/8/1Q6 w - - 0 1\"]\n\n1. Qb8# 1-0\n";

#[test]
fn games_may_be_annotated_in_place_and_what_cannot_be_read_is_kept() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("games.pgn");
    let unreadable = "[White \"A\"]\n\n1. e4 Zb3 2. d4 1-0";
    fs::write(&file, format!("{MATE}\n{unreadable}\n\n{MATE}")).unwrap();
    let name = file.to_str().unwrap();
    errare(&["analyse", name, "--pgn", name, "--only-tables"])
        .assert()
        .success()
        .stderr(predicate::str::contains("game 2 (A - ?): 'Zb3' is no move"));
    let written = fs::read_to_string(&file).unwrap();
    assert!(written.contains(unreadable), "{written}");
    assert_eq!(written.matches("1. Qb8# {").count(), 2, "{written}");
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
}

#[test]
fn a_file_is_as_it_was_if_the_program_is_killed_while_it_writes() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("games.pgn");
    let games = format!("{MATE}\n").repeat(3) + "1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. Ba4 Nf6 *\n";
    fs::write(&file, &games).unwrap();
    let name = file.to_str().unwrap();
    let mut killed = std::process::Command::new(env!("CARGO_BIN_EXE_errare"))
        .arg("--config")
        .arg(&*SETTINGS)
        .args(["analyse", name, "--pgn", name, "--depth", "40"])
        .stdout(std::process::Stdio::null())
        .spawn()
        .unwrap();
    // The last game takes hours: by then the others are written.
    while fs::read_dir(folder.path()).unwrap().count() < 2 {
        std::thread::yield_now();
    }
    killed.kill().unwrap();
    killed.wait().unwrap();
    assert_eq!(fs::read_to_string(&file).unwrap(), games);
    errare(&["analyse", name, "--pgn", name, "--depth", "1"]).assert().success();
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1, "what was left is cleared");
}

#[test]
fn where_there_are_no_games_that_is_said() {
    let folder = tempfile::tempdir().unwrap();
    let file = |name: &str, bytes: &[u8]| {
        fs::write(folder.path().join(name), bytes).unwrap();
        folder.path().join(name).to_str().unwrap().to_owned()
    };
    let junk: Vec<u8> = (0..2000_u32).map(|number| (number * 7919 % 251) as u8).collect();
    let places = [
        file("empty", b""),
        file("blank", b"\n\n \n"),
        file("words", b"It was a dark and stormy night.\n"),
        file("junk", &junk),
        folder.path().to_str().unwrap().to_owned(),
    ];
    for place in places {
        let says = predicate::str::contains(format!("no games in {place}"));
        errare(&["analyse", &place]).assert().code(1).stderr(says);
    }
}

#[test]
fn games_of_which_nothing_can_be_said_are_counted_and_the_table_that_helps_most_is_named_first() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("games.pgn");
    let rooks = "[FEN \"8/8/8/3k4/8/3KP3/8/r6R w - - 0 1\"]\n\n1. Rh5+ *\n\n";
    let queens = "[FEN \"8/8/8/3k4/8/3KP3/8/q6Q w - - 0 1\"]\n\n1. Qxa1 *\n\n";
    fs::write(&file, format!("{queens}{rooks}{rooks}")).unwrap();
    let output = errare(&["analyse", file.to_str().unwrap(), "--only-tables"]).assert().success();
    let text = String::from_utf8_lossy(&output.get_output().stdout).into_owned();
    let line = text.lines().last().unwrap();
    assert!(line.starts_with("2 games have no position that could be judged"), "{text}");
    assert!(line.contains("KRPKR (2)") && line.contains("tables build KRPKR --metric dtc"), "{text}");
}
