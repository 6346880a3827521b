//! What is remembered of opponents.

use std::fs;

use assert_cmd::Command;
use predicates::prelude::*;

use crate::{browne_belle, tables::session};

fn errare() -> Command {
    Command::new(assert_cmd::cargo::cargo_bin!("errare"))
}

/// Has Browne play his first moves, and tells what is said of him in the end.
fn play(folder: &str, name: &str, number_of_moves: usize) -> String {
    let mut session = session(&[("Opponent Profiles", "true"), ("Profile Path", folder)]);
    session.send("ucinewgame").send(&format!("setoption name UCI_Opponent value GM 2500 human {name}"));
    let mut moves = Vec::new();
    let mut said = String::new();
    for (ply, (_, _, uci)) in browne_belle::plies().into_iter().enumerate().take(2 * number_of_moves) {
        moves.push(uci);
        if ply % 2 == 0 {
            session.send(&format!("position fen {} moves {}", browne_belle::START, moves.join(" ")));
            let lines = session.send("go wtime 60000 btime 60000").until("bestmove");
            said = lines.into_iter().find(|line| line.contains("opponent: ")).unwrap_or_default();
        }
    }
    session.ready();
    // The last move is written down while the opponent thinks.
    session.send("ucinewgame").send("go depth 1").until("bestmove");
    session.quit();
    said
}

#[test]
fn an_opponent_is_remembered_by_name_until_it_is_forgotten() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("my profiles").to_string_lossy().into_owned();
    let first = play(&path, "Walter Browne", 7);
    assert!(first.contains("after 7 moves"), "{first}");
    assert!(play(&path, "Somebody Else", 1).contains("after 1 move "));
    let second = play(&path, "Walter Browne", 1);
    assert!(second.contains("after 8 moves"), "{second}");

    let profiles = |arguments: &[&str]| {
        let mut command = errare();
        command.current_dir(&folder).args(["profiles", "--path", &path]).args(arguments);
        command.assert()
    };
    profiles(&["list"]).success().stdout(
        predicate::str::contains("Walter Browne\n")
            .and(predicate::str::contains("after 8 moves"))
            .and(predicate::str::contains("Somebody Else")),
    );
    let shown = profiles(&["show", "Walter Browne", "--json"]).success().get_output().stdout.clone();
    let shown: serde_json::Value = serde_json::from_slice(&shown).unwrap();
    assert_eq!(shown["scales"]["table"]["moves"], 8);
    let exported = profiles(&["export", "Walter Browne"]).success().get_output().stdout.clone();
    assert_eq!(String::from_utf8(exported).unwrap().lines().count(), 9);
    profiles(&["forget", "Walter Browne"]).success();
    profiles(&["forget", "Walter Browne"]).code(2).stderr(predicate::str::contains("Walter Browne"));
    assert!(play(&path, "Walter Browne", 1).contains("after 1 move "));
}

#[test]
fn a_damaged_profile_is_set_aside_and_said_to_be() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().to_string_lossy().into_owned();
    play(&path, "Ada", 2);
    let kept = || fs::read_dir(&folder).unwrap().map(|entry| entry.unwrap().path());
    let file = kept().find(|path| path.extension().is_some_and(|extension| extension == "jsonl")).unwrap();
    let text = fs::read_to_string(&file).unwrap().replace("win", "draw");
    fs::write(&file, text).unwrap();
    let mut session = session(&[("Opponent Profiles", "true"), ("Profile Path", &path)]);
    session.send("setoption name UCI_Opponent value none none human Ada");
    let said = session.until("info string");
    assert!(said[0].contains("damaged") && said[0].contains("set aside"), "{said:#?}");
    session.quit();
    assert!(play(&path, "Ada", 1).contains("after 1 move "));
    assert_eq!(kept().count(), 3, "the damaged one, the new one, and the lock");
}

#[test]
fn nothing_is_remembered_unless_it_is_asked_for() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().to_string_lossy().into_owned();
    let mut session = session(&[("Profile Path", &path)]);
    session.send("ucinewgame").send("setoption name UCI_Opponent value none none human Ada");
    session.send(&format!("position fen {} moves c8b7", browne_belle::START));
    session.go("go wtime 1000 btime 1000");
    session.send("ucinewgame").go("go depth 1");
    session.quit();
    assert_eq!(fs::read_dir(&folder).unwrap().count(), 0);
}
