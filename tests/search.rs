//! What a search must do, whatever its parameters.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a test or bench may stop where it stands")]

use std::{thread, time::Duration};

use errare::{
    game::Game,
    model::Value,
    search::{Clock, Control, Found, Limits, Probe, Report, Score, SearchSettings, Searcher},
};
use shakmaty::{CastlingMode, Chess, Position, fen::Fen, san::San, uci::UciMove};

fn game(fen: &str) -> Game {
    Game::new(fen.parse::<Fen>().unwrap().into_position(CastlingMode::Standard).unwrap())
}

fn settings() -> SearchSettings {
    SearchSettings { hash_mb: 2, ..SearchSettings::default() }
}

fn depth(depth: u32) -> Limits {
    Limits { depth: Some(depth), ..Limits::default() }
}

fn search(game: &Game, limits: &Limits) -> Found {
    Searcher::new(settings()).search(game, limits, &Control::new(), &mut |_| {})
}

fn san(game: &Game, found: &Found) -> String {
    San::from_move(game.position(), found.best.unwrap()).to_string()
}

#[test]
fn tactics_are_found() {
    for (fen, best) in [
        ("2rr3k/pp3pp1/1nnqbN1p/3pN3/2pP4/2P3Q1/PPB4P/R4RK1 w - - 0 1", "Qg6"),
        ("1k1r4/pp1b1R2/3q2pp/4p3/2B5/4Q3/PPP2B2/2K5 b - - 0 1", "Qd1"),
        ("5rk1/1ppb3p/p1pb4/6q1/3P1p1r/2P1R2P/PP1BQ1P1/5RKN w - - 0 1", "Rg3"),
    ] {
        let game = game(fen);
        assert_eq!(san(&game, &search(&game, &depth(14))), best, "{fen}");
    }
}

#[test]
fn mates_are_announced_in_moves_for_either_side() {
    let mate_in_one = game("6k1/5ppp/8/8/8/8/r4PPP/1R4K1 w - - 0 1");
    assert_eq!(search(&mate_in_one, &depth(6)).score, Score::Mate(1));
    let to_be_mated = game("7k/5K2/8/6Q1/8/8/8/8 b - - 0 1");
    assert_eq!(search(&to_be_mated, &depth(6)).score, Score::Mate(-1));
}

#[test]
fn without_a_legal_move_there_is_no_best_move() {
    let mated = search(&game("7k/6Q1/6K1/8/8/8/8/8 b - - 0 1"), &depth(3));
    assert!(mated.best.is_none());
    assert_eq!(mated.score, Score::Mate(0));
    let stalemated = search(&game("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1"), &depth(3));
    assert!(stalemated.best.is_none());
    assert_eq!(stalemated.score, Score::Centipawns(0));
}

#[test]
fn the_same_search_visits_the_same_nodes() {
    let game = game("r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10");
    let mut searcher = Searcher::new(settings());
    let run = |searcher: &mut Searcher| {
        searcher.new_game();
        let found = searcher.search(&game, &depth(9), &Control::new(), &mut |_| {});
        (found.nodes, found.best, found.score)
    };
    let first = run(&mut searcher);
    assert_eq!(run(&mut searcher), first);
    assert_eq!(run(&mut Searcher::new(settings())), first);
}

#[test]
fn the_node_limit_is_kept() {
    let limits = Limits { nodes: Some(5_000), ..Limits::default() };
    assert!(
        search(&game("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"), &limits).nodes <= 5_000
    );
}

#[test]
fn only_the_moves_asked_for_are_considered() {
    let game = game("6k1/5ppp/8/8/8/8/r4PPP/1R4K1 w - - 0 1");
    let only = "h2h3".parse::<UciMove>().unwrap().to_move(game.position()).unwrap();
    let found = search(&game, &Limits { search_moves: vec![only], ..depth(5) });
    assert_eq!(found.best, Some(only));
}

#[test]
fn several_lines_are_reported_in_order_and_begin_differently() {
    let game = game("r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10");
    let mut searcher = Searcher::new(SearchSettings { multi_pv: 3, ..settings() });
    let mut last: Vec<Report> = Vec::new();
    searcher.search(&game, &depth(6), &Control::new(), &mut |report| {
        if report.multipv == 1 {
            last.clear();
        }
        last.push(report.clone());
    });
    assert_eq!(last.len(), 3);
    let values: Vec<i32> = last
        .iter()
        .map(|report| match report.score {
            Score::Centipawns(value) => value,
            Score::Mate(_) => panic!("no mate here"),
        })
        .collect();
    assert!(values.is_sorted_by(|a, b| a >= b), "{values:?}");
    assert!(
        last[0].pv[0] != last[1].pv[0] && last[1].pv[0] != last[2].pv[0] && last[0].pv[0] != last[2].pv[0]
    );
}

#[test]
fn every_reported_line_is_legal() {
    for fen in [
        "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
        "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
    ] {
        let game = game(fen);
        let mut searcher = Searcher::new(SearchSettings { threads: 2, ..settings() });
        searcher.search(&game, &depth(8), &Control::new(), &mut |report| {
            let mut position = game.position().clone();
            for &m in &report.pv {
                assert!(position.is_legal(m), "{m}");
                position.play_unchecked(m);
            }
        });
    }
}

#[test]
fn a_repetition_saves_the_weaker_side() {
    // White is a rook down, but checks on e8 and h5 without end.
    let game = game("6k1/6p1/8/7Q/8/8/qr3PPP/6K1 w - - 0 1");
    assert_eq!(search(&game, &depth(10)).score, Score::Centipawns(0));
}

#[test]
fn a_position_seen_twice_in_the_game_is_a_draw_the_third_time() {
    let mut game = game("7k/8/8/8/8/8/1Q6/K7 b - - 10 40");
    for uci in ["h8g8", "b2b3", "g8h8", "b3b2", "h8g8", "b2b3", "g8h8"] {
        let m = uci.parse::<UciMove>().unwrap().to_move(game.position()).unwrap();
        game.play(m);
    }
    // Qb2 brings the position about for the third time.
    let qb2 = "b3b2".parse::<UciMove>().unwrap().to_move(game.position()).unwrap();
    let found = search(&game, &Limits { search_moves: vec![qb2], ..depth(6) });
    assert_eq!(found.score, Score::Centipawns(0));
}

#[test]
fn fifty_moves_without_progress_are_a_draw() {
    let game = game("8/8/8/4k3/8/8/1R6/K7 w - - 99 80");
    assert_eq!(search(&game, &depth(6)).score, Score::Centipawns(0));
}

#[test]
fn an_infinite_search_ends_when_it_is_stopped() {
    let control = Control::new();
    let stopper = control.clone();
    let handle = thread::spawn(move || {
        thread::sleep(Duration::from_millis(50));
        stopper.stop();
    });
    let limits = Limits { infinite: true, ..depth(1) };
    let found =
        Searcher::new(settings()).search(&Game::new(Chess::default()), &limits, &control, &mut |_| {});
    assert!(control.is_stopped() && found.best.is_some());
    handle.join().unwrap();
}

#[test]
fn pondering_ends_by_the_clock_only_after_the_ponder_move() {
    let control = Control::new();
    let clock = Clock { remaining: Duration::from_millis(20), increment: Duration::ZERO };
    let limits = Limits { clock: Some(clock), ponder: true, ..Limits::default() };
    // The opponent moves when more time has passed than is on our clock, so a search that ends without his move, or
    // does not end after it, is wrong.
    let found =
        Searcher::new(settings()).search(&Game::new(Chess::default()), &limits, &control, &mut |report| {
            if report.time > clock.remaining {
                control.ponderhit();
            }
        });
    assert!(found.best.is_some());
    assert!(control.hit_at().is_some(), "ended before the ponder move");
    assert!(!control.is_stopped(), "ended by something other than the clock");
}

/// Knows that whoever still has a rook against a bare king wins.
struct Rooks;

impl Probe for Rooks {
    fn max_men(&self) -> usize {
        3
    }

    fn value(&self, position: &Chess) -> Option<Value> {
        let rooks = position.board().rooks();
        (position.board().occupied().count() == 3 && rooks.any())
            .then(|| if (rooks & position.us()).any() { Value::Win } else { Value::Loss })
    }
}

#[test]
fn tablebases_are_probed_inside_the_tree() {
    // Kxb3 leads to a rook ending that the tablebases know.
    let game = game("8/8/8/4k3/8/1p6/K7/7R w - - 0 1");
    let mut searcher = Searcher::new(settings());
    searcher.set_probe(Some(std::sync::Arc::new(Rooks)));
    let mut hits = 0;
    let found = searcher.search(&game, &depth(4), &Control::new(), &mut |report| hits = report.tbhits);
    assert_eq!(san(&game, &found), "Kxb3");
    assert!(hits > 0);
}
