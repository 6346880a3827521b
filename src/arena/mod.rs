//! Games between agents and engines: who plays, from where, by which rules, and what follows from the results.

mod notation;
mod spec;
mod spec_fields;
pub mod statistics;
mod time_control;

pub use notation::NotationError;
pub use spec::{ChoiceRule, EngineSpec, PlayerSpec, PredatorSpec, SearchSpec, View};
pub use time_control::{Clock, TimeControl, TimeControlError};
