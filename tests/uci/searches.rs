//! `go` in all its forms, and how a search ends.

use crate::session::Session;

#[test]
fn every_limit_gives_a_score_and_one_move() {
    let mut session = Session::new();
    for go in [
        "go depth 1",
        "go depth 5",
        "go nodes 1",
        "go nodes 1000",
        "go movetime 1",
        "go movetime 50",
        "go movetime 0",
        "go movetime -1",
        "go wtime 100 btime 100",
        "go wtime 100 btime 100 winc 10 binc 10",
        "go wtime 100 btime 100 movestogo 1",
        "go wtime 1000 btime 1000 movestogo 300",
        "go wtime 100 btime 100 winc 10 binc 10 movestogo 40",
        "go wtime 100",
        "go btime 100",
        "go wtime 100 winc 10",
        "go btime 100 binc 10",
        "go wtime -100 btime -100",
        "go wtime 0 btime 0",
        "go wtime 1 btime 1 winc 0 binc 0",
        "go movetime 20 depth 300 wtime 1000 btime 1000",
        "go nodes 500 depth 300",
        "go depth 300 movetime 20",
        "go mate 256 movetime 20",
        "go mate 1 nodes 500",
        "go searchmoves 0000 nodes 500",
        "go searchmoves e2e4 d2d4 nodes 500",
        "go nodes 500 joho",
        "go  nodes\t500  depth   2",
    ] {
        session.send("position startpos");
        let best = session.go(go);
        assert_eq!(best.len(), 4, "{go}: {best}");
        assert!(session.ready().iter().all(|line| !line.starts_with("bestmove")), "a second move for {go}");
    }
    session.quit();
}

#[test]
fn the_fields_of_an_info_line_are_integers() {
    let mut session = Session::new();
    let lines = session.send("position startpos").send("go nodes 500").until("bestmove");
    let line = lines.iter().rev().find(|line| line.starts_with("info depth")).unwrap();
    let words: Vec<_> = line.split(' ').collect();
    for key in ["depth", "seldepth", "nodes", "nps", "time"] {
        let at = words.iter().position(|&word| word == key).unwrap_or_else(|| panic!("no {key} in {line}"));
        assert!(words[at + 1].parse::<u64>().is_ok(), "{key} in {line}");
    }
    let at = words.iter().position(|&word| word == "score").unwrap();
    assert!(["cp", "mate"].contains(&words[at + 1]), "{line}");
    assert!(words[at + 2].parse::<i32>().is_ok(), "{line}");
    let at = words.iter().position(|&word| word == "pv").unwrap();
    assert!(words[at + 1..].iter().all(|word| (4..=5).contains(&word.len())), "{line}");
    assert!(!line.contains("bound"), "{line}");
    session.quit();
}

#[test]
fn a_search_is_kept_to_the_moves_it_is_given() {
    let mut session = Session::new();
    for allowed in ["a2a3", "h2h4", "b1c3"] {
        session.send("position startpos");
        assert_eq!(session.go(&format!("go searchmoves {allowed} nodes 500")), allowed);
    }
    session.quit();
}

#[test]
fn analysis_ends_only_when_it_is_told_to() {
    let only_one_move = "position fen 7k/8/6K1/8/8/8/8/R7 b - - 0 1";
    let mate_in_one = "position fen 7k/8/6K1/8/8/8/8/R7 w - - 0 1";
    let mated = "position fen R6k/8/6K1/8/8/8/8/8 b - - 0 1";
    for position in ["position startpos", only_one_move, mate_in_one, mated] {
        for go in ["go infinite", "go infinite depth 1", "go ponder wtime 1 btime 1", "go ponder movetime 1"]
        {
            let mut session = Session::new();
            session.send(position).send(go).until("info depth");
            session.no_best_move();
            session.send("stop").until("bestmove");
            session.quit();
        }
    }
}

#[test]
fn stop_may_follow_at_once() {
    let mut session = Session::new();
    for _ in 0..20 {
        session.send("position startpos").send("go infinite").send("stop").best_move();
    }
    for _ in 0..20 {
        session.send_bytes(b"go infinite\nstop\nposition startpos moves e2e4\ngo infinite\nstop\n");
        session.best_move();
        session.best_move();
    }
    assert!(session.ready().is_empty());
    session.quit();
}

#[test]
fn a_ponderhit_lets_the_search_end_by_its_limits() {
    let mut session = Session::new();
    session.send("setoption name Ponder value true");
    session.send("position startpos moves e2e4 e7e5").send("go ponder wtime 300 btime 300 winc 10 binc 10");
    session.no_best_move();
    session.send("ponderhit").until("bestmove");
    session
        .send("position startpos moves e2e4 e7e5")
        .send("go ponder movetime 20")
        .send("ponderhit")
        .best_move();
    session.quit();
}

#[test]
fn a_missed_ponder_is_stopped_and_the_game_goes_on() {
    let mut session = Session::new();
    session.send("position startpos moves e2e4 e7e5").send("go ponder wtime 300 btime 300").send("stop");
    session.best_move();
    session.send("position startpos moves e2e4 c7c5");
    session.go("go wtime 300 btime 300");
    session.quit();
}

#[test]
fn a_reply_to_ponder_on_is_named_only_if_asked_for() {
    let mut session = Session::new();
    for (value, expected) in [("true", true), ("false", false)] {
        session.send(&format!("setoption name Ponder value {value}")).send("position startpos");
        let lines = session.send("go nodes 2000").until("bestmove");
        assert_eq!(lines.last().unwrap().contains(" ponder "), expected, "{lines:#?}");
    }
    session.quit();
}

#[test]
fn stop_and_ponderhit_without_a_search_do_nothing() {
    let mut session = Session::new();
    assert!(session.send("stop").send("ponderhit").ready().is_empty());
    session.go("go nodes 500");
    assert!(session.send("stop").ready().is_empty());
    session.quit();
}

#[test]
fn without_a_legal_move_the_answer_is_0000() {
    let mut session = Session::new();
    for (position, score) in [
        ("position fen R6k/8/6K1/8/8/8/8/8 b - - 0 1", "score mate 0"),
        ("position fen 8/8/8/8/8/4k3/4p3/4K3 w - - 0 1", "score cp 0"),
    ] {
        let lines = session.send(position).send("go movetime 20").until("bestmove");
        assert!(lines.iter().any(|line| line.contains(score)), "{lines:#?}");
        assert_eq!(lines.last().unwrap(), "bestmove 0000");
    }
    session.quit();
}

#[test]
fn isready_is_answered_during_a_search() {
    let mut session = Session::new();
    session.send("go infinite").until("info depth");
    for _ in 0..100 {
        assert!(session.ready().iter().all(|line| line.starts_with("info ")));
    }
    session.send("stop").until("bestmove");
    session.quit();
}

#[test]
fn every_go_gets_its_move_even_if_nobody_waited_for_the_one_before() {
    let mut session = Session::new();
    session
        .send_bytes(b"position startpos\ngo nodes 500\ngo depth 1\ngo movetime 5\nucinewgame\ngo nodes 1\n");
    for _ in 0..4 {
        session.best_move();
    }
    assert!(session.ready().is_empty());
    session.quit();
}
