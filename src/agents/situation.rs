use shakmaty::{Chess, zobrist::Zobrist64};

use super::AgentError;
use crate::model::{Oracle, Prospects};

/// What an agent is asked about: a position, who knows about it, and what the rules have counted so far.
#[derive(Clone, Copy)]
pub struct Situation<'a> {
    /// The position; it carries the halfmove clock.
    pub position: &'a Chess,
    /// Who says what moves lead to.
    pub oracle: &'a dyn Oracle,
    /// Who knows depths to mate, for rules that look twice.
    pub mates: Option<&'a dyn Oracle>,
    /// Whether a draw may be claimed after 50 moves without capture or pawn move.
    pub fifty: bool,
    /// Keys of the earlier positions of the game and the present one, where a draw may be claimed on
    /// the third occurrence of a position; empty where it may not.
    pub history: &'a [Zobrist64],
}

impl<'a> Situation<'a> {
    /// A position without a history, where neither rule counts.
    pub fn new(position: &'a Chess, oracle: &'a dyn Oracle) -> Situation<'a> {
        Situation { position, oracle, mates: None, fifty: false, history: &[] }
    }

    /// One look at the position.
    pub fn look(&self) -> Result<Prospects, AgentError> {
        self.oracle.look(self.position).ok_or(AgentError::NotServed)
    }
}
