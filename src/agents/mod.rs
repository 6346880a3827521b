//! Who plays and who watches, by the fallible-choice model: WILHELM's agents (Haworth & Andrist, §3). They
//! know positions and oracles, and nothing of protocols, files or threads.
//!
//! | agent | plays |
//! |---|---|
//! | [`Player`] | as R_c, by chance |
//! | [`Infallible`] | as R_∞, by a stated rule among optimal moves |
//! | [`Emulator`] | so as to look like c as exactly as it can |
//! | [`Predator`] | what is hardest for this opponent |
//! | [`Analyser`] | nothing: it watches |

mod agent;
mod analyser;
mod chance;
mod emulator;
mod expectation;
mod infallible;
mod lookahead;
mod player;
mod predator;
mod rules;
mod situation;

pub use agent::{Agent, AgentError, Mover};
pub use analyser::Analyser;
pub use emulator::{Emulator, TieBreak};
pub use expectation::Expectation;
pub use infallible::{Infallible, Rule, UnknownRule};
pub use player::Player;
pub use predator::{Advice, Candidate, Predator, Settings, Speculation};
pub use situation::Situation;
