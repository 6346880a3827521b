//! A UCI engine that plays any legal move, until it misbehaves as it was told: for tests of whoever has to bear with
//! engines.
//!
//! `misbehaving_engine FAULT N`: at its N-th move of each game it plays an illegal move (`illegal`), ends (`crash`), falls
//! silent for ever (`stall`) or answers half a second late (`late`). Without arguments it behaves.

use std::{
    io::{self, BufRead, Write},
    process, thread,
    time::Duration,
};

use errare::{arena::position, game::Game};
use shakmaty::{Chess, Position, uci::UciMove};

fn main() -> io::Result<()> {
    let mut arguments = std::env::args().skip(1);
    let fault = arguments.next().unwrap_or_default();
    let when: usize = arguments.next().and_then(|number| number.parse().ok()).unwrap_or(usize::MAX);
    let mut made = 0;
    let mut game = Game::new(Chess::default());
    let mut out = io::stdout();
    for line in io::stdin().lock().lines() {
        let line = line?;
        let words: Vec<&str> = line.split_ascii_whitespace().collect();
        match words[..] {
            ["uci"] => writeln!(out, "id name Misbehaving\nuciok")?,
            ["isready"] => writeln!(out, "readyok")?,
            ["ucinewgame"] => made = 0,
            ["position", ref rest @ ..] => game = set_up(rest),
            ["go", ..] => {
                made += 1;
                let due = made == when;
                let moves = game.position().legal_moves();
                let chosen = moves[game.moves().len() * 7 % moves.len()];
                match fault.as_str() {
                    "illegal" if due => writeln!(out, "bestmove e1e8")?,
                    "crash" if due => process::exit(3),
                    "stall" if due => loop {
                        thread::sleep(Duration::from_secs(1));
                    },
                    _ => {
                        if fault == "late" && due {
                            thread::sleep(Duration::from_millis(500));
                        }
                        writeln!(
                            out,
                            "info depth {made} score cp 12 nodes 1 pv {}",
                            UciMove::from_standard(chosen)
                        )?;
                        writeln!(out, "bestmove {}", UciMove::from_standard(chosen))?;
                    }
                }
            }
            ["quit"] => return Ok(()),
            _ => {}
        }
        out.flush()?;
    }
    Ok(())
}

/// The game of a `position` line; what can't be read is left out.
fn set_up(words: &[&str]) -> Game {
    let mut parts = words.split(|word| *word == "moves");
    let start = match parts.next() {
        Some(["fen", fen @ ..]) => position(&fen.join(" ")).unwrap_or_default(),
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
