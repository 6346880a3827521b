//! Other people's UCI engines as child processes: started, asked, given up on, ended. Knows nothing of
//! matches; whoever wants moves or evaluations from another program comes here.

mod engine;
mod info;
mod process;

pub use engine::{Answer, Engine, EngineCommand, EngineError, Limits, Patience};
pub use info::Info;
