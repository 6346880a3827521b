//! `position`: where the game stands, and what happens when that can't be understood.

use shakmaty::{CastlingMode, Chess, Position, fen::Fen, uci::UciMove};

use crate::session::Session;

fn is_legal(fen: &str, best: &str) -> bool {
    let position: Chess = fen.parse::<Fen>().unwrap().into_position(CastlingMode::Standard).unwrap();
    best.parse::<UciMove>().is_ok_and(|m| m.to_move(&position).is_ok())
}

#[test]
fn positions_of_every_form_are_played() {
    let mut session = Session::new();
    for (sent, meant) in [
        ("8/8/8/8/8/4k3/8/R3K3 w Q -", "8/8/8/8/8/4k3/8/R3K3 w Q - 0 1"),
        ("8/8/8/8/8/4k3/8/R3K3   w   A   -   12345   54321", "8/8/8/8/8/4k3/8/R3K3 w Q - 0 1"),
        ("8/8/8/8/8/4k3/8/R3K3 w Q - 3 20 moves", "8/8/8/8/8/4k3/8/R3K3 w Q - 3 20"),
        ("4k3/P7/8/8/8/8/8/4K3 w - - 0 1 moves a7a8q", "Q3k3/8/8/8/8/8/8/4K3 b - - 0 1"),
        (
            "rnbqkbnr/ppp1pppp/8/8/3pP3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 3 moves d4e3",
            "rnbqkbnr/ppp1pppp/8/8/8/4p3/PPPP1PPP/RNBQKBNR w KQkq - 0 4",
        ),
    ] {
        assert!(session.send(&format!("position fen {sent}")).ready().is_empty(), "{sent}");
        let best = session.go("go nodes 500");
        assert!(is_legal(meant, &best), "{sent}: {best}");
    }
    session.quit();
}

#[test]
fn castling_is_written_as_the_other_side_expects_it() {
    let castled = |king: &str, option: &str, fen: &str| {
        let mut session = Session::new();
        session.send(option).send(&format!("position fen {fen}"));
        let best = session.go(&format!("go nodes 500 searchmoves {king}"));
        session.quit();
        best
    };
    let usual = "4k3/8/8/8/8/8/8/4K2R w K - 0 1";
    let on = "setoption name UCI_Chess960 value true";
    for sent in ["e1g1", "e1h1"] {
        assert_eq!(castled(sent, "", usual), "e1g1");
        assert_eq!(castled(sent, on, usual), "e1h1");
    }
    assert_eq!(castled("b1g1", on, "4k3/8/8/8/8/8/8/1K4R1 w G - 0 1"), "b1g1");
}

#[test]
fn a_line_that_cannot_be_obeyed_leaves_the_position_as_it_was() {
    let mut session = Session::new();
    session.send("position fen 7k/8/8/8/8/8/8/K7 w - - 0 1 moves a1a2");
    for bad in [
        "position startpos moves e2e4 e7e5 e4e5",
        "position startpos moves joho",
        "position startpos moves 0000",
        "position startpos e2e4",
        "position fen joho",
        "position fen 8/8/8/8/8/8/8/8 w - - 0 1",
        "position fen",
        "position",
    ] {
        let said = session.send(bad).ready();
        assert_eq!(said.len(), 1, "{bad}: {said:#?}");
        assert!(said[0].starts_with("info string position: "), "{bad}: {said:#?}");
        let best = session.go("go nodes 500");
        assert!(["h8g8", "h8g7", "h8h7"].contains(&best.as_str()), "{bad}: {best}");
    }
    session.quit();
}

#[test]
fn a_new_game_forgets_the_position_but_not_the_options() {
    let mut session = Session::new();
    session.send("setoption name Ponder value true").send("position fen 7k/8/8/8/8/8/8/K7 w - - 0 1");
    session.send("ucinewgame");
    let lines = session.send("go nodes 2000").until("bestmove");
    let words: Vec<_> = lines.last().unwrap().split(' ').collect();
    assert!(is_legal("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", words[1]), "{words:?}");
    assert_eq!(words.get(2), Some(&"ponder"));
    session.quit();
}

#[test]
fn a_list_of_a_thousand_moves_is_followed() {
    let mut session = Session::new();
    let round = ["g1f3", "g8f6", "f3g1", "f6g8"].join(" ");
    let list = vec![round; 250].join(" ");
    assert!(session.send(&format!("position startpos moves {list} e2e4")).ready().is_empty());
    let best = session.go("go nodes 500");
    assert!(is_legal("rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1", &best), "{best}");
    session.quit();
}

#[test]
fn a_game_is_played_to_its_end() {
    let mut session = Session::new();
    session.send("setoption name Seed value 7").send("ucinewgame");
    let mut position: Chess = "8/8/8/4k3/8/8/8/R3K3 w Q - 0 1"
        .parse::<Fen>()
        .unwrap()
        .into_position(CastlingMode::Standard)
        .unwrap();
    let mut moves = Vec::new();
    while !position.is_game_over() && moves.len() < 60 {
        session.send(&format!("position fen 8/8/8/4k3/8/8/8/R3K3 w Q - 0 1 moves {}", moves.join(" ")));
        let best = session.go("go nodes 200");
        let m = best.parse::<UciMove>().unwrap().to_move(&position).unwrap();
        position.play_unchecked(m);
        moves.push(best);
    }
    session.quit();
}
