//! What statistics need to know of a game.

use shakmaty::Color;

use crate::{
    engine::FaultKind,
    model::{Belief, Value},
};

use super::{
    play::GameRecord,
    referee::{Ending, Reason},
    schedule::ScheduledGame,
};

/// A finished game, in short.
#[derive(Clone, Debug, PartialEq)]
pub struct Entry {
    /// Which game it was.
    pub scheduled: ScheduledGame,
    /// What its opening is called.
    pub opening: String,
    /// How it ended.
    pub ending: Ending,
    /// Its length in moves of the side that A plays first.
    pub length: usize,
    /// The apparent competence of A and of B at its end, if an Analyser could judge a move of theirs.
    pub competence: [Option<f64>; 2],
    /// What that Analyser believes of A and of B, unless the game was read from a file.
    pub beliefs: [Option<Belief>; 2],
}

impl Entry {
    /// The short of a record.
    pub fn new(scheduled: ScheduledGame, record: &GameRecord) -> Entry {
        let beliefs = [scheduled.a_color, !scheduled.a_color].map(|side| record.beliefs.get(side).clone());
        Entry {
            scheduled,
            opening: record.opening.clone(),
            ending: record.ending,
            length: record.length(),
            competence: beliefs.each_ref().map(|belief| belief.as_ref().map(Belief::mean)),
            beliefs,
        }
    }

    /// The result for A.
    pub fn value(&self) -> Value {
        self.ending.value_for(self.scheduled.a_color)
    }

    /// Who made a fault, if one ended the game: 0 for A, 1 for B.
    pub fn fault(&self) -> Option<(usize, FaultKind)> {
        let Reason::Fault(kind) = self.ending.reason else { return None };
        let loser: Color = !self.ending.outcome.winner()?;
        Some((usize::from(loser != self.scheduled.a_color), kind))
    }
}
