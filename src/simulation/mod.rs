//! Games between players that only look up tables, without a chess library, processes or clocks: a position is a number
//! in a table, a move leads to another, and what is played where is worked out once and then looked up. The experiment
//! of Haworth & Andrist, §6, and others like it.

mod chooser;
mod contest;
mod memory;
mod powers;
mod spectrum;
mod trial;

pub use chooser::Chooser;
pub use contest::{Contest, ContestError, End, Played};
pub use powers::bounds;
pub use spectrum::{GameEvidence, Spectrum};
pub use trial::Trial;
