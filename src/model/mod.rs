//! The fallible-choice model. Pure mathematics: nothing here knows of files, clocks, threads or
//! protocols.
//!
//! Three steps are kept apart, so that one look at a position serves many settings: what each move
//! leads to ([`Prospects`]), what it costs ([`Preference`]), and how much it is
//! weighted ([`Policy`]). A [`Model`] takes the last two and makes a [`Decision`]; a [`Belief`]
//! learns from decisions and the moves played.

mod belief;
mod choice;
mod code;
mod competence;
mod decision;
mod formula;
mod grid;
mod metric;
mod mixture;
#[allow(clippy::module_inception, reason = "the room is named after its chief inhabitant")]
mod model;
mod outcome;
mod price;
mod prospects;
mod scale;
mod score;
mod spectrum;
mod state;
mod weight;

pub use belief::{Belief, BeliefError, Evidence};
pub use choice::Choice;
pub use code::Code;
pub use competence::{Competence, NoCompetence};
pub use decision::Decision;
pub(crate) use formula::{Face, choose_alike, side_by_side};
pub use grid::{Grid, NoGrid};
pub use metric::{Metric, UnknownMetric};
pub use mixture::Mixture;
pub use model::{Model, NoDecision};
pub use outcome::Outcome;
pub use price::{NoPreference, Preference};
pub use prospects::{Prospect, Prospects};
pub use scale::{ForeignScale, PerScale, Scale};
pub use score::Score;
pub use state::{Depth, State, Value};
pub use weight::Policy;
