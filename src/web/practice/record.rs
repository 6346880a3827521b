//! A practice game as it is kept: what no restart may lose.

use std::time::Duration;

use serde::{Deserialize, Serialize};
use shakmaty::{CastlingMode, Color, uci::UciMove};

use super::{Partner, Verdict};
use crate::{
    agents::Learned,
    arena::TimeControl,
    game::Game,
    notation::{self, playable},
};

/// What is kept of a game.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Record {
    /// Of this form.
    pub version: u32,
    /// When it was begun, in seconds since 1970.
    pub begun: u64,
    /// When it was last changed.
    pub changed: u64,
    /// What is played.
    pub title: String,
    /// With whom.
    pub partner: Partner,
    /// Whether the visitor has White.
    pub white: bool,
    /// The clock, if there is one.
    pub clock: Option<ClockRecord>,
    /// The position at the start.
    pub start: String,
    /// The moves, in UCI notation, castling as the king taking its rook.
    pub moves: Vec<String>,
    /// How many of them were there when the players took over.
    pub given: usize,
    /// What the visitor's moves were worth.
    pub verdicts: Vec<Verdict>,
    /// Half-moves before which a hint was given.
    pub hinted: Vec<usize>,
    /// How it ended.
    pub ending: Option<End>,
    /// What was learned of the visitor.
    pub learned: Learned,
    /// Of the partner's chance.
    pub seed: u64,
}

/// The version that this program writes and reads.
pub const VERSION: u32 = 1;

/// A clock for each side.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct ClockRecord {
    /// At the start, in seconds.
    pub base: u32,
    /// Added after each move, in seconds.
    pub increment: u32,
    /// What White has left, in milliseconds.
    pub white: u64,
    /// What Black has left.
    pub black: u64,
}

impl ClockRecord {
    /// A clock for one side with what it has left.
    pub fn control(&self, side: Color) -> TimeControl {
        TimeControl::Clock {
            moves: None,
            base: Duration::from_millis(side.fold_wb(self.white, self.black)),
            increment: Duration::from_secs(self.increment.into()),
        }
    }
}

/// How a game ended.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct End {
    /// As in PGN.
    pub result: String,
    /// Why.
    pub reason: String,
}

impl End {
    /// A side has won, or nobody.
    pub fn new(winner: Option<Color>, reason: impl Into<String>) -> End {
        let result = match winner {
            Some(Color::White) => "1-0",
            Some(Color::Black) => "0-1",
            None => "1/2-1/2",
        };
        End { result: result.to_owned(), reason: reason.into() }
    }
}

/// How moves are written down: the same in ordinary chess and in Chess960.
const MODE: CastlingMode = CastlingMode::Chess960;

impl Record {
    /// The game that is written down; nothing if it can't be read.
    pub fn game(&self) -> Option<Game> {
        let mut game = Game::new(playable(&self.start.parse().ok()?, false).ok()?);
        for text in &self.moves {
            game.play(text.parse::<UciMove>().ok()?.to_move(game.position()).ok()?);
        }
        (self.version == VERSION).then_some(game)
    }

    /// Writes down the moves of a game.
    pub fn write(&mut self, game: &Game) {
        self.start = notation::fen(game.start());
        self.moves = game.moves().iter().map(|m| m.to_uci(MODE).to_string()).collect();
    }

    /// The visitor's side.
    pub fn side(&self) -> Color {
        Color::from_white(self.white)
    }
}
