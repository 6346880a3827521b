//! Who plays and who watches, by the fallible-choice model: WILHELM's agents (Haworth & Andrist, §3). They
//! know games and oracles, and nothing of protocols, files or threads.
//!
//! | agent | plays |
//! |---|---|
//! | [`Player`] | as R_c, by chance |
//! | [`Infallible`] | as R_∞, by a stated rule among optimal moves |
//! | [`Emulator`] | so as to look like c as exactly as it can |
//! | Coach | as Emulator, at the level of its opponent |
//! | [`Predator`] | what is hardest for this opponent, in positions that tables know |
//! | [`Hunter`] | the same in whole games: Predator where no table serves |
//! | [`Search`] | the strongest move it finds |
//! | [`HumanPlayer`] | as people of an Elo do: Player, Emulator and Coach where an Elo is set |
//! | [`Analyser`] | nothing: it infers a player's competence from observed moves |
//!
//! All that can be set of an agent is an [`AgentSpec`]. A new agent is a file with the agent and its [`AgentKind`], and a
//! line in [`KINDS`].

mod agent;
mod analyser;
mod coach;
mod emulator;
mod expectation;
mod fields;
mod foresight;
mod human_player;
mod hunter;
mod infallible;
mod intent;
mod kind;
mod lookahead;
mod observation;
mod own_moves;
mod player;
mod predator;
mod rules;
mod search;
mod setting;
mod situation;
mod spec;
mod trap;
mod watcher;

pub use agent::{Agent, AgentError};
pub use analyser::{Analyser, Learned};
pub use emulator::{Emulator, TieBreak};
pub use expectation::{Aim, Expectation};
pub use fields::{FIELDS, Field, field};
pub use foresight::{Foresight, Opponent};
pub use human_player::HumanPlayer;
pub use hunter::Hunter;
pub use infallible::{Infallible, Rule, UnknownRule};
pub use intent::{Intent, Why};
pub use kind::{AgentKind, Build, Knowledge, UnknownAgent};
pub use observation::Observation;
pub use own_moves::OwnMoves;
pub use player::Player;
pub use predator::{Advice, Candidate, HuntSettings, Plies, Predator, Speculation};
pub use search::Search;
pub use setting::Setting;
pub use situation::Situation;
pub use spec::AgentSpec;
pub use trap::{Bait, Hunt, Prey, Reply};
pub use watcher::Watcher;

/// All agents, in the order in which people are shown them; the first is the one that plays if nobody says otherwise.
pub const KINDS: &[&AgentKind] =
    &[&predator::KIND, &player::KIND, &emulator::KIND, &coach::KIND, &infallible::KIND, &search::KIND];
