//! Who plays, and what is said of the opponent.

use shakmaty::{CastlingMode, Chess, Position, fen::Fen, uci::UciMove};

use crate::{browne_belle, session::Session, tables::session};

fn judged(lines: &[String]) -> Vec<&String> {
    lines.iter().filter(|line| line.starts_with("info string opponent: ")).collect()
}

/// The game up to a ply, as `position` says it.
fn position(plies: usize) -> String {
    let moves: Vec<_> = browne_belle::plies().into_iter().take(plies).map(|(_, _, uci)| uci).collect();
    format!("position fen {} moves {}", browne_belle::START, moves.join(" "))
}

#[test]
fn a_weak_player_still_mates_with_a_rook_if_its_horizon_says_so() {
    let options = [("Agent", "Player"), ("Competence", "0"), ("Horizon", "20"), ("Seed", "5")];
    let mut session = session(&options);
    let start = "8/8/8/4k3/8/8/8/R3K3 w - - 0 1";
    let mut game: Chess = start.parse::<Fen>().unwrap().into_position(CastlingMode::Standard).unwrap();
    let mut moves: Vec<String> = Vec::new();
    while !game.is_game_over() {
        session.send(&format!("position fen {start} moves {}", moves.join(" ")));
        let best = session.go("go wtime 1000 btime 1000");
        for uci in [Some(best), None] {
            let Some(m) = uci.map_or_else(
                || game.legal_moves().first().copied(),
                |uci| uci.parse::<UciMove>().unwrap().to_move(&game).ok(),
            ) else {
                break;
            };
            game.play_unchecked(m);
            moves.push(m.to_uci(CastlingMode::Standard).to_string());
        }
        assert!(moves.len() < 40, "no mate: {moves:?}");
    }
    assert!(game.is_checkmate(), "{moves:?}");
    session.quit();
}

/// Has the engine make so many legal moves from the start, for either side.
fn play_both_sides(mut session: Session, plies: usize, go: &str) {
    let mut game = Chess::default();
    let mut moves: Vec<String> = Vec::new();
    for _ in 0..plies {
        session.send(&format!("position startpos moves {}", moves.join(" ")));
        let best = session.go(go);
        let m = best.parse::<UciMove>().unwrap().to_move(&game).unwrap();
        game.play_unchecked(m);
        moves.push(best);
    }
    session.quit();
}

#[test]
fn fallible_agents_play_whole_games() {
    for agent in ["Player", "Emulator", "Coach"] {
        let mut session = Session::new();
        session.send(&format!("setoption name Agent value {agent}"));
        play_both_sides(session, 12, "go nodes 2000");
    }
}

#[test]
fn an_infallible_player_plays_the_best_move_and_its_opposite_does_not() {
    // Black's queen can be taken for nothing.
    let position = "position fen rnb1kbnr/pppp1ppp/8/4p3/4P2q/5N2/PPPP1PPP/RNBQKB1R w KQkq - 0 1";
    let mut session = Session::new();
    session.send("setoption name Agent value Player").send(position);
    session.send("setoption name Game Competence value inf");
    assert_eq!(session.go("go depth 4"), "f3h4");
    session.send("setoption name Game Competence value -inf");
    assert_ne!(session.go("go depth 4"), "f3h4");
    session.quit();
}

#[test]
fn coach_comments_each_move_of_the_person() {
    let mut session = session(&[("Agent", "Coach"), ("Opponent Keeps Value", "true")]);
    session.send("ucinewgame");
    // The first move is best; the sixth, Qe5, concedes a move of depth.
    let mut comments = Vec::new();
    for plies in (1..12).step_by(2) {
        let lines = session.send(&position(plies)).send("go wtime 60000 btime 60000").until("bestmove");
        comments.extend(lines.into_iter().filter(|line| line.starts_with("info string your ")));
    }
    assert_eq!(comments.len(), 6, "{comments:#?}");
    assert!(comments[0].starts_with("info string your Kb7 was "), "{comments:#?}");
    assert!(
        comments[5].starts_with("info string your Qe5 conceded 1 move (longer); best was "),
        "{comments:#?}"
    );
    session.quit();
}

#[test]
fn coach_comments_moves_that_no_table_knows() {
    let mut session = Session::new();
    session.send("setoption name Agent value Coach").send("ucinewgame");
    session.send("position startpos moves e2e4").go("go movetime 400");
    // White leaves the queen where a pawn takes it.
    let lines = session
        .send("position startpos moves e2e4 e7e6 d1g4 g8f6 g4f5")
        .send("go movetime 400")
        .until("bestmove");
    assert!(judged(&lines).is_empty(), "two moves at once are no play: {lines:#?}");
    let lines = session
        .send("position startpos moves e2e4 e7e6 d1g4 g8f6 g4f5 a7a6 f5f4")
        .send("go movetime 2000")
        .until("bestmove");
    let comment = lines.iter().find(|line| line.starts_with("info string your Qf4 "));
    assert!(comment.is_some(), "{lines:#?}");
    assert!(lines.iter().any(|line| line.contains("after 2 moves (whole game)")), "{lines:#?}");
    // Taken back, with the answer to it: the move in its place is told about, but says nothing about the person.
    let lines = session
        .send("position startpos moves e2e4 e7e6 d1g4 g8f6 g4f5 a7a6 f5f3")
        .send("go movetime 2000")
        .until("bestmove");
    assert!(lines.iter().any(|line| line.starts_with("info string your Qf3 ")), "{lines:#?}");
    assert!(judged(&lines).is_empty(), "{lines:#?}");
    session.quit();
}

/// What the Coach says of a person's move in a game of which it hears for the first time.
fn comment(fen: &str, m: &str) -> String {
    let mut session = Session::new();
    session.send("setoption name Agent value Coach").send("ucinewgame");
    let lines =
        session.send(&format!("position fen {fen} moves {m}")).send("go movetime 1000").until("bestmove");
    session.quit();
    let found = lines.iter().find(|line| line.starts_with("info string your "));
    found.unwrap_or_else(|| panic!("{lines:#?}")).strip_prefix("info string ").unwrap().to_owned()
}

#[test]
fn coach_tells_of_mates_in_moves() {
    let missed = comment("6k1/5ppp/8/8/8/8/5PPP/R5K1 w - - 0 1", "g1f1");
    assert!(missed.starts_with("your Kf1 missed mate in 1; best was Ra8#"), "{missed}");
    let allowed = comment("r5k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - 0 1", "d1d7");
    assert!(allowed.starts_with("your Rd7 allowed mate in 2; best was "), "{allowed}");
}

#[test]
fn only_what_extends_the_game_by_play_is_judged() {
    let mut session = session(&[("Ponder", "true")]);
    let said = |session: &mut Session, position: &str, go: &str| {
        let lines = session.send(position).send(go).until("bestmove");
        judged(&lines).iter().map(|line| line.split(" after ").nth(1).unwrap().to_owned()).collect::<Vec<_>>()
    };
    let go = "go wtime 60000 btime 60000";
    session.send("ucinewgame");
    let ended = ["1 move (KQKR), no mistake so far"];
    assert_eq!(said(&mut session, &position(1), go), ended);
    // The same again, a move taken back, a jump forward, analysis: no play.
    assert!(said(&mut session, &position(1), go).is_empty());
    assert!(said(&mut session, &position(5), go).is_empty());
    assert!(said(&mut session, &position(3), go).is_empty());
    session.send(&position(5)).send("go infinite").until("info depth");
    assert!(judged(&session.send("stop").until("bestmove")).is_empty());
    // From where we last had to move, one move and one reply.
    assert_eq!(said(&mut session, &position(5), go), ["2 moves (KQKR), no mistake so far"]);
    session.quit();
}

#[test]
fn a_move_that_was_only_expected_is_not_held_against_the_opponent() {
    let mut session = session(&[]);
    let after = |lines: &[String]| {
        judged(lines).last().map(|line| line.split(" after ").nth(1).unwrap()[..1].to_owned())
    };
    let go = "go wtime 60000 btime 60000";
    session.send("ucinewgame");
    session.send(&position(1)).send(go).until("bestmove");
    // Pondering on a move that is not played …
    session.send(&(position(2) + " b7a7")).send("go ponder wtime 60000 btime 60000").until("info depth");
    session.send("stop").until("bestmove");
    let lines = session.send(&position(3)).send(go).until("bestmove");
    assert_eq!(after(&lines).as_deref(), Some("2"), "{lines:#?}");
    // … and on one that is.
    let mut lines = session.send(&position(5)).send("go ponder wtime 60000 btime 60000").until("info depth");
    lines.extend(session.send("ponderhit").until("bestmove"));
    assert_eq!(after(&lines).as_deref(), Some("3"), "{lines:#?}");
    let lines = session.send(&position(7)).send(go).until("bestmove");
    assert_eq!(after(&lines).as_deref(), Some("4"), "{lines:#?}");
    session.quit();
}

#[test]
fn people_of_an_elo_play_whole_games() {
    for agent in ["Predator", "Player", "Emulator", "Coach"] {
        let mut session = Session::new();
        session.send("setoption name UCI_LimitStrength value true");
        session.send("setoption name UCI_Elo value 1400");
        session.send(&format!("setoption name Agent value {agent}"));
        play_both_sides(session, 8, "go depth 3");
    }
}

#[test]
fn an_elo_that_is_not_switched_on_changes_nothing() {
    let mut session = Session::new();
    session.send("setoption name UCI_Elo value 1300");
    session.send("setoption name Agent value Search");
    session.send("position fen 6k1/5ppp/8/8/8/8/5PPP/R5K1 w - - 0 1");
    assert_eq!(session.go("go depth 4"), "a1a8");
    session.quit();
}

#[test]
fn the_elo_of_the_opponent_is_told_as_the_game_goes_on() {
    let mut session = Session::new();
    session.send("setoption name Agent value Player");
    session.send("position startpos moves e2e4");
    let reply = session.go("go depth 3");
    session.send(&format!("position startpos moves e2e4 {reply} d1h5"));
    let lines = session.send("go depth 3").until("bestmove");
    let told = judged(&lines);
    assert!(told.iter().any(|line| line.contains("chooses like Elo")), "{lines:?}");
    session.quit();
}
