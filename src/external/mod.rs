//! Other people's UCI engines as child processes: started, asked, given up on, ended. Knows nothing of
//! matches; whoever wants moves or evaluations from another program comes here.

mod answer;
mod declared_option;
mod engine;
mod info;
mod limits;
mod process;

pub use answer::EngineAnswer;
pub use engine::{Engine, EngineCommand, EngineError};
pub use info::EngineInfo;
pub use limits::{GoLimits, Patience, Timeouts};
