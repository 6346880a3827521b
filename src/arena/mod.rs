//! Games between agents and engines: who plays, from where, by which rules, and what follows from the results.

mod contender;
mod engine_contender;
mod entry;
mod lottery;
mod notation;
mod opening;
mod pgn;
mod play;
mod position_spec;
mod resume;
mod rules;
mod run;
mod schedule;
mod spec;
mod spec_fields;
pub mod statistics;
mod summary;
mod time_control;

pub use contender::{Contender, Fault, FaultKind, Faults, Thought, Trouble};
pub use engine_contender::{EngineContender, Tolerance};
pub use entry::Entry;
pub use lottery::{LotteryError, draw};
pub use notation::NotationError;
pub use opening::{Opening, OpeningError};
pub use pgn::{Headers, PgnFile, pgn_text, today};
pub use play::{Note, Record, play};
pub use position_spec::{NamedPosition, PositionSpec, PositionSpecError, RandomSpec, position};
pub use resume::{ResumeError, Resumed};
pub use rules::{Arbiter, Ending, Reason, Referee, Rules, Until};
pub use run::{Match, MatchError};
pub use schedule::{Schedule, Slot};
pub use spec::{ChoiceRule, EngineSpec, PlayerSpec, PredatorSpec, SearchSpec, View};
pub use summary::{MatchReport, Summary};
pub use time_control::{Clock, TimeControl, TimeControlError};
