//! Someone who plays a game.

use std::{fmt, time::Duration};

use serde::Serialize;
use shakmaty::{ByColor, Move};

use crate::{game::Game, score::Score};

use super::time_control::Clock;

/// A player at the board.
pub trait Contender: Send {
    /// Gets ready for a game that goes on from this opening; everything it leaves to chance follows from `seed`.
    fn new_game(&mut self, opening: &Game, seed: u64) -> Result<(), Trouble>;

    /// A move in the present position of the game, which is not over.
    fn choose(&mut self, game: &Game, clocks: &ByColor<Clock>) -> Result<Thought, Trouble>;
}

/// A move and what went into it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Thought {
    /// The move.
    pub m: Move,
    /// How long it took.
    pub elapsed: Duration,
    /// What the player thinks of its position.
    pub score: Option<Score>,
    /// How deep it has looked.
    pub depth: Option<u32>,
}

/// Why there is no move.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Trouble {
    /// The player has lost by its own doing; the match goes on.
    #[error("{0}")]
    Fault(Fault),
    /// The player can't play this game at all; the match has no sense.
    #[error("{0}")]
    Unable(String),
    /// Nobody waits for the move any more.
    #[error("interrupted")]
    Cancelled,
}

/// What a player may do wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum FaultKind {
    /// A move that is none.
    Illegal,
    /// It ended.
    Crash,
    /// It did not answer.
    Stall,
    /// It answered too late.
    Time,
}

impl FaultKind {
    /// The name.
    pub fn name(self) -> &'static str {
        match self {
            FaultKind::Illegal => "illegal move",
            FaultKind::Crash => "crash",
            FaultKind::Stall => "stall",
            FaultKind::Time => "time",
        }
    }
}

/// A fault, and what happened.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    /// Which.
    pub kind: FaultKind,
    /// In words.
    pub what: String,
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.kind.name(), self.what)
    }
}

/// How often each fault was made.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Faults {
    /// Illegal moves.
    pub illegal: u64,
    /// Crashes.
    pub crash: u64,
    /// Stalls.
    pub stall: u64,
    /// Losses on time.
    pub time: u64,
}

impl Faults {
    /// One more.
    pub fn add(&mut self, kind: FaultKind) {
        *match kind {
            FaultKind::Illegal => &mut self.illegal,
            FaultKind::Crash => &mut self.crash,
            FaultKind::Stall => &mut self.stall,
            FaultKind::Time => &mut self.time,
        } += 1;
    }

    /// All together.
    pub fn total(self) -> u64 {
        self.illegal + self.crash + self.stall + self.time
    }

    /// Those of two players.
    pub fn plus(self, other: Faults) -> Faults {
        Faults {
            illegal: self.illegal + other.illegal,
            crash: self.crash + other.crash,
            stall: self.stall + other.stall,
            time: self.time + other.time,
        }
    }
}
