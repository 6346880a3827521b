use std::{fmt, sync::Arc};

use super::{Agent, AgentError, AgentSpec, Analyser, Foresight, KINDS, OwnMoves};
use crate::model::Scale;

/// A kind of agent: its name, what it does, and how one is made.
pub struct AgentKind {
    /// The name by which users choose it, in any capitals.
    pub name: &'static str,
    /// What it plays, in a few words.
    pub help: &'static str,
    /// Keys of the settings it uses. The notation of players accepts only these, and `metric`.
    pub fields: &'static [&'static str],
    /// Outside tables, one part in so many of the time for a move is spent on judging the opponent's moves. 0: none, and
    /// nothing is learned there.
    pub judging_divisor: u32,
    /// Whether its moves in whole games depend on what it knows of the opponent: judging gets more time until that is known.
    pub hunts: bool,
    /// Whether it comments the opponent's moves.
    pub comments: bool,
    /// Whether it shows its level more steadily than chance would.
    pub is_steady: bool,
    /// Makes one for positions that are priced on this scale.
    pub build: Build,
}

/// Makes an agent as a spec has it, for one scale, from what is known when it has to move.
pub type Build = fn(&AgentSpec, Scale, &Knowledge<'_>) -> Result<Box<dyn Agent>, AgentError>;

/// What is known of a game and its players when an agent has to move.
pub struct Knowledge<'a> {
    /// What is believed of the opponent.
    pub opponent: &'a Analyser,
    /// The moves that the agent has made in this game.
    pub own: &'a OwnMoves,
    /// Who has solved endgames, if anybody has.
    pub foresight: Option<&'a Arc<dyn Foresight>>,
}

/// The name of an agent that does not exist.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("there is no agent '{0}': use one of {names}", names = AgentKind::names().join(", "))]
pub struct UnknownAgent(pub String);

impl AgentKind {
    /// A template: a kind says in what it differs, and always how one is built.
    pub(super) const BASE: AgentKind = AgentKind {
        name: "",
        help: "",
        fields: &[],
        judging_divisor: 10,
        hunts: false,
        comments: false,
        is_steady: false,
        build: |_, _, _| Err(AgentError::NotServed),
    };

    /// The kind of this name.
    pub fn find(name: &str) -> Result<&'static AgentKind, UnknownAgent> {
        let found = KINDS.iter().find(|kind| kind.name.eq_ignore_ascii_case(name));
        found.copied().ok_or_else(|| UnknownAgent(name.to_owned()))
    }

    /// All names, as the notation has them.
    pub fn names() -> Vec<String> {
        KINDS.iter().map(|kind| kind.name.to_ascii_lowercase()).collect()
    }
}

impl PartialEq for AgentKind {
    fn eq(&self, other: &AgentKind) -> bool {
        self.name == other.name
    }
}

impl fmt::Debug for AgentKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name)
    }
}

impl fmt::Display for AgentKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name)
    }
}
