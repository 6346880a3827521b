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
//! line in `agents!`.

/// The agents, in the order in which people are shown them: their modules, and [`KINDS`].
macro_rules! agents {
    ($($agent:ident,)*) => {
        $(mod $agent;)*

        /// All agents, in the order in which people are shown them; the first is the one that plays if nobody says otherwise.
        pub const KINDS: &[&AgentKind] = &[$(&$agent::KIND),*];
    };
}

agents! {
    predator,
    player,
    emulator,
    coach,
    infallible,
    search,
}

mod agent;
mod analyser;
mod fields;
mod human_player;
mod hunter;
mod lookahead;
mod own_moves;
mod setting;
mod spec;
mod trap;

pub use agent::{Agent, AgentError, AgentKind, Build, Intent, Knowledge, Situation, UnknownAgent, Why};
pub use analyser::{Analyser, Learned, Observation, Watcher};
pub use emulator::{Emulator, TieBreak};
pub use fields::{FIELDS, Field, field};
pub use human_player::HumanPlayer;
pub use hunter::Hunter;
pub use infallible::{Infallible, Rule, UnknownRule};
pub use lookahead::{Aim, Expectation};
pub use own_moves::OwnMoves;
pub use player::Player;
pub use predator::{Advice, Candidate, Foresight, HuntSettings, Opponent, Plies, Predator, Speculation};
pub use search::Search;
pub use setting::Setting;
pub use spec::AgentSpec;
pub use trap::{Bait, Hunt, Prey, Reply};
