use std::{fmt, time::Duration};

use shakmaty::Move;

use crate::{
    game::Game,
    oracle::{Control, Limits, Report},
};

use super::SeatSettings;

/// Whoever plays takes a seat: an agent of ours, our search, another program. A chess program and a match ask the same
/// thing for a move.
pub trait Seat: Send {
    /// Takes over settings. Called before anything else by those who have settings, and when one was changed.
    fn configure(&mut self, _settings: &SeatSettings, _say: &mut Say<'_>) {}

    /// Gets ready for a game that goes on from `opening`. Everything left to chance follows from `seed`, if there is one.
    fn new_game(&mut self, opening: &Game, seed: Option<u64>) -> Result<(), Trouble>;

    /// The last move of the game was really played, by whomever.
    fn played(&mut self, _game: &Game) {}

    /// Finds a move in a position that has one, and says at least one line of play on the way. It may answer early, also
    /// in analysis: the answer is kept back for as long as it is not wanted.
    fn choose(
        &mut self,
        game: &Game,
        limits: &Limits,
        control: &Control,
        say: &mut Say<'_>,
    ) -> Result<Answer, Trouble>;

    /// The game is over: nothing is to be thought about any more.
    fn end_game(&mut self) {}

    /// Does what can wait until an answer is out.
    fn rest(&mut self, _say: &mut Say<'_>) {}

    /// Forgets what was learned in searches.
    fn clear_hash(&mut self) {}
}

/// Something to tell while thinking.
#[derive(Clone, Debug)]
pub enum Info {
    /// A line of play and its value.
    Search(Report),
    /// A remark for people.
    Text(String),
}

/// Who hears what is told.
pub type Say<'a> = dyn FnMut(Info) + 'a;

/// The move to play.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Answer {
    /// The move; none if there is no legal one.
    pub best: Option<Move>,
    /// The expected reply.
    pub reply: Option<Move>,
    /// How long it took by the player's own count; nothing if whoever asked may look at the clock himself.
    pub elapsed: Option<Duration>,
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
    /// As PGN and reports have it.
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
