//! What is not the protocol.

use crate::session::Session;

#[test]
fn ten_thousand_lines_of_noise_change_nothing() {
    let mut session = Session::new();
    session.send("position fen 7k/8/8/8/8/8/8/K7 w - - 0 1");
    for number in 0..10_000 {
        let line = match number % 5 {
            0 => format!("joho {number}"),
            1 => "\t \r".to_owned(),
            2 => "ucii".to_owned(),
            3 => "\u{0}\u{7f}é 日本".to_owned(),
            _ => "x".repeat(number % 97),
        };
        session.send(&line);
    }
    assert!(session.ready().is_empty());
    let best = session.go("go nodes 500");
    assert!(["a1a2", "a1b1", "a1b2"].contains(&best.as_str()), "{best}");
    session.quit();
}

#[test]
fn bytes_that_are_no_text_do_not_end_the_engine() {
    let mut session = Session::new();
    session.send_bytes(b"\xff\xfe\x00 \xc3\x28\n");
    session.send_bytes(b"position fen \xff\xff w - - 0 1\n");
    assert_eq!(session.ready().len(), 1);
    session.quit();
}

#[test]
fn a_line_of_a_million_bytes_is_survived() {
    let mut session = Session::new();
    session.send(&"joho ".repeat(200_000));
    session.send(&format!("position startpos moves {}", "e2e4 ".repeat(200_000)));
    let said = session.ready();
    assert_eq!(said.len(), 1);
    assert!(said[0].len() < 300, "{}", said[0]);
    session.quit();
}

#[test]
fn windows_line_ends_and_tabs_are_blanks() {
    let mut session = Session::new();
    session.send_bytes(b"uci\r\n").until("uciok");
    session.send_bytes(b"isready\r\n").until("readyok");
    session.send_bytes(b"setoption name Ponder value true\r\n");
    session.send_bytes(b"position\tstartpos \t moves  e2e4\r\n");
    session.send_bytes(b"go\tnodes  500\r\n").best_move();
    assert!(session.ready().is_empty());
    session.send_bytes(b"quit\r\n");
    assert!(session.end().1.success());
}

#[test]
fn the_last_line_may_lack_its_end() {
    let mut session = Session::new();
    session.send_bytes(b"isready").hang_up();
    let (rest, status) = session.end();
    assert_eq!(rest, ["readyok"]);
    assert!(status.success());
}

#[test]
fn words_before_a_command_are_skipped() {
    let mut session = Session::new();
    session.send("joho isready").until("readyok");
    session.send("well then uci").until("uciok");
    assert!(session.send("joho debug on").ready().is_empty());
    // With debug on, the engine says what it does not know.
    assert_eq!(session.send("joho").ready(), ["info string nothing known in 'joho'"]);
    assert!(session.send("debug off").send("joho").ready().is_empty());
    session.quit();
}
