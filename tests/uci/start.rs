//! From the first word to the first move, and the end.

use std::{
    io::Write,
    process::{Command, Stdio},
    thread,
    time::Instant,
};

use crate::session::{DEADLINE, Session};

#[test]
fn the_engine_introduces_itself() {
    let mut session = Session::new();
    let lines = session.send("uci").until("uciok");
    assert!(lines[0].starts_with("id name Errare "), "{lines:#?}");
    assert!(lines[1].starts_with("id author "), "{lines:#?}");
    assert!(lines[2..lines.len() - 1].iter().all(|line| line.starts_with("option name ")), "{lines:#?}");
    assert!(session.ready().is_empty());
    session.quit();
}

#[test]
fn a_first_game_goes_as_expected() {
    let mut session = Session::new();
    session.send("uci").until("uciok");
    assert!(session.ready().is_empty());
    session.send("ucinewgame");
    assert!(session.ready().is_empty());
    session.send("position startpos moves e2e4");
    let best = session.go("go movetime 100");
    assert!(["5", "6"].iter().any(|rank| best.ends_with(rank)), "not a first move by Black: {best}");
    assert_eq!(session.quit(), Vec::<String>::new());
}

#[test]
fn another_protocol_may_be_tried_first() {
    let mut session = Session::new();
    session.send("xboard").send("protover 2");
    let lines = session.send("uci").until("uciok");
    assert!(lines[0].starts_with("id name "), "{lines:#?}");
    session.quit();
}

#[test]
fn a_game_may_begin_without_any_greeting() {
    let mut session = Session::new();
    session.send("position fen 7k/8/5KQ1/8/8/8/8/8 b - - 0 1");
    assert_eq!(session.go("go depth 1"), "0000");
    let mut session = Session::new();
    assert_eq!(session.go("go depth 1 searchmoves e2e4"), "e2e4");
}

#[test]
fn the_end_of_input_is_quit() {
    let mut session = Session::new();
    session.hang_up();
    let (rest, status) = session.end();
    assert!(status.success());
    assert!(rest.is_empty(), "{rest:#?}");
}

#[test]
fn a_search_that_the_end_of_input_cuts_off_still_tells_its_move() {
    let mut session = Session::new();
    session.send("position startpos").send("go infinite").hang_up();
    session.best_move();
    assert!(session.end().1.success());
}

#[test]
fn quit_ends_a_search() {
    for go in ["go infinite", "go ponder wtime 60000 btime 60000", "go wtime 3600000 btime 3600000"] {
        let mut session = Session::new();
        session.send(go).until("info depth");
        let rest = session.quit();
        assert!(rest.iter().filter(|line| line.starts_with("bestmove")).count() <= 1, "{rest:#?}");
    }
}

#[test]
fn nobody_listening_is_a_clean_end() {
    let mut child = Command::new(assert_cmd::cargo::cargo_bin!("errare"))
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    drop(child.stdout.take());
    let mut input = child.stdin.take().unwrap();
    let start = Instant::now();
    let status = loop {
        // The engine notices when it next has something to say; after that, writing to it fails.
        let _ = writeln!(input, "uci");
        if let Some(status) = child.try_wait().unwrap() {
            break status;
        }
        assert!(start.elapsed() < DEADLINE, "the engine goes on");
        thread::yield_now();
    };
    assert!(status.success(), "{status}");
    assert_eq!(child.wait_with_output().unwrap().stderr, b"");
}
