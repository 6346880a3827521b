//! A UCI engine that plays any legal move, until it misbehaves as it was told: for tests of whoever has to bear with
//! engines.
//!
//! `misbehaving_engine FAULT N FILE`: at its N-th move of each game it
//!
//! - plays an illegal move (`illegal`),
//! - ends (`crash`),
//! - falls silent for ever (`stall`),
//! - answers half a second late (`late`),
//! - talks for ever and heeds no `stop` (`babble`),
//! - reports more lines than there are moves (`many-lines`),
//! - reports more plies and positions than anyone allows (`deaf`).
//!
//! Whatever N is, it talks for ever instead of introducing itself (`prattle`) or takes 300 ms for every move (`slow`).
//! Without arguments it behaves. If there is a FILE, it adds its process id to it.

use std::{
    fs::OpenOptions,
    io::{self, BufRead, Write},
    process, thread,
    time::Duration,
};

use errare::{game::Game, notation::read_position};
use shakmaty::{Chess, Position, uci::UciMove};

fn main() -> io::Result<()> {
    let mut arguments = std::env::args().skip(1);
    let fault = arguments.next().unwrap_or_default();
    let when: usize = arguments.next().and_then(|number| number.parse().ok()).unwrap_or(usize::MAX);
    if let Some(file) = arguments.next() {
        let mut file = OpenOptions::new().append(true).create(true).open(file)?;
        file.write_all(format!("{}\n", process::id()).as_bytes())?;
    }
    let mut made = 0;
    let mut game = Game::new(Chess::default());
    let mut out = io::stdout();
    for line in io::stdin().lock().lines() {
        let line = line?;
        let words: Vec<&str> = line.split_ascii_whitespace().collect();
        match words[..] {
            ["uci"] if fault == "prattle" => talk(&mut out)?,
            ["uci"] => writeln!(out, "id name Misbehaving\nuciok")?,
            ["isready"] => writeln!(out, "readyok")?,
            ["ucinewgame"] => made = 0,
            ["position", ref rest @ ..] => game = set_up(rest),
            ["go", ..] => {
                made += 1;
                go(if made == when || fault == "slow" { &fault } else { "" }, &game, &mut out)?;
            }
            ["quit"] => return Ok(()),
            _ => {}
        }
        out.flush()?;
    }
    Ok(())
}

/// Answers `go`, or does what else it was told.
fn go(fault: &str, game: &Game, out: &mut impl Write) -> io::Result<()> {
    let moves = game.position().legal_moves();
    let chosen = UciMove::from_standard(moves[game.moves().len() * 7 % moves.len()]);
    let (mut depth, mut nodes) = (1, 1);
    match fault {
        "illegal" => return writeln!(out, "bestmove e1e8"),
        "crash" => process::exit(3),
        "stall" => loop {
            thread::sleep(Duration::from_secs(1));
        },
        "babble" => talk(out)?,
        "late" => thread::sleep(Duration::from_millis(500)),
        "slow" => thread::sleep(Duration::from_millis(300)),
        "many-lines" => {
            for number in 1..=20_000 {
                writeln!(out, "info depth 1 multipv {number} score cp 12 nodes 1 pv {chosen}")?;
            }
        }
        "deaf" => (depth, nodes) = (99, u64::MAX),
        _ => {}
    }
    writeln!(out, "info depth {depth} score cp 12 nodes {nodes} pv {chosen}")?;
    writeln!(out, "bestmove {chosen}")
}

/// Says something for ever, until nobody is there to hear it.
fn talk(out: &mut impl Write) -> io::Result<()> {
    loop {
        writeln!(out, "info depth 1 score cp 12 nodes 1")?;
    }
}

/// The game of a `position` line; what can't be read is left out.
fn set_up(words: &[&str]) -> Game {
    let mut parts = words.split(|word| *word == "moves");
    let start = match parts.next() {
        Some(["fen", fen @ ..]) => read_position(&fen.join(" ")).unwrap_or_default(),
        _ => Chess::default(),
    };
    let mut game = Game::new(start);
    for word in parts.next().unwrap_or_default() {
        if let Some(m) = word.parse::<UciMove>().ok().and_then(|uci| uci.to_move(game.position()).ok()) {
            game.play(m);
        }
    }
    game
}
