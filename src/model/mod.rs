//! The fallible-choice model. Pure mathematics: nothing here knows of files, clocks, threads or
//! protocols.
//!
//! Three steps are kept apart, so that one look at a position serves many settings: what each move
//! leads to ([`Prospects`]), what it costs ([`Preference`]), and how much it is
//! weighted ([`Policy`]). A [`Model`] takes the last two and makes a [`Decision`]; a [`Belief`]
//! learns from decisions and the moves played.

mod belief;
mod code;
mod competence;
mod concession;
mod decision;
mod metric;
mod mixture;
#[allow(clippy::module_inception, reason = "the room is named after its chief inhabitant")]
mod model;
mod outcome;

pub use belief::{Belief, BeliefError, Evidence, Grid, NoGrid};
pub use code::Code;
pub use competence::{Competence, NoCompetence};
pub use concession::Concession;
pub use decision::{Choice, Decision};
pub(crate) use decision::{Face, choose_alike, side_by_side};
pub use metric::{Metric, UnknownMetric};
pub use mixture::Mixture;
pub use model::{Model, NoDecision, NoPreference, Policy, Preference, Prospect, Prospects};
pub use outcome::{Depth, ForeignScale, Outcome, PerScale, Scale, Score, State, Value};
