use std::{fmt, str::FromStr};

/// Who chooses the moves.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum AgentName {
    /// What is hardest for this opponent.
    #[default]
    Predator,
    /// By chance, as R_c.
    Player,
    /// So as to look like c as exactly as it can.
    Emulator,
    /// As Emulator at the level of the person, whose moves it comments.
    Coach,
    /// Always a best move.
    Infallible,
    /// A best move, and the opponent is not watched outside the tables.
    Search,
}

/// The name of an agent that does not exist.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("there is no agent '{0}': use one of predator, player, emulator, coach, infallible, search")]
pub struct UnknownAgent(pub String);

impl AgentName {
    /// All names, in the order of [`AgentName::ALL`].
    pub const NAMES: [&str; 6] = ["Predator", "Player", "Emulator", "Coach", "Infallible", "Search"];
    /// All agents.
    pub const ALL: [AgentName; 6] = [
        AgentName::Predator,
        AgentName::Player,
        AgentName::Emulator,
        AgentName::Coach,
        AgentName::Infallible,
        AgentName::Search,
    ];

    /// The name by which users choose it.
    pub fn name(self) -> &'static str {
        AgentName::NAMES[self as usize]
    }

    /// Whether it plays as well as it can outside the tables.
    pub(super) fn plays_the_best(self) -> bool {
        matches!(self, AgentName::Predator | AgentName::Infallible | AgentName::Search)
    }
}

impl fmt::Display for AgentName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl FromStr for AgentName {
    type Err = UnknownAgent;

    fn from_str(text: &str) -> Result<AgentName, UnknownAgent> {
        AgentName::ALL
            .into_iter()
            .find(|agent| agent.name().eq_ignore_ascii_case(text))
            .ok_or_else(|| UnknownAgent(text.to_owned()))
    }
}
