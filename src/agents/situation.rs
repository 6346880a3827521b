use std::borrow::Cow;

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
    /// The oracle's look at the position, if someone has had it already.
    pub seen: Option<&'a Prospects>,
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
        Situation { position, oracle, seen: None, mates: None, fifty: false, history: &[] }
    }

    /// One look at the position.
    pub fn look(&self) -> Result<Cow<'a, Prospects>, AgentError> {
        match self.seen {
            Some(seen) => Ok(Cow::Borrowed(seen)),
            None => self.oracle.look(self.position).map(Cow::Owned).ok_or(AgentError::NotServed),
        }
    }
}
