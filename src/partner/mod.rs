//! Who plays: each position goes to the tables first, then to the search; the agent that was chosen decides; the
//! opponent is watched meanwhile.
//!
//! ```text
//! uci ──► partner ──► agents ──► model
//!            ├──► oracle ──► endgame, search
//!            └──► profiles
//! ```
//!
//! [`Mind`] holds all state. It knows nothing of the protocol: it is told the game and the limits, says [`Info`]s, and
//! gives an [`Answer`].

mod agent;
mod by_search;
mod by_table;
mod continuation;
mod info;
mod mind;
mod notes;
mod opinion;
mod remarks;
mod settings;
mod watching;

pub use agent::{AgentName, UnknownAgent};
pub use continuation::{Continuation, continuation};
pub use info::{Answer, Info, Say};
pub use mind::Mind;
pub use settings::{Settings, SettingsError, Side};
